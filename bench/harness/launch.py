"""Starts contenders and whole commands, and reads what they measured."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("CAPELLA_BUILD", ROOT / "build")).resolve()
PEER_PYTHON = sys.executable
CAPELLA = BUILD / "capella"
CAPELLA_PYTHON = BUILD / "venv/bin/python"
MEASURE = Path(__file__).with_name("measure.py")


@dataclass(frozen=True)
class Answer:
    seconds: list[float]
    peak_mb: float
    values: dict[str, dict[str, Any]]
    lines: list[str]
    cpu_seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class CommandRun:
    wall: float
    cpu: float
    peak_mb: float


def _checked(command: list[str], folder: Path | None = None) -> str:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT / "bench")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: `{' '.join(command)}` ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def have_python_package() -> bool:
    if not CAPELLA_PYTHON.exists():
        return False
    return (
        subprocess.run([CAPELLA_PYTHON, "-c", "import capella"], capture_output=True, check=False).returncode
        == 0
    )


def run_contender(
    program: list[str | Path], references: Path, captions: Path | None, repetitions: int
) -> Answer:
    """One contender from start to end, in its own process."""
    files = ["--references", references, *(["--captions", captions] if captions else [])]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "answer.json"
        _checked([str(word) for word in [*program, *files, "--repetitions", repetitions, "--out", out]])
        found = json.loads(out.read_text(encoding="utf-8"))
    return Answer(
        found["seconds"],
        found["peak_mb"],
        found.get("values", {}),
        found.get("lines", []),
        found.get("cpu_seconds", []),
    )


def run_command(
    command: list[str | Path], output: Path | str = os.devnull, folder: Path | None = None
) -> CommandRun:
    """A whole command, from its start to its end, in this folder or another."""
    words = [sys.executable, "-S", "-E", MEASURE, output, *command]
    measured = _checked(list(map(str, words)), folder)
    return CommandRun(**json.loads(measured))
