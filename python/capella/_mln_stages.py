"""From captions to networks of images and what captions say about them. ``capella.mln`` has all of this."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import optional_path, string_list, system_words, whole_number
from ._logic_inputs import MOST, Progress
from ._mln_common import Path, Systems, Written, fixed, share, stage_options
from ._result import warn


class Triplets(Written):
    """What :func:`triplets` wrote."""

    _core: _core.TripletSummary

    @property
    def images(self) -> int:
        return self._core.images

    @property
    def captions(self) -> int:
        return self._core.captions

    @property
    def triplets(self) -> int:
        return self._core.triplets

    @property
    def predicates(self) -> int:
        return self._core.predicates

    @property
    def excluded_images(self) -> int:
        return self._core.excluded_images

    @property
    def without(self) -> int:
        """Captions that claim nothing between two things."""
        return self._core.without

    @property
    def common(self) -> dict[str, int]:
        """The most frequent predicates."""
        return dict(self._core.common)


def triplets(
    captions: Path,
    *,
    output: Path,
    splits: str | Iterable[str] = (),
    objects: Path | None = None,
    exclude: Path | None = None,
    as_worded: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Triplets:
    """What captions claim between two things, by Capella's parser of scenes.

    >>> triplets("dataset.json", splits=["train", "val"], output="triplets.jsonl")

    Args:
        captions: A file in any shape that :func:`capella.score` reads.
        output: The file to write, .jsonl.
        splits: Of Karpathy's dataset.json.
        objects: objects.jsonl of a detector: other words for a detected thing become its label.
        exclude: Captions of images that are left out.
        as_worded: Predicates stay as captions word them; else "near" and "beside" are "next to", for example.
        progress: Is called with a stage, steps done and of how many; what it raises ends the work.
    """
    asked = _core.TripletOptions()
    asked.captions = os.fspath(captions)
    asked.splits = string_list("splits", splits)
    asked.objects = optional_path(objects)
    asked.exclude = optional_path(exclude)
    asked.as_worded = as_worded
    stage_options(asked, output, [asked.captions, asked.objects, asked.exclude], threads, progress)
    return Triplets(asked.output, _core.mln_triplets(asked))


class Structure(Written):
    """The rules that :func:`structure` wrote."""

    _core: _core.StructureSummary

    @property
    def images(self) -> int:
        return self._core.images

    @property
    def triplets(self) -> int:
        return self._core.triplets

    @property
    def dropped_triplets(self) -> int:
        """Whose predicates are too rare."""
        return self._core.dropped_triplets

    @property
    def candidates(self) -> int:
        return self._core.candidates

    @property
    def formulas(self) -> int:
        return self._core.formulas

    @property
    def by_length(self) -> list[int]:
        """Formulas of 1, 2 ... literals."""
        return self._core.by_length

    @property
    def predicates(self) -> int:
        return self._core.predicates

    @property
    def constants(self) -> int:
        return self._core.constants

    @property
    def capped_images(self) -> int:
        """Images with more chains than were looked at."""
        return self._core.capped_images

    @property
    def best(self) -> list[tuple[str, float]]:
        """Longer formulas, and in how many images they hold."""
        return self._core.best


def structure(
    triplets: Path,
    *,
    output: Path,
    mode: str = "lifted",
    predicates: int = 200,
    literals: int = 2,
    min_images: int = 2,
    min_confidence: float = 0.1,
    most_chains: int = 10_000,
    tree: bool = False,
    substring: bool = False,
    threads: int = 0,
    progress: Progress | None = None,
) -> Structure:
    """Rules from triplets: conjunctions of claims that share a thing and are told of the same images.

    Args:
        triplets: What :func:`triplets` wrote or returned; rows of split train and restval count.
        output: The rules, .mln. Their weights are first guesses: :func:`learn_weights` learns them.
        mode: "lifted": things become variables; "ground": they stay.
        predicates: So many of the most frequent are kept.
        literals: Claims of the longest rules, 1 ... 4.
        min_images: A rule must hold in so many, and of the images that tell one of its claims more than
            ``min_confidence`` must tell all.
        most_chains: So many chains of claims are looked at per image.
        tree: A claim may share a thing with any earlier one, not only with the last.
        substring: Things are shared as in the authors' program, by substring.
    """
    if mode not in ("lifted", "ground"):
        raise CapellaError(f"mode: found '{mode}', expected 'lifted' or 'ground'")
    asked = _core.StructureRun()
    asked.triplets = os.fspath(triplets)
    asked.ground = mode == "ground"
    asked.top_predicates = whole_number("predicates", predicates, 0, MOST)
    asked.longest = whole_number("literals", literals, 1, 4)
    asked.min_images = whole_number("min_images", min_images, 0, MOST)
    asked.min_confidence = share("min_confidence", min_confidence)
    asked.most_chains = whole_number("most_chains", most_chains, 0, MOST)
    asked.tree = tree
    asked.substring = substring
    stage_options(asked, output, [asked.triplets], threads, progress)
    return Structure(asked.output, _core.mln_structure(asked))


class GroundNetworks(Written):
    """What :func:`ground` wrote: a network per image."""

    _core: _core.GroundSummary

    @property
    def images(self) -> int:
        return self._core.images

    @property
    def empty(self) -> int:
        """Images without a network."""
        return self._core.empty

    @property
    def atoms(self) -> int:
        return self._core.atoms

    @property
    def factors(self) -> int:
        return self._core.factors

    @property
    def most_atoms(self) -> int:
        """Of one image."""
        return self._core.most_atoms

    @property
    def without_model(self) -> int:
        """Atoms whose predicate has no network of attention."""
        return self._core.without_model


def ground(
    network: Path,
    objects: Path | None = None,
    *,
    output: Path,
    references: Path | None = None,
    mil: Path | None = None,
    captions: Path | None = None,
    aliases: bool = False,
    mil_tau: float = 1.0,
    threads: int = 0,
    progress: Progress | None = None,
) -> GroundNetworks:
    """The rules over the things of each image.

    Args:
        network: Rules with weights, .mln: what :func:`learn_weights` wrote or returned.
        objects: objects.jsonl of a detector; or ``references``, captions whose things stand in for a detector's.
        output: The networks, .jsonl.
        mil: What :func:`mil` wrote or returned: what boxes say about relations.
        captions: Only images of this file of captions.
        aliases: Other words for a thing are constants, too.
        mil_tau: Multiplies the log odds of boxes; 0: off.
    """
    if (objects is None) == (references is None):
        raise CapellaError("expected either objects or references: where are the things of an image from?")
    asked = _core.GroundRun()
    asked.network = os.fspath(network)
    asked.objects = optional_path(objects)
    asked.references = optional_path(references)
    asked.mil = optional_path(mil)
    asked.captions = optional_path(captions)
    asked.aliases = aliases
    asked.mil_tau = mil_tau
    inputs = [asked.network, asked.objects, asked.references, asked.mil, asked.captions]
    stage_options(asked, output, inputs, threads, progress)
    return GroundNetworks(asked.output, _core.mln_ground(asked))


class Entailments(Written):
    """What :func:`nli` wrote."""

    _core: _core.NliSummary

    @property
    def captions(self) -> int:
        return self._core.captions

    @property
    def questions(self) -> int:
        return self._core.questions

    @property
    def entailed(self) -> int:
        return self._core.entailed

    @property
    def contradicted(self) -> int:
        return self._core.contradicted

    @property
    def unseen(self) -> int:
        """Claims about things that nobody detected."""
        return self._core.unseen

    @property
    def judge(self) -> str:
        """The model that judged, by its folder's name and fingerprint; "": the built-in rules."""
        return self._core.judge

    @property
    def distinct(self) -> int:
        """Questions that differ, which a model was asked."""
        return self._core.distinct

    @property
    def cut(self) -> int:
        """Questions that are longer than the model reads."""
        return self._core.cut


def nli(
    ground: Path,
    captions: Systems,
    *,
    output: Path,
    model: Path | None = None,
    device: str = "cpu",
    threads: int = 0,
    progress: Progress | None = None,
) -> Entailments:
    """What captions entail and contradict of their images' networks, by built-in rules or a model of your own.

    Answers of any other program can be used instead: write a file of that shape.

    >>> nli("ground.jsonl", {"ours": "ours.json", "theirs": "theirs.json"}, output="nli.jsonl")

    Args:
        ground: What :func:`ground` wrote or returned.
        captions: A file per system: paths of files named like the systems, or a dict of them by name.
        output: The answers that are not neutral, .jsonl.
        model: A folder, as Hugging Face writes it, with a BERT or RoBERTa that was trained on MNLI or the like: it
            judges in place of the rules.
        device: Where the model runs: "cpu", or "cuda", which takes the torch plug-in.
    """
    asked = _core.NliRun()
    asked.model = optional_path(model)
    asked.device = device
    asked.ground = os.fspath(ground)
    asked.captions = system_words(captions)
    files = list(captions.values()) if isinstance(captions, Mapping) else asked.captions
    stage_options(asked, output, [asked.ground, *files], threads, progress)
    made = _core.mln_nli(asked)
    _warn_of_cut(made.cut, "question")
    return Entailments(asked.output, made)


def _warn_of_cut(count: int, what: str) -> None:
    if count > 0:
        words = f"{what} is" if count == 1 else f"{what}s are"
        warn([f"{count} {words} longer than the model reads, the ends were left out"])


class NliAccuracy(NamedTuple):
    """How good a judge of entailment is."""

    pairs: int
    accuracy: float
    interval: tuple[float, float]  # 95 %
    #: Rows are true labels, columns judged ones: contradiction, neutral, entailment.
    confusion: npt.NDArray[np.int64]
    judge: str  # the model; "": the built-in rules
    cut: int  # pairs that are longer than the model reads


def nli_accuracy(
    pairs: Path, *, model: Path | None = None, device: str = "cpu", threads: int = 0
) -> NliAccuracy:
    """The judge on pairs of sentences with known labels: a file of lines LABEL, PREMISE, HYPOTHESIS with tabs.

    ``model`` and ``device`` are as of :func:`nli`.

    >>> nli_accuracy("SICK_test.tsv").accuracy
    """
    threads = whole_number("threads", threads, 0, MOST)
    count, accuracy, interval, confusion, judge, cut = _core.mln_nli_accuracy(
        os.fspath(pairs), optional_path(model), device, threads
    )
    _warn_of_cut(cut, "pair")
    return NliAccuracy(count, accuracy, interval, fixed(np.array(confusion, dtype=np.int64)), judge, cut)


def missed_things(captions: Path, *, objects: Path | None = None, split: str = "", threads: int = 0) -> float:
    """How often something that people tell was not detected: what ``unseen`` of :func:`verify` may be.

    Without ``objects`` each caption is compared with the others of its image.
    """
    threads = whole_number("threads", threads, 0, MOST)
    return _core.mln_missed_things(os.fspath(captions), split, optional_path(objects), threads)
