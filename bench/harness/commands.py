"""Whole commands, from their start to their end. They take turns, so that all meet the same machine."""

import json
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness.answers import Agreement, compare_values
from harness.bout import Compare
from harness.launch import Answer, CommandRun, run_command
from harness.programs import Program
from harness.report import Row, Section, format_rate, format_seconds


@dataclass(frozen=True)
class Command:
    name: str
    program: Program
    repetitions: int
    answer: Answer  # of a run before, which is not timed
    notes: str = ""


def capella_answer(command: Program, scores: tuple[str, ...], folder: Path) -> Answer:
    """What `capella score` says, corpus and every caption."""
    items, result = folder / "items.jsonl", folder / "result.json"
    run_command([*command, "--per-item", items, "-o", result])
    found = json.loads(result.read_text(encoding="utf-8"))["systems"][0]["scores"]
    rows = [json.loads(line)["scores"] for line in items.read_text(encoding="utf-8").splitlines()]
    values = {name: {"corpus": found[name]["value"], "items": [row[name] for row in rows]} for name in scores}
    return Answer([], 0, values, [])


def peer_answer(command: Program, folder: Path) -> Answer:
    """What a contender says whose last argument is the file for its values."""
    path = folder / "peer.json"
    run_command([*command, path])
    return Answer([], 0, json.loads(path.read_text(encoding="utf-8")), [])


def _row(command: Command, agreement: Agreement, runs: list[CommandRun], items: int, peer_wall: float) -> Row:
    wall = median(run.wall for run in runs)
    notes = f"processor time {format_seconds(median(run.cpu for run in runs))}"
    return Row(
        command.name,
        agreement.text,
        wall,
        format_rate(items / wall, "captions"),
        peer_wall / wall if agreement.same else None,
        len(runs),
        max(run.peak_mb for run in runs),
        "; ".join(filter(None, [notes, command.notes])),
    )


def hold_commands(
    section: Section, items: int, peer: Command, others: list[Command], compare: Compare = compare_values
) -> None:
    """Fills the section; answers were compared with the peer's before any time counts."""
    commands = [peer, *others]
    runs: list[list[CommandRun]] = [[] for _ in commands]
    for turn in range(max(command.repetitions for command in commands)):
        for command, done in zip(commands, runs, strict=True):
            if turn < command.repetitions:
                done.append(run_command(command.program))
    peer_wall = median(run.wall for run in runs[0])
    section.rows.append(_row(peer, Agreement(True, "the reference"), runs[0], items, peer_wall))
    for command, done in zip(others, runs[1:], strict=True):
        agreement = compare(command.answer, peer.answer)
        section.rows.append(_row(command, agreement, done, items, peer_wall))
