"""Cosines by sentence-transformers as a whole command.

usage: sentence_transformers_command REFERENCES CAPTIONS [ANSWER]
"""

import json
import sys
from pathlib import Path
from statistics import fmean

import numpy as np
from sentence_transformers import SentenceTransformer

from harness.contender import read_rows, score
from minilm.contenders.model import model_folder


def main(references_file: str, captions_file: str, answer_file: str | None = None) -> None:
    references, captions = read_rows(references_file, "captions"), read_rows(captions_file, "caption")
    texts = list(dict.fromkeys([*captions.values(), *(text for each in references.values() for text in each)]))
    model = SentenceTransformer(model_folder(), device="cpu")
    vectors = dict(zip(texts, model.encode(texts, show_progress_bar=False).astype(np.float64), strict=True))
    cosines = [[float(vectors[captions[key]] @ vectors[text]) for text in each] for key, each in references.items()]
    nearest, mean = [max(each) for each in cosines], [fmean(each) for each in cosines]
    print(fmean(nearest), fmean(mean))
    if answer_file:
        values = {"Sentence-cosine-max": score(nearest), "Sentence-cosine-mean": score(mean)}
        Path(answer_file).write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
