#!/usr/bin/env python3
"""How often, in percent, `capella compare` finds a difference (p < .05) between two systems that do not differ.

In each of 1,000 trials, 200 images are drawn from MSCOCO's Karpathy test split, and the captions of two systems (GAT,
SG2Caps) are swapped at random, image by image: what is left to find is chance. CIDEr-D, the default test.
"""

import json
import random

import capella

from common import shared

TRIALS, IMAGES = 1_000, 200


def captions(path: str) -> dict[str, str]:
    return {str(row["image_id"]): row["caption"] for row in json.loads(shared(path).read_text(encoding="utf-8"))}


def main() -> None:
    text = shared("data/coco/karpathy_test_refs.json").read_text(encoding="utf-8")
    references = {str(row["image_id"]): row["captions"] for row in json.loads(text)}
    systems = captions("data/coco/systems/gat.json"), captions("data/coco/systems/sg2caps.json")
    draw = random.Random(1)
    found = 0
    for trial in range(TRIALS):
        images = draw.sample(sorted(references), IMAGES)
        pairs = {image: draw.sample([system[image] for system in systems], 2) for image in images}
        mixed = {name: {image: pairs[image][k] for image in images} for k, name in enumerate("ab")}
        chosen = {image: references[image] for image in images}
        [difference] = capella.compare(chosen, mixed, ["cider-d"], resamples=1_000, seed=trial).differences
        found += difference.p < 0.05
    print(f"{100 * found / TRIALS:.1f}")


if __name__ == "__main__":
    main()
