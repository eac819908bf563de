"""Runs the task's sections one after the other and prints each as soon as it is done."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from harness import inputs
from harness.report import Section, Table
from harness.task import run_task
from harness.tokens import Tokens
from wmd import sections

PARTS = ("distances", "commands")
PACKAGES = ["gensim", "POT", "scipy", "numpy"]


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    everything = inputs.test_corpus()
    corpus = dataclasses.replace(everything, systems=everything.systems[:1])
    tokens = Tokens(corpus, folder)
    vectors = sections.write_vectors(folder, tokens)
    if "distances" in parts:
        yield sections.distances(corpus, tokens, vectors)
    if "commands" in parts:
        yield sections.commands(corpus, tokens, vectors, folder)


if __name__ == "__main__":
    run_task("wmd", __doc__, PARTS, PACKAGES, run_parts)
