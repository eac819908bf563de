"""Runs the task's sections one after the other and prints each as soon as it is done."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from harness import inputs
from harness.report import Section, Table
from harness.task import need_data, run_task
from minilm import sections

PARTS = ("sentences", "commands", "kept")
PACKAGES = ["sentence-transformers", "bert-score", "transformers", "torch", "numpy"]
IMAGES = 1000


def some_images() -> inputs.Corpus:
    """The first images with the captions of two systems: PyTorch would take long for all."""
    everything = inputs.test_corpus()
    keys = list(everything.references)[:IMAGES]
    return dataclasses.replace(
        everything,
        references={key: everything.references[key] for key in keys},
        systems=[{key: system[key] for key in keys} for system in everything.systems[:2]],
    )


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    corpus = some_images()
    references = inputs.write_references(folder / "references.json", corpus.references)
    captions = inputs.write_captions(folder / "captions.json", corpus.systems[0])
    if "sentences" in parts:
        yield sections.sentences(corpus, references, captions)
    if "commands" in parts:
        yield from sections.commands(corpus, references, captions, folder)
    if "kept" in parts:
        yield from sections.kept_references(corpus, references, captions)
        others = inputs.write_captions(folder / "others.json", corpus.systems[1])
        yield sections.kept_commands(corpus, references, captions, others, folder)


if __name__ == "__main__":
    need_data("minilm")
    run_task("minilm", __doc__, PARTS, PACKAGES, run_parts)
