"""gensim as a whole command: loads vectors, reads tokens, prints the mean score.

usage: gensim_command REFERENCES CAPTIONS VECTORS [ANSWER]
"""

import json
import sys
from pathlib import Path
from statistics import fmean

from gensim.models import KeyedVectors

from harness.contender import read_rows, score
from wmd.contenders.gensim_distances import distances, scores


def main(references: str, captions: str, vectors_file: str, answer_file: str | None = None) -> None:
    vectors = KeyedVectors.load(vectors_file)
    vectors.fill_norms()
    items = scores(distances(vectors, read_rows(references, "captions"), read_rows(captions, "caption")))
    print(fmean(items))
    if answer_file:
        Path(answer_file).write_text(json.dumps({"WMD": score(items, fmean(items))}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
