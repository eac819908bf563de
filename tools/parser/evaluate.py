"""How well the program's parser agrees with treebanks: tags, heads (UAS), heads with relations (LAS), whole sentences.

    python evaluate.py --program build/bench_capella --silver dev.conll.gz --ewt en_ewt-ud-test.conllu

Words are given as the treebank has them; punctuation counts; sentences have at most 200 words. UD's relations are turned
into the older scheme first. A row "EWT, plain" has EWT in lower case, as captions often are.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import treebank

LONGEST = 200


def older_trees(path: str, lowered: bool) -> str:
    """A file of UD 2 as six columns in the older scheme."""
    sentences = []
    for lines in treebank.blocks(path):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        if len(rows) > LONGEST:
            continue
        heads, relations = treebank.to_older_scheme([int(r[6]) for r in rows], [r[7] for r in rows])
        text = ""
        for i, row in enumerate(rows):
            word = treebank.escaped(row[1])
            word = word.lower() if lowered else word
            text += f"{i + 1}\t{word}\t_\t{row[4]}\t{heads[i]}\t{relations[i]}\n"
        sentences.append(text)
    return "\n".join(sentences) + "\n"


def agreement(program: str, trees: str) -> dict[str, int]:
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        subprocess.run([program, "trees", "--references", trees, "--out", answer.name], check=True)
        return json.loads(Path(answer.name).read_text(encoding="utf-8"))["agreement"]


def print_row(name: str, found: dict[str, int]):
    shares = [found[part] / found["words"] for part in ("tags", "heads", "relations")]
    shares.append(found["whole"] / found["sentences"])
    counts = f"{found['sentences']:>9} {found['words']:>8}"
    print(f"{name:<12} {counts} " + " ".join(f"{share:>8.4f}" for share in shares), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench_capella")
    parser.add_argument("--silver", help="captions parsed by the official program")
    parser.add_argument("--ewt", help="a file of UD English EWT, version 2")
    options = parser.parse_args()
    print(f"{'treebank':<12} sentences    words     tags      UAS      LAS    whole")
    if options.silver:
        print_row("silver", agreement(options.program, options.silver))
    for name, lowered in (("EWT", False), ("EWT, plain", True)) if options.ewt else ():
        with tempfile.NamedTemporaryFile("w", suffix=".conll", encoding="utf-8") as file:
            file.write(older_trees(options.ewt, lowered))
            file.flush()
            print_row(name, agreement(options.program, file.name))


if __name__ == "__main__":
    main()
