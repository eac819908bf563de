"""What a run found."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from numbers import Integral
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError, CapellaWarning
from ._inputs import listed


class ItemScores(dict[str, dict[str, float]]):
    """Scores by caption: id -> {score: value}. An id that is a number may be given as an int."""

    def __missing__(self, id: object) -> dict[str, float]:
        text = _id_text(id)
        if text is id or text not in self:
            raise KeyError(f"no id {id!r}; there are {len(self)} ids: {listed(list(self))}")
        return self[text]

    def __contains__(self, id: object) -> bool:
        return super().__contains__(_id_text(id))

    def get(self, id: Any, default: Any = None) -> Any:
        return self[id] if id in self else default


def _id_text(id: Any) -> Any:
    """Numbers as the files' ids are written; anything else as it is."""
    return str(int(id)) if isinstance(id, Integral) and not isinstance(id, bool) else id


class SystemScores(Mapping[str, float]):
    """The scores of one system, by name: ``scores["CIDEr-D"]``; and those of its captions."""

    def __init__(self, result: _core.Result, system: int) -> None:
        self._result = result
        self._system = system
        self._names = [column[0] for column in result.columns]
        self._values = dict(zip(self._names, result.values(system)))

    @property
    def name(self) -> str:
        return self._result.systems[self._system]

    @cached_property
    def per_item(self) -> ItemScores:
        """Every caption's scores: id -> {score: value}, in the order of the references."""
        rows = self._result.item_values(self._system).tolist()
        return ItemScores((id, dict(zip(self._names, row))) for id, row in zip(self._result.ids, rows))

    def array(self, score: str) -> npt.NDArray[np.float64]:
        """One score of every caption, in the order of ``Result.ids``; read-only."""
        self[score]
        values: npt.NDArray[np.float64] = self._result.item_values(self._system)[:, self._names.index(score)]
        return values

    def interval(self, score: str) -> tuple[float, float]:
        """The 95 % confidence interval of a score: (low, high). It was asked for with ``ci=True``."""
        self[score]
        intervals = self._result.intervals(self._system)
        if not intervals:
            raise CapellaError("this result has no intervals; ask for them with ci=True")
        return intervals[self._names.index(score)]

    def __getitem__(self, score: str) -> float:
        try:
            return self._values[score]
        except KeyError:
            raise KeyError(f"no score '{score}'; there are {', '.join(self._names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"SystemScores({self.name!r}, {self._values!r})"


class Result(Mapping[str, float]):
    """Scores of one or more systems. With one system it maps the scores' names to their values.

    >>> r = capella.score(refs, hyps)
    >>> r["CIDEr-D"], dict(r)                 # of the only system
    >>> r.systems["ours"]["CIDEr-D"]          # of one of several
    >>> r.per_item["391895"]["CIDEr-D"]       # of one caption
    >>> r.interval("CIDEr-D")                 # (low, high), with ci=True
    >>> print(r.table("latex"))

    Values are on the scale of the reference programs (0 to 1, CIDEr 0 to 10); tables for people show them as papers
    do and say so.
    """

    def __init__(self, core: _core.Result) -> None:
        self._core = core

    def __reduce__(self) -> tuple[type[Result], tuple[_core.Result]]:
        return Result, (self._core,)

    @cached_property
    def systems(self) -> Mapping[str, SystemScores]:
        """The scores by system, in the order given."""
        names = self._core.systems
        return MappingProxyType({name: SystemScores(self._core, k) for k, name in enumerate(names)})

    def __getitem__(self, score: str) -> float:
        names = self._core.systems
        if len(names) > 1:
            raise CapellaError(
                f"{len(names)} systems: use .systems[name]['{score}'] with one of {', '.join(names)}"
            )
        return self.systems[names[0]][score]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __contains__(self, score: object) -> bool:
        return score in self.scores

    # As a result is more than its scores, it equals itself alone.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def interval(self, score: str) -> tuple[float, float]:
        """The 95 % confidence interval of the only system's score: (low, high). It was asked for with ``ci=True``."""
        names = self._core.systems
        if len(names) > 1:
            raise CapellaError(
                f"{len(names)} systems: use .systems[name].interval('{score}') with one of {', '.join(names)}"
            )
        return self.systems[names[0]].interval(score)

    @property
    def per_item(self) -> ItemScores:
        """The scores of the only system's captions: id -> {score: value}."""
        names = self._core.systems
        if len(names) > 1:
            raise CapellaError(
                f"{len(names)} systems: use .systems[name].per_item with one of {', '.join(names)}"
            )
        return self.systems[names[0]].per_item

    @property
    def scores(self) -> list[str]:
        """The names of the scores, in order."""
        return [column[0] for column in self._core.columns]

    @property
    def ids(self) -> list[str]:
        return self._core.ids

    @property
    def signatures(self) -> dict[str, str]:
        """For each score the choices that change the number; print it beside the number."""
        return {name: signature for name, _, _, signature in self._core.columns}

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    @property
    def skipped(self) -> list[tuple[str, str]]:
        """(id, why) of each row that was left out."""
        return self._core.skipped

    def table(self, format: str = "table", *, short_signatures: bool = False, width: int = 0) -> str:
        """Systems by scores as "table", "md", "latex", "csv", "json" or "plain". A "table" that is wider than ``width``
        columns is folded; 0: any width."""
        return self._core.format(format, short_signatures, width)

    def item_lines(self) -> str:
        """Every caption's scores as JSON lines, as ``capella score --per-item`` writes them."""
        return self._core.item_lines()

    def to_dict(self) -> dict[str, Any]:
        """What ``capella score --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json"))
        return whole

    def to_pandas(self) -> Any:
        """A DataFrame with one row per system and caption (needs pandas)."""
        pandas = importlib.import_module("pandas")
        frames = []
        for k, name in enumerate(self._core.systems):
            frame = pandas.DataFrame(self._core.item_values(k), columns=self.scores)
            frame.insert(0, "id", self.ids)
            frame.insert(0, "system", name)
            frames.append(frame)
        return pandas.concat(frames, ignore_index=True)

    def __repr__(self) -> str:
        return self.table().split("\n\n")[0].rstrip()

    def _repr_markdown_(self) -> str:
        return self.table("md")


def warn(messages: Iterable[str], stacklevel: int = 3) -> None:
    """Hands messages to Python's warnings module."""
    for message in messages:
        warnings.warn(message, CapellaWarning, stacklevel=stacklevel)


def warned(core: _core.Result, stacklevel: int = 3) -> Result:
    """The result, after its warnings went through Python's warnings module."""
    messages = core.warnings
    if core.skipped:
        id, why = core.skipped[0]
        plural = "" if len(core.skipped) == 1 else "s"
        messages.append(
            f"{len(core.skipped)} row{plural} left out, the first: {id}: {why}; {len(core.ids)} items remain"
        )
    warn(messages, stacklevel + 1)
    return Result(core)
