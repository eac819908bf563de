"""All 504 pre-gen metrics in Python and numpy, with a function for a caption, an image and the data set.

The authors' program goes through all captions anew for each metric (--anew); otherwise lists are kept.
"""

import argparse
import functools
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from harness.contender import Job, peak_megabytes, score, time_each, write_answer
from pregen.probabilities import Word

Caption = list[Word]


def _until_not_first(caption: Caption) -> list[float]:
    return [p for p, _ in itertools.takewhile(lambda word: word[1] == 0, caption)]


def _perplexity(kept: list[float]) -> float:
    return float(2 ** -np.mean(np.log2(kept))) if kept and min(kept) > 0 else math.inf


def _geometric_mean(values: list[float]) -> float:
    return float(2 ** np.mean(np.log2(values))) if min(values) > 0 else 0.0


KEPT: dict[str, Any] = {
    "none": lambda caption: [p for p, _ in caption],
    "filter0": lambda caption: [p for p, rank in caption if rank > 0],
    "prefix0": _until_not_first,
}
SCORES: dict[str, Any] = {
    "prob": lambda kept, _: np.prod(kept) if kept else 0.0,
    "pplx": lambda kept, _: _perplexity(kept),
    "count": lambda kept, _: len(kept),
    "normcount": lambda kept, words: len(kept) / words,
}
AGGREGATES: dict[str, Any] = {
    "sum": np.sum,
    "mean": np.mean,
    "median": np.median,
    "geomean": _geometric_mean,
    "max": np.max,
    "min": np.min,
}
TIERS = list(itertools.product(AGGREGATES, [*AGGREGATES, "join"], SCORES, KEPT))


def compute_metrics(images: list[list[Caption]], anew: bool) -> list[float]:
    """In the order of TIERS."""
    keep: Any = (lambda function: function) if anew else functools.cache

    @keep
    def captions(tier2: str, tier1: str) -> list[list[float]]:
        kept, scored = KEPT[tier1], SCORES[tier2]
        return [[scored(kept(caption), len(caption)) for caption in image] for image in images]

    @keep
    def pooled(tier3: str, tier2: str, tier1: str) -> list[float]:
        scores = captions(tier2, tier1)
        if tier3 == "join":
            return list(itertools.chain.from_iterable(scores))
        return [AGGREGATES[tier3](image) for image in scores]

    return [float(AGGREGATES[tier4](pooled(*others))) for tier4, *others in TIERS]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--references", type=Path, required=True, help="the file of probabilities")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    images = json.loads(given.references.read_text(encoding="utf-8"))
    seconds, found = time_each(given.repetitions, lambda _: compute_metrics(images, given.anew))
    job = Job({}, None, given.repetitions, given.out, "none")
    write_answer(job, seconds, peak_megabytes(), values={"metrics": score(found)})


if __name__ == "__main__":
    main()
