#!/usr/bin/env python3
"""Pearson's correlation between Capella's SPICE and the Java program's, over 1,000 captions.

Two systems (GAT, SG2Caps) on 500 images each of MSCOCO's Karpathy test split, captions as coco-caption prepares
them. Capella's parser was not trained on these images.
"""

import gzip
import json
import tempfile
from pathlib import Path
from statistics import correlation

from common import capella, shared


def main() -> None:
    with gzip.open(shared("golden/golden_spice_coco.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        references = [{"image_id": k, "captions": row["refs"]} for k, row in enumerate(rows)]
        captions = [{"image_id": k, "caption": row["test"]} for k, row in enumerate(rows)]
        (folder / "references.json").write_text(json.dumps(references), encoding="utf-8")
        (folder / "captions.json").write_text(json.dumps(captions), encoding="utf-8")
        items = folder / "items.jsonl"
        files = [folder / "references.json", folder / "captions.json"]
        capella("score", *files, "-m", "spice", "--tokenizer", "none", "--per-item", items)
        found = [json.loads(line)["scores"]["SPICE"] for line in items.open(encoding="utf-8")]
    print(f"{correlation(found, [row['f'] for row in rows]):.4f}")


if __name__ == "__main__":
    main()
