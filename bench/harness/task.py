"""The command line of a task: which parts, and where the figures go."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from harness import inputs
from harness.launch import CAPELLA
from harness.outside import OutsidePrograms
from harness.report import Section, Table, machine, section_text, write_json

NO_DATA = 3  # how a task ends whose data is not installed; bench/run then goes on with the next
RunParts = Callable[[list[str], Path], Iterable[Section | Table]]


def need_data(package: str) -> None:
    """Data is fetched when asked, never by a benchmark. Without it the task ends as bench/run expects."""
    found = subprocess.run([CAPELLA, "data", "path", package], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        print(found.stderr, file=sys.stderr, end="")
        raise SystemExit(NO_DATA)


def run_task(
    name: str,
    about: str | None,
    parts: tuple[str, ...],
    packages: list[str],
    run_parts: RunParts,
    outside: OutsidePrograms | None = None,
    needs_captions: bool = True,
) -> None:
    """Runs the chosen parts one after the other and prints each section as soon as it is done."""
    parser = argparse.ArgumentParser(prog=f"bench/run {name}", description=about)
    parser.add_argument("--only", default=",".join(parts), metavar="PARTS", help="some of " + ",".join(parts))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to this file as well")
    if outside:
        outside.add_options(parser)
    given = parser.parse_args()
    if outside:
        outside.read_options(given)
    chosen = given.only.split(",")
    if unknown := set(chosen) - set(parts):
        parser.error(f"--only: no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    if needs_captions and not inputs.have_coco():
        print(
            "no MSCOCO captions beside the repository (data/coco in ../shared or CAPELLA_TEST_DATA): "
            "the example scenes, repeated, are used instead"
        )
    found = machine(packages)
    print(" | ".join(found.values()) + "\n", flush=True)
    done = []
    with tempfile.TemporaryDirectory(prefix="capella-bench-") as folder:
        for section in run_parts(chosen, Path(folder)):
            print(section_text(section), flush=True)
            done.append(section)
    if given.json:
        write_json(given.json, found, done)
