"""A small CLIP model with random weights, and pictures, for tests of metrics that look at pictures."""

import json
import random
import struct
import zlib
from array import array
from pathlib import Path

HIDDEN, INNER, WIDTH, SIDE, PATCH, TOKENS, LAYERS = 16, 32, 8, 8, 4, 40, 2


def byte_alphabet():
    """The 256 symbols that stand for bytes."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in own else next(others)) for byte in range(256)]


def shapes(vocabulary):
    patches = (SIDE // PATCH) ** 2
    yield "text_model.embeddings.token_embedding.weight", [vocabulary, HIDDEN]
    yield "text_model.embeddings.position_embedding.weight", [TOKENS, HIDDEN]
    yield "vision_model.embeddings.class_embedding", [HIDDEN]
    yield "vision_model.embeddings.patch_embedding.weight", [HIDDEN, 3, PATCH, PATCH]
    yield "vision_model.embeddings.position_embedding.weight", [patches + 1, HIDDEN]
    norms = ["text_model.final_layer_norm", "vision_model.pre_layrnorm", "vision_model.post_layernorm"]
    for tower in ("text_model", "vision_model"):
        for layer in (f"{tower}.encoder.layers.{k}" for k in range(LAYERS)):
            for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                yield f"{layer}.self_attn.{part}.weight", [HIDDEN, HIDDEN]
                yield f"{layer}.self_attn.{part}.bias", [HIDDEN]
            yield f"{layer}.mlp.fc1.weight", [INNER, HIDDEN]
            yield f"{layer}.mlp.fc1.bias", [INNER]
            yield f"{layer}.mlp.fc2.weight", [HIDDEN, INNER]
            yield f"{layer}.mlp.fc2.bias", [HIDDEN]
            norms += [f"{layer}.layer_norm1", f"{layer}.layer_norm2"]
    for norm in norms:
        yield f"{norm}.weight", [HIDDEN]
        yield f"{norm}.bias", [HIDDEN]
    yield "text_projection.weight", [WIDTH, HIDDEN]
    yield "visual_projection.weight", [WIDTH, HIDDEN]


def safetensors(tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * len(values)]}
        data += array("f", values).tobytes()
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def write_model(folder: Path, seed: int = 1) -> Path:
    """The folder, which now holds a model as Hugging Face writes it."""
    draw = random.Random(seed)
    symbols = byte_alphabet()
    pieces = [*symbols, *(symbol + "</w>" for symbol in symbols), "<|startoftext|>", "<|endoftext|>"]
    tower = {"num_attention_heads": 2, "hidden_act": "quick_gelu"}
    config = {"text_config": {**tower, "eos_token_id": len(pieces) - 1}, "vision_config": tower}
    tensors = {}
    for name, shape in shapes(len(pieces)):
        count = 1
        for side in shape:
            count *= side
        tensors[name] = (shape, [draw.uniform(-1, 1) for _ in range(count)])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.json").write_text(json.dumps({piece: k for k, piece in enumerate(pieces)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    (folder / "model.safetensors").write_bytes(safetensors(tensors))
    return folder


def picture(seed: int, width: int = 20, height: int = 16) -> bytes:
    """A PNG file of coloured noise."""
    draw = random.Random(seed)
    rows = b"".join(b"\0" + bytes(draw.randrange(256) for _ in range(3 * width)) for _ in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
