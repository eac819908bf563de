"""The 504 pre-gen metrics of verify/probabilities.json, by their definition (Tanti, Gatt and Muscat 2018)."""

import math
import statistics
from collections.abc import Callable, Sequence

from .common import Check, Values, check, load

Caption = list[tuple[float, int]]  # a word's probability, and how many words are more probable
PROBABILITIES = "verify/probabilities.json"


def geomean(values: Sequence[float]) -> float:
    return 0.0 if 0.0 in values else 2 ** (math.fsum(map(math.log2, values)) / len(values))


def prefix(caption: Caption) -> Caption:
    end = next((k for k, (_, rank) in enumerate(caption) if rank), len(caption))
    return caption[:end]


def pplx(kept: Caption) -> float:
    return 2 ** -(math.fsum(math.log2(p) for p, _ in kept) / len(kept)) if kept else math.inf


AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "median": statistics.median,
    "geomean": geomean,
    "max": max,
    "min": min,
}
CAPTION_SCORES: dict[str, Callable[[Caption, Caption], float]] = {
    "prob": lambda kept, caption: math.prod(p for p, _ in kept) if kept else 0.0,
    "pplx": lambda kept, caption: pplx(kept),
    "count": lambda kept, caption: float(len(kept)),
    "normcount": lambda kept, caption: len(kept) / len(caption),
}


def metrics(images: list[list[Caption]], wrong_words: bool) -> dict[str, float]:
    """filter0 keeps the words that are not the most probable (the authors' program) or those that are (the paper)."""
    filters: dict[str, Callable[[Caption], Caption]] = {
        "none": lambda caption: caption,
        "filter0": lambda caption: [word for word in caption if (word[1] != 0) == wrong_words],
        "prefix0": prefix,
    }
    found = {}
    for words, keep in filters.items():
        for score, value in CAPTION_SCORES.items():
            table = [[value(keep(caption), caption) for caption in image] for image in images]
            rows = {name: [of(image) for image in table] for name, of in AGGREGATES.items()}
            rows["join"] = [v for image in table for v in image]
            for tier4, of in AGGREGATES.items():
                found |= {f"{tier4}_{tier3}_{score}_{words}": of(row) for tier3, row in rows.items()}
    return found


def checks() -> list[Check]:
    images = [[[(p, rank) for p, rank in caption] for caption in image] for image in load(PROBABILITIES)]
    values: Values = {name: metrics(images, name == "code") for name in ("code", "paper")}
    path = f"examples/{PROBABILITIES}"
    return [check("pre-gen metrics", "formulas in Python", 1e-12, "pregen", values, probabilities=path)]
