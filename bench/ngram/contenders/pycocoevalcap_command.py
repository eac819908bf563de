"""pycocoevalcap as a whole command: reads two files, tokenises, scores, prints the corpus scores.

usage: pycocoevalcap_command REFERENCES CAPTIONS [ANSWER]
ANSWER is where all values go when they are to be compared; timed runs do without.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

from harness.contender import read_rows
from ngram.contenders.pycocoevalcap_scorers import scores, values


def tokenize(captions: dict[str, list[str]]) -> dict[str, list[str]]:
    return PTBTokenizer().tokenize(
        {key: [{"caption": text} for text in texts] for key, texts in captions.items()}
    )


def main(references_file: str, captions_file: str, answer_file: str | None = None) -> None:
    references = read_rows(references_file, "captions")
    captions = {key: [text] for key, text in read_rows(captions_file, "caption").items()}
    with contextlib.redirect_stdout(io.StringIO()):
        found = scores(tokenize(references), tokenize(captions))
    print(*found[0][0], found[1][0], found[2][0])
    if answer_file:
        Path(answer_file).write_text(json.dumps(values(*found)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
