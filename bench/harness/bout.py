"""One section: all contenders run, all answers are compared with the peer's, then the rows are made."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness.answers import Agreement, compare_values
from harness.launch import Answer, run_contender
from harness.report import Row, Section, format_rate
from harness.programs import Program

Compare = Callable[[Answer, Answer], Agreement]


@dataclass(frozen=True)
class Contender:
    name: str
    program: Program
    repetitions: int
    notes: str = ""


@dataclass(frozen=True)
class Work:
    """What the contenders run on; `amount` of `unit` per repetition makes the throughput."""

    references: Path
    captions: Path | None
    amount: float
    unit: str


def _row(contender: Contender, answer: Answer, agreement: Agreement, peer_seconds: float, work: Work) -> Row:
    seconds = median(answer.seconds)
    ratio = peer_seconds / seconds if agreement.same else None
    return Row(
        contender.name,
        agreement.text,
        seconds,
        format_rate(work.amount / seconds, work.unit),
        ratio,
        len(answer.seconds),
        answer.peak_mb,
        contender.notes,
    )


def hold(
    section: Section, work: Work, peer: Contender, others: list[Contender], compare: Compare = compare_values
) -> dict[str, Answer]:
    """Fills the section; returns all answers by name."""
    answers = {}
    for each in [peer, *others]:
        answers[each.name] = run_contender(each.program, work.references, work.captions, each.repetitions)
    wanted = answers[peer.name]
    peer_seconds = median(wanted.seconds)
    section.rows.append(_row(peer, wanted, Agreement(True, "the reference"), peer_seconds, work))
    for contender in others:
        found = answers[contender.name]
        section.rows.append(_row(contender, found, compare(found, wanted), peer_seconds, work))
    return answers
