"""Whole commands, from the files to the printed scores: one thread, start-up and reading included."""

import json
from pathlib import Path
from statistics import median

from harness.answers import compare_values
from harness.launch import CAPELLA, Answer, CommandRun, run_command
from harness.report import Row, Section, format_seconds
from ngram import inputs
from ngram.inputs import Corpus
from ngram.programs import Program, peer

TARGET_SECONDS = 3.0
TARGET_MEGABYTES = 600.0
SCORES = ("BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr-D")


def _capella_answer(command: Program, folder: Path) -> Answer:
    items, result = folder / "items.jsonl", folder / "result.json"
    run_command([*command, "--per-item", items, "-o", result])
    scores = json.loads(result.read_text(encoding="utf-8"))["systems"][0]["scores"]
    rows = [json.loads(line)["scores"] for line in items.read_text(encoding="utf-8").splitlines()]
    values = {
        name: {"corpus": scores[name]["value"], "items": [row[name] for row in rows]} for name in SCORES
    }
    return Answer([], 0, values, [])


def _peer_answer(command: Program, folder: Path) -> Answer:
    path = folder / "peer.json"
    run_command([*command, path])
    return Answer([], 0, json.loads(path.read_text(encoding="utf-8")), [])


def _row(name: str, answers: str, runs: list[CommandRun], items: int, ratio: float | None) -> Row:
    wall = median(run.wall for run in runs)
    cpu = median(run.cpu for run in runs)
    peak = max(run.peak_mb for run in runs)
    notes = f"processor time {format_seconds(cpu)}"
    return Row(name, answers, wall, f"{items / wall:,.0f} captions/s", ratio, len(runs), peak, notes)


def command_section(
    title: str, corpus: Corpus, folder: Path, repetitions: int, peer_repetitions: int
) -> Section:
    """The two commands take turns, so that both meet the same machine."""
    references = inputs.write_references(folder / "command-references.json", corpus.references)
    captions = inputs.write_captions(folder / "command-captions.json", corpus.systems[0])
    options = ["-m", "bleu,rouge-l,cider-d", "--threads", "1", "--format", "json"]
    ours: Program = [CAPELLA, "score", references, captions, *options]
    theirs: Program = [*peer("pycocoevalcap_command"), references, captions]
    agreement = compare_values(_capella_answer(ours, folder), _peer_answer(theirs, folder))
    own_runs, peer_runs = [], []
    for turn in range(repetitions):
        if turn < peer_repetitions:
            peer_runs.append(run_command(theirs))
        own_runs.append(run_command(ours))
    count = len(corpus.references)
    what = f"BLEU-1..4, ROUGE-L, CIDEr-D from files to printed scores; {corpus.name}, {count:,} images"
    ratio = median(run.wall for run in peer_runs) / median(run.wall for run in own_runs)
    theirs_row = _row("pycocoevalcap script", "the reference", peer_runs, count, 1.0)
    ours_row = _row(
        "capella score, 1 thread", agreement.text, own_runs, count, ratio if agreement.same else None
    )
    return Section(title, what, "pycocoevalcap", [theirs_row, ours_row])


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
