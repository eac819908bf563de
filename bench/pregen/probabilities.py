"""The file of words' probabilities that the contenders read; the same on every run.

They are drawn as bench/capella/pregen.cc draws them: its generator is numpy's, so one seed makes one table.
"""

import json
import math
from pathlib import Path

import numpy as np

SEED = 12345
IMAGES, CAPTIONS_EACH = 5_000, 5
FEWEST_WORDS, MORE_WORDS = 9, 6  # 9 ... 14, with the end: 11.5 in the mean

Word = tuple[float, int]  # probability and rank


def _draw_word(random: np.random.Generator) -> Word:
    probability = math.pow(random.random(), 2.0)
    return probability, 0 if random.random() < probability else 1 + int(random.integers(8_000))


def write_probabilities(path: Path) -> Path:
    """Images, captions, [probability, rank], as the authors store them."""
    random = np.random.default_rng(SEED)

    def draw_caption() -> list[Word]:
        words = FEWEST_WORDS + int(random.integers(MORE_WORDS))
        return [_draw_word(random) for _ in range(words)]

    images = [[draw_caption() for _ in range(CAPTIONS_EACH)] for _ in range(IMAGES)]
    path.write_text(json.dumps(images), encoding="utf-8")
    return path
