"""Runs the task's sections one after the other and prints each as soon as it is done."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness import inputs
from harness.report import Section
from harness.task import run_task
from harness.tokens import Tokens
from ngram import commands, sections

PARTS = ("scorers", "tokenizer", "sacrebleu", "commands", "reward")
PACKAGES = ["pycocoevalcap", "sacrebleu", "fastchrf"]


def run_parts(parts: list[str], folder: Path) -> Iterator[Section]:
    corpus = inputs.test_corpus()
    large = cache(inputs.large_corpus)
    tokens = cache(lambda: Tokens(corpus, folder))
    if "scorers" in parts:
        yield sections.scorers(corpus, tokens())
    if "tokenizer" in parts:
        yield sections.tokenizer(large(), folder)
    if "sacrebleu" in parts:
        yield from sections.sacrebleu(corpus, folder)
    if "commands" in parts:
        yield commands.karpathy(corpus, folder)
        yield commands.large(large(), folder)
    if "reward" in parts:
        yield sections.reward(corpus, tokens(), folder)


if __name__ == "__main__":
    run_task("ngram", __doc__, PARTS, PACKAGES, run_parts)
