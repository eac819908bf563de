"""The networks, with drawn weights, what they are asked, and how much arithmetic that takes."""

from dataclasses import dataclass
from pathlib import Path

import torch
from deneb.head import FEED_FORWARD, LAYERS, WIDTH, Head
from safetensors.torch import save_file
from torch import Tensor
from transformers import BertConfig, BertModel, CLIPConfig, CLIPModel, RobertaConfig, RobertaModel
from transformers.utils.logging import disable_progress_bar

REFERENCES = 5
WORDS = 14


@dataclass(frozen=True)
class Network:
    """One row of the table: `part` is what bench_capella calls it."""

    title: str
    part: str
    folder: str
    count: int
    unit: str
    gigaflops: float  # of one


def layer(tokens: int, width: int, inner: int) -> int:
    return 2 * tokens * width * (4 * width + 2 * inner) + 4 * tokens * tokens * width


def last_layer(tokens: int, width: int, inner: int) -> int:
    """Only one token is read."""
    return 4 * tokens * width * width + 2 * width * (2 * width + 2 * inner) + 4 * tokens * width


def tower(tokens: int, width: int, inner: int, layers: int) -> int:
    return (layers - 1) * layer(tokens, width, inner) + last_layer(tokens, width, inner)


def head_operations() -> int:
    width, tokens = 2 * WIDTH, 1 + REFERENCES
    projections = 2 * 2 * WIDTH * ((1 + REFERENCES) * 512 + REFERENCES * 768)
    towers = tower(tokens + 1, width, FEED_FORWARD, LAYERS) + tower(tokens, width, FEED_FORWARD, LAYERS)
    return projections + towers + 2 * (3 * width * width + width * WIDTH + WIDTH)


PATCHES = 2 * 49 * 768 * 3 * 32 * 32
CLIP_IMAGE = PATCHES + tower(50, 768, 3072, 12) + 2 * 768 * 512
CLIP_TEXT = tower(16, 512, 2048, 12) + 2 * 512 * 512
NETWORKS = (
    Network("CLIP B/32, images", "images", "clip", 64, "images", CLIP_IMAGE / 1e9),
    Network("CLIP B/32, texts of 16 tokens", "texts", "clip", 512, "texts", CLIP_TEXT / 1e9),
    Network("RoBERTa-base, 16 tokens", "sentences", "roberta", 256, "texts", tower(16, 768, 3072, 12) / 1e9),
    Network("MiniLM-L6, 16 tokens", "sentences", "minilm", 1024, "texts", tower(16, 384, 1536, 6) / 1e9),
    Network("DENEB's head, 5 references", "scores", "head", 256, "samples", head_operations() / 1e9),
)


def drawn_networks() -> dict[str, torch.nn.Module]:
    torch.manual_seed(1)
    roberta = RobertaConfig(vocab_size=50265, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5)
    minilm = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    found = {
        "clip": CLIPModel(CLIPConfig()),
        "roberta": RobertaModel(roberta, add_pooling_layer=False),
        "minilm": BertModel(minilm, add_pooling_layer=False),
        "head": Head(512, 768),
    }
    return {name: network.eval() for name, network in found.items()}


def drawn_ids(count: int, first: int, last: int, most: int) -> Tensor:
    words = torch.randint(1000, most, (count, WORDS))
    return torch.cat([torch.full((count, 1), first), words, torch.full((count, 1), last)], 1)


def drawn_inputs() -> dict[str, dict[str, Tensor]]:
    """By the network's folder."""
    torch.manual_seed(2)
    samples = 256
    return {
        "clip": {"pixels": torch.randn(64, 3, 224, 224), "ids.clip": drawn_ids(512, 49406, 49407, 41000)},
        "roberta": {"ids.bert": drawn_ids(256, 0, 2, 30000)},
        "minilm": {"ids.bert": drawn_ids(1024, 0, 2, 30000)},
        "head": {
            "image": torch.randn(samples, 512),
            "candidate.clip": torch.randn(samples, 512),
            "references.clip": torch.randn(samples, REFERENCES, 512),
            "candidate.sentence": torch.randn(samples, 768),
            "references.sentence": torch.randn(samples, REFERENCES, 768),
        },
    }


def write_all(folder: Path) -> None:
    """Every network in a folder of its own, and beside it what it is asked, NAME.inputs.safetensors."""
    disable_progress_bar()
    for name, network in drawn_networks().items():
        if name == "head":
            (folder / name).mkdir()
            save_file(dict(network.state_dict()), folder / name / "model.safetensors")
        else:
            network.save_pretrained(folder / name)
    for name, inputs in drawn_inputs().items():
        save_file(inputs, folder / f"{name}.inputs.safetensors")
