"""The small jobs around scoring."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from . import _core
from ._inputs import Captions, make_dataset


class Setting(NamedTuple):
    key: str
    default: str
    help: str


class Metric(NamedTuple):
    name: str
    summary: str
    scores: list[str]
    settings: list[Setting]
    data: str  # the package that get_data gets for it, "" if it needs none


class VerifiedValue(NamedTuple):
    item: str  # a system, a caption, an atom ...
    score: str
    expected: float
    found: float
    difference: float  # relative for values above 1
    exact: bool  # within the metric's tolerance


class Verified(NamedTuple):
    metric: str
    reference: str  # the program with its version, or how else the expected values were computed
    tolerance: float
    missing: str  # the package of get_data that is not there, "" if the values were computed
    values: list[VerifiedValue]

    @property
    def exact(self) -> bool:
        """Whether no value differs; a metric whose data is missing has none to compare."""
        return bool(self.missing) or all(value.exact for value in self.values)


def metrics() -> list[Metric]:
    """All metrics, with the scores and settings of each and the data package it needs."""
    return [
        Metric(name, summary, scores, [Setting(*setting) for setting in settings], data)
        for name, summary, scores, settings, data in _core.metrics()
    ]


def tokenize(captions: Iterable[str], tokenizer: str = "ptb", threads: int = 0) -> list[str]:
    """The captions' tokens, joined by spaces. For "ptb" they are one text, as pycocoevalcap has it.

    >>> capella.tokenize(["A dog, running."])
    ['a dog running']
    """
    return _core.tokenize(captions, tokenizer, threads)


def verify(threads: int = 0) -> list[Verified]:
    """Computes the shipped expected values again on this machine; ``all(m.exact for m in verify())`` should hold."""
    return [
        Verified(metric, reference, tolerance, missing, [VerifiedValue(*value) for value in values])
        for metric, reference, tolerance, missing, values in _core.verify(threads)
    ]


def write_df(
    refs: Captions,
    path: str | os.PathLike[str],
    *,
    tokenizer: str = "ptb-iso",
    split: str | None = None,
    threads: int = 0,
) -> int:
    """Counts the n-grams of the references and writes the file that ``df`` arguments take; returns how many it holds."""
    return _core.write_df(make_dataset(refs, None, split=split), tokenizer, os.fspath(path), threads)
