"""Makes models/word-relations.gz from WordNet's database files: which word is a kind of which, and opposites.

    python make_relations.py /usr/share/wordnet -o ../../models/word-relations.gz

The files are those of WordNet 3.0 (data.noun, data.verb, data.adj, index.noun ...), e.g. of Debian's package
wordnet-base. What is kept: words of one part in lower case, two-part names of things one can see, and of each
word its eight most frequent senses (where no frequency is known, people come last). The text inside is line by line:

    capella word relations 1
    NUMBER OF SYNSETS
    for each synset its parents' numbers (hypernyms; of an adjective the head of its cluster), maybe none
    NUMBER OF WORDS
    for each word, sorted: the word, then for n, v and a (nouns, verbs, adjectives) its senses, e.g. "man n5,9 v7"
    NUMBER OF ANTONYMS
    pairs of words: a part of speech and both words, e.g. "a big small"
"""

import argparse
import gzip
import io
import pathlib
import sys

PARTS = {"n": "noun", "v": "verb", "a": "adj"}
MOST_SENSES = 8
# Lexicographer files of nouns whose two-part names are kept: animal, artifact, body, food, group, location,
# object, person, plant, substance.
VISIBLE = {5, 6, 8, 13, 14, 15, 17, 18, 20, 27}
PERSON = 18


class Synset:
    def __init__(self, line, part):
        fields = line.split(" | ")[0].split()
        self.part = part
        self.file = int(fields[1])
        count = int(fields[3], 16)
        self.words = [fields[4 + 2 * i].split("(")[0] for i in range(count)]
        at = 4 + 2 * count
        self.pointers = []
        for i in range(int(fields[at])):
            symbol, offset, other, ends = fields[at + 1 + 4 * i : at + 5 + 4 * i]
            self.pointers.append((symbol, (other.replace("s", "a"), int(offset)), int(ends[:2], 16), int(ends[2:], 16)))

    def parents(self):
        wanted = {"n": {"@"}, "v": {"@"}, "a": {"&"} if self.is_satellite else set()}[self.part]
        return [key for symbol, key, _, _ in self.pointers if symbol in wanted]


def read_synsets(folder):
    synsets = {}
    for part, name in PARTS.items():
        with open(folder / f"data.{name}", encoding="ascii") as file:
            for line in file:
                if line.startswith("  "):
                    continue
                synset = Synset(line, part)
                synset.is_satellite = line.split()[2] == "s"
                synsets[part, int(line.split()[0])] = synset
    return synsets


def is_kept(word, part, senses, synsets):
    """By the spelling in the synsets: the index has lower case only."""
    spellings = {w for key in senses for w in synsets[key].words if w.lower() == word}
    if word not in spellings or not all(c.isascii() and (c.isalpha() or c in "_-'") for c in word):
        return False
    pieces = word.count("_") + 1
    if pieces == 1:
        return True
    if part == "v":
        return pieces == 2
    return part == "n" and pieces == 2 and synsets[senses[0]].file in VISIBLE


def read_words(folder, synsets):
    words = {}
    for part, name in PARTS.items():
        with open(folder / f"index.{name}", encoding="ascii") as file:
            for line in file:
                if line.startswith("  "):
                    continue
                fields = line.split()
                count = int(fields[2])
                senses = [(part, int(offset)) for offset in fields[-count:]]
                if int(fields[-count - 1]) == 0:  # never counted in text, so the order says nothing: "hot dog"
                    senses.sort(key=lambda sense: synsets[sense].file == PERSON)
                if is_kept(fields[0], part, senses, synsets):
                    words.setdefault(fields[0], {})[part] = senses[:MOST_SENSES]
    return words


def number_synsets(words, synsets):
    """Parents come before their children."""
    numbers = {}

    def visit(key):
        if key in numbers:
            return
        numbers[key] = None  # against circles
        for parent in synsets[key].parents():
            visit(parent)
        numbers[key] = len(order)
        order.append(key)

    order = []
    for word in sorted(words):
        for part in PARTS:
            for key in words[word].get(part, []):
                visit(key)
    return numbers, order


def antonyms(words, synsets):
    pairs = set()
    for key, synset in synsets.items():
        for symbol, other, here, there in synset.pointers:
            if symbol != "!" or other not in synsets or here == 0 or there == 0:
                continue
            a, b = synset.words[here - 1].lower(), synsets[other].words[there - 1].lower()
            if key in words.get(a, {}).get(key[0], []) and other in words.get(b, {}).get(other[0], []):
                pairs.add((key[0], *sorted((a, b))))
    return sorted(pairs)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=pathlib.Path, help="where data.noun, index.noun and the others are")
    arguments.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    sys.setrecursionlimit(10_000)
    synsets = read_synsets(options.folder)
    words = read_words(options.folder, synsets)
    numbers, order = number_synsets(words, synsets)
    lines = ["capella word relations 1", str(len(order))]
    for key in order:
        lines.append(" ".join(str(numbers[parent]) for parent in synsets[key].parents() if numbers[parent] < numbers[key]))
    lines.append(str(len(words)))
    for word in sorted(words):
        senses = [part + ",".join(str(numbers[key]) for key in words[word][part]) for part in PARTS if part in words[word]]
        lines.append(" ".join([word, *senses]))
    pairs = antonyms(words, synsets)
    lines.append(str(len(pairs)))
    lines += [" ".join(pair) for pair in pairs]
    text = ("\n".join(lines) + "\n").encode("ascii")
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text)
    options.output.write_bytes(packed.getvalue())
    print(f"{len(order)} synsets, {len(words)} words, {len(pairs)} antonyms; {len(text)} bytes, packed {len(packed.getvalue())}")


if __name__ == "__main__":
    main()
