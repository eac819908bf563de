"""SPICE and HWCM from given trees: those that the official SPICE program's own parser gives a few of the captions.

With --jars DIR it writes verify/captions.conll and runs the official program (spice-1.0.jar of pycocoevalcap) for its
counts. DIR holds, from Maven: stanford-corenlp 3.6.0 and its models (classifier "models"), nashorn-core 15.4 and
asm, asm-analysis, asm-commons, asm-tree, asm-util 9.6.
"""

import json
import os
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pycocoevalcap

from .common import EXAMPLES, SYSTEMS, Check, Values, captions, check, references

TREES = "verify/captions.conll"
SCENES = ("market-01", "kitchen-01", "street-01", "beach-01", "train-01")  # a few: trees are long
CATEGORIES = ("All", "Object", "Relation", "Attribute", "Color", "Size", "Cardinality")


def java(jars: Path, *arguments: str, text: str = "") -> str:
    spice = Path(pycocoevalcap.__path__[0]) / "spice"
    places = [*sorted(jars.glob("*.jar")), spice / "spice-1.0.jar", *sorted((spice / "lib").glob("*.jar"))]
    command = ["java", "-cp", os.pathsep.join(map(str, places)), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def write_trees(jars: Path) -> None:
    texts = [
        text for scene in SCENES for text in (*references()[scene], *(captions(s)[scene] for s in SYSTEMS))
    ]
    trees = java(jars, str(Path(__file__).parent / "Trees.java"), text="\n".join(texts) + "\n")
    (EXAMPLES / TREES).write_text(trees, encoding="utf-8")


def official_counts(jars: Path, *options: str) -> Values:
    """Tuples that matched, only the caption's and only the references', of each category."""
    items = {
        f"{system} {scene}": (captions(system)[scene], references()[scene])
        for system in SYSTEMS
        for scene in SCENES
    }
    rows = [{"image_id": key, "test": caption, "refs": refs} for key, (caption, refs) in items.items()]
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "in.json", Path(folder) / "out.json"
        source.write_text(json.dumps(rows), encoding="utf-8")
        java(
            jars,
            "edu.anu.spice.SpiceScorer",
            str(source),
            "-out",
            str(output),
            "-subset",
            "-silent",
            *options,
        )
        found = json.loads(output.read_text(encoding="utf-8"))
    return {
        row["image_id"]: {
            f"{category} {count}": float(row["scores"][category][count])
            for category in CATEGORIES
            for count in ("tp", "fp", "fn")
        }
        for row in found
    }


class Word(NamedTuple):
    lemma: str
    head: str
    relation: str


def read_trees() -> dict[str, list[dict[str, Word]]]:
    """The sentences of each caption, words by their place."""
    trees: dict[str, list[dict[str, Word]]] = {}
    for block in (EXAMPLES / TREES).read_text(encoding="utf-8").split("\n\n"):
        for line in filter(None, block.split("\n")):
            if line.startswith("# text = "):
                sentences = trees.setdefault(line.removeprefix("# text = "), [])
        if block.strip():
            rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
            sentences.append({row[0]: Word(row[2].lower(), row[4], row[5]) for row in rows if row[4] != "_"})
    return trees


def chains(sentences: list[dict[str, Word]], length: int, field: str) -> Counter[tuple[str, ...]]:
    """Runs of words on the way down a tree, each the head of the next."""
    found: Counter[tuple[str, ...]] = Counter()
    for words in sentences:
        for place in words:
            way = [place]
            while len(way) < length and words[way[0]].head != "0":
                way.insert(0, words[way[0]].head)
            if len(way) == length:
                found[tuple(getattr(words[p], field) for p in way)] += 1
    return found


def hwcm(caption: list[dict[str, Word]], texts: list[list[dict[str, Word]]], field: str) -> list[float]:
    """HWCM-1 ... HWCM-4, with LCEval's weights, each against the reference that gives most."""
    best = [0.0] * 4
    for text in texts:
        overlaps = []
        for n in range(1, 5):
            own, other = chains(caption, n, field), chains(text, n, field)
            overlaps.append((own & other).total() / (other.total() + 1e-9))
        for n, weight in enumerate((1, 0.5, 0.33, 0.25), start=1):
            best[n - 1] = max(best[n - 1], weight * sum(overlaps[:n]))
    return best


def hwcm_values() -> Values:
    trees = read_trees()
    values: Values = {}
    for system in SYSTEMS:
        for scene in SCENES:
            row = values.setdefault(f"{system} {scene}", {})
            for field, ending in (("lemma", ""), ("relation", "-dep")):
                texts = [trees[r] for r in references()[scene]]
                found = hwcm(trees[captions(system)[scene]], texts, field)
                row |= {f"HWCM-{n}{ending}": value for n, value in enumerate(found, start=1)}
    return values


def checks(jars: Path) -> list[Check]:
    write_trees(jars)
    program, where = "SPICE 1.0 (Java)", {"trees": f"examples/{TREES}"}
    return [
        check("SPICE (trees)", program, 0.0, "spice", official_counts(jars), data="meteor", **where),
        check("SPICE-noSynsets", program, 0.0, "spice", official_counts(jars, "-noSynsets"), **where),
        check("HWCM (trees)", "formula in Python", 1e-12, "hwcm", hwcm_values(), **where),
    ]
