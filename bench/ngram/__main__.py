"""Runs the task's sections one after the other and prints each as soon as it is done."""

import argparse
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from harness.report import Section, machine, section_text, write_json
from ngram import commands, inputs, sections

PARTS = ("scorers", "tokenizer", "sacrebleu", "commands", "reward")
PACKAGES = ["pycocoevalcap", "sacrebleu", "fastchrf"]


def run_parts(parts: list[str], folder: Path) -> Iterator[Section]:
    corpus = inputs.test_corpus()
    large = cache(inputs.large_corpus)
    tokens = cache(lambda: sections.Tokens(corpus, folder))
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench/run ngram", description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), metavar="PARTS", help="some of " + ",".join(PARTS))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to this file as well")
    given = parser.parse_args()
    parts = given.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"--only: no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if not inputs.have_coco():
        print(
            "no MSCOCO captions beside the repository (data/coco in ../shared or CAPELLA_TEST_DATA): "
            "the example scenes, repeated, are used instead"
        )
    about = machine(PACKAGES)
    print(" | ".join(about.values()) + "\n", flush=True)
    done = []
    with tempfile.TemporaryDirectory(prefix="capella-bench-") as folder:
        for section in run_parts(parts, Path(folder)):
            print(section_text(section), flush=True)
            done.append(section)
    if given.json:
        write_json(given.json, about, done)


if __name__ == "__main__":
    main()
