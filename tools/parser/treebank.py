"""Trees from files, as the network is fed with them.

Two kinds of treebank are read: captions parsed by the official SPICE program (six columns: index, word, lemma, tag, head,
relation) and UD English (CoNLL-U), whose relations are turned into the older scheme the official parser writes.
"""

from __future__ import annotations

import gzip
import random
from collections import Counter
from dataclasses import dataclass

import numpy as np

ENDINGS, BEGINNINGS = 4, 3
FEATURES = 1 + ENDINGS + BEGINNINGS + 1  # word, affixes, shape
LONGEST = 60


@dataclass
class Sentence:
    words: list[str]
    tags: list[str]
    heads: list[int]
    relations: list[str]
    raw: bool = False


def blocks(path: str):
    """The sentences of a file as lists of lines."""
    opener = gzip.open if path.endswith(".gz") else open
    lines: list[str] = []
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line:
                lines.append(line)
            elif lines:
                yield lines
                lines = []
    if lines:
        yield lines


def official_trees(path: str) -> list[Sentence]:
    """Captions parsed by the official program; trees with words outside the graph are left out."""
    found = []
    for lines in blocks(path):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        if len(rows) > LONGEST or any(len(row) != 6 or row[4] == "_" for row in rows):
            continue
        raw = any(line.startswith("# id") and line.rsplit(".", 1)[0].endswith("r") for line in lines[:2])
        found.append(
            Sentence([r[1] for r in rows], [r[3] for r in rows], [int(r[4]) for r in rows], [r[5] for r in rows], raw)
        )
    return found


RENAMED = {
    "obj": "dobj", "obl": "nmod", "obl:agent": "nmod", "obl:unmarked": "nmod:npmod", "nmod:unmarked": "nmod:npmod",
    "obl:npmod": "nmod:npmod", "nsubj:pass": "nsubjpass", "csubj:pass": "csubjpass", "aux:pass": "auxpass",
    "nsubj:outer": "nsubj", "csubj:outer": "csubj", "fixed": "mwe", "flat": "compound", "nmod:desc": "compound",
    "advcl:relcl": "advcl", "goeswith": "dep", "reparandum": "dep", "list": "dep", "dislocated": "dep", "orphan": "dep",
    "vocative": "dep", "obl:tmod": "nmod:tmod", "compound:svc": "dep", "cc:preconj": "cc:preconj",
}  # fmt: skip


def to_older_scheme(heads: list[int], relations: list[str]) -> tuple[list[int], list[str]]:
    """UD 2 to UD 1: names end with their head, conjunctions hang on the first conjunct, relations have old names."""
    heads, relations = list(heads), list(relations)
    for first in range(1, len(heads) + 1):
        parts = [i for i in range(1, len(heads) + 1) if heads[i - 1] == first and relations[i - 1] in ("flat", "nmod:desc")]
        parts = [i for i in parts if i > first]
        if not parts:
            continue
        last = max(parts)
        heads[last - 1], relations[last - 1] = heads[first - 1], relations[first - 1]
        for i in range(1, len(heads) + 1):
            if heads[i - 1] == first and i != last:
                heads[i - 1] = last
        heads[first - 1], relations[first - 1] = last, "flat"
    for i, relation in enumerate(relations):
        if relation == "cc" and heads[i] > 0 and relations[heads[i] - 1] == "conj":
            heads[i] = heads[heads[i] - 1]
    return heads, [RENAMED.get(relation, relation) for relation in relations]


def universal_trees(path: str, lowered: float, seed: int) -> list[Sentence]:
    """UD English; a share `lowered` of the sentences in lower case without the punctuation at the end."""
    chance = random.Random(seed)
    found = []
    for lines in blocks(path):
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        heads, relations = to_older_scheme([int(r[6]) for r in rows], [r[7] for r in rows])
        words, tags = [escaped(r[1]) for r in rows], [r[4] for r in rows]
        if chance.random() < lowered:
            words = [word.lower() for word in words]
            while len(words) > 1 and relations[-1] == "punct" and len(words) not in heads:
                words.pop(), tags.pop(), heads.pop(), relations.pop()
        if len(words) <= LONGEST:
            found.append(Sentence(words, tags, heads, relations, True))
    return found


def escaped(word: str) -> str:
    """Brackets and quotes as Stanford's tokenizer writes them."""
    names = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-", '"': "''"}
    return names.get(word, word)


def fnv1a(kind: int, data: bytes) -> int:
    value = ((2166136261 ^ kind) * 16777619) & 0xFFFFFFFF
    for byte in data:
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def lower(word: str) -> bytes:
    return word.encode("utf-8").lower()  # bytes.lower() is ASCII only


def shape(word: bytes) -> int:
    upper = [65 <= b <= 90 for b in word]
    small = [97 <= b <= 122 for b in word]
    digit = [48 <= b <= 57 for b in word]
    other = [not (u or s or d or b == 45) for u, s, d, b in zip(upper, small, digit, word)]
    flags = (upper[:1] == [True], any(upper[1:]), any(small), any(digit), 45 in word, any(other))
    return sum(1 << bit for bit, flag in enumerate(flags) if flag)


@dataclass
class Inventory:
    """What the network's numbers stand for. Word 0 is unknown, affix row `affixes` is none."""

    words: list[str]
    tags: list[str]
    relations: list[str]
    affixes: int
    counts: list[int]

    def __post_init__(self):
        self.word_ids = {word.encode("utf-8"): i for i, word in enumerate(self.words, 1)}
        self.tag_ids = {tag: i for i, tag in enumerate(self.tags)}
        self.relation_ids = {relation: i for i, relation in enumerate(self.relations)}
        self.known: dict[str, tuple[int, ...]] = {}

    def features(self, word: str) -> tuple[int, ...]:
        row = self.known.get(word)
        if row is None:
            small = lower(word)
            ends = [self.affix(n, small[-n:]) if len(small) >= n else self.affixes for n in range(1, ENDINGS + 1)]
            starts = [self.affix(16 + n, small[:n]) if len(small) >= n else self.affixes for n in range(1, BEGINNINGS + 1)]
            row = (self.word_ids.get(small, 0), *ends, *starts, shape(word.encode("utf-8")))
            self.known[word] = row
        return row

    def affix(self, kind: int, data: bytes) -> int:
        return fnv1a(kind, data) % self.affixes


def make_inventory(sentences: list[Sentence], words: int, affixes: int) -> Inventory:
    counts = Counter(lower(word).decode("utf-8") for s in sentences for word in s.words)
    kept = [(word, count) for word, count in counts.most_common(words) if count > 1 and "\n" not in word]
    tags = sorted({tag for s in sentences for tag in s.tags})
    relations = sorted({relation for s in sentences for relation in s.relations})
    return Inventory([w for w, _ in kept], tags, relations, affixes, [c for _, c in kept])


def arrays(sentences: list[Sentence], inventory: Inventory) -> dict[int, dict[str, np.ndarray]]:
    """Sentences grouped by length: features, tags, heads and relations."""
    groups: dict[int, list[Sentence]] = {}
    for s in sentences:
        if all(t in inventory.tag_ids for t in s.tags) and all(r in inventory.relation_ids for r in s.relations):
            groups.setdefault(len(s.words), []).append(s)
    return {length: stacked(group, inventory) for length, group in sorted(groups.items())}


def stacked(group: list[Sentence], inventory: Inventory) -> dict[str, np.ndarray]:
    return {
        "features": np.array([[inventory.features(word) for word in s.words] for s in group], np.int32),
        "tags": np.array([[inventory.tag_ids[tag] for tag in s.tags] for s in group], np.int16),
        "heads": np.array([s.heads for s in group], np.int16),
        "relations": np.array([[inventory.relation_ids[relation] for relation in s.relations] for s in group], np.int16),
        "raw": np.array([s.raw for s in group], np.bool_),
    }
