"""Compares what contenders computed. No time counts before that."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from harness.launch import Answer

RELATIVE = 1e-9
ABSOLUTE = 1e-12


@dataclass(frozen=True)
class Agreement:
    same: bool
    text: str


def _pairs(found: Answer, wanted: Answer) -> Iterator[tuple[float, float]]:
    for name, value in found.values.items():
        if "corpus" in value and "corpus" in wanted.values[name]:
            yield value["corpus"], wanted.values[name]["corpus"]
        if "items" in value and "items" in wanted.values[name]:
            yield from zip(value["items"], wanted.values[name]["items"], strict=True)


def compare_values(found: Answer, wanted: Answer) -> Agreement:
    """Every score of `found`, over the corpus and caption by caption, where `wanted` has it too."""
    pairs = list(_pairs(found, wanted))
    if not pairs:
        return Agreement(False, "differs: no value in common")
    wrong = [pair for pair in pairs if not math.isclose(*pair, rel_tol=RELATIVE, abs_tol=ABSOLUTE)]
    if not wrong:
        return Agreement(True, f"same ({len(pairs):,} values)")
    worst = max(abs(a - b) for a, b in wrong)
    return Agreement(False, f"differs ({len(wrong):,} of {len(pairs):,} values, by up to {worst:.3g})")


def compare_lines(found: Answer, wanted: Answer) -> Agreement:
    """The tokens of every caption."""
    if len(found.lines) != len(wanted.lines):
        return Agreement(False, f"differs ({len(found.lines):,} captions, not {len(wanted.lines):,})")
    wrong = sum(a != b for a, b in zip(found.lines, wanted.lines, strict=True))
    return Agreement(
        wrong == 0,
        f"differs ({wrong:,} of {len(wanted.lines):,} captions)"
        if wrong
        else f"same ({len(wanted.lines):,} captions)",
    )
