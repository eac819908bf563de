"""What boxes say about relations: networks with attention over pairs of boxes. ``capella.mln`` has all of this."""

from __future__ import annotations

import os
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._inputs import seed_number, whole_number
from ._logic_inputs import MOST, Progress
from ._mln_common import Path, Written, fixed, stage_options


class LearnedPredicate(NamedTuple):
    """The network of a predicate, measured on validation images."""

    predicate: str
    training_bags: int
    held_out_told: int  # told atoms of validation images
    held_out_atoms: int  # and all of mentioned pairs
    auc: float
    other_auc: float  # of the other kind of attention; NaN if it was not trained
    log_loss: float
    log_loss_uncalibrated: float
    brier: float
    calibration_error: float


class AttentionNetworks(Written):
    """What :func:`mil` trained."""

    _core: _core.MilSummary

    @property
    def attention(self) -> str:
        """ "gated" or "plain"."""
        return self._core.attention

    @cached_property
    def predicates(self) -> dict[str, LearnedPredicate]:
        return {made[0]: LearnedPredicate(*made) for made in self._core.predicates}

    @property
    def mean_auc(self) -> float:
        return self._core.mean_auc

    @property
    def other_mean_auc(self) -> float:
        """Of the other kind of attention; NaN if it was not trained."""
        return self._core.other_mean_auc


def mil(
    objects: Path,
    triplets: Path,
    *,
    output: Path,
    attention: str = "gated",
    both: bool = False,
    preset: str = "small",
    negatives: str = "preset",
    pixel_boxes: bool = False,
    epochs: int | None = None,
    hidden: int | None = None,
    attention_size: int | None = None,
    rate: float | None = None,
    seed: int = 12345,
    threads: int = 0,
    progress: Progress | None = None,
) -> AttentionNetworks:
    """Trains a small network per predicate: what the boxes of an image say about a relation.

    Args:
        objects: objects.jsonl of a detector, with features.
        triplets: What :func:`triplets` wrote or returned; train and restval are learnt from, val calibrates and measures.
        output: The networks, .npz.
        attention: "gated" or "plain"; with ``both`` the other is trained, too, to compare.
        preset: Sizes and rates, for some thousand images ("small") or the paper's ("paper"); ``epochs``, ``hidden``,
            ``attention_size`` and ``rate`` change them.
        negatives: Pairs of boxes to learn from as negative: "other", "mismatch", "possible", "mentioned" or "mixed".
        pixel_boxes: Boxes in pixels, not in shares of the image.
    """
    asked = _core.MilRun()
    asked.objects = os.fspath(objects)
    asked.triplets = os.fspath(triplets)
    asked.attention = attention
    asked.both = both
    asked.preset = preset
    asked.negatives = negatives
    asked.pixel_boxes = pixel_boxes
    if epochs is not None:
        asked.epochs = whole_number("epochs", epochs, 0, MOST)
    if hidden is not None:
        asked.hidden = whole_number("hidden", hidden, 1, 1_000_000)
    if attention_size is not None:
        asked.attention_size = whole_number("attention_size", attention_size, 1, 1_000_000)
    if rate is not None:
        asked.rate = rate
    asked.seed = seed_number(seed)
    stage_options(asked, output, [asked.objects, asked.triplets], threads, progress)
    return AttentionNetworks(asked.output, _core.mln_mil(asked))


class Attention:
    """Which pair of boxes a claim is about."""

    def __init__(self, core: _core.MilAttention) -> None:
        self._core = core

    @property
    def probability(self) -> float:
        """Of the claim, as far as boxes tell."""
        return self._core.probability

    @property
    def labels(self) -> list[str]:
        """Of the boxes."""
        return [label for label, _ in self._core.boxes]

    @cached_property
    def boxes(self) -> npt.NDArray[np.float64]:
        """Left, top, right and bottom of each, in pixels."""
        return fixed(np.array([box for _, box in self._core.boxes]).reshape(-1, 4))

    @cached_property
    def pairs(self) -> npt.NDArray[np.int64]:
        """Places of the subject's and the object's box."""
        return fixed(np.array([pair[:2] for pair in self._core.pairs], dtype=np.int64).reshape(-1, 2))

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """Of the pairs; their sum is 1."""
        return fixed(np.array([pair[2] for pair in self._core.pairs], dtype=np.float64))

    def svg(self) -> str:
        """A picture: boxes, with a line for each pair, the thicker the more attention it has."""
        return self._core.picture()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<capella.mln.Attention over {len(self.weights)} pairs of boxes: {self.probability:.3f}>"


def attention(model: Path, objects: Path, image: str | int, claim: tuple[str, str, str]) -> Attention:
    """Where a trained network looks for a claim in an image.

    >>> attention("mil.npz", "objects.jsonl", 7, ("man", "ride", "bike")).svg()
    """
    if isinstance(claim, str) or len(claim) != 3:
        raise TypeError("claim: expected (subject, predicate, object)")
    subject, predicate, thing = claim
    about = (subject, predicate, thing)
    return Attention(_core.mln_attention(os.fspath(model), os.fspath(objects), str(image), about))
