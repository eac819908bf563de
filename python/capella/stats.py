"""The statistics that Capella uses, for series of one's own.

>>> from capella import stats
>>> stats.kendall(scores, ratings)
Kendall(tau_b=0.75, tau_c=0.75, p=0.017)

Series are sequences or arrays of numbers. Coefficients and p-values are those of ``scipy.stats``; what is undefined
(a series that is always the same, NaN, too few values) is NaN.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._inputs import Numbers, number_array, whole_number

__all__ = ["Coefficient", "Kendall", "Williams", "holm", "kendall", "pearson", "spearman", "williams"]


class Kendall(NamedTuple):
    tau_b: float
    tau_c: float
    p: float


class Coefficient(NamedTuple):
    value: float
    p: float


class Williams(NamedTuple):
    t: float
    p: float


def kendall(x: Numbers, y: Numbers) -> Kendall:
    """Kendall's rank correlation in both variants. p is two-sided: exact for few values without ties, else from the
    normal distribution."""
    return Kendall(*_core.kendall(number_array("x", x), number_array("y", y)))


def pearson(x: Numbers, y: Numbers) -> Coefficient:
    """Pearson's r and its two-sided p-value."""
    return Coefficient(*_core.pearson(number_array("x", x), number_array("y", y)))


def spearman(x: Numbers, y: Numbers) -> Coefficient:
    """Spearman's rho and its two-sided p-value."""
    return Coefficient(*_core.spearman(number_array("x", x), number_array("y", y)))


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Williams' test of two of Pearson's coefficients that share a variable: is ``r12`` really another than ``r13``?

    For two metrics, 1 is people, ``r23`` the coefficient between the metrics, and ``n`` the number of captions. p is
    two-sided.
    """
    return Williams(*_core.williams(r12, r13, r23, whole_number("n", n, 0, 2**63 - 1)))


def holm(p_values: Numbers) -> npt.NDArray[np.float64]:
    """Holm's correction: p-values as they may all be held against one level. NaN stays NaN and is not counted."""
    return np.array(_core.holm(number_array("p_values", p_values)), dtype=np.float64)
