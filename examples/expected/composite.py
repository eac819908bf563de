"""The networks of the composite metrics that come with Capella, by numpy."""

import json

import numpy as np
from safetensors import safe_open

from .common import EXAMPLES, Check, check, package

NAMES = ("eval-ms", "eval-cs", "eval-mcs", "eval-wcs", "eval-mws", "eval-mwcs", "nneval", "lceval")
SHARES = (0.5, 1.0, 1.5)  # of what the training captions score on average


def probability(tensors: dict[str, np.ndarray], scores: np.ndarray) -> float:
    """P(human): rectified layers, then softmax of two outputs."""
    layers = len(tensors) // 2
    for k in range(1, layers + 1):
        scores = tensors[f"layer{k}.weight"].astype(float) @ scores + tensors[f"layer{k}.bias"]
        if k < layers:
            scores = np.maximum(scores, 0)
    machine, human = scores
    return float(1 / (1 + np.exp(machine - human)))


def checks() -> list[Check]:
    rows = []
    for name in NAMES:
        path = f"models/{name}.safetensors"
        with safe_open(EXAMPLES.parent / path, "numpy") as file:
            header = json.loads(file.metadata()["capella.composite"])
            tensors = {key: file.get_tensor(key) for key in file.keys()}
        shift, scale, mean = (
            np.array([row[key] for row in header["inputs"]]) for key in ("shift", "scale", "mean")
        )
        inputs, values = {}, {}
        for share in SHARES:
            item = f"{share} x mean"
            inputs[item] = list(share * mean)
            values[item] = {header["name"]: probability(tensors, (share * mean - shift) * scale)}
        rows.append(
            check(header["name"], package("numpy"), 1e-12, "network", values, model=path, inputs=inputs)
        )
    return rows
