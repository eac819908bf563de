"""Which system is better, and is the difference more than chance?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import _core
from ._errors import CapellaError
from ._inputs import (
    Captions,
    Images,
    Metrics,
    Settings,
    add_functions,
    listed,
    make_dataset,
    make_options,
    resample_count,
    seed_number,
    split_metrics,
)
from ._result import Result, warned


@dataclass(frozen=True, slots=True)
class Difference:
    """One score of two systems: that of ``system`` less that of ``against``."""

    system: str
    against: str
    score: str
    difference: float
    low: float  #: 95 % confidence interval of the difference, by bootstrap
    high: float
    p: float  #: two-sided
    p_corrected: float  #: after Holm, over all differences of the comparison
    p_sacrebleu: float | None  #: as sacreBLEU computes it from the same resamples; None for randomization
    effect: float  #: Cohen's d over the captions' scores
    real: bool | None  #: p_corrected < 0.05; None where the test cannot tell


class Comparison:
    """What :func:`compare` found.

    >>> c = capella.compare(refs, {"ours": ours, "theirs": theirs})
    >>> c.sentences                                     # "ours is better than theirs on CIDEr-D (+3.21); ..."
    >>> [d for d in c.differences if d.real]
    >>> c.result.systems["ours"].interval("CIDEr-D")    # the scores, with intervals
    """

    def __init__(self, core: _core.Comparison, result: Result) -> None:
        self._core = core
        self._result = result

    @property
    def result(self) -> Result:
        """The scores of all systems, with confidence intervals."""
        return self._result

    @cached_property
    def differences(self) -> list[Difference]:
        """Pair of systems by pair, score by score."""
        return [Difference(*parts) for parts in self._core.differences]

    @property
    def sentences(self) -> list[str]:
        """What it comes to, one sentence per pair of systems."""
        return self._core.sentences

    @property
    def test(self) -> str:
        """Which test: "bootstrap" or "randomization"."""
        return self._core.test

    @property
    def exact(self) -> bool:
        """Whether randomization tried every way to change sides, which it does for few captions."""
        return self._core.exact

    def table(self, format: str = "table", *, width: int = 0) -> str:
        """Scores, differences, wins and sentences as "table", "md" or "latex"; everything as "json"; the differences
        alone as "csv" or "plain". A "table" that is wider than ``width`` columns is folded; 0: any width."""
        return self._core.format(format, width)

    def to_dict(self) -> dict[str, Any]:
        """What ``capella compare --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json"))
        return whole

    def __repr__(self) -> str:
        return "\n".join([repr(self._result), "", *self.sentences])

    def _repr_markdown_(self) -> str:
        return self.table("md")


def compare(
    refs: Captions,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]],
    metrics: Metrics = None,
    *,
    test: str = "bootstrap",
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = 12345,
    tokenizer: str = "ptb",
    df: str | os.PathLike[str] = "refs",
    settings: Settings = None,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    id_column: str | None = None,
    caption_column: str | None = None,
    ids: str = "exact",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
    images: Images = None,
    device: str = "cpu",
) -> Comparison:
    """Compares systems on the same items: every score's difference, its interval, and whether it is more than chance.

    >>> print(capella.compare("refs.json", {"ours": ours, "theirs": "theirs.json"}).table())

    Args:
        refs: References, as in :func:`score`.
        systems: Two or more: a dict name -> captions, or a list of files.
        metrics: Names, or functions of your own, as in :func:`score`.
        test: "bootstrap": items are drawn anew, the same for all systems; or "randomization": captions change sides by
            the toss of a coin.
        baseline: Compare every other system with this one, instead of all pairs.
        resamples: How often items are drawn, or sides changed. None: 10,000, or more for many tests.
        seed: Of what is drawn; the draws are those of ``numpy.random.default_rng(seed)``.

    The other arguments are those of :func:`score`.
    """
    comparing = _core.CompareOptions(
        test, baseline or "", None if resamples is None else resample_count(resamples), seed_number(seed)
    )
    names, functions = split_metrics(metrics, tokenizer, settings)
    dataset = make_dataset(
        refs, None, systems, split, missing, skip_bad, images, id_column=id_column, caption_column=caption_column, ids=ids
    )
    if baseline is not None and baseline not in dataset.systems():
        raise CapellaError(f"unknown baseline '{baseline}'; there are {listed(dataset.systems())}")
    options = make_options(names, tokenizer, df, settings, threads, cache, device=device)
    add_functions(options, dataset, functions)
    core = _core.compare(dataset, options, comparing)
    return Comparison(core, warned(core.result))
