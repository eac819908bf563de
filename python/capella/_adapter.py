"""Adapters of sentence encoders: low-rank updates learnt from captions and ratings, and people's scale for their cosines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from . import _core
from ._errors import CapellaError
from ._generators import Tell
from ._inputs import optional_path, output_path, real_number, seed_number, string_list, whole_number
from ._result import warn

_MOST = 2**53

#: A file of captions, or a benchmark as (layout, path) or "layout:path".
HeldOut: TypeAlias = "str | os.PathLike[str] | tuple[str, str | os.PathLike[str]]"


class CaptionFile(NamedTuple):
    """What was taken from a file of captions."""

    path: str
    images: int  # that were learnt from
    captions: int  # theirs, equal ones of one image counted once
    held_out_by_caption: int  # images that were left out, here and below
    held_out_by_name: int
    too_few_captions: int
    repeated: int  # an image before has the very same captions


class AdapterStep(NamedTuple):
    loss: float  # before the step; NaN of step 0, where nothing has been learnt
    agreement: float  # Kendall's tau-c with validation ratings after the step; NaN where not measured


class CalibrationBin(NamedTuple):
    """Captions for which neighbouring ratings were predicted; ratings are from 0 to 1."""

    captions: int
    predicted: float  # the mean
    rated: float  # the mean
    standard_error: float  # of that, with images as clusters


@dataclass(frozen=True, slots=True)
class TrainedAdapter:
    """What :func:`train_adapter` made; it may stand wherever the folder of a sentence encoder may."""

    path: str  #: the adapter's folder
    base: str  #: the base's name and the first digits of its fingerprint
    parameters: int
    images: int  #: of all files
    batch: int  #: images in a step
    data: list[CaptionFile]
    rated_rows: int  #: that were learnt from
    rated_held_out: int  #: that were left out for a text or a name that is held out
    validation_rows: int
    steps: list[AdapterStep]  #: step 0 first
    resumed: bool  #: whether a checkpoint was continued
    seconds: float
    _made: _core.AdapterTrained

    def table(self, format: str = "table") -> str:
        """Files and steps, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._made.format(format)

    def svg(self) -> str:
        """Agreement with people and loss by step, as a picture."""
        return self._made.curve()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<capella.TrainedAdapter of {self.base}: {self.path}>"


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The curve that :func:`calibrate` wrote, and how true it is of images that it was not learnt from."""

    path: str  #: the curve's file
    captions: int
    images: int
    knots: int
    agreement: float  #: Kendall's tau-c of cosines and ratings
    bins: list[CalibrationBin]
    error: float  #: the mean over captions of |rated - predicted| of their bin
    within: float  #: the share of ratings that are as near as the curve says
    _made: _core.AdapterCalibrated

    def table(self, format: str = "table") -> str:
        """Bin by bin, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._made.format(format)

    def svg(self) -> str:
        """What was predicted and what people said, as a picture."""
        return self._made.plot()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<capella.Calibrated {self.captions} captions, {self.knots} knots: {self.path}>"


def train_adapter(
    captions: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    output: str | os.PathLike[str],
    base: str | os.PathLike[str] = "minilm",
    split: str | None = None,
    held_out: str | os.PathLike[str] | Iterable[HeldOut] = (),
    rated: str | os.PathLike[str] | None = None,
    rated_layout: str | None = None,
    validation: str | os.PathLike[str] | None = None,
    validation_layout: str | None = None,
    without: str | Iterable[str] = (),
    pooling: str | None = None,
    rank: int = 16,
    alpha: float = 0.0,
    strength: float = 1.0,
    references: int = 2,
    batch: int = 1024,
    steps: int = 300,
    warm_up: int | None = None,
    rate: float = 1e-3,
    temperature: float = 0.05,
    rated_batch: int | None = None,
    rated_weight: float | None = None,
    chunk: int = 0,
    bfloat16: bool = False,
    full: bool = False,
    tell_every: int = 25,
    validate_every: int = 100,
    checkpoint_every: int = 10,
    restart: bool = False,
    seed: int = 12345,
    device: str = "cpu",
    threads: int = 0,
    tell: Tell | None = None,
) -> TrainedAdapter:
    """Trains an adapter (LoRA) of a sentence encoder on captions of which it is known which are about one image.

    Needs the torch plug-in.

    Args:
        captions: A file or several with three captions or more for each image; ``split`` is for those of Karpathy.
        output: The adapter's folder, as PEFT writes it; must not be there. Beside it lies OUTPUT.checkpoint meanwhile,
            and a training that was cut off goes on from there, unless ``restart``.
        base: The folder of a BERT or RoBERTa, or "minilm"; ``pooling``: "mean" or "first", default: as it says.
        held_out: What is going to be tested on: files of captions, or benchmarks as (layout, path) or "layout:path".
            Images whose captions or names stand there are left out.
        rated: Rated captions in ``rated_layout`` to learn from, too: ``rated_batch`` of them in a step (512), whose loss
            counts ``rated_weight`` times (1). Those with a text that is held out are left out.
        validation: Rated captions in ``validation_layout``, ``without`` some parts; nothing is chosen by them.
        rank: Of the updates, which are scaled by ``alpha`` / ``rank``; 0: by 1.
        strength: What was learnt is added so many times, above 0, at most 1; less is nearer to the base.
        references: Captions of an image that another one of it is compared with; ``batch``: images in a step.
        warm_up: Steps in which the rate rises; default: 20, or all if there are fewer.
        chunk: Tokens whose inner values are kept at a time; 0: as the device likes.
        bfloat16: The encoder computes with 16 bits while it learns.
        full: Numbers are written with 32 bits instead of 16.
        validate_every: Steps; 0: before the first and after the last alone. ``checkpoint_every``: 0: never.
        device: "cpu" or "cuda".
        tell: Is called with a sentence after every ``tell_every`` steps.
    """
    asked = _core.AdapterTraining()
    asked.captions = _paths("captions", captions)
    asked.split = split or ""
    asked.base = os.fspath(base)
    tests = [_held_out(one) for one in ([held_out] if isinstance(held_out, (str, os.PathLike)) else held_out)]
    for layout, path in tests:
        asked.hold_out(layout, path)
    if rated is None and not (rated_batch is None and rated_weight is None):
        raise CapellaError("rated_batch and rated_weight are of rated captions: give rated=FILE, or leave them out")
    asked.rated = optional_path(rated)
    asked.rated_layout = rated_layout or ""
    asked.validation = optional_path(validation)
    asked.validation_layout = validation_layout or ""
    asked.without = string_list("without", without)
    asked.output = output_path(output, [*asked.captions, asked.rated, asked.validation, *(path for _, path in tests)])
    asked.pooling = pooling or ""
    asked.rank = whole_number("rank", rank, 0, _MOST)
    asked.alpha = real_number("alpha", alpha)
    asked.strength = real_number("strength", strength)
    asked.references = whole_number("references", references, 0, _MOST)
    asked.batch = whole_number("batch", batch, 0, _MOST)
    asked.steps = whole_number("steps", steps, 0, _MOST)
    asked.warm_up = None if warm_up is None else whole_number("warm_up", warm_up, 0, _MOST)
    asked.rate = real_number("rate", rate)
    asked.temperature = real_number("temperature", temperature)
    if rated_batch is not None:
        asked.rated_batch = whole_number("rated_batch", rated_batch, 0, _MOST)
    if rated_weight is not None:
        asked.rated_weight = real_number("rated_weight", rated_weight)
    asked.chunk = whole_number("chunk", chunk, 0, _MOST)
    asked.bfloat16 = bfloat16
    asked.full = full
    asked.tell_every = whole_number("tell_every", tell_every, 1, _MOST)
    asked.validate_every = whole_number("validate_every", validate_every, 0, _MOST)
    asked.checkpoint_every = whole_number("checkpoint_every", checkpoint_every, 0, _MOST)
    asked.restart = restart
    asked.seed = seed_number(seed)
    asked.device = device
    asked.threads = whole_number("threads", threads, 0, _MOST)
    asked.set_tell(tell)
    made = _core.train_adapter(asked)
    warn(made.warnings)
    return _trained(asked.output, made)


def calibrate(
    adapter: str | os.PathLike[str],
    ratings: str | os.PathLike[str],
    *,
    layout: str,
    without: str | Iterable[str] = (),
    replace: bool = False,
    threads: int = 0,
) -> Calibrated:
    """Learns from rated captions what people say where an adapter gives a certain cosine, for the metric ``capella-s``.

    Args:
        adapter: The folder of an adapter or of a sentence encoder, or what :func:`train_adapter` returned; the curve is
            written into it, and one that is there is replaced with ``replace`` only.
        ratings: Rated captions; ``layout``: "nebula", "polaris", "composite", "flickr8k-expert" or "flickr8k-cf".
        without: Parts of them that are left out, e.g. "flickr8k" of Composite.
    """
    asked = _core.AdapterCalibration()
    asked.adapter = _path("adapter", adapter)
    asked.ratings = _path("ratings", ratings)
    if not isinstance(layout, str):
        raise TypeError(f"layout: found {type(layout).__name__}, expected its name")
    asked.layout = layout
    asked.without = string_list("without", without)
    if not isinstance(replace, bool):
        raise TypeError(f"replace: found {type(replace).__name__}, expected bool")
    asked.replace = replace
    asked.threads = whole_number("threads", threads, 0, _MOST)
    made = _core.calibrate_adapter(asked)
    warn(made.warnings)
    bins = [CalibrationBin(*one) for one in made.bins]
    return Calibrated(
        made.file, made.captions, made.images, made.knots, made.agreement, bins, made.error, made.within, made
    )


def _paths(name: str, files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    several = [files] if isinstance(files, (str, os.PathLike)) else files
    if isinstance(several, (Mapping, bytes)) or not isinstance(several, Iterable):
        raise TypeError(f"{name}: found {type(files).__name__}, expected a file or several")
    return [_path(name, one) for one in several]


def _path(name: str, file: str | os.PathLike[str]) -> str:
    if not isinstance(file, (str, os.PathLike)):
        raise TypeError(f"{name}: found {type(file).__name__}, expected a file")
    return os.fspath(file)


def _held_out(one: HeldOut) -> tuple[str, str]:
    """A benchmark's layout and path; or no layout and the path of a file of captions."""
    if isinstance(one, tuple):
        layout, path = one
        return layout, os.fspath(path)
    word = os.fspath(one)
    if isinstance(one, str) and ":" in word and not os.path.exists(word):
        layout, _, rest = word.partition(":")
        return layout, rest
    return "", word


def _trained(path: str, made: _core.AdapterTrained) -> TrainedAdapter:
    return TrainedAdapter(
        path,
        made.base,
        made.parameters,
        made.images,
        made.batch,
        [CaptionFile(*one) for one in made.data],
        made.rated_rows,
        made.rated_held_out,
        made.validation_rows,
        [AdapterStep(*step) for step in made.steps],
        made.resumed,
        made.seconds,
        made,
    )
