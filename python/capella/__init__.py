"""Capella evaluates image captions.

>>> import capella
>>> r = capella.score("refs.json", "hyps.json")
>>> print(r.table())

:func:`score` is for evaluation, :func:`compare` for differences between systems, :func:`meta` for metrics against human
judgement, :class:`Reward` for training, :func:`rows` and :func:`merge` for clusters, :func:`parse` for what captions say,
``capella.composite`` for metrics learnt from others, ``capella.pregen`` for metrics of generators that have written
nothing yet, ``capella.deneb`` for metrics learnt from people's ratings, :func:`train_adapter` for a sentence encoder of one's own,
``capella.mln`` for how probable a caption is by Markov logic, ``capella.stats`` for coefficients and tests,
and ``capella.compat`` for code written for pycocoevalcap.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from ._adapter import Calibrated, TrainedAdapter, calibrate, train_adapter
from ._compare import Comparison, Difference, compare
from ._core import Explanation, __version__
from ._data import data_path, get_data
from ._errors import CapellaError, CapellaWarning, FileError
from ._inputs import Item
from ._meta import MetaResult, meta
from ._parse import Parse, Token, parse
from ._result import Result, SystemScores
from ._reward import Reward
from ._rows import Rows, merge, rows
from ._score import explain, score
from ._tools import Metric, Setting, Verified, VerifiedValue, metrics, tokenize, verify, write_df

if TYPE_CHECKING:
    from . import compat, composite, deneb, mln, pregen, stats

__all__ = [
    "Calibrated",
    "CapellaError",
    "CapellaWarning",
    "Comparison",
    "Difference",
    "Explanation",
    "FileError",
    "Item",
    "MetaResult",
    "Metric",
    "Parse",
    "Result",
    "Reward",
    "Rows",
    "Setting",
    "SystemScores",
    "Token",
    "TrainedAdapter",
    "Verified",
    "VerifiedValue",
    "__version__",
    "calibrate",
    "compare",
    "compat",
    "composite",
    "data_path",
    "deneb",
    "explain",
    "get_data",
    "merge",
    "meta",
    "metrics",
    "mln",
    "parse",
    "pregen",
    "rows",
    "score",
    "stats",
    "tokenize",
    "train_adapter",
    "verify",
    "write_df",
]

#: Loaded when they are first named, so that importing the package stays quick.
_SUBMODULES = ("compat", "composite", "deneb", "mln", "pregen", "stats")


def __getattr__(name: str) -> ModuleType:
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES})
