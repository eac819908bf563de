#!/usr/bin/env python3
"""bench_ratio.py TASK PART SECTION CONTENDER: how many times less processor time Capella takes than its peer.

Runs `bench/run TASK --only PART`, which compares the answers before it times anything, and prints the ratio of the
processor times of the peer and of the row CONTENDER, in the section whose title is SECTION. Both are of the same run.
Processor time is used because the time by the clock depends on what else the machine does.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from common import ROOT


def processor_seconds(row: dict) -> float:
    number, unit = re.search(r"processor time ([\d.]+) (m?s)", row["notes"]).groups()
    return float(number) / (1000 if unit == "ms" else 1)


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit("usage: bench_ratio.py TASK PART SECTION CONTENDER")
    task, part, title, contender = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        words = ["bash", "bench/run", task, "--only", part, "--json", path]
        subprocess.run(words, cwd=ROOT, check=True, stdout=sys.stderr)
        sections = json.loads(path.read_text(encoding="utf-8"))["sections"]
    [section] = [section for section in sections if section["title"] == title]
    [row] = [row for row in section["rows"] if row["contender"] == contender]
    if row["ratio"] is None:
        sys.exit(f"{contender}: found {row['answers']}, expected the answers of {section['peer']}")
    print(f"{processor_seconds(section['rows'][0]) / processor_seconds(row):.1f}")


if __name__ == "__main__":
    main()
