"""Runs the task's sections one after the other and prints each as soon as it is done."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness import inputs
from harness.report import Section, Table
from harness.task import run_task
from stats import sections

PARTS = ("kendall", "correlations", "means", "paired", "intervals")
PACKAGES = ["numpy", "scipy", "sacrebleu"]


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    corpus = cache(inputs.test_corpus)
    if "kendall" in parts:
        yield from sections.kendall(folder)
    if "correlations" in parts:
        yield sections.correlations(folder)
    if "means" in parts:
        yield sections.means(folder)
    if "paired" in parts:
        yield sections.paired(corpus(), folder)
    if "intervals" in parts:
        yield sections.intervals(corpus(), folder)


if __name__ == "__main__":
    run_task("stats", __doc__, PARTS, PACKAGES, run_parts)
