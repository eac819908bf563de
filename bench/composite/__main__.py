"""Runs the task's sections one after the other and prints each as soon as it is done."""

import sys
from collections.abc import Iterator
from pathlib import Path

from composite import features, sections
from harness.report import Section, Table
from harness.task import NO_DATA, need_data, run_task

PARTS = ("training", "scoring")
PACKAGES = ["torch", "numpy", "scipy"]


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    if "training" in parts:
        files = features.make(folder)
        for seeds in (1, 5):
            yield sections.training(files, seeds, folder)
    if "scoring" in parts:
        yield sections.scoring(folder)


if __name__ == "__main__":
    if missing := features.missing():
        print(
            f"the task composite needs {', '.join(missing)}: "
            "put them beside the repository, or where CAPELLA_TEST_DATA says",
            file=sys.stderr,
        )
        raise SystemExit(NO_DATA)
    need_data("meteor")
    run_task("composite", __doc__, PARTS, PACKAGES, run_parts)
