"""The frame of a contender written in Python: reads the job, repeats the work, writes times and answers.

Every contender is a program of its own, so that none pays for another's memory or imports. Its answer is

    {"seconds": [...], "cpu_seconds": [...], "peak_mb": ...,
     "values": {name: {"corpus": x, "items": [...]}}, "lines": [...]}

with `values` for scores and `lines` for tokens; `corpus`, `items` or `cpu_seconds` may be missing where a program does not
compute or know it.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from harness.memory import read_fields

T = TypeVar("T")


@dataclass(frozen=True)
class Job:
    references: dict[str, list[str]]
    captions_file: Path | None
    repetitions: int
    out: Path
    tokenizer: str
    others: tuple[Path, ...] = ()  # captions of more systems

    def captions(self) -> dict[str, str]:
        return read_rows(self.captions_file, "caption")

    def batches(self) -> list[tuple[list[str], list[str]]]:
        return [(batch["ids"], batch["captions"]) for batch in _read_json(self.captions_file)]


def _read_json(path: Path | str | None) -> Any:
    if path is None:
        raise SystemExit("--captions FILE is missing")
    return json.loads(Path(path).read_text(encoding="utf-8"))


def read_rows(path: Path | str | None, key: str) -> dict[str, Any]:
    """By id what stands under `key`, "captions" or "caption", in a file that harness.inputs wrote."""
    return {row["image_id"]: row[key] for row in _read_json(path)}


def read_job() -> Job:
    parser = argparse.ArgumentParser()
    parser.add_argument("--references", type=Path, required=True)
    parser.add_argument("--captions", type=Path)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--tokenizer", default="none")
    parser.add_argument("--others", default="", help="files, commas between them")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    references = read_rows(given.references, "captions")
    others = tuple(Path(name) for name in given.others.split(",") if name)
    return Job(references, given.captions, given.repetitions, given.out, given.tokenizer, others)


def time_each(count: int, work: Callable[[int], T]) -> tuple[list[float], T]:
    """Calls work(0) ... work(count - 1); returns the seconds of each call and the last result."""
    seconds = []
    for k in range(count):
        begin = time.perf_counter()
        result = work(k)
        seconds.append(time.perf_counter() - begin)
    return seconds, result


def score(items: Iterable[float] | None = None, corpus: float | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if corpus is not None:
        found["corpus"] = float(corpus)
    if items is not None:
        found["items"] = [float(value) for value in items]
    return found


def peak_megabytes(pid: int | str = "self") -> float:
    """The most memory a process has held so far, in units of 10^6 bytes."""
    return read_fields(Path(f"/proc/{pid}/status"))["VmHWM"]


def processor_seconds(pid: int) -> float:
    """The processor time that a process with all its threads has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def write_answer(job: Job, seconds: list[float], peak_mb: float, **answers: Any) -> None:
    job.out.write_text(json.dumps({"seconds": seconds, "peak_mb": peak_mb, **answers}), encoding="utf-8")
