"""Runs the task's sections one after the other and prints each as soon as it is done."""

import dataclasses
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness import inputs
from harness.report import Section, Table
from harness.task import need_data, run_task
from harness.tokens import Tokens
from meteor import memory, sections

PARTS = ("segments", "commands", "first", "memory", "worst")


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    everything = inputs.test_corpus()
    corpus = dataclasses.replace(everything, systems=everything.systems[:1])
    tokens = cache(lambda: Tokens(corpus, folder))
    if "segments" in parts:
        yield sections.segments(corpus, tokens())
    if "commands" in parts:
        yield sections.commands(corpus, tokens(), folder)
    if "first" in parts:
        yield sections.first(corpus, folder)
    if "memory" in parts:
        yield memory.memory(corpus, tokens(), folder)
    if "worst" in parts:
        yield sections.worst(folder)


if __name__ == "__main__":
    need_data("meteor")
    run_task("meteor", __doc__, PARTS, ["pycocoevalcap"], run_parts)
