#!/usr/bin/env python3
"""Writes src/syntax/lemma_exceptions.inc: the words that the rules of lemma_rules.cc get wrong.

usage: tools/make_lemma_table.py FACTS

FACTS are lines of word<TAB>tag<TAB>lemma, answers of CoreNLP 3.6.0's class edu.stanford.nlp.process.Morphology; the
tag is VBD for any verb and NNS for a plural. Ours were asked about the single words of WordNet 3.0 (METEOR's
english.synsets and english.exceptions), of the vocabularies of BERT, CLIP and RoBERTa, of the silver caption trees and
of UD English EWT; each WordNet word with all regular endings; and for every word that the rules get wrong, each of its
endings behind the nonsense gritu, untron, xo and q, which tells whether the word is special or its ending.
"""

import collections
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "src/syntax/lemma_exceptions.inc"
NONSENSE = ("gritu", "untron")
LONGEST_LINE = 106

DRIVER = """
#include <iostream>
#include <string>
#include "syntax/lemma_rules.h"
int main(int, char** arguments) {
  const auto kind = static_cast<capella::syntax::Inflection>(arguments[1][0] - '0');
  for (std::string word; std::getline(std::cin, word);) {
    const auto change = capella::syntax::change_by_rule(word, kind);
    std::cout << word.substr(0, word.size() - change.cut) << change.add << '\\n';
  }
}
"""

Change = tuple[int, str]


def change(word: str, lemma: str) -> Change:
    """How many letters come off the word and what takes their place."""
    same = 0
    while same < min(len(word), len(lemma)) and word[same] == lemma[same]:
        same += 1
    return len(word) - same, lemma[same:]


def by_rule(folder: str, words: list[str], kind: int) -> list[Change]:
    """What our rules, compiled, do with the words."""
    source, program = pathlib.Path(folder, "driver.cc"), pathlib.Path(folder, "driver")
    source.write_text(DRIVER)
    rules = ROOT / "src/syntax/lemma_rules.cc"
    subprocess.run(["c++", "-std=c++20", "-O1", f"-I{ROOT / 'src'}", source, rules, "-o", program], check=True)
    lines = "".join(word + "\n" for word in words)
    done = subprocess.run([program, str(kind)], input=lines, capture_output=True, text=True, check=True)
    return [change(word, lemma) for word, lemma in zip(words, done.stdout.splitlines(), strict=True)]


def shortest_endings(facts: dict[str, Change], rules: dict[str, Change]) -> dict[str, Change]:
    """Endings that mean the same change in every word that has more in front of them."""
    wrong = [word for word in facts if facts[word] != rules[word]]
    asked = {word[start:] for word in wrong for start in range(1, len(word) - 1)}
    changes = collections.defaultdict(set)
    nonsense: collections.Counter[str] = collections.Counter()
    for word, right in facts.items():
        for start in range(1, len(word) - 1):
            if word[start:] in asked:
                changes[word[start:]].add(right)
                nonsense[word[start:]] += word.startswith(NONSENSE)
    endings: dict[str, Change] = {}
    for word in wrong:
        for start in range(len(word) - 2, 0, -1):
            if nonsense[word[start:]] >= 2 and changes[word[start:]] == {facts[word]}:
                endings[word[start:]] = facts[word]
                break
    return endings


def longest_ending(word: str, endings: dict[str, Change]) -> str:
    """The longest of the endings that stands behind at least one letter of the word, or nothing."""
    return next((word[start:] for start in range(1, len(word)) if word[start:] in endings), "")


def tables(facts: dict[str, Change], rules: dict[str, Change]) -> tuple[dict[str, Change], dict[str, Change]]:
    """Whole words, and endings. Of a word with hyphens the last piece is asked about."""
    plain = {word: right for word, right in facts.items() if "-" not in word}
    endings = shortest_endings(plain, rules)

    def without_list(word: str) -> Change:
        ending = longest_ending(word, endings)
        return endings[ending] if ending else rules[word]

    words = {word: right for word, right in plain.items() if right != without_list(word)}
    for word in facts.keys() - plain.keys():
        piece = word.rsplit("-", 1)[1]
        if facts[word] != words.get(piece, without_list(piece)):
            words[word] = facts[word]
    return {word: right for word, right in words.items() if not word.startswith(NONSENSE)}, endings


def literal(name: str, table: dict[str, Change]) -> str:
    """The table as a C++ string: word, letters to cut, letters to add, blank."""
    entries = [f"{word}{cut}{add} " for word, (cut, add) in sorted(table.items())]
    lines = [""]
    for entry in entries:
        if len(lines[-1]) + len(entry) > LONGEST_LINE:
            lines.append("")
        lines[-1] += entry
    body = "\n".join(f'    "{line}"' for line in lines)
    return f"constexpr std::string_view {name} =\n{body};\n"


def main() -> None:
    """Reads the facts and writes the file."""
    facts: dict[str, dict[str, Change]] = {"VBD": {}, "NNS": {}}
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            word, tag, lemma = line.rstrip("\n").split("\t")
            facts[tag][word] = change(word, lemma)
    parts = [
        "// Generated by tools/make_lemma_table.py. Each entry is a word or an ending, how many of its letters to cut\n"
        "// and what to add.\n\n"
        "// clang-format off\n"
    ]
    with tempfile.TemporaryDirectory() as folder:
        for kind, (tag, name) in enumerate((("VBD", "Verb"), ("NNS", "Plural"))):
            known = facts[tag]
            pieces = list(dict.fromkeys(word.rsplit("-", 1)[-1] for word in known))
            rules = dict(zip(pieces, by_rule(folder, pieces, kind), strict=True))
            words, endings = tables(known, rules)
            parts.append(literal(f"k{name}Words", words))
            parts.append(literal(f"k{name}Endings", endings))
            print(f"{name}: {len(words)} words, {len(endings)} endings", file=sys.stderr)
    parts.append("// clang-format on\n")
    OUTPUT.write_text("".join(parts))


if __name__ == "__main__":
    main()
