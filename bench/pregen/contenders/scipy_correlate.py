"""scipy.stats.pearsonr of every post-gen score with every pre-gen metric, on each data set and on all rows.

usage: scipy_correlate DATA ANSWER
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr

FIRST_METRIC, POSTS = "sum_sum_prob_none", ("METEOR", "CIDEr", "SPICE", "WMD")
Found = dict[str, dict[str, list[float]]]  # by score and "SELECTION METRIC": R^2, R and p


def correlate(path: Path) -> Found:
    heads, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    columns = dict(zip(heads, map(np.array, zip(*rows, strict=True)), strict=True))
    metrics = heads[heads.index(FIRST_METRIC) :]
    numbers = {name: columns[name].astype(float) for name in (*POSTS, *metrics)}
    sets = columns["dataset"]
    chosen = {name: sets == name for name in np.unique(sets)} | {"all": np.full(len(sets), True)}
    found: Found = {post: {} for post in POSTS}
    for post in POSTS:
        for name in metrics:
            parts = {key: numbers[name][where] for key, where in chosen.items()}
            if any(np.isinf(part).any() or np.ptp(part) == 0 for part in parts.values()):
                continue
            for key, part in parts.items():
                r, p = pearsonr(numbers[post][chosen[key]], part)
                found[post][f"{key} {name}"] = [float(r**2), float(r), float(p)]
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # one column differs by rounding alone, and the authors keep it
    Path(sys.argv[2]).write_text(json.dumps(correlate(Path(sys.argv[1]))), encoding="utf-8")
