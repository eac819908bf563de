"""Capella evaluates image captions.

>>> import capella
>>> r = capella.score("refs.json", "hyps.json")
>>> print(r.table())

:func:`score` is for evaluation, :class:`Reward` for training, :func:`rows` and :func:`merge` for clusters,
:func:`parse` for what captions say, and ``capella.compat`` for code written for pycocoevalcap.
"""

from ._core import Explanation, __version__
from ._data import data_path, get_data
from ._errors import CapellaError, CapellaWarning, FileError
from ._inputs import Item
from ._parse import Parse, Token, parse
from ._result import Result, SystemScores
from ._reward import Reward
from ._rows import Rows, merge, rows
from ._score import explain, score
from ._tools import Metric, Setting, Verified, metrics, tokenize, verify, write_df

__all__ = [
    "CapellaError",
    "CapellaWarning",
    "Explanation",
    "FileError",
    "Item",
    "Metric",
    "Parse",
    "Result",
    "Reward",
    "Rows",
    "Setting",
    "SystemScores",
    "Token",
    "Verified",
    "__version__",
    "data_path",
    "explain",
    "get_data",
    "merge",
    "metrics",
    "parse",
    "rows",
    "score",
    "tokenize",
    "verify",
    "write_df",
]
