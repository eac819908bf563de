"""Files of features: made by Capella before any time counts, and read by the peer."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from composite.draws import Draws
from harness.inputs import COCO, SHARED
from harness.launch import CAPELLA, run_command

REFERENCES = COCO / "karpathy_test_refs.json"
SYSTEMS = tuple(COCO / f"systems/{name}.json" for name in ("gat", "sg2caps", "show-edit-tell_xe"))
FLICKR8K = SHARED / "data/flickr8k"
COMPOSITE = SHARED / "data/composite/composite.jsonl"

SCALES = {"METEOR": 1.0, "WMD": 1.0, "CIDEr-D": 0.1, "SPICE": 1.0}  # eval-mwcs, in the order of its inputs
HELD_OUT, SEED = 0.1, 12345  # as `capella composite train` has them


@dataclass(frozen=True)
class Files:
    training: Path
    validation: Path


@dataclass(frozen=True)
class Table:
    values: NDArray[np.float64]  # rows x inputs, scaled
    targets: NDArray[np.float64]
    images: list[str]


def missing() -> list[str]:
    """The paths of the data that is not there."""
    return [str(path) for path in (REFERENCES, *SYSTEMS, FLICKR8K, COMPOSITE) if not path.exists()]


def make(folder: Path) -> Files:
    files = Files(folder / "training.jsonl", folder / "validation.jsonl")
    command, scores = [CAPELLA, "composite", "features"], ["--scores", ",".join(SCALES)]
    left_out = ["--machines", "other", "--leave-out", f"composite={COMPOSITE}", "--source", "Karpathy test"]
    run_command([*command, REFERENCES, *SYSTEMS, *scores, *left_out, "-o", files.training])
    run_command([*command, FLICKR8K, *scores, "--benchmark", "flickr8k-expert", "-o", files.validation])
    return files


def read(path: Path | str) -> Table:
    header, *rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    names: list[str] = [column["score"] for column in header["columns"]]
    scores = np.array([row["scores"] for row in rows])
    values = np.stack([scores[:, names.index(name)] * scale for name, scale in SCALES.items()], axis=1)
    targets = np.array([row["target"] for row in rows], dtype=float)
    return Table(values, targets, [row["image"] for row in rows])


def held_out(table: Table) -> NDArray[Any]:
    """Which rows Capella holds out: those of a share of the images, drawn as it draws them."""
    names = list(dict.fromkeys(table.images))
    order = list(range(len(names)))
    Draws(SEED).shuffle(order)
    drawn = {names[place] for place in order[: round(HELD_OUT * len(names))]}
    return np.array([image in drawn for image in table.images])
