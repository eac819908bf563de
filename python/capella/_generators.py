"""Caption generators of the pre-gen study: training them, and asking them. ``capella.pregen`` has all of this."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from . import _core
from ._inputs import output_path, seed_number, whole_number

Tell: TypeAlias = Callable[[str], object]

_MOST = 2**53


class Epoch(NamedTuple):
    loss: float  # mean of the batches; NaN of epoch 0, which is before any training
    perplexity: float  # of the validation images' first captions


@dataclass(frozen=True, slots=True)
class TrainedGenerator:
    """What :func:`train` made; it may stand wherever the model's path may."""

    path: str  #: the model
    architecture: str
    parameters: int
    vocabulary: int  #: words
    training_images: int
    training_captions: int
    validation_images: int
    epochs: list[Epoch]  #: epoch 0 first
    best_epoch: int  #: kept
    resumed: bool  #: whether a checkpoint was continued
    seconds: float  #: of this run
    _made: _core.GeneratorTrained

    def table(self, format: str = "table") -> str:
        """Epoch by epoch, as "table", "md", "latex", "csv", "json" or "plain"."""
        return self._made.format(format)

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<capella.pregen.TrainedGenerator {self.architecture}: {self.path}>"


def train(
    dataset: str | os.PathLike[str],
    features: str | os.PathLike[str],
    architecture: str = "init",
    *,
    output: str | os.PathLike[str],
    variable: str | None = None,
    restart: bool = False,
    size: int = 0,
    batch: int = 0,
    epochs: int = 100,
    least_count: int = 5,
    share: float = 1.0,
    seed: int = 12345,
    device: str = "cpu",
    threads: int = 0,
    tell: Tell | None = None,
) -> TrainedGenerator:
    """Trains a caption generator. Needs the torch plug-in.

    >>> train("dataset.json", "vgg_feats.mat", "merge", output="merge_1.safetensors", tell=print)

    Args:
        dataset: Karpathy's dataset.json.
        features: A vector for each of its images, in its order: rows of an .npy, columns of a .mat file, whose
            ``variable`` may be named.
        architecture: Where the image enters: "init", "pre", "par" or "merge".
        output: The model's file, NAME.safetensors. Beside it lies NAME.safetensors.checkpoint meanwhile, and a training
            that was cut off goes on from there, unless ``restart``.
        size: Of embeddings and state; 0: the authors'. ``batch``: captions in a batch; 0: the authors'.
        epochs: At most so many; training stops before, when the validation perplexity rises.
        least_count: Rarer words are unknown.
        share: Of the training images that is learnt from.
        device: "cpu" or "cuda".
        tell: Is called with a sentence after each epoch.
    """
    asked = _core.GeneratorTraining()
    asked.inputs = _inputs(dataset, features, variable)
    asked.architecture = architecture
    asked.output = output_path(output, [dataset, features])
    asked.restart = restart
    asked.size = whole_number("size", size, 0, _MOST)
    asked.batch = whole_number("batch", batch, 0, _MOST)
    asked.most_epochs = whole_number("epochs", epochs, 0, _MOST)
    asked.least_count = whole_number("least_count", least_count, 0, _MOST)
    asked.share = share
    asked.seed = seed_number(seed)
    asked.device = device
    asked.threads = whole_number("threads", threads, 0, _MOST)
    asked.set_tell(tell)
    made = _core.train_generator(asked)
    return TrainedGenerator(
        asked.output,
        made.architecture,
        made.parameters,
        made.vocabulary,
        made.training_images,
        made.training_captions,
        made.validation_images,
        [Epoch(*epoch) for epoch in made.epochs],
        made.best_epoch,
        made.resumed,
        made.seconds,
        made,
    )


class Probabilities(NamedTuple):
    """What :func:`probabilities` wrote; it may stand wherever the file's path may."""

    path: str
    images: int
    captions: int
    words: int  # ends of captions included
    unknown: int  # words that the generator does not know
    perplexity: float  # geometric mean of the captions'
    seconds: float  # without reading and writing

    def __fspath__(self) -> str:
        return self.path


def probabilities(
    model: str | os.PathLike[str],
    dataset: str | os.PathLike[str],
    features: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str],
    variable: str | None = None,
    split: str = "test",
    device: str = "cpu",
    threads: int = 0,
) -> Probabilities:
    """Asks a trained generator for the probabilities of the words of all captions of a split, and writes them.

    >>> pregen.metrics(probabilities("merge_1.safetensors", "dataset.json", "vgg_feats.mat", output="merge_1.bin"))

    Args:
        model: A file that :func:`train` wrote, or what it returned. ``dataset``, ``features`` and others are its too.
        output: The file to write: JSON as the metrics' authors store it if it ends in .json, else a compact layout.
    """
    run = _run(model, dataset, features, output, variable, split, device, threads)
    return Probabilities(os.fspath(output), *_core.generator_probabilities(run))


class Generation(NamedTuple):
    """What :func:`generate` wrote; it may stand wherever the file's path may."""

    path: str
    images: int
    words: int
    beam: int
    different: int  # captions
    seconds: float

    def __fspath__(self) -> str:
        return self.path


def generate(
    model: str | os.PathLike[str],
    dataset: str | os.PathLike[str],
    features: str | os.PathLike[str],
    *,
    output: str | os.PathLike[str],
    variable: str | None = None,
    split: str = "test",
    beam: int = 0,
    least_words: int = 4,
    most_words: int = 50,
    device: str = "cpu",
    threads: int = 0,
) -> Generation:
    """Lets a trained generator write a caption for each image of a split, by beam search.

    Args:
        output: A list of {"image_id", "caption"}, which :func:`capella.score` and :func:`capella.pregen.strata` read.
        beam: Its width; 0: the authors'.

    The other arguments are those of :func:`probabilities`.
    """
    run = _run(model, dataset, features, output, variable, split, device, threads)
    beam = whole_number("beam", beam, 0, _MOST)
    least = whole_number("least_words", least_words, 0, _MOST)
    most = whole_number("most_words", most_words, 0, _MOST)
    return Generation(os.fspath(output), *_core.generate_captions(run, beam, least, most))


def plugin() -> str:
    """Where the torch plug-in is and what it is; FileError, which says how to get it, if it is not there."""
    return _core.generator_plugin()


def _inputs(
    dataset: str | os.PathLike[str], features: str | os.PathLike[str], variable: str | None
) -> _core.GeneratorInputs:
    return _core.GeneratorInputs(os.fspath(dataset), os.fspath(features), variable or "")


def _run(
    model: str | os.PathLike[str],
    dataset: str | os.PathLike[str],
    features: str | os.PathLike[str],
    output: str | os.PathLike[str],
    variable: str | None,
    split: str,
    device: str,
    threads: int,
) -> _core.GeneratorRun:
    path = os.fspath(model)
    written = output_path(output, [path, dataset, features])
    threads = whole_number("threads", threads, 0, _MOST)
    return _core.GeneratorRun(path, _inputs(dataset, features, variable), split, written, device, threads)
