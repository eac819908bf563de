"""An adapter with random updates, as PEFT writes it, and the model that it makes of its base."""

import json
import random

from small_clip import safetensors
from small_text_encoder import read_safetensors

RANK, ALPHA = 2, 6


def without_norms(folder):
    """The model's folder, with layer norms that leave texts apart: random ones make all vectors alike."""
    arrays = read_safetensors(folder / "model.safetensors")[1]
    for name, (shape, values) in arrays.items():
        if "LayerNorm" in name:
            arrays[name] = (shape, [1.0 if name.endswith("weight") else 0.0] * len(values))
    (folder / "model.safetensors").write_bytes(safetensors(arrays))
    return folder


def write_adapter(folder, base, modules, name):
    """Writes an adapter of these matrices of the base; returns the base's arrays with the products added."""
    draw = random.Random(5)
    arrays = read_safetensors(base / "model.safetensors")[1]
    merged, updates = dict(arrays), {}
    for module in modules:
        (rows, columns), matrix = arrays[module + ".weight"]
        first = [[draw.uniform(-1, 1) for _ in range(columns)] for _ in range(RANK)]
        second = [[draw.uniform(-1, 1) for _ in range(RANK)] for _ in range(rows)]
        updates[f"base_model.model.{module}.lora_A.weight"] = ([RANK, columns], sum(first, []))
        updates[f"base_model.model.{module}.lora_B.weight"] = ([rows, RANK], sum(second, []))
        places = [(i, j) for i in range(rows) for j in range(columns)]
        added = [sum(second[i][k] * first[k][j] for k in range(RANK)) for i, j in places]
        merged[module + ".weight"] = ([rows, columns], [w + ALPHA / RANK * u for w, u in zip(matrix, added)])
    folder.mkdir()
    config = {"peft_type": "LORA", "r": RANK, "lora_alpha": ALPHA, "base_model_name_or_path": name}
    (folder / "adapter_config.json").write_text(json.dumps(config))
    (folder / "adapter_model.safetensors").write_bytes(safetensors(updates))
    return merged
