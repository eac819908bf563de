"""The jar as a whole command: reads two files of tokens, starts the jar, prints the corpus score.

usage: jar_command REFERENCES CAPTIONS [ANSWER]
ANSWER is where all values go when they are to be compared; timed runs do without.
"""

import json
import sys
from pathlib import Path

from harness.contender import read_rows, score
from meteor.contenders.jar import Jar, Scores


def report(found: Scores, answer_file: str | None) -> None:
    corpus, items = found
    print(corpus)
    if answer_file:
        Path(answer_file).write_text(json.dumps({"METEOR": score(items, corpus)}), encoding="utf-8")


def main(references_file: str, captions_file: str, answer_file: str | None = None) -> None:
    jar = Jar()
    references, captions = read_rows(references_file, "captions"), read_rows(captions_file, "caption")
    report(jar.score(references, captions), answer_file)
    jar.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
