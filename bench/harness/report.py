"""Tables for people, JSON for programs, and one line about the machine."""

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

from harness.launch import CAPELLA


@dataclass
class Row:
    contender: str
    answers: str
    seconds: float  # median
    throughput: str
    ratio: float | None  # how many times as fast as the peer; None where the answers differ
    repetitions: int
    peak_mb: float
    notes: str = ""


@dataclass
class Section:
    title: str
    what: str
    peer: str
    rows: list[Row] = field(default_factory=list)


@dataclass
class Table:
    """A section that is no comparison of times."""

    title: str
    what: str
    heads: list[str]
    rows: list[list[str]] = field(default_factory=list)


def format_seconds(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1e3:.1f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.3f} ms"


def format_rate(rate: float, unit: str) -> str:
    return f"{rate:,.0f} {unit}/s" if rate >= 100 else f"{rate:.1f} {unit}/s"


def format_ratio(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    return f"{ratio:.0f}x" if ratio >= 100 else f"{ratio:.1f}x"


def _line(cells: list[str], widths: list[int]) -> str:
    left = {0, 1, len(cells) - 1}
    padded = (f"{cell:{'<' if k in left else '>'}{widths[k]}}" for k, cell in enumerate(cells))
    return "  ".join(padded).rstrip()


def _cells(section: Section) -> list[list[str]]:
    return [
        [
            row.contender,
            row.answers,
            format_seconds(row.seconds),
            row.throughput,
            format_ratio(row.ratio),
            str(row.repetitions),
            f"{row.peak_mb:.0f} MB",
            row.notes,
        ]
        for row in section.rows
    ]


def section_text(section: Section | Table) -> str:
    if isinstance(section, Table):
        heads, cells = section.heads, section.rows
    else:
        heads = ["contender", "answers", "time", "throughput", f"x {section.peer}", "runs", "memory", ""]
        cells = _cells(section)
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    lines = [_line(row, widths) for row in [heads, ["-" * width for width in widths], *cells]]
    return "\n".join([f"{section.title}: {section.what}", *lines, ""])


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return f"no {command[0]}"
    return (done.stdout + done.stderr).splitlines()[0].replace('"', "")


def machine(packages: list[str]) -> dict[str, str]:
    found = {
        "cpu": f"{_cpu()}, {os.cpu_count()} cores",
        "load": f"load {os.getloadavg()[0]:.1f} at the start",
        "capella": _first_line([str(CAPELLA), "--version"]),
        "python": f"Python {platform.python_version()}",
        "java": _first_line(["java", "-version"]),
    }
    return found | {name: f"{name} {version(name)}" for name in packages}


def write_json(path: Path, about: dict[str, str], sections: list[Section | Table]) -> None:
    document = {"machine": about, "sections": [asdict(section) for section in sections]}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
