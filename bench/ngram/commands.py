"""Whole commands, from the files to the printed scores: one thread, start-up and reading included."""

from pathlib import Path

from harness import inputs
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA
from harness.programs import Program, peer
from harness.report import Section

TARGET_SECONDS = 3.0
TARGET_MEGABYTES = 600.0
SCORES = ("BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr-D")


def command_section(
    title: str, corpus: Corpus, folder: Path, repetitions: int, peer_repetitions: int
) -> Section:
    references = inputs.write_references(folder / "command-references.json", corpus.references)
    captions = inputs.write_captions(folder / "command-captions.json", corpus.systems[0])
    options = ["-m", "bleu,rouge-l,cider-d", "--threads", "1", "--format", "json"]
    ours: Program = [CAPELLA, "score", references, captions, *options]
    theirs: Program = [*peer("ngram.contenders.pycocoevalcap_command"), references, captions]
    count = len(corpus.references)
    what = f"BLEU-1..4, ROUGE-L, CIDEr-D from files to printed scores; {corpus.name}, {count:,} images"
    section = Section(title, what, "pycocoevalcap")
    hold_commands(
        section,
        count,
        Command("pycocoevalcap script", theirs, peer_repetitions, peer_answer(theirs, folder)),
        [Command("capella score, 1 thread", ours, repetitions, capella_answer(ours, SCORES, folder))],
    )
    return section


def karpathy(corpus: Corpus, folder: Path) -> Section:
    return command_section("Whole command", corpus, folder, 5, 5)


def large(corpus: Corpus, folder: Path) -> Section:
    section = command_section("Whole command, large", corpus, folder, 5, 1)
    ours = section.rows[1]
    met = ours.seconds < TARGET_SECONDS and ours.peak_mb < TARGET_MEGABYTES
    ours.notes += (
        f"; target {TARGET_SECONDS:.0f} s and {TARGET_MEGABYTES:.0f} MB {'met' if met else 'missed'}"
    )
    return section
