"""Metrics that learn from people's ratings how to weigh what frozen encoders see: DENEB, Polos and their variants.

>>> from capella import deneb
>>> encoders = {"clip": "clip-vit-b-32", "text": "sup-simcse-roberta-base"}
>>> trained = deneb.train("train.csv", "valid.csv", output="deneb.safetensors", images="images", **encoders, tell=print)
>>> deneb.score("refs.json", "ours.json", model=trained, images="images", **encoders)["DENEB"]

A trained network is a metric like any other, too: ``capella.score(refs, hyps, "deneb", images="images",
settings={"deneb.model": "deneb.safetensors", "deneb.clip": ..., "deneb.text": ...})``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from . import _core
from ._errors import CapellaError
from ._generators import Tell
from ._inputs import (
    Captions,
    Images,
    cache_folder,
    make_dataset,
    optional_path,
    output_path,
    resample_count,
    seed_number,
    string_list,
    whole_number,
)
from ._result import Result, warn, warned

__all__ = ["Epoch", "TrainedNetwork", "score", "train"]

_MOST = 2**53


class Epoch(NamedTuple):
    loss: float  # mean over rows; NaN of epoch 0, which is before any training
    agreement: float  # with people on the validation rows, by the network's measure; NaN if undefined


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """What :func:`train` made; it may stand wherever the model's path may."""

    path: str  #: the model
    architecture: str
    parameters: int
    training_rows: int
    dropped_rows: int  #: left out, since they are about images of held-out benchmarks
    validation_rows: int
    measure: str  #: of agreement: "tau-c" (Kendall's), or "accuracy" (of pairs)
    images: int  #: different ones
    captions: int  #: likewise, references included
    most_references: int  #: of a training row
    epochs: list[Epoch]  #: epoch 0 first
    best_epoch: int  #: kept
    resumed: bool  #: whether a checkpoint was continued
    encoding_seconds: float  #: for the vectors of images and captions
    seconds: float  #: of this run's training
    _made: _core.DenebTrained

    def table(self, format: str = "table") -> str:
        """Epoch by epoch, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._made.format(format)

    def svg(self) -> str:
        """Agreement with people and loss by epoch, as a picture."""
        return self._made.curve()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<capella.deneb.TrainedNetwork {self.architecture}: {self.path}>"


def _take_sizes(
    asked: _core.DenebTraining, width: int, layers: int, heads: int, feed_forward: int, hidden: Sequence[int]
) -> None:
    asked.width = whole_number("width", width, 0, _MOST)
    asked.layers = whole_number("layers", layers, 0, _MOST)
    asked.heads = whole_number("heads", heads, 0, _MOST)
    asked.feed_forward = whole_number("feed_forward", feed_forward, 0, _MOST)
    asked.hidden = [whole_number("hidden", size, 1, _MOST) for size in hidden]


def _take_learning(
    asked: _core.DenebTraining,
    rate: float,
    weight_decay: float | None,
    batch: int,
    warm_up: int | None,
    dropout: float | None,
) -> None:
    asked.rate = rate
    asked.weight_decay = weight_decay
    asked.batch = whole_number("batch", batch, 0, _MOST)
    asked.warm_up = None if warm_up is None else whole_number("warm_up", warm_up, 0, _MOST)
    asked.dropout = dropout


def _take_end(asked: _core.DenebTraining, epochs: int, rows_per_epoch: int, patience: int) -> None:
    asked.most_epochs = whole_number("epochs", epochs, 0, _MOST)
    asked.rows_per_epoch = whole_number("rows_per_epoch", rows_per_epoch, 0, _MOST)
    asked.patience = whole_number("patience", patience, 1, _MOST)


def _trained(path: str, made: _core.DenebTrained) -> TrainedNetwork:
    return TrainedNetwork(
        path,
        made.architecture,
        made.parameters,
        made.training_rows,
        made.dropped_rows,
        made.validation_rows,
        made.measure,
        made.images,
        made.captions,
        made.most_references,
        [Epoch(*epoch) for epoch in made.epochs],
        made.best_epoch,
        made.resumed,
        made.encoding_seconds,
        made.seconds,
        made,
    )


def train(
    training: str | os.PathLike[str],
    validation: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str],
    clip: str | os.PathLike[str] | None = None,
    text: str | os.PathLike[str] | None = None,
    images: str | os.PathLike[str] | None = None,
    layout: str = "nebula",
    validation_layout: str | None = None,
    without: str | Iterable[str] = (),
    held_out: str | Iterable[str | tuple[str, str | os.PathLike[str]]] = (),
    sentence_vectors: str | None = None,
    architecture: str = "released",
    tokens: str | None = None,
    joiner: str | None = None,
    references: str | None = None,
    statistics: str | None = None,
    text_only: bool = False,
    prompt: str | None = None,
    width: int = 0,
    layers: int = 0,
    heads: int = 0,
    feed_forward: int = 0,
    hidden: Sequence[int] = (),
    cosine: bool = False,
    scale_vectors: bool = False,
    rate: float = 0.0,
    weight_decay: float | None = None,
    batch: int = 0,
    warm_up: int | None = None,
    dropout: float | None = None,
    epochs: int = 100,
    rows_per_epoch: int = 0,
    patience: int = 1,
    half: bool = False,
    restart: bool = False,
    cache: str | os.PathLike[str] | None = None,
    seed: int = 12345,
    device: str = "cpu",
    threads: int = 0,
    tell: Tell | None = None,
) -> TrainedNetwork:
    """Trains a metric from captions that people have rated. Needs the torch plug-in.

    Args:
        training: Rated captions to learn from, and ``validation`` those that end the training: CSV, JSON or JSONL with
            columns mt, refs, score and imgid, or what ``layout`` says: "nebula", "polaris", "composite",
            "flickr8k-expert" or "flickr8k-cf"; ``validation_layout`` may be "pascal50s" or "foil", too.
        without: Parts of ``training`` that are left out, e.g. "flickr8k" of Composite.
        held_out: Benchmarks that the metric is going to be tested on, as (layout, path) or "layout:path": training rows
            with a reference that stands there are left out.
        output: The model's file, NAME.safetensors. Beside it lies NAME.safetensors.checkpoint meanwhile, and a training
            that was cut off goes on from there, unless ``restart``. A model that is there is replaced with ``restart``
            only.
        clip: The folder of a CLIP model; ``text``: that of a sentence encoder, or "minilm"; one of them will do.
        images: A folder with files named as the images in the data, or a file of names and paths.
        sentence_vectors: "mix" (of all layers, learnt) or "pooled"; default: pooled if the folder says how.
        architecture: "released" (DENEB as its program is), "paper" (as its paper is) or "polos".
        tokens: "sim-vec" or "raw"; ``joiner``: "transformer" or "mlp"; ``references``: "together", "best" or "mean";
            ``statistics``: of layers, "frozen" or "batch"; ``text_only``: images are not looked at.
        prompt: Put before a caption for CLIP. Here and for all sizes and rates the default is the authors'.
        cosine: The caption's cosine with its references goes straight to the score, and the network adds to it.
        scale_vectors: Vectors are brought to the length of the root of their width.
        epochs: At most so many; training ends before, after ``patience`` epochs in a row that are no better.
        rows_per_epoch: An epoch is so many rows, so that validation comes more often; 0: all rows.
        half: What the sentence encoder says of captions is kept with 16 bits, in half the memory.
        cache: A folder that keeps vectors, so that later runs are quick.
        device: "cpu" or "cuda".
        tell: Is called with a sentence after each epoch.
    """
    asked = _core.DenebTraining()
    asked.training = os.fspath(training)
    asked.validation = os.fspath(validation)
    asked.layout = layout
    asked.validation_layout = validation_layout or ""
    asked.without = string_list("without", without)
    tests = [_held_out(one) for one in ([held_out] if isinstance(held_out, str) else held_out)]
    for name, path in tests:
        asked.hold_out(name, path)
    asked.encoders = _encoders(clip, text, cache, sentence_vectors, images)
    asked.architecture = architecture
    asked.tokens = tokens or ""
    asked.joiner = joiner or ""
    asked.references = references or ""
    asked.statistics = statistics or ""
    asked.text_only = text_only
    asked.prompt = prompt
    asked.cosine = cosine
    asked.scale_vectors = scale_vectors
    _take_sizes(asked, width, layers, heads, feed_forward, hidden)
    _take_learning(asked, rate, weight_decay, batch, warm_up, dropout)
    _take_end(asked, epochs, rows_per_epoch, patience)
    asked.half = half
    asked.output = output_path(output, [training, validation, *(path for _, path in tests)])
    asked.restart = restart
    asked.seed = seed_number(seed)
    asked.device = device
    asked.threads = whole_number("threads", threads, 0, _MOST)
    asked.set_tell(tell)
    made = _core.train_deneb(asked)
    warn(made.warnings)
    return _trained(asked.output, made)


def score(
    refs: Captions,
    hyps: Captions | None = None,
    *,
    model: str | os.PathLike[str],
    clip: str | os.PathLike[str] | None = None,
    text: str | os.PathLike[str] | None = None,
    images: Images = None,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    parity: bool = False,
    refs_policy: str | None = None,
    batch: int = 0,
    heads: int = 0,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    cache: str | os.PathLike[str] | None = None,
    device: str = "cpu",
    threads: int = 0,
    ci: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    ci_method: str = "percentile",
) -> Result:
    """Scores captions with a trained network.

    Args:
        model: A file that :func:`train` wrote, or what it returned. ``clip`` and ``text`` are the encoders that it was
            trained with; others are refused.
        images: The pictures; as of :func:`capella.score`, and so are ``refs``, ``hyps``, ``systems`` and the others.
        parity: As the authors' program scores: layers are normalised over each batch, and captions of a batch have as
            many references as the one with the fewest.
        refs_policy: "all", or "zip-min": that cut alone. Default: "all", with ``parity`` "zip-min".
        batch: Captions at a time; 0: 32 if neighbours matter, else as many as are quick.
        heads: Of attention, for a file of the authors' program, which does not tell; 0: 8. Refused for other files.
        device: "cpu", or "cuda", which takes the torch plug-in.
    """
    asked = _core.DenebScoring()
    asked.model = os.fspath(model)
    asked.encoders = _encoders(clip, text, cache)
    asked.parity = parity
    asked.references = refs_policy or ""
    asked.batch = whole_number("batch", batch, 0, _MOST)
    asked.heads = whole_number("heads", heads, 0, 1024)
    asked.device = device
    asked.threads = whole_number("threads", threads, 0, _MOST)
    if ci:
        asked.set_intervals(resample_count(resamples), seed_number(seed), ci_method)
    dataset = make_dataset(refs, hyps, systems, split, missing, skip_bad, images)
    return warned(_core.score_deneb(dataset, asked))


def _held_out(one: str | tuple[str, str | os.PathLike[str]]) -> tuple[str, str]:
    """A benchmark's layout and path; "nebula:test.json" and ("nebula", "test.json") mean the same."""
    layout, path = one.partition(":")[::2] if isinstance(one, str) else one
    if not layout or not path:
        raise CapellaError(f"held_out: found {one!r}, expected (layout, path) or 'layout:path'")
    return layout, os.fspath(path)


def _encoders(
    clip: str | os.PathLike[str] | None,
    text: str | os.PathLike[str] | None,
    cache: str | os.PathLike[str] | None,
    vectors: str | None = None,
    images: str | os.PathLike[str] | None = None,
) -> _core.DenebEncoders:
    encoders = _core.DenebEncoders()
    encoders.clip = optional_path(clip)
    encoders.text = optional_path(text)
    encoders.vectors = vectors or ""
    encoders.images = optional_path(images)
    encoders.cache = cache_folder(cache)
    return encoders
