#!/usr/bin/env python3
"""Write expected.json: the scores that the reference programs give the three example systems.

Needs Java on the PATH (pycocoevalcap's tokenizer is a Java program) and two packages:

    pip install pycocoevalcap==1.2 sacrebleu==2.6.0

Run it without arguments; it reads scenes.json and systems/*.json beside itself and replaces expected.json.
"""

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from sacrebleu.metrics import BLEU, CHRF

HERE = Path(__file__).resolve().parent
SYSTEMS = ("careful", "hasty", "dreamer")
SOURCE = (
    "pycocoevalcap {pycocoevalcap} (PTBTokenizer, Bleu(4), Rouge, Cider) for BLEU-1..4, ROUGE-L and CIDEr-D; "
    "sacrebleu {sacrebleu} on the raw captions with five reference streams for sacreBLEU ({bleu}) and chrF ({chrf})"
)


def load(name: str) -> list[dict[str, Any]]:
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def tokenize(captions: dict[str, list[str]]) -> dict[str, list[str]]:
    return PTBTokenizer().tokenize({key: [{"caption": c} for c in cs] for key, cs in captions.items()})


def main() -> None:
    os.environ["LC_ALL"] = "C.UTF-8"  # Java takes the encoding of its input and output from the locale
    references: dict[str, list[str]] = {scene["image_id"]: scene["captions"] for scene in load("scenes.json")}
    streams = [list(stream) for stream in zip(*references.values(), strict=True)]
    reference_tokens = tokenize(references)
    bleu, chrf = BLEU(tokenize="13a", smooth_method="exp"), CHRF(word_order=0)

    scores: dict[str, dict[str, float]] = {}
    for name in SYSTEMS:
        captions: dict[str, str] = {row["image_id"]: row["caption"] for row in load(f"systems/{name}.json")}
        if list(captions) != list(references):
            raise SystemExit(f"systems/{name}.json: its ids are not those of scenes.json, in the same order")
        tokens = tokenize({key: [caption] for key, caption in captions.items()})
        values = Bleu(4).compute_score(reference_tokens, tokens, verbose=0)[0]
        scores[name] = {f"BLEU-{n}": float(v) for n, v in enumerate(values, start=1)}
        scores[name]["ROUGE-L"] = float(Rouge().compute_score(reference_tokens, tokens)[0])
        scores[name]["CIDEr-D"] = float(Cider().compute_score(reference_tokens, tokens)[0])
        scores[name]["sacreBLEU"] = bleu.corpus_score(list(captions.values()), streams).score
        scores[name]["chrF"] = chrf.corpus_score(list(captions.values()), streams).score

    source = SOURCE.format(
        pycocoevalcap=version("pycocoevalcap"),
        sacrebleu=version("sacrebleu"),
        bleu=bleu.get_signature(),
        chrf=chrf.get_signature(),
    )
    text = json.dumps({"source": source, "systems": scores}, indent=2)
    (HERE / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
