"""Markov logic by sampling, exactly and learned, beside the programs that others wrote."""

import sys
from collections.abc import Iterator
from pathlib import Path

from harness.report import Section, Table
from harness.task import NO_DATA, run_task
from mln import exact, gibbs, learning
from mln.peers import PEERS
from mln.published import PARAMETERS

PARTS = ("gibbs", "exact", "counting", "learning")
PACKAGES = ["numpy", "scipy"]
ATOMS = (35, 5_000, 100_000)


def _can_run(part: str) -> bool:
    missing = part == "exact" and not PARAMETERS.exists()
    if missing:
        advice = "put it beside the repository, or where CAPELLA_TEST_DATA says"
        print(f"the part exact was left out, it needs {PARAMETERS}: {advice}\n", file=sys.stderr)
    return not missing


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    parts = list(filter(_can_run, parts))
    if not parts:
        raise SystemExit(NO_DATA)
    if "gibbs" in parts:
        yield gibbs.smokers_section(folder)
        for atoms in ATOMS:
            yield gibbs.pairs_section(atoms, folder)
    if "exact" in parts:
        yield exact.published_section(folder)
    if "counting" in parts and (section := exact.counted_section(folder)):
        yield section
    if "learning" in parts:
        yield learning.gradient_section(folder)
        yield learning.learning_section(folder)


if __name__ == "__main__":
    run_task("mln", __doc__, PARTS, PACKAGES, run_parts, PEERS, needs_captions=False)
