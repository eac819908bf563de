"""A trained model of Capella, read and computed with numpy alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Model:
    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        size = int.from_bytes(content[:8], "little")
        header = json.loads(content[8 : 8 + size])
        about = json.loads(header.pop("__metadata__")["capella.composite"])
        self.name: str = about["name"]
        self.origin: dict[str, Any] = about["origin"]  # how it was trained
        self.inputs: list[str] = [one["score"] for one in about["inputs"]]
        self.means = np.array([one["mean"] for one in about["inputs"]])
        self.shifts = np.array([one["shift"] for one in about["inputs"]])
        self.scales = np.array([one["scale"] for one in about["inputs"]])
        self._tensors: dict[str, Numbers] = {}
        for name, tensor in header.items():
            begin, end = (8 + size + offset for offset in tensor["data_offsets"])
            numbers = np.frombuffer(content[begin:end], "<f4").reshape(tensor["shape"])
            self._tensors[name] = numbers.astype(float)

    def probabilities(self, scores: Numbers) -> Numbers:
        """P(human) of rows of scores, columns as in `inputs`."""
        values = (scores - self.shifts) * self.scales
        layers = len(self._tensors) // 2
        for layer in range(1, layers + 1):
            values = values @ self._tensors[f"layer{layer}.weight"].T + self._tensors[f"layer{layer}.bias"]
            if layer < layers:
                values = np.maximum(values, 0)
        odds = np.exp(values - values.max(axis=1, keepdims=True))
        return odds[:, 1] / odds.sum(axis=1)
