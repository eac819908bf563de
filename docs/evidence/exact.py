#!/usr/bin/env python3
"""exact.py SCORE...: how many of 5,000 captions have the scores that pycocoevalcap 1.2 gives them, all of SCORE...

The captions are those of one system (GAT) on MSCOCO's Karpathy test split, scored as `capella score` does it for anyone.
BLEU-1 to BLEU-4, ROUGE-L and METEOR must be equal to the last bit; CIDEr-D within 1e-12, since logarithms differ
between math libraries.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path

from common import capella, shared

METRICS = {"BLEU": "bleu", "ROUGE-L": "rouge-l", "CIDEr-D": "cider-d", "METEOR": "meteor"}
TOLERANCE = {"CIDEr-D": 1e-12}


def agree(name: str, ours: dict[str, float], golden: dict) -> bool:
    if name == "BLEU":
        return [ours[f"BLEU-{n}"] for n in range(1, 5)] == golden[name]
    return abs(ours[name] - golden[name]) <= TOLERANCE.get(name, 0)


def main() -> None:
    names = sys.argv[1:]
    if not names or not METRICS.keys() >= set(names):
        sys.exit(f"usage: exact.py SCORE..., some of {' '.join(METRICS)}")
    references, system = shared("data/coco/karpathy_test_refs.json"), shared("data/coco/systems/gat.json")
    with gzip.open(shared("golden/golden_karpathy_gat.jsonl.gz"), "rt", encoding="utf-8") as file:
        golden = {str(row["image_id"]): row for row in map(json.loads, file)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.jsonl"
        capella("score", references, system, "-m", ",".join(METRICS[name] for name in names), "--per-item", path)
        found = {row["id"]: row["scores"] for row in map(json.loads, path.open(encoding="utf-8"))}
    if found.keys() != golden.keys():
        sys.exit("the golden file and the system have different images")
    print(sum(all(agree(name, found[image], row) for name in names) for image, row in golden.items()))


if __name__ == "__main__":
    main()
