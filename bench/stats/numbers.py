"""The numbers that correlations and means are computed of; the same on every run.

They are drawn, not real, but have the shape of real ones: as many rows and ties as the benchmarks of human ratings.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.contender import Job

SEED = 12345  # of all resampling; sacrebleu's
EXPERT_ROWS, EXPERT_SHARES = 16_992, (0.577, 0.294, 0.099, 0.030)  # ratings 1..4 of Flickr8k-Expert
CROWD_ROWS, CROWD_SHARES = 47_830, (
    0.878,
    0.063,
    0.032,
    0.027,
)  # shares of yes of Flickr8k-CF, the frequent ones


def _write(path: Path, **numbers: Any) -> Path:
    path.write_text(json.dumps(numbers), encoding="utf-8")
    return path


def write_ratings(
    path: Path, rows: int, shares: tuple[float, ...], same: int = 1, resamples: int = 0
) -> Path:
    """Ratings in `len(shares)` classes and scores that agree with them a little; `same` rows share a score."""
    random = np.random.default_rng(rows)
    ratings = random.choice(len(shares), size=rows, p=np.array(shares) / sum(shares))
    scores = (
        np.repeat(random.random(-(-rows // same)), same)[:rows]
        + 0.02 * np.repeat(ratings[::same], same)[:rows]
    )
    return _write(path, x=scores.tolist(), y=ratings.tolist(), resamples=resamples)


def write_matrix(path: Path, rows: int, columns: int, resamples: int) -> Path:
    values = np.random.default_rng(rows).random((rows, columns))
    return _write(path, rows=values.ravel().tolist(), columns=columns, resamples=resamples)


def read_numbers() -> tuple[dict[str, Any], Job]:
    """What a contender is given: the numbers of a file in place of references."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--references", type=Path, required=True)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    numbers = json.loads(given.references.read_text(encoding="utf-8"))
    return numbers, Job({}, None, given.repetitions, given.out, "none")


def ratings_of(numbers: dict[str, Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.array(numbers["x"], dtype=float), np.array(numbers["y"], dtype=float)


def matrix_of(numbers: dict[str, Any]) -> NDArray[np.float64]:
    return np.array(numbers["rows"]).reshape(-1, numbers["columns"])
