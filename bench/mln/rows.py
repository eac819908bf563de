"""Rows of random worlds, by which a gradient is measured; the same on every run."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

ATOMS, FORMULAS, FEWEST, MORE = 300_000, 5_000, 2, 9  # 2 ... 10 formulas an atom


def write_rows(path: Path) -> tuple[Path, int]:
    """All rows differ, nearly; so none can be counted together. The number of entries comes back, too."""
    random = np.random.default_rng(ATOMS)
    owners = np.repeat(np.arange(ATOMS), FEWEST + random.integers(MORE, size=ATOMS))
    entries = np.unique(
        owners * FORMULAS + random.integers(FORMULAS, size=len(owners))
    )  # no formula twice in a row
    ends = np.searchsorted(entries, FORMULAS * np.arange(1, ATOMS))
    drawn = random.choice([-2.0, -1.0, 1.0, 2.0, 3.0], size=len(entries))
    rows = [row.tolist() for row in np.split(entries % FORMULAS, ends)]
    changes = [row.tolist() for row in np.split(drawn, ends)]
    truth = (random.random(ATOMS) < 0.1).tolist()
    weights = random.normal(0, 0.5, FORMULAS).tolist()
    document = {"rows": rows, "changes": changes, "truth": truth, "weights": weights}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path, len(entries)
