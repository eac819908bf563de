#!/usr/bin/env python3
"""How many of the correlations that Tanti, Gatt and Muscat (2018) published Capella gets from their published data.

Pearson's R of every pre-gen metric with CIDEr, METEOR, SPICE and WMD, on each of three data sets and on all rows; equal
within 1e-12. One published metric is not counted: on Flickr it is constant but for rounding, and Capella leaves it out.
"""

import csv
import subprocess
import tempfile
from pathlib import Path

from common import ROOT, shared

SCORES = ("CIDEr", "METEOR", "SPICE", "WMD")


def correlations(path: Path) -> dict[tuple[str, str], float]:
    """R by metric and data set."""
    with path.open(encoding="utf-8", newline="") as file:
        return {
            (row["pregen"], column): float(value)
            for row in csv.DictReader(file, delimiter="\t")
            for column, value in row.items()
            if column.endswith("_R")
        }


def main() -> None:
    equal = 0
    for score in SCORES:
        published = correlations(shared(f"data/pregen/correlations_{score}.txt"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "correlations.txt"
            data = shared("data/pregen/data.txt")
            words = ["pregen", "correlate", data, "--post", score, "--resamples", "100", "-o", path]
            subprocess.run([ROOT / "build/capella", *words], check=True, stdout=subprocess.DEVNULL)
            found = correlations(path)
        equal += sum(abs(value - published[key]) <= 1e-12 for key, value in found.items())
    print(equal)


if __name__ == "__main__":
    main()
