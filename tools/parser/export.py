"""Writes a trained network as the 8-bit safetensors file that the program reads.

    python export.py pupil.pt -o parser.safetensors --note "how it was made"
"""

from __future__ import annotations

import argparse
import math

import numpy as np
import torch
from safetensors.numpy import save_file


def eighth(weight: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Rows of whole numbers -127..127 and the scale of each row."""
    weight = weight.float()
    scale = weight.abs().amax(1).clamp_min(1e-12) / 127
    return torch.round(weight / scale[:, None]).to(torch.int8).numpy(), scale.numpy()


def add_map(tensors: dict, name: str, weight: torch.Tensor, bias: torch.Tensor):
    tensors[f"{name}.weight"], tensors[f"{name}.scale"] = eighth(weight)
    tensors[f"{name}.bias"] = bias.float().numpy()


def add_embedding(tensors: dict, weights: dict, inventory):
    tables = {"word": weights["word.weight"], "affix": weights["affix.weight"][: inventory.affixes]}
    tables |= {"shape": weights["shape_table.weight"], "special": weights["special.weight"]}
    for name, table in tables.items():
        tensors[f"{name}.weight"], tensors[f"{name}.scale"] = eighth(table)
    for part in ("weight", "bias"):
        tensors[f"embed_norm.{part}"] = weights[f"embed_norm.{part}"].float().numpy()
    words = "".join(word + "\n" for word in inventory.words).encode("utf-8")
    tensors["vocabulary"] = np.frombuffer(words, np.uint8)


def add_layer(tensors: dict, weights: dict, number: int):
    """Both directions share their inputs, so their input weights stand in one map: forward first."""
    name = f"layer.{number}."

    def both(kind: str) -> torch.Tensor:
        return torch.cat([weights[f"{name}{kind}_l0"], weights[f"{name}{kind}_l0_reverse"]])

    add_map(tensors, name + "input", both("weight_ih"), both("bias_ih").float() + both("bias_hh").float())
    for direction, ending in (("forward", ""), ("backward", "_reverse")):
        weight = weights[f"{name}weight_hh_l0{ending}"]
        add_map(tensors, name + direction, weight, torch.zeros(weight.shape[0]))


def add_heads(tensors: dict, weights: dict, shape: dict):
    sizes = [shape["tags"], 2 * shape["arc"], 2 * shape["label"]]
    for name, weight, bias in zip(
        ("tag", "arc_sides", "label_sides"), weights["out.weight"].split(sizes), weights["out.bias"].split(sizes)
    ):
        add_map(tensors, name, weight, bias)
    # The bias of a head is a product with the head too, so it joins the other factor.
    head_bias = weights["arc_bias.weight"][0].float() * math.sqrt(shape["arc"])
    add_map(tensors, "arc", weights["arc.weight"], weights["arc.bias"].float() + head_bias)
    add_map(tensors, "relation", weights["relation.weight"], weights["relation.bias"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--note", default="")
    options = parser.parse_args()
    saved = torch.load(options.network, map_location="cpu", weights_only=False)
    shape, weights, inventory = saved["shape"], saved["weights"], saved["inventory"]
    tensors: dict[str, np.ndarray] = {}
    add_embedding(tensors, weights, inventory)
    for number in range(shape["layers"]):
        add_layer(tensors, weights, number)
    add_heads(tensors, weights, shape)
    metadata = {name: str(shape[name]) for name in ("width", "layers", "hidden", "arc", "label", "affixes")}
    metadata |= {"format": "capella-parser-1", "tags": " ".join(inventory.tags), "note": options.note}
    metadata |= {"relations": " ".join(inventory.relations)}
    save_file(tensors, options.output, metadata)
    print(f"{options.output}: {sum(t.nbytes for t in tensors.values())} bytes, scores in training {saved['scores']}")


if __name__ == "__main__":
    main()
