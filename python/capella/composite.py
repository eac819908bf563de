"""Composite metrics: small networks that fuse several scores, trained to tell human captions from machine ones.

>>> from capella import composite
>>> composite.features("refs.json", systems=["gat.json", "sg2caps.json"], output="train.jsonl")
>>> composite.benchmark_features("flickr8k-expert", "Flickr8k", "ratings.jsonl")
>>> trained = composite.train("train.jsonl", "ratings.jsonl", "eval-ms", output="mine.safetensors")
>>> print(trained.table())
>>> capella.score(refs, hyps, ["cider-d", "mine.safetensors"])["Eval-MS"]

Those that come with Capella (``eval-ms`` ... ``lceval``, see :func:`presets`) are metrics like any other:
``capella.score(refs, hyps, "eval-mcs")``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import Captions, make_dataset, make_options, seed_number, string_list, whole_number
from ._result import warn

__all__ = [
    "Features",
    "Preset",
    "ScoredFeatures",
    "TrainedComposite",
    "TrainedSeed",
    "benchmark_features",
    "features",
    "presets",
    "score_features",
    "train",
]

_MOST = 2**53


class Preset(NamedTuple):
    """A composite metric that has a name."""

    name: str  # as metrics and presets are named: "eval-ms"
    score: str  # as its score is named: "Eval-MS"
    inputs: list[str]  # the scores it fuses
    hidden: list[int]  # sizes of the hidden layers; none: a linear classifier


def presets() -> list[Preset]:
    """The metrics that come with Capella and can be trained anew by name."""
    return [Preset(*preset) for preset in _core.composite_presets()]


@dataclass(frozen=True, slots=True)
class Features:
    """What a file of features holds."""

    path: str
    rows: int
    images: int
    human: int  #: rows written by people, of captions to learn from
    left_out: int  #: images that must not be learnt from
    too_few: int  #: images with too few human captions
    columns: list[str]  #: scores
    warnings: list[str]


def features(
    refs: Captions,
    hyps: Captions | None = None,
    *,
    output: str | os.PathLike[str],
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    scores: str | Iterable[str] | None = None,
    labelled: bool = True,
    leave_out: Mapping[str, str | os.PathLike[str]] | Iterable[str | int] = (),
    source: str | None = None,
    captions: int = 5,
    humans: int = 3,
    machines: str = "other",
    seed: int = 12345,
    tokenizer: str = "ptb-iso",
    split: str | None = None,
    missing: str = "error",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
) -> Features:
    """Scores human and machine captions and writes them to a file that :func:`train` learns from.

    Three of an image's five human captions are candidates, each with the other four as references; a machine's caption
    is given four of the five. CIDEr's document frequencies are those of COCO val.

    Args:
        refs: Human captions; ``hyps`` or ``systems`` are those of one machine or more. As of :func:`capella.score`.
        output: The file to write.
        scores: Names of scores, e.g. ["METEOR", "SPICE"]. Default: all that presets want.
        labelled: False: only the scores of the machines' captions against all references, to be scored by
            :func:`score_features`, not learnt from.
        leave_out: Images not to learn from: their names, or a dict benchmark -> path for all of a benchmark's.
        source: Where the captions come from, in words; it goes into the models.
        captions: So many human captions of an image count, and images with fewer are not learnt from.
        humans: Of these that are candidates.
        machines: "other": what the machine wrote for another image, any or one that is alike; "own": for the image.
        seed: Of what is drawn.

    The other arguments are those of :func:`capella.score`.
    """
    if machines not in ("own", "other"):
        raise CapellaError(f"machines: found '{machines}', expected 'own' or 'other'")
    _keep_inputs(output, [refs, hyps, *_paths_of(systems)])
    options = _feature_options(scores, tokenizer, threads, cache, output)
    dataset = make_dataset(refs, hyps, systems, split, missing)
    if not labelled:
        return _written(output, _core.caption_features(dataset, options))
    asked = _core.TrainingCaptions(
        dataset,
        _source_of(refs) if source is None else source,
        _left_out(leave_out),
        whole_number("captions", captions, 0, _MOST),
        whole_number("humans", humans, 0, _MOST),
        machines == "other",
        seed_number(seed),
    )
    return _written(output, _core.training_features(asked, options))


def benchmark_features(
    benchmark: str,
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    scores: str | Iterable[str] | None = None,
    references: str | os.PathLike[str] | None = None,
    without: str | Iterable[str] = (),
    tokenizer: str = "ptb-iso",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
) -> Features:
    """Scores the captions of a benchmark and writes them to a file, with people's ratings if it has ratings.

    Of Flickr8k-Expert there is one row per caption, with the mean of the three judges.

    Args:
        benchmark: As of :func:`capella.meta`, and so are ``path``, ``references`` and ``without``.
        output: The file to write.
        scores: Names of scores. Default: all that presets want.
    """
    _keep_inputs(output, [path, references])
    options = _feature_options(scores, tokenizer, threads, cache, output)
    asked = _benchmark(benchmark, path, references, string_list("without", without))
    return _written(output, _core.benchmark_features(asked, options))


@dataclass(frozen=True, slots=True)
class TrainedSeed:
    """One network."""

    seed: int
    epochs: int  #: trained
    best_epoch: int  #: kept
    training_accuracy: float
    accuracy: float  #: on held-out captions; NaN if none were held out
    tau_b: float  #: Kendall's, with the validation ratings
    tau_c: float
    path: str  #: of the model; "" if it was not kept
    #: Loss, training accuracy and tau-b: first before training, then epoch by epoch.
    curve: list[tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class TrainedComposite:
    """What :func:`train` made."""

    name: str  #: of the score
    inputs: list[str]  #: the scores that it fuses
    human: int  #: training captions
    machine: int
    held_out: int
    validation: int  #: ratings
    source: str  #: of the training captions, in words
    validation_source: str
    seeds: list[TrainedSeed]
    best: TrainedSeed  #: the one that is kept, ``best.path``
    _made: _core.CompositeTrained

    def table(self, format: str = "table") -> str:
        """Seed by seed, then mean and deviation, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._made.format(format)

    def svg(self) -> str:
        """A picture: agreement with people, epoch by epoch."""
        return self._made.picture()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<capella.composite.TrainedComposite {self.name} of {len(self.seeds)} seeds: {self.best.path}>"


def train(
    features: str | os.PathLike[str] | Features,
    validation: str | os.PathLike[str] | Features,
    preset: str | None = None,
    *,
    output: str | os.PathLike[str],
    scores: str | Iterable[str] | None = None,
    hidden: Sequence[int] = (72, 72),
    name: str | None = None,
    seeds: int = 5,
    keep_all: bool = False,
    seed: int = 12345,
    held_out: float = 0.1,
    standardize: bool = False,
    rate: float = 1e-3,
    l2: float = 1e-4,
    batch: int = 0,
    epochs: int = 700,
    patience: int = 20,
    threads: int = 0,
) -> TrainedComposite:
    """Trains a composite metric: several networks, of which the one is kept that agrees best with people.

    >>> trained = train("train.jsonl", "ratings.jsonl", scores=["METEOR", "WMD", "BLEU-4"], output="three.safetensors")
    >>> trained.best.tau_b, [seed.accuracy for seed in trained.seeds]

    Args:
        features: A file that :func:`features` wrote, or what it returned.
        validation: The same of :func:`benchmark_features`: captions with ratings, which end the training.
        preset: "eval-ms" ..., see :func:`presets`; or ``scores``, the scores to learn from, and ``hidden``, the sizes
            of the hidden layers (``()``: none).
        output: The model's file, NAME.safetensors, which ``metrics`` of :func:`capella.score` takes.
        name: Of the score. Default: the file's.
        seeds: How many networks; ``seed`` is that of the first.
        keep_all: The other networks' models are kept too, as NAME-SEED.safetensors.
        held_out: Share of the images on which the accuracy is measured.
        standardize: Scores with mean 0 and deviation 1.
        rate: Adam's learning rate, and ``l2`` the weight of the squared weights in the loss.
        batch: Captions in a batch; 0: a twentieth of them.
        epochs: At most so many, and ``patience`` so many without gain before training ends.
        threads: 0 means one per core. Never changes a number.
    """
    asked = _core.CompositeTraining()
    asked.features = _feature_path("features", features)
    asked.validation = _feature_path("validation", validation)
    asked.output = os.fspath(output)
    _keep_inputs(output, [asked.features, asked.validation])
    asked.preset = preset or ""
    asked.inputs = [] if scores is None else string_list("scores", scores)
    asked.hidden = [whole_number("hidden", size, 1, 1_000_000) for size in hidden]
    asked.name = name or ""
    asked.keep_all = keep_all
    asked.seeds = whole_number("seeds", seeds, 1, 1000)
    asked.seed = seed_number(seed)
    asked.held_out = held_out
    asked.standardize = standardize
    asked.rate = rate
    asked.l2 = l2
    asked.batch = whole_number("batch", batch, 0, _MOST)
    asked.most_epochs = whole_number("epochs", epochs, 1, _MOST)
    asked.stop_after = whole_number("patience", patience, 1, _MOST)
    asked.threads = threads
    trained = _core.train_composite(asked)
    warn(trained.warnings, 3)
    return _trained(trained)


class ScoredFeatures(NamedTuple):
    """P(human) of the rows of a file of features."""

    name: str  # of the score
    ids: list[str]
    systems: list[str]
    scores: npt.NDArray[np.float64]  # read-only


def score_features(
    model: str | os.PathLike[str], features: str | os.PathLike[str] | Features
) -> ScoredFeatures:
    """Scores a file of features with a trained model. The features must have been made as those it learnt from.

    >>> scored = score_features("mine.safetensors", "composite.jsonl")
    >>> capella.meta("composite", "composite.json", scores={scored.name: scored.scores})
    """
    scored = _core.score_features(os.fspath(model), _feature_path("features", features))
    return ScoredFeatures(scored.name, scored.ids, scored.systems, scored.scores)


def _feature_options(
    scores: str | Iterable[str] | None,
    tokenizer: str,
    threads: int,
    cache: str | os.PathLike[str] | None,
    output: str | os.PathLike[str],
) -> _core.FeatureOptions:
    run = make_options([], tokenizer, "refs", None, threads, cache)
    return _core.FeatureOptions([] if scores is None else string_list("scores", scores), run, os.fspath(output))


def _benchmark(
    name: str,
    path: str | os.PathLike[str],
    references: str | os.PathLike[str] | None = None,
    without: Sequence[str] = (),
) -> _core.MetaOptions:
    given = "" if references is None else os.fspath(references)
    return _core.MetaOptions(name, os.fspath(path), given, None, 0, 0, False, without)


def _left_out(leave_out: Mapping[str, str | os.PathLike[str]] | Iterable[str | int]) -> list[str]:
    """Names of images."""
    if isinstance(leave_out, str):
        raise TypeError("leave_out: found str, expected names of images or a dict benchmark -> path")
    if not isinstance(leave_out, Mapping):
        return [str(image) for image in leave_out]
    return [
        image for name, path in leave_out.items() for image in _core.benchmark_images(_benchmark(name, path))
    ]


def _written(output: str | os.PathLike[str], summary: _core.FeatureSummary) -> Features:
    made = Features(os.fspath(output), *summary)
    warn(made.warnings, 4)
    return made


def _trained(core: _core.CompositeTrained) -> TrainedComposite:
    seeds = [TrainedSeed(*seed) for seed in core.seeds]
    return TrainedComposite(
        core.name,
        core.inputs,
        core.human,
        core.machine,
        core.held_out,
        core.validation,
        core.source,
        core.validation_source,
        seeds,
        seeds[core.best],
        core,
    )


def _feature_path(name: str, features: str | os.PathLike[str] | Features) -> str:
    if isinstance(features, Features):
        return features.path
    if not isinstance(features, (str, os.PathLike)):
        raise TypeError(f"{name}: found {type(features).__name__}, expected a path or Features")
    return os.fspath(features)


def _source_of(refs: Captions) -> str:
    return os.fspath(refs) if isinstance(refs, (str, os.PathLike)) else "captions in memory"


def _paths_of(systems: object) -> list[object]:
    if isinstance(systems, Mapping):
        return list(systems.values())
    return list(systems) if isinstance(systems, (list, tuple)) else []


def _keep_inputs(output: str | os.PathLike[str], inputs: Iterable[object]) -> None:
    """What is read must not be written over."""
    written = os.fspath(output)
    if not written:
        raise CapellaError("output: found an empty path, expected the file to write")
    for path in inputs:
        if isinstance(path, (str, os.PathLike)) and os.path.realpath(path) == os.path.realpath(written):
            raise CapellaError(f"output: {written} is an input of this call too; name another file")
