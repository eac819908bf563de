"""Markov logic: how probable is what a caption says, and why. No references are needed.

>>> from capella import mln
>>> mln.infer("rules.mln", evidence="known.db").p("Ride(Man,Bike)")          # the logic engine on its own
>>> mln.learn_weights("rules.mln", ["monday.db", "tuesday.db"])
>>> print(mln.run("verification", world="world").table())                    # everything, on a generated world

The stages of verification are joined by files, so that each can be replaced; what a stage returns may stand for the file
that it wrote:

>>> claims = mln.triplets("train.json", output="triplets.jsonl")
>>> rules = mln.structure(claims, output="rules.mln")
>>> network = mln.learn_weights(rules, claims, output="network.mln")
>>> ground = mln.ground(network, "objects.jsonl", output="ground.jsonl")
>>> answers = mln.nli(ground, {"ours": "ours.json", "theirs": "theirs.json"}, output="nli.jsonl")
>>> print(mln.verify(ground, answers).table())
>>> print(mln.explain(ground, answers, "ours", 391895))
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path as _Path
from typing import Any, NamedTuple

from . import _core
from ._attention import Attention, AttentionNetworks, LearnedPredicate, attention, mil
from ._inputs import optional_path, seed_number, system_words, whole_number
from ._logic import Answer, MostProbable, Query, World, Worlds, export_wmc, infer, worlds
from ._logic_inputs import MOST, Progress
from ._logic_weights import (
    Formula,
    PublishedImage,
    PublishedNetworks,
    Weights,
    learn_weights,
    published_networks,
)
from ._mln_common import Claim, Path, Systems
from ._mln_reports import (
    ConceptRow,
    Concepts,
    People,
    RankedImage,
    Ranking,
    Report,
    concepts,
    people,
    published_ranking,
    rank,
    ranking_task,
)
from ._mln_stages import (
    Entailments,
    GroundNetworks,
    NliAccuracy,
    Structure,
    Triplets,
    ground,
    missed_things,
    nli,
    nli_accuracy,
    structure,
    triplets,
)
from ._result import warn
from ._verification import (
    ExplainedClaim,
    Explanation,
    JudgedCaption,
    JudgedClaim,
    JudgedPair,
    JudgedSystem,
    Reason,
    Verification,
    explain,
    read_verification,
    verify,
)

__all__ = [
    "Answer",
    "Attention",
    "AttentionNetworks",
    "Claim",
    "ConceptRow",
    "Concepts",
    "Entailments",
    "ErrorKind",
    "ExplainedClaim",
    "Explanation",
    "Formula",
    "GroundNetworks",
    "JudgedCaption",
    "JudgedClaim",
    "JudgedPair",
    "JudgedSystem",
    "LearnedPredicate",
    "MostProbable",
    "NliAccuracy",
    "People",
    "PublishedImage",
    "PublishedNetworks",
    "Query",
    "RankedImage",
    "Ranking",
    "Reason",
    "ReturnedWeight",
    "Stage",
    "Structure",
    "Study",
    "Triplets",
    "Verification",
    "Weights",
    "World",
    "Worlds",
    "attention",
    "concepts",
    "explain",
    "export_wmc",
    "ground",
    "infer",
    "learn_weights",
    "mil",
    "missed_things",
    "nli",
    "nli_accuracy",
    "people",
    "published_networks",
    "published_ranking",
    "rank",
    "ranking_task",
    "read_verification",
    "run",
    "structure",
    "triplets",
    "verify",
    "worlds",
]


class Stage(NamedTuple):
    """What a stage of a run did."""

    name: str
    file: str
    report: str
    reused: bool  # it lay there already


class ErrorKind(NamedTuple):
    """Captions of a generated world with one kind of error at growing rates."""

    kind: str
    rates: list[float]
    systems: list[JudgedSystem]
    kendall: float  # of the rate with -log_prob; 1: perfect
    kendall_unseen: float  # with claims about undetected things counted
    apart: bool  # intervals of best and worst do not overlap
    apart_unseen: bool
    ends: JudgedPair  # no errors against errors everywhere
    ends_unseen: JudgedPair


class ReturnedWeight(NamedTuple):
    """A weight that data was drawn from, and what was learned from the data."""

    formula: str
    truth: float
    learned: float
    standard_error: float


class Study(Report):
    """What :func:`run` found."""

    def __init__(self, core: _core.MlnStudy, folder: str) -> None:
        self._core: _core.MlnStudy = core
        self.folder = folder

    @property
    def generated(self) -> bool:
        """On a generated world."""
        return self._core.generated

    @property
    def test_images(self) -> int:
        return self._core.test_images

    @cached_property
    def stages(self) -> list[Stage]:
        return [Stage(*stage) for stage in self._core.stages]

    @cached_property
    def verification(self) -> Verification:
        return Verification(self._core.verification, os.path.join(self.folder, "results.json"))

    @cached_property
    def ranking(self) -> Ranking:
        """With other metrics."""
        return Ranking(self._core.ranking)

    @cached_property
    def explanations(self) -> list[Explanation]:
        """Examples."""
        return [Explanation(one) for one in self._core.explanations]

    @cached_property
    def kinds(self) -> list[ErrorKind]:
        """Which kinds of errors are seen; of a generated world."""
        return [_error_kind(made) for made in self._core.kinds]

    @cached_property
    def returned(self) -> list[ReturnedWeight]:
        """Do known weights return? Of a generated world."""
        return [ReturnedWeight(*weight) for weight in self._core.returned]

    @cached_property
    def concepts(self) -> Concepts:
        """Of a generated world."""
        return Concepts(self._core.concepts)

    @cached_property
    def people(self) -> People:
        """Of a generated world."""
        return People(self._core.people)

    def pictures(self) -> dict[str, str]:
        """Pictures (SVG) by the names of their files."""
        return dict(self._core.pictures())

    def plots(self, folder: Path) -> list[_Path]:
        """Writes the pictures into a folder, which is made if need be, and returns their paths."""
        return [_Path(path) for path in self._core.write_pictures(os.fspath(folder))]

    def __repr__(self) -> str:
        return f"<capella.mln.Study of {len(self.verification)} systems: {self.folder}>"


def run(
    folder: Path,
    *,
    world: Path | None = None,
    images: int = 2000,
    training: Path | None = None,
    references: Path | None = None,
    systems: Systems = (),
    rules: str | None = None,
    nli_model: Path | None = None,
    device: str = "cpu",
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 0,
    tell: Callable[[str], object] | None = None,
    progress: Progress | None = None,
) -> Study:
    """Everything end to end, on a generated world or on captions of your own.

    >>> run("verification", world="world", tell=print)
    >>> run("verification", training="val2014.json", references="test.json", systems={"ours": "ours.json"})

    Args:
        folder: Where all files go. A run that was cut off goes on where it stopped; what has not changed is used again.
        world: Folder of a generated world; made with so many ``images`` if it is not there.
        training: Captions to learn rules from, if there is no world.
        references: Of the test images; the things they mention stand in for a detector's.
        systems: Captions to judge: a dict of files by name, or paths of files that are named like the systems.
        rules: "lifted" or "ground"; default: lifted on a world, ground elsewhere.
        nli_model: As ``model`` of :func:`nli`, with ``device``.
        resamples: How often images are drawn anew for intervals.
        tell: Is called with a sentence about what is done next; what it raises ends the run.
        progress: Is called with a stage, steps done and of how many.
    """
    asked = _core.MlnStudyOptions()
    asked.folder = os.fspath(folder)
    asked.world = optional_path(world)
    asked.images = whole_number("images", images, 1, MOST)
    asked.training = optional_path(training)
    asked.references = optional_path(references)
    asked.systems = system_words(systems)
    asked.rules = rules or ""
    asked.nli_model = optional_path(nli_model)
    asked.device = device
    asked.resamples = whole_number("resamples", resamples, 0, 10_000_000)
    asked.seed = seed_number(seed)
    asked.threads = whole_number("threads", threads, 0, MOST)
    asked.set_tell(tell)
    asked.set_progress(progress)
    core = _core.run_mln(asked)
    warn(core.verification.notes)
    return Study(core, asked.folder)


def _error_kind(made: tuple[Any, ...]) -> ErrorKind:
    systems = [JudgedSystem(*system) for system in made[2]]
    return ErrorKind._make([*made[:2], systems, *made[3:7], *(JudgedPair(*pair) for pair in made[7:])])
