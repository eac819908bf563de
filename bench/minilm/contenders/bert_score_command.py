"""bert-score as a whole command, last layer.

usage: bert_score_command REFERENCES CAPTIONS plain|idf [ANSWER]
"""

import json
import sys
from pathlib import Path

import bert_score

from harness.contender import read_rows, score
from minilm.contenders.model import model_folder

LAYER = 6
NAMES = ("BERTScore-P", "BERTScore-R", "BERTScore")


def main(references_file: str, captions_file: str, weights: str, answer_file: str | None = None) -> None:
    references, captions = read_rows(references_file, "captions"), read_rows(captions_file, "caption")
    found = bert_score.score(
        [captions[key] for key in references],
        list(references.values()),
        model_type=model_folder(),
        num_layers=LAYER,
        idf=weights == "idf",
        device="cpu",
        nthreads=1,
    )
    print(*(float(value.mean()) for value in found))
    if answer_file:
        values = {name: score(value.tolist()) for name, value in zip(NAMES, found, strict=True)}
        Path(answer_file).write_text(json.dumps(values), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
