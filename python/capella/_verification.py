"""Verdicts of Markov logic on captions and systems, and the reasons for them. ``capella.mln`` has all of this."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import optional_path, output_path, whole_number
from ._logic_inputs import MOST, Progress, inference_options
from ._mln_common import Claim, Path, fixed, share
from ._result import warn

_DEFAULTS = _core.InferRun()
_VALUES = ("log_prob", "log_p", "log_prob_unseen", "mcse")


class JudgedClaim(NamedTuple):
    """A claim of a caption as the network sees it."""

    claim: Claim
    entailed: bool  # else the caption contradicts it
    p: float  # of what the caption says
    from_objects: float  # what the objects alone say of the claim; 0.5: nothing


class JudgedCaption(NamedTuple):
    """A caption's verdict."""

    system: str
    image: str
    skipped: str  # why it has no verdict, e.g. "no_network" or "empty_query"; "" if it has one
    method: str
    log_p: float  # of all claims together; NaN if skipped, as the next
    log_prob: float  # mean of ln p over the claims: the paper's column
    log_prob_unseen: float  # with claims about undetected things; NaN if these were not counted
    mcse: float  # of log_p
    claims: list[JudgedClaim]
    unseen: list[Claim]  # claims about things that nobody detected
    dominant: Claim | None  # the most probable one
    without_rule: list[Claim]  # claims about detected things that no rule is about: they do not count
    converged: bool  # else a sampler was stopped before its chains agreed


class JudgedSystem(NamedTuple):
    """A system's verdict: means over its captions."""

    name: str
    captions: int
    scored: int
    no_network: int
    empty_query: int
    claims: int
    contradicted: int
    unseen: int
    log_prob: float
    variance: float
    deviation: float
    interval: tuple[float, float]  # 95 %, by bootstrap of images
    log_p: float
    log_p_interval: tuple[float, float]
    log_prob_unseen: float  # NaN if claims about undetected things were not counted
    unseen_interval: tuple[float, float]
    impossible: int  # of those scored: what they say together breaks hard rules
    without_rule: int  # claims about detected things that no rule is about


class JudgedPair(NamedTuple):
    """Two systems on the images where both have a verdict."""

    first: str
    second: str
    images: int
    difference: float  # first minus second
    interval: tuple[float, float]
    p: float
    p_corrected: float  # after Holm, over all pairs
    real: bool | None  # whether the difference is more than chance; None: the test cannot tell


class Verification(Mapping[str, JudgedSystem]):
    """Verdicts; ``found["ours"].log_prob`` is a system's, ``found.captions`` are those of all captions."""

    def __init__(self, core: _core.Verification, path: str) -> None:
        self._core = core
        self.path = path  #: of the results; "" if they were not written

    @cached_property
    def _systems(self) -> dict[str, JudgedSystem]:
        return {made[0]: JudgedSystem(*made) for made in self._core.systems}

    @property
    def systems(self) -> list[JudgedSystem]:
        return list(self._systems.values())

    @cached_property
    def captions(self) -> list[JudgedCaption]:
        """System by system, each with all images."""
        return [judged_caption(made) for made in self._core.captions]

    def of(self, system: str) -> list[JudgedCaption]:
        """A system's captions, in the order of ``images``."""
        self[system]
        return [caption for caption in self.captions if caption.system == system]

    @cached_property
    def images(self) -> list[str]:
        return list(dict.fromkeys(caption.image for caption in self.captions))

    def array(self, system: str, value: str = "log_prob") -> npt.NDArray[np.float64]:
        """A system's "log_prob", "log_p", "log_prob_unseen" or "mcse" by image, in the order of ``images``; NaN: none."""
        if value not in _VALUES:
            raise KeyError(f"no value '{value}'; there are {', '.join(_VALUES)}")
        return fixed(np.array([getattr(caption, value) for caption in self.of(system)], dtype=np.float64))

    @cached_property
    def pairs(self) -> list[JudgedPair]:
        """Each system with the next better one."""
        return [JudgedPair(*pair) for pair in self._core.pairs]

    @property
    def methods(self) -> dict[str, int]:
        """How many captions were judged by which method."""
        return dict(self._core.methods)

    @property
    def unseen_p(self) -> float:
        """How probable it was held that a thing was missed; 0: claims about undetected things were not counted."""
        return self._core.unseen_p

    @property
    def judges(self) -> list[str]:
        """Models that judged what captions entail; empty: rules did, or it is not told."""
        return self._core.judges

    @property
    def notes(self) -> list[str]:
        return self._core.notes

    def table(self, format: str = "table") -> str:
        """Systems, the most probable first, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._core.format(format)

    def to_dict(self) -> dict[str, Any]:
        """What ``capella mln report --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json"))
        return whole

    def to_pandas(self) -> Any:
        """A DataFrame with one row per system and caption (needs pandas)."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self.captions, columns=JudgedCaption._fields)

    def svg(self) -> str:
        """A picture: how uncertain each system is, with intervals."""
        return self._core.picture()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __fspath__(self) -> str:
        if not self.path:
            raise CapellaError("the results were not written; give verify an output")
        return self.path

    def __getitem__(self, system: str) -> JudgedSystem:
        try:
            return self._systems[system]
        except KeyError:
            raise KeyError(f"no system '{system}'; there are {', '.join(self._systems)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def __repr__(self) -> str:
        return self.table().split("\n\n")[0].rstrip()


def verify(
    ground: Path,
    nli: Path,
    *,
    output: Path | None = None,
    margin: float = _DEFAULTS.margin,
    unseen: float = 0.0,
    resamples: int = 1000,
    method: str = "auto",
    seed: int = 12345,
    threads: int = 0,
    max_nodes: int = _core.most_nodes_per_image,
    chains: int = 16,
    burn_in: int = 500,
    sweeps: int = 20_000,
    progress: Progress | None = None,
) -> Verification:
    """How probable is what captions say, given their images' networks?

    >>> found = verify("ground.jsonl", "nli.jsonl", output="results.json")
    >>> print(found.table()), found["ours"].log_prob, found.array("ours")

    Args:
        ground: What :func:`ground` wrote or returned.
        nli: What :func:`nli` wrote or returned, or the answers of any other model in that shape.
        output: The verdicts as JSON, for :func:`read_verification`. Default: not written.
        margin: An answer of the entailment model must lead by so much.
        unseen: Above 0, claims about undetected things count, and so probable is it that a thing was missed: see
            :func:`missed_things`.
        resamples: How often images are drawn anew for intervals; 0: no intervals.
        method: As of :func:`infer`, as are the arguments after it.
        threads: 0 means one per core. Never changes a number.
    """
    run = _infer_run(ground, nli, margin, unseen)
    if output is not None:
        run.output = output_path(output, [run.ground, run.nli])
    run.resamples = whole_number("resamples", resamples, 0, 10_000_000)
    run.inference = inference_options(method, seed, threads, max_nodes, chains, burn_in, sweeps, progress)
    core = _core.mln_infer(run)
    warn(core.notes)
    return Verification(core, run.output)


def read_verification(path: Path) -> Verification:
    """What :func:`verify` wrote."""
    return Verification(_core.read_verification(os.fspath(path)), os.fspath(path))


class Reason(NamedTuple):
    """What a formula does to a claim."""

    formula: str  # as learned
    grounding: str  # with the image's things
    weight: float
    holds: float  # how probable it is that the rest of the formula holds
    contribution: float  # to the claim's log odds


class ExplainedClaim(NamedTuple):
    judged: JudgedClaim
    object_log_odds: float
    reasons: list[Reason]  # the strongest first
    without: float  # how much log_p would rise if the caption did not say it


class Explanation:
    """Why a caption is as probable as it is; ``print`` tells it in words."""

    def __init__(self, core: _core.MlnExplanation) -> None:
        self._core = core

    @cached_property
    def caption(self) -> JudgedCaption:
        return judged_caption(self._core.caption)

    @property
    def text(self) -> str:
        """Of the caption; "" if it is not at hand."""
        return self._core.text

    @property
    def median(self) -> float:
        """Of log_prob over the system's captions, to tell what is much and little; NaN: not known."""
        return self._core.median

    @cached_property
    def claims(self) -> list[ExplainedClaim]:
        """The least probable first."""
        return [
            ExplainedClaim(_judged_claim(judged), odds, [Reason(*reason) for reason in reasons], without)
            for judged, odds, reasons, without in self._core.claims
        ]

    def table(self, format: str = "table", *, reasons: int = 3) -> str:
        """In words, with so many reasons per claim; or as "json" with all."""
        return self._core.format(format, whole_number("reasons", reasons, 0, MOST))

    def to_dict(self) -> dict[str, Any]:
        """What ``capella mln report --explain ... --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json", 0))
        return whole

    def against(self, other: Explanation, format: str = "table") -> str:
        """What makes this caption more or less probable than another of the same image."""
        return self._core.contrast(other._core, format)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<capella.mln.Explanation of {self.caption.system}'s caption of {self.caption.image}>"


def explain(
    ground: Path,
    nli: Path,
    system: str,
    image: str | int,
    *,
    captions: Path | None = None,
    margin: float = _DEFAULTS.margin,
    method: str = "auto",
    seed: int = 12345,
    threads: int = 0,
    max_nodes: int = _core.most_nodes_per_image,
) -> Explanation:
    """Why is a caption as probable as it is?

    >>> ours, theirs = (explain("ground.jsonl", "nli.jsonl", name, 391895) for name in ("ours", "theirs"))
    >>> print(ours), print(ours.against(theirs))

    Args:
        captions: The system's file, to show its text.

    The other arguments are those of :func:`verify`.
    """
    run = _infer_run(ground, nli, margin)
    run.inference = inference_options(method, seed, threads, max_nodes)
    return Explanation(_core.explain_mln(run, system, str(image), optional_path(captions)))


def judged_caption(made: tuple[Any, ...]) -> JudgedCaption:
    claims = [_judged_claim(claim) for claim in made[8]]
    dominant = claims[made[10]].claim if claims else None
    unseen, without_rule = ([Claim(*claim) for claim in made[k]] for k in (9, 11))
    return JudgedCaption._make([*made[:8], claims, unseen, dominant, without_rule, made[12]])


def _judged_claim(made: Any) -> JudgedClaim:
    claim, entailed, p, from_objects = made
    return JudgedClaim(Claim(*claim), entailed, p, from_objects)


def _infer_run(ground: Path, nli: Path, margin: float, unseen: float = 0.0) -> _core.InferRun:
    run = _core.InferRun()
    run.ground = os.fspath(ground)
    run.nli = os.fspath(nli)
    run.margin = share("margin", margin)
    run.unseen = share("unseen", unseen)
    return run
