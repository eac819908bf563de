"""Metrics of words and characters: pycocoevalcap, sacreBLEU, and the formulas of CIDEr-plain, CIDEr-R and ROUGE-1."""

import math
import re
from collections import Counter
from collections.abc import Callable

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge
from sacrebleu.metrics import BLEU, CHRF

from .common import (
    SYSTEMS,
    Captions,
    Check,
    caption_tokens,
    captions,
    package,
    reference_tokens,
    references,
    scores,
)

Ngrams = Counter[tuple[str, ...]]


def ngrams(text: str) -> Ngrams:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for n in range(1, 5) for i in range(len(words) - n + 1))


def mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


class CiderWeights:
    """The n-grams of a text, weighted by how few of the images have them."""

    def __init__(self, images: Captions) -> None:
        self.images = len(images)
        self.frequency = Counter(
            ngram for texts in images.values() for ngram in set().union(*map(ngrams, texts))
        )

    def of(self, text: str, n: int) -> dict[tuple[str, ...], float]:
        counts = {ngram: count for ngram, count in ngrams(text).items() if len(ngram) == n}
        return {
            g: c * (math.log(self.images) - math.log(max(1, self.frequency[g]))) for g, c in counts.items()
        }


def norm(weights: dict[tuple[str, ...], float]) -> float:
    return math.sqrt(math.fsum(w * w for w in weights.values()))


def cider(candidates: Captions, images: Captions, clip: bool, factor: Callable[[str, str], float]) -> float:
    """The mean over captions of 10 times the mean cosine over n = 1 ... 4 and the references."""
    weights = CiderWeights(images)
    totals = []
    for key, (caption,) in candidates.items():
        cosines = []
        for reference in images[key]:
            for n in range(1, 5):
                c, r = weights.of(caption, n), weights.of(reference, n)
                shared = math.fsum((min(c[g], r[g]) if clip else c[g]) * r[g] for g in c.keys() & r.keys())
                length = norm(c) * norm(r)
                cosines.append(shared / length * factor(caption, reference) if length else 0.0)
        totals.append(10 * mean(cosines))
    return mean(totals)


def cider_r_factor(caption: str, reference: str) -> float:
    """CIDEr-R's penalties for repeated words (weight .8) and for another length (.2)."""
    words, others = Counter(re.findall(r"\w+", caption)), Counter(re.findall(r"\w+", reference))
    excess = [abs(others[w] - count) if w in others else count - 1 for w, count in words.items()]
    repetition = math.exp(-mean([math.log(1 + x) for x in excess]))
    own, other = max(len(caption.split()), 1), max(len(reference.split()), 1)
    return repetition**0.8 * math.exp(-((own - other) ** 2) / other**2) ** 0.2


def rouge_1_recall(candidates: Captions, images: Captions) -> float:
    def recall(caption: str, reference: str) -> float:
        words, shared = reference.split(), Counter(caption.split()) & Counter(reference.split())
        return shared.total() / len(words)

    return mean([max(recall(caption, r) for r in images[key]) for key, (caption,) in candidates.items()])


def checks() -> list[Check]:
    images, coco = reference_tokens(), package("pycocoevalcap")
    tokens = {system: caption_tokens(system) for system in SYSTEMS}
    bleu = {s: Bleu(4).compute_score(images, t, verbose=0)[0] for s, t in tokens.items()}
    meteor = Meteor()
    rows = [
        scores(
            "BLEU",
            coco,
            0.0,
            {s: {f"BLEU-{n}": float(v[n - 1]) for n in range(1, 5)} for s, v in bleu.items()},
            "bleu",
        ),
        scores(
            "ROUGE-L",
            coco,
            0.0,
            one("ROUGE-L", lambda s: Rouge().compute_score(images, tokens[s])[0]),
            "rouge-l",
        ),
        scores(
            "CIDEr-D",
            coco,
            1e-12,
            one("CIDEr-D", lambda s: Cider().compute_score(images, tokens[s])[0]),
            "cider-d",
        ),
        scores(
            "METEOR",
            f"{coco} (Java)",
            1e-12,
            one("METEOR", lambda s: meteor.compute_score(images, tokens[s])[0]),
            "meteor",
        )
        | {"data": "meteor"},
    ]
    formulas = {
        "CIDEr-plain": ("cider-plain", lambda s: cider(tokens[s], images, False, lambda c, r: 1.0)),
        "CIDEr-R": ("cider-r", lambda s: cider(tokens[s], images, True, cider_r_factor)),
        "ROUGE-1-R": ("rouge-1", lambda s: rouge_1_recall(tokens[s], images)),
    }
    for name, (run, value) in formulas.items():
        rows.append(scores(name, "formula in Python", 1e-12, one(name, value), run))
    return rows + sacrebleu()


def sacrebleu() -> list[Check]:
    streams = [list(stream) for stream in zip(*references().values(), strict=True)]
    metrics = {
        "sacreBLEU": (BLEU(tokenize="13a", smooth_method="exp"), "sacrebleu", []),
        "chrF": (CHRF(word_order=0), "chrf", []),
        "chrF++": (CHRF(word_order=2), "chrf", ["chrf.word-order=2"]),
    }
    rows = []
    for name, (metric, run, settings) in metrics.items():
        values = one(name, lambda s, m=metric: m.corpus_score(list(captions(s).values()), streams).score)
        rows.append(scores(name, package("sacrebleu"), 1e-12, values, run, *settings))
    return rows


def one(score: str, value: Callable[[str], float]) -> dict[str, dict[str, float]]:
    """One score of each system."""
    return {system: {score: float(value(system))} for system in SYSTEMS}
