"""Verdicts of Markov logic beside other metrics and beside what people said. ``capella.mln`` has all of this."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import seed_number, whole_number
from ._logic_inputs import MOST, Progress, inference_options
from ._mln_common import Path, fixed
from ._result import Result
from ._verification import Verification


class Report:
    """What has tables and a picture."""

    _core: Any

    def table(self, format: str = "table") -> str:
        """As "table", "md", "latex", "csv", "json" or "plain"."""
        text: str = self._core.format(format)
        return text

    def to_dict(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(self._core.format("json"))
        return whole

    def __repr__(self) -> str:
        return self.table().split("\n\n")[0].rstrip()

    def _repr_markdown_(self) -> str:
        return self.table("md")


class Ranking(Report):
    """Systems ranked by other metrics and by Markov logic; the best has the highest rank."""

    def __init__(self, core: _core.RankedSystems) -> None:
        self._core: _core.RankedSystems = core

    @property
    def systems(self) -> list[str]:
        return self._core.systems

    @property
    def metrics(self) -> list[str]:
        return self._core.metrics

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """A row per metric, a column per system."""
        return fixed(np.array(self._core.values))

    @cached_property
    def ranks(self) -> npt.NDArray[np.float64]:
        """A row per metric, a column per system; ties have their mean."""
        return fixed(np.array(self._core.ranks))

    @cached_property
    def average_rank(self) -> npt.NDArray[np.float64]:
        return fixed(np.array(self._core.average_rank))

    @cached_property
    def log_prob(self) -> npt.NDArray[np.float64]:
        return fixed(np.array(self._core.log_prob))

    @cached_property
    def variance(self) -> npt.NDArray[np.float64]:
        return fixed(np.array(self._core.variance))

    @property
    def pearson(self) -> float:
        """Of average ranks with -log_prob, as the next two."""
        return self._core.pearson

    @property
    def spearman(self) -> float:
        return self._core.spearman

    @property
    def kendall(self) -> float:
        return self._core.kendall

    def svg(self, title: str = "Other metrics and Markov logic") -> str:
        """A picture: average rank against uncertainty."""
        return self._core.picture(title)

    def _repr_svg_(self) -> str:
        return self.svg()


def rank(verification: Verification, scores: Result | Mapping[str, Mapping[str, float]]) -> Ranking:
    """Ranks systems by other metrics, to compare with their log-probabilities.

    >>> rank(found, capella.score("refs.json", systems={"ours": ours, "theirs": theirs})).spearman

    Args:
        verification: What :func:`verify` returned.
        scores: What :func:`capella.score` returned for the same systems, or a dict system -> {metric: value}.
    """
    given: Mapping[str, Mapping[str, float]] = scores.systems if isinstance(scores, Result) else scores
    lacking = [name for name in verification if name not in given]
    if lacking:
        raise CapellaError(f"scores: none of {', '.join(lacking)}; expected those of the same systems")
    metrics = list(given[next(iter(verification))])
    for name in verification:
        if set(given[name]) != set(metrics):
            raise CapellaError(f"scores: found other metrics of {name} than of {next(iter(verification))}")
    values = [[float(given[name][metric]) for name in verification] for metric in metrics]
    log_prob = [system.log_prob for system in verification.values()]
    variance = [system.variance for system in verification.values()]
    return Ranking(_core.rank_systems(list(verification), metrics, values, log_prob, variance))


def published_ranking(split: str = "test") -> Ranking:
    """The paper's table of systems, "validation" or "test"."""
    if split not in ("validation", "test"):
        raise CapellaError(f"split: found '{split}', expected 'validation' or 'test'")
    return Ranking(_core.published_ranking(split == "test"))


class ConceptRow(NamedTuple):
    concept: str
    system: str
    images: int
    uncertainty: float  # mean of -log_prob
    interval: tuple[float, float]
    few: bool  # less than 30 images


class Concepts(Report):
    """How uncertain captions about each concept are."""

    def __init__(self, core: _core.ConceptUncertainty) -> None:
        self._core: _core.ConceptUncertainty = core

    @cached_property
    def rows(self) -> list[ConceptRow]:
        return [ConceptRow(*row) for row in self._core.rows]

    @property
    def ties(self) -> list[str]:
        """Images without a majority."""
        return self._core.ties

    @property
    def labelled(self) -> int:
        """Images with one."""
        return self._core.labelled

    def svg(self) -> str:
        return self._core.picture()

    def _repr_svg_(self) -> str:
        return self.svg()


def concepts(
    verification: Verification, labels: Path, *, resamples: int = 1000, seed: int = 12345
) -> Concepts:
    """Uncertainty per concept of the images.

    Args:
        labels: What images are about, a line of JSON each with the labels that people gave; the majority counts.
    """
    resamples = whole_number("resamples", resamples, 0, 10_000_000)
    return Concepts(
        _core.concept_uncertainty(verification._core, os.fspath(labels), resamples, seed_number(seed))
    )


class RankedImage(NamedTuple):
    image: str
    correlation: float
    claims: int


class People(Report):
    """Do people rank claims by certainty as the networks do?"""

    def __init__(self, core: _core.HumanRanking) -> None:
        self._core: _core.HumanRanking = core

    @cached_property
    def images(self) -> list[RankedImage]:
        return [RankedImage(*image) for image in self._core.images]

    @property
    def constant(self) -> int:
        """Images left out, since all of their claims are ranked alike."""
        return self._core.constant

    @property
    def without_network(self) -> int:
        return self._core.without_network

    @property
    def few_claims(self) -> int:
        """Images left out, since their networks know less than two of the claims."""
        return self._core.few_claims

    @property
    def mean(self) -> float:
        """Of the images' correlations."""
        return self._core.mean

    @property
    def interval(self) -> tuple[float, float]:
        return self._core.interval

    @property
    def share_positive(self) -> float:
        return self._core.share_positive

    @cached_property
    def histogram(self) -> npt.NDArray[np.int64]:
        """Images in ten bins from -1 to 1."""
        return fixed(np.array(self._core.histogram, dtype=np.int64))

    def svg(self) -> str:
        return self._core.picture()

    def _repr_svg_(self) -> str:
        return self.svg()


def people(
    ground: Path,
    ranks: Path,
    *,
    resamples: int = 1000,
    method: str = "auto",
    seed: int = 12345,
    threads: int = 0,
    progress: Progress | None = None,
) -> People:
    """Correlates people's ranks of claims with the claims' probabilities, image by image.

    Args:
        ground: What :func:`ground` wrote or returned.
        ranks: People's ranks of the claims that :func:`ranking_task` gave them, JSON lines.
    """
    asked = inference_options(method, seed, threads, _core.most_nodes_per_image, progress=progress)
    resamples = whole_number("resamples", resamples, 0, 10_000_000)
    return People(_core.human_ranking(os.fspath(ground), os.fspath(ranks), asked, resamples))


def ranking_task(ground: Path, *, claims: int = 6, seed: int = 12345) -> list[dict[str, Any]]:
    """Claims as sentences for people to rank: for each image ``image_id``, ``atoms`` and ``sentences``, at most so many.

    The file for workers has a line of JSON for each.
    """
    most = whole_number("claims", claims, 0, MOST)
    text = _core.export_ranking_task(os.fspath(ground), most, seed_number(seed))
    return [json.loads(line) for line in text.splitlines()]
