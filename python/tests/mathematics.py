"""What tests hold results against: the definitions in numpy, captions made up by chance, a metric of one's own."""

from __future__ import annotations

import math

import numpy as np

WORDS = "a dog cat runs sits on the grass sofa in red blue with two men wave".split()


def make_captions(seed: int, items: int, least: int = 3) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(least, 9))) for _ in range(items)]


def length(items):
    return {item.id: float(len(item.caption.split())) for item in items}


def resampled_means(values, resamples: int, seed: int):
    random = np.random.default_rng(seed)
    return np.array([np.mean(values[random.choice(len(values), len(values))]) for _ in range(resamples)])


def ends(replicates):
    """The rule of sacreBLEU."""
    ordered, outside = np.sort(replicates), len(replicates) // 40
    return ordered[outside], ordered[len(ordered) - outside - 1]


def holm(p_values):
    order = np.argsort(p_values, kind="stable")
    steps = np.minimum(1, np.array(p_values)[order] * np.arange(len(order), 0, -1))
    corrected = np.empty(len(order))
    corrected[order] = np.maximum.accumulate(steps)
    return corrected


def kendall(x, y):
    """From the definition: every pair of rows."""
    dx, dy = np.sign(np.subtract.outer(x, x)), np.sign(np.subtract.outer(y, y))
    surplus = np.sum(dx * dy) / 2
    tau_b = surplus / math.sqrt(np.sum(dx**2) / 2 * np.sum(dy**2) / 2)
    classes = min(len(set(x)), len(set(y)))
    return tau_b, 2 * surplus * classes / (len(x) ** 2 * (classes - 1))


def ranks(values):
    values = np.asarray(values)
    return np.array([np.sum(values < value) + (np.sum(values == value) + 1) / 2 for value in values])


def pearson(x, y):
    return np.corrcoef(x, y)[0, 1]
