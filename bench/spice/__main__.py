"""Runs the task's sections one after the other and prints each as soon as it is done."""

import dataclasses
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from harness import inputs
from harness.report import Section, Table
from harness.task import need_data, run_task
from harness.tokens import Tokens
from spice import sections

PARTS = ("commands", "parsing")
IMAGES = 500


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    everything = inputs.test_corpus()
    keys = list(islice(everything.references, IMAGES))
    corpus = dataclasses.replace(
        everything,
        references={key: everything.references[key] for key in keys},
        systems=[{key: everything.systems[0][key] for key in keys}],
    )
    tokens = Tokens(corpus, folder)
    if "commands" in parts:
        yield sections.commands(corpus, tokens, folder)
    if "parsing" in parts:
        yield sections.parsing(corpus, tokens)


if __name__ == "__main__":
    need_data("meteor")
    run_task("spice", __doc__, PARTS, ["pycocoevalcap"], run_parts)
