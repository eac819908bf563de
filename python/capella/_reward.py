"""A metric as a reward for training."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import Captions, Images, Settings, cache_folder, make_dataset, setting_words
from ._result import warn

_Choices: TypeAlias = "tuple[str, str, str, str, list[str], str, str]"
_State: TypeAlias = "tuple[dict[str, list[str]], list[str], _Choices]"


class Reward:
    """References are prepared once; then every call scores a batch, from any thread, without the GIL.

    >>> reward = capella.Reward("cider-d", references="refs.json", df="coco-val")
    >>> reward([7, 7, 9], ["a dog", "the dog runs", "two cats"])        # ids may repeat
    array([...])
    >>> reward(None, ["a dog"], references=[["a dog runs"]])            # references of this call alone

    Args:
        metric: A name as ``capella.metrics()`` lists them, or the path of a trained model (``capella.composite``).
        references: As ``refs`` of :func:`capella.score`.
        df: "refs", "coco-val", or a file made by ``capella.write_df``.
        tokenizer: "ptb-iso", "13a", "karpathy", or "none" for captions that are tokens joined by spaces.
        score: Which of the metric's scores; default the last one that is always shown (BLEU-4 of bleu, SPICE of spice).
        settings: As of :func:`capella.score`.
        cache: As of :func:`capella.score`; keeps the references, for metrics that parse or encode.
        images: As of :func:`capella.score`, for metrics that look at pictures; captions then come with ids.
        device: As of :func:`capella.score`.
    """

    def __init__(
        self,
        metric: str | os.PathLike[str] = "cider-d",
        references: Captions | None = None,
        *,
        df: str | os.PathLike[str] = "refs",
        tokenizer: str = "ptb-iso",
        score: str | None = None,
        settings: Settings = None,
        split: str | None = None,
        cache: str | os.PathLike[str] | None = None,
        images: Images = None,
        device: str = "cpu",
    ) -> None:
        if references is None:
            raise CapellaError("a reward needs references")
        self._references = make_dataset(references, None, split=split, images=images)
        self._choices: _Choices = (
            os.fspath(metric),
            score or "",
            tokenizer,
            os.fspath(df),
            setting_words(settings),
            cache_folder(cache),
            device,
        )
        self._core = _core.Reward(self._references, *self._choices)
        warn(self._core.warnings)

    def __getstate__(self) -> _State:
        """The texts; whoever unpickles them prepares them again."""
        texts = dict(zip(self._references.ids(), self._references.references()))
        return texts, self._references.images(), self._choices

    def __setstate__(self, state: _State) -> None:
        texts, images, self._choices = state
        self._references = make_dataset(texts, None, images=dict(zip(texts, images)) if images else None)
        self._core = _core.Reward(self._references, *self._choices)

    def __copy__(self) -> Reward:
        """Itself, as it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Reward:
        return self

    def __call__(
        self,
        ids: Iterable[str | int] | None,
        captions: Iterable[str],
        references: Iterable[Iterable[str]] | None = None,
    ) -> npt.NDArray[np.float64]:
        """One value per caption; caption k belongs to ``ids[k]``, or is scored against ``references[k]``."""
        if references is not None:
            return self._core.by_references(references, captions)
        if ids is None:
            raise TypeError("give ids, or references for this call")
        return self._core.by_ids(ids, captions)

    @property
    def score_name(self) -> str:
        return self._core.score_name

    @property
    def signature(self) -> str:
        """Every choice that changes the number."""
        return self._core.signature

    def __repr__(self) -> str:
        return f"<capella.Reward {self.signature}>"
