"""gensim's `wmdistance` (POT's exact solver, unit vectors) of every caption and reference, from tokens in memory."""

import math
from pathlib import Path
from statistics import fmean

from gensim.models import KeyedVectors

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer

INFINITE = 1000.0  # stands for an infinite distance, since JSON has none
STOP_WORDS = frozenset(
    (Path(__file__).parent / "stop_words.txt").read_text(encoding="utf-8").split()
)

References = dict[str, list[str]]
Captions = dict[str, str]


def that_count(text: str) -> list[str]:
    return [word for word in text.split(" ") if word not in STOP_WORDS]


def distances(vectors: KeyedVectors, references: References, captions: Captions) -> list[list[float]]:
    """For each caption the distances to its references; gensim drops words without a vector itself."""
    found = []
    for key, texts in references.items():
        caption = that_count(captions[key])
        found.append([vectors.wmdistance(caption, that_count(text)) for text in texts])
    return found


def finite(distance: float) -> float:
    return INFINITE if math.isinf(distance) else distance


def scores(found: list[list[float]]) -> list[float]:
    return [math.exp(-min(row)) for row in found]


def main() -> None:
    job = read_job()
    vectors = KeyedVectors.load(str(job.others[0]))
    vectors.fill_norms()
    captions = job.captions()
    seconds, found = time_each(job.repetitions, lambda _: distances(vectors, job.references, captions))
    items = scores(found)
    values = {
        "distance": score(finite(distance) for row in found for distance in row),
        "WMD": score(items, fmean(items)),
    }
    write_answer(job, seconds, peak_megabytes(), values=values)


if __name__ == "__main__":
    main()
