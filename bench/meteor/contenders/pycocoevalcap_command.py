"""pycocoevalcap's Meteor in a fresh process: reads two files of tokens, prints the corpus score.

usage: pycocoevalcap_command REFERENCES CAPTIONS [ANSWER], as jar_command has them
"""

import sys

from pycocoevalcap.meteor.meteor import Meteor

from harness.contender import read_rows
from meteor.contenders.jar_command import report


def main(references_file: str, captions_file: str, answer_file: str | None = None) -> None:
    captions = {key: [text] for key, text in read_rows(captions_file, "caption").items()}
    report(Meteor().compute_score(read_rows(references_file, "captions"), captions), answer_file)


if __name__ == "__main__":
    main(*sys.argv[1:])
