"""A small BERT with random weights, in a folder as Hugging Face or sentence-transformers write it."""

import json
import random
import struct
from pathlib import Path

from small_clip import safetensors

WIDTH, INNER, LAYERS, HEADS, TOKENS = 32, 40, 2, 4, 64
WORDS = ["a", "dog", "cat", "runs", "sleeps", "on", "grass", "sofa", "red", "two", "man", "ball", "the"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]


def shapes(vocabulary):
    yield "embeddings.word_embeddings.weight", [vocabulary, WIDTH]
    yield "embeddings.position_embeddings.weight", [TOKENS, WIDTH]
    yield "embeddings.token_type_embeddings.weight", [2, WIDTH]
    norms = ["embeddings.LayerNorm"]
    for layer in (f"encoder.layer.{k}" for k in range(LAYERS)):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            yield f"{layer}.{part}.weight", [WIDTH, WIDTH]
            yield f"{layer}.{part}.bias", [WIDTH]
        yield f"{layer}.intermediate.dense.weight", [INNER, WIDTH]
        yield f"{layer}.intermediate.dense.bias", [INNER]
        yield f"{layer}.output.dense.weight", [WIDTH, INNER]
        yield f"{layer}.output.dense.bias", [WIDTH]
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    for norm in norms:
        yield f"{norm}.weight", [WIDTH]
        yield f"{norm}.bias", [WIDTH]


def write_folder(folder: Path, tensors, config) -> Path:
    config |= {"model_type": "bert", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
    config |= {"intermediate_size": INNER, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("".join(word + "\n" for word in VOCABULARY))
    (folder / "model.safetensors").write_bytes(safetensors(tensors))
    return folder


def drawn(named_shapes, draw):
    tensors = {}
    for name, shape in named_shapes:
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        spread = 1.0 if len(shape) == 1 or "embeddings" in name else 2.0 / shape[1] ** 0.5
        tensors[name] = (shape, [draw.uniform(-spread, spread) for _ in range(count)])
    return tensors


def write_classifier(folder: Path, labels, biases=None) -> Path:
    """The folder, which now holds a model that tells labels apart; with `biases` it always answers these logits."""
    count = len(biases or labels)
    head = [("pooler.dense.weight", [WIDTH, WIDTH]), ("pooler.dense.bias", [WIDTH])]
    head += [("classifier.weight", [count, WIDTH]), ("classifier.bias", [count])]
    tensors = drawn([*shapes(len(VOCABULARY)), *head], random.Random(2))
    if biases:
        tensors["classifier.weight"] = ([count, WIDTH], [0.0] * (count * WIDTH))
        tensors["classifier.bias"] = ([count], biases)
    return write_folder(folder, tensors, {"id2label": {str(k): label for k, label in enumerate(labels)}})


def write_text_encoder(folder: Path, seed: int = 1, pooled: bool = False) -> Path:
    """The folder, which now holds a model that knows WORDS; `pooled`: with what sentence-transformers say."""
    write_folder(folder, drawn(shapes(len(VOCABULARY)), random.Random(seed)), {})
    if pooled:
        parts = [("", "Transformer"), ("1_Pooling", "Pooling")]
        kind = "sentence_transformers.models."
        modules = [{"idx": k, "name": str(k), "path": path, "type": kind + name} for k, (path, name) in enumerate(parts)]
        (folder / "modules.json").write_text(json.dumps(modules))
        (folder / "1_Pooling").mkdir(exist_ok=True)
        how = {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True}
        (folder / "1_Pooling" / "config.json").write_text(json.dumps(how))
    return folder


def read_safetensors(path):
    """The metadata of a file, and its arrays: name -> (shape, numbers)."""
    content = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        arrays[name] = (tensor["shape"], struct.unpack(f"<{(end - begin) // 4}f", data[begin:end]))
    return metadata, arrays
