"""Runs the task's sections one after the other and prints each as soon as it is done."""

import sys
from collections.abc import Iterator
from pathlib import Path

from harness.report import Section, Table
from harness.task import NO_DATA, run_task
from pregen import sections
from pregen.probabilities import write_probabilities

PARTS = ("metrics", "correlate", "generators")
PACKAGES = ["numpy", "scipy"]
NEEDED = {  # what a part cannot do without, and how to get it
    "correlate": (sections.DATA, "put it beside the repository, or where CAPELLA_TEST_DATA says"),
    "generators": (sections.GENERATORS, "build with CAPELLA_TORCH=ON and CAPELLA_BENCH=ON"),
}


def _can_run(part: str) -> bool:
    path, advice = NEEDED.get(part, (Path(), ""))
    if not path.exists():
        print(f"the part {part} was left out, it needs {path}: {advice}\n", file=sys.stderr)
    return path.exists()


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    parts = list(filter(_can_run, parts))
    if not parts:
        raise SystemExit(NO_DATA)
    if "metrics" in parts:
        probabilities = write_probabilities(folder / "probabilities.json")
        yield sections.metrics_in_memory(probabilities)
        yield sections.metrics_command(probabilities, folder)
    if "correlate" in parts:
        yield sections.correlate(folder)
    if "generators" in parts:
        yield sections.generators()


if __name__ == "__main__":
    run_task("pregen", __doc__, PARTS, PACKAGES, run_parts)
