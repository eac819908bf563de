"""The DENEB network in models/deneb-text-minilm.safetensors, by numpy on the encoder's sentence vectors."""

import numpy as np
from safetensors.numpy import load_file

from .common import EXAMPLES, Check, package, scores
from .encoders import PAIRS, HiddenStates, Vector, of_references

HEADS = 4


class Network:
    def __init__(self) -> None:
        arrays = load_file(EXAMPLES.parent / "models/deneb-text-minilm.safetensors")
        self.arrays = {name: array.astype(float) for name, array in arrays.items()}

    def linear(self, name: str, x: Vector) -> Vector:
        return x @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]

    def norm(self, name: str, x: Vector) -> Vector:
        centered = x - x.mean(axis=-1, keepdims=True)
        deviation = np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
        return centered / deviation * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]

    def attention(self, name: str, x: Vector) -> Vector:
        mixed = x @ self.arrays[f"{name}.in_proj_weight"].T + self.arrays[f"{name}.in_proj_bias"]
        query, key, value = (
            part.reshape(len(x), HEADS, -1).transpose(1, 0, 2) for part in np.split(mixed, 3, axis=-1)
        )
        weights = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(query.shape[-1]))
        read = weights / weights.sum(axis=-1, keepdims=True) @ value
        return self.linear(f"{name}.out_proj", read.transpose(1, 0, 2).reshape(x.shape))

    def layer(self, name: str, x: Vector) -> Vector:
        x = self.norm(f"{name}.norm1", x + self.attention(f"{name}.self_attn", x))
        inner = np.maximum(self.linear(f"{name}.linear1", x), 0)
        return self.norm(f"{name}.norm2", x + self.linear(f"{name}.linear2", inner))

    def score(self, caption: Vector, texts: Vector) -> float:
        """The difference and the product with each reference are a token; sigmoid of the network and the cosine."""
        own, others = (
            np.sqrt(x.shape[-1]) * x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (caption, texts)
        )
        pairs = [self.linear("upsampler2", part) for part in (np.abs(others - own), others * own)]
        tokens = np.vstack([self.arrays["cls_token2"][0], np.hstack(pairs)])
        places, width = np.arange(len(tokens))[:, None], tokens.shape[1]
        angles = places * 10000.0 ** (-(np.arange(width) // 2 * 2) / width)
        tokens = tokens + np.where(np.arange(width) % 2, np.cos(angles), np.sin(angles))
        x = self.layer("transformer2.layers.0", tokens)[0]
        for name in ("ff.linear_1", "ff.linear_2"):
            x = np.tanh(self.linear(name, x))
        cosines = of_references(caption, texts)
        logit = (
            self.linear("ff.linear_3", x)
            + self.arrays["cosine.gain"] * (cosines["max"] + cosines["mean"]) / 2
        )
        return float(1 / (1 + np.exp(-logit[0])))


def checks() -> list[Check]:
    states, network = HiddenStates(), Network()
    values = {}
    for system, pairs in PAIRS.items():
        rows = [
            [states.texts(text)[1][-1].mean(axis=0) for text in (caption, *texts)] for caption, texts in pairs
        ]
        values[system] = {
            "DENEB": float(np.mean([network.score(own, np.array(others)) for own, *others in rows]))
        }
    settings = ("deneb.model=text-minilm", "deneb.text=minilm")
    row = scores("DENEB", f"{package('numpy')}, transformers", 2e-6, values, "deneb", *settings)
    return [row | {"data": "minilm"}]
