"""The captions that everything runs on; the same on every run.

MSCOCO's captions lie beside the repository (or where CAPELLA_TEST_DATA says) and are never copied into it.
Without them the example scenes, repeated, take their place.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.launch import ROOT

SHARED = Path(os.environ.get("CAPELLA_TEST_DATA") or ROOT.parent / "shared")
COCO = SHARED / "data/coco"
EXAMPLES = ROOT / "examples"
IMAGES_PER_BATCH = 64
SAMPLES_PER_IMAGE = 5
BATCHES = 20

References = dict[str, list[str]]
Captions = dict[str, str]


@dataclass(frozen=True)
class Corpus:
    """References, and for each system one caption per item in the order of the references."""

    name: str
    references: References
    systems: list[Captions]


def _rows(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text(encoding="utf-8"))


def _read_rows(name: str, references_file: Path, systems_folder: Path) -> Corpus:
    references = {str(row["image_id"]): row["captions"] for row in _rows(references_file)}
    systems = []
    for path in sorted(systems_folder.glob("*.json")):
        if path.name.endswith(".eval.json"):
            continue
        captions = {str(row["image_id"]): row["caption"] for row in _rows(path)}
        systems.append({key: captions[key] for key in references})
    return Corpus(name, references, systems)


def have_coco() -> bool:
    return (COCO / "karpathy_test_refs.json").is_file() and (COCO / "val2014_refs.json").is_file()


def _repeated_examples(times: int) -> Corpus:
    once = _read_rows("", EXAMPLES / "scenes.json", EXAMPLES / "systems")
    keys = [(key, f"{key}-{k}") for k in range(times) for key in once.references]
    return Corpus(
        f"example scenes, {times} times over",
        {new: once.references[key] for key, new in keys},
        [{new: system[key] for key, new in keys} for system in once.systems],
    )


def test_corpus() -> Corpus:
    """5,000 images with the captions of three real systems."""
    if not have_coco():
        return _repeated_examples(100)
    return _read_rows("COCO Karpathy test", COCO / "karpathy_test_refs.json", COCO / "systems")


def large_corpus() -> Corpus:
    """40,504 images; an image's candidate is the first caption of the image after it."""
    if not have_coco():
        return _repeated_examples(780)
    references: References = json.loads((COCO / "val2014_refs.json").read_text(encoding="utf-8"))
    keys = list(references)
    candidates = {key: references[after][0] for key, after in zip(keys, keys[1:] + keys[:1], strict=True)}
    return Corpus("COCO val2014", references, [candidates])


def reward_batches(corpus: Corpus) -> list[dict[str, list[str]]]:
    """Batches of 64 images with 5 captions each, taken from the systems and from neighbouring images."""
    keys = list(corpus.references)
    batches = []
    for batch in range(BATCHES):
        ids, captions = [], []
        for image in range(IMAGES_PER_BATCH):
            place = (batch * IMAGES_PER_BATCH + image) * 7 % len(keys)
            for sample in range(SAMPLES_PER_IMAGE):
                system = corpus.systems[sample % len(corpus.systems)]
                ids.append(keys[place])
                captions.append(system[keys[(place + sample // len(corpus.systems)) % len(keys)]])
        batches.append({"ids": ids, "captions": captions})
    return batches


def write_references(path: Path, references: References) -> Path:
    rows = [{"image_id": key, "captions": captions} for key, captions in references.items()]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def write_captions(path: Path, captions: Captions) -> Path:
    rows = [{"image_id": key, "caption": text} for key, text in captions.items()]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def regroup(references: References, lines: list[str]) -> References:
    """Lines that run through all references in order, put back to their ids."""
    ahead = iter(lines)
    return {key: [next(ahead) for _ in captions] for key, captions in references.items()}
