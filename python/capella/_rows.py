"""Statistics of a part of the work, for machines that share it: compute anywhere, pickle, add, merge."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from . import _core
from ._errors import CapellaError
from ._inputs import (
    Captions,
    Images,
    Metrics,
    Settings,
    make_dataset,
    make_options,
    metric_names,
    set_intervals,
)
from ._result import Result, warned


class Rows:
    """Sufficient statistics of some items. ``a + b`` holds both; pickles as bytes.

    ``blocks`` are what ``capella score --stats-out`` writes to files, so the command line and Python can share a run.
    """

    __slots__ = ("blocks",)

    def __init__(self, blocks: Iterable[bytes] = ()) -> None:
        self.blocks: tuple[bytes, ...] = tuple(blocks)

    def __add__(self, other: Rows) -> Rows:
        return Rows(self.blocks + other.blocks) if isinstance(other, Rows) else NotImplemented

    def __radd__(self, other: object) -> Rows:
        """So that ``sum(all_rows)`` works, which starts from 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self.blocks == other.blocks

    def __hash__(self) -> int:
        return hash(self.blocks)

    def __reduce__(self) -> tuple[type[Rows], tuple[tuple[bytes, ...]]]:
        return Rows, (self.blocks,)

    def __repr__(self) -> str:
        return f"<capella.Rows: {len(self.blocks)} block(s), {sum(map(len, self.blocks))} bytes>"


def rows(
    refs: Captions,
    hyps: Captions | None = None,
    metrics: Metrics = None,
    *,
    shard: tuple[int, int] | None = None,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    tokenizer: str = "ptb-iso",
    df: str | os.PathLike[str] = "refs",
    settings: Settings = None,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
    images: Images = None,
    device: str = "cpu",
) -> Rows:
    """The statistics of one share of the work; ``capella.merge`` turns all shares into the result.

    With ``shard=(rank, size)`` (rank counts from 0) every machine is given the whole data and scores its share; document
    frequencies are those of all references. Without, the data itself is a part of something larger, and ``df`` must
    be "coco-val" or a file, the same for all parts.

    >>> parts = [capella.rows(refs, hyps, "cider-d", shard=(k, 4)) for k in range(4)]     # on four machines
    >>> capella.merge(parts)["CIDEr-D"]                                                   # as in one run, bit for bit
    """
    names = metric_names(metrics, "rows", tokenizer, settings)
    options = make_options(names, tokenizer, df, settings, threads, cache, device=device)
    if shard is None:
        part = make_dataset(refs, hyps, systems, split, missing, skip_bad, images)
        return Rows([_core.part_rows(part, options)])
    rank, size = shard
    if not 0 <= rank < size:
        raise CapellaError(f"shard: found ({rank}, {size}), expected (rank, size) with 0 <= rank < size")
    dataset = make_dataset(refs, hyps, systems, split, missing, skip_bad, images)
    return Rows([_core.shard_rows(dataset, options, rank, size)])


def merge(
    *parts: Rows | Iterable[Rows],
    detail: bool = False,
    ci: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    ci_method: str = "percentile",
    threads: int = 0,
) -> Result:
    """The result of a whole run: of all its shards, in any order, or of parts, in the order of the data.

    ``detail``, ``ci`` and what belongs to it as in :func:`capella.score`.
    """
    options = _core.Options([], threads=threads, detail=detail)
    set_intervals(options, ci, resamples, seed, ci_method)
    blocks: list[bytes] = []
    for part in parts:
        for one in [part] if isinstance(part, Rows) else part:
            blocks += one.blocks
    names = [f"block {k}" for k in range(len(blocks))]
    return warned(_core.merge(blocks, names, options))
