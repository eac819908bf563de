"""What the stages of ``capella.mln`` share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy.typing as npt

from ._errors import CapellaError
from ._inputs import output_path, whole_number
from ._logic_inputs import MOST, Progress

Path: TypeAlias = "str | os.PathLike[str]"
#: Files by the systems' names, or paths of files that are named like the systems.
Systems: TypeAlias = "Path | Mapping[str, Path] | Iterable[Path]"


class Claim(NamedTuple):
    """What a caption says between two things, in base forms."""

    subject: str
    predicate: str
    object: str

    def __str__(self) -> str:
        return f"{self.predicate}({self.subject}, {self.object})"


class Written:
    """What a stage wrote; it may stand wherever the file's path may."""

    def __init__(self, path: str, core: Any) -> None:
        self.path = path
        self._core = core

    def table(self, format: str = "table") -> str:
        """What the stage did, as "table", "md", "latex", "csv", "json" or "plain"."""
        text: str = self._core.format(format)
        return text

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"<capella.mln.{type(self).__name__}: {self.path}>"

    def _repr_markdown_(self) -> str:
        return self.table("md")


def share(name: str, value: float) -> float:
    if not 0 <= value <= 1:
        raise CapellaError(f"{name}: found {value}, expected a number from 0 to 1")
    return value


def stage_options(
    asked: Any, output: Path, inputs: Iterable[str], threads: int, progress: Progress | None
) -> None:
    asked.output = output_path(output, inputs)
    asked.threads = whole_number("threads", threads, 0, MOST)
    asked.set_progress(progress)


def fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array
