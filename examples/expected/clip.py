"""Metrics of images: a small CLIP model with random weights, and drawn images of a few scenes, written to verify/.

Pillow resizes, transformers' CLIPModel encodes in 64 bits; the formulas are in docs/metrics/clip-s.md and mid.md.
"""

import json
import re
from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from transformers import CLIPConfig, CLIPModel

from .common import EXAMPLES, SYSTEMS, Check, Values, captions, package, references, scores

SCENES = ("market-01", "kitchen-01", "street-01", "dog-01", "beach-01", "train-01")
FOLDER, IMAGES = EXAMPLES / "verify/clip", EXAMPLES / "verify/images"
SIDE, START, END, SEED = 32, 512, 513, 11
MEAN, DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)  # OpenAI's

Vector = NDArray[np.float64]


def byte_symbols() -> list[str]:
    """The letter of each byte, as in GPT-2."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in own else next(others)) for byte in range(256)]


def write_model() -> CLIPModel:
    """A vocabulary of single bytes, so that a word is its letters, the last one marked."""
    symbols = byte_symbols()
    pieces = [*symbols, *(symbol + "</w>" for symbol in symbols), "<|startoftext|>", "<|endoftext|>"]
    tower = {"hidden_size": 16, "intermediate_size": 32, "num_attention_heads": 2, "num_hidden_layers": 2}
    text = {
        **tower,
        "vocab_size": len(pieces),
        "max_position_embeddings": 128,
        "bos_token_id": START,
        "eos_token_id": END,
    }
    vision = {**tower, "image_size": SIDE, "patch_size": 8}
    torch.manual_seed(SEED)
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=4))
    with torch.no_grad():
        for weights in model.parameters():
            weights.uniform_(-1, 1)
    FOLDER.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(FOLDER)
    (FOLDER / "vocab.json").write_text(json.dumps({piece: k for k, piece in enumerate(pieces)}) + "\n")
    (FOLDER / "merges.txt").write_text("#version: 0.2\n")
    return model.double().eval()


def write_images() -> None:
    """Rectangles in places and colors that the scene's number decides."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    for number, scene in enumerate(SCENES, start=1):
        image = Image.new("RGB", (48 + 5 * number, 40), (255 - 40 * number, 60, 30 * number))
        draw = ImageDraw.Draw(image)
        draw.rectangle((4 * number, 5, 4 * number + 15, 30), fill=(20 * number, 200, 90))
        draw.ellipse((30, 3 * number, 45, 3 * number + 18), fill=(240, 240, 36 * number))
        image.save(IMAGES / f"{scene}.png")


def unit(vector: torch.Tensor) -> Vector:
    found: Vector = vector[0].numpy()
    return found / np.linalg.norm(found)


class Clip:
    def __init__(self) -> None:
        self.model = write_model()
        self.text, self.image = cache(self.of_text), cache(self.of_image)

    def of_text(self, text: str) -> Vector:
        """CLIP's pieces: words, runs of digits one by one, runs of other signs; here all are cut into bytes."""
        ids = [START]
        for word in split(text.lower()):
            own = list(word.encode())
            ids += [*own[:-1], own[-1] + 256]
        states = self.model.text_model(torch.tensor([[*ids, END]])).pooler_output
        return unit(self.model.text_projection(states).detach())

    def of_image(self, scene: str) -> Vector:
        image = Image.open(IMAGES / f"{scene}.png")
        scale = SIDE / min(image.size)
        width, height = (int(scale * length) for length in image.size)
        left, top = (round((length - SIDE) / 2) for length in (width, height))
        small = image.resize((width, height), Image.Resampling.BICUBIC).crop(
            (left, top, left + SIDE, top + SIDE)
        )
        pixels = (np.asarray(small) / 255 - np.array(MEAN)) / np.array(DEVIATION)
        states = self.model.vision_model(torch.tensor(pixels.transpose(2, 0, 1)[None])).pooler_output
        return unit(self.model.visual_projection(states).detach())


def split(text: str) -> list[str]:
    """Letters, single digits and runs of other signs, as CLIP's tokenizer cuts plain English."""
    return re.findall(r"'s|'t|'re|'ve|'m|'ll|'d|[^\W\d_]+|\d|[^\s\w]+", text)


def clip_scores(clip: Clip, weight: float) -> dict[str, tuple[float, float]]:
    """The score without and with references, of each system."""
    found = {}
    for system in SYSTEMS:
        rows = []
        for scene in SCENES:
            own, *others = (
                clip.text(f"A photo depicts {t}") for t in (captions(system)[scene], *references()[scene])
            )
            a, b = weight * max(clip.image(scene) @ own, 0), max(0, *(own @ other for other in others))
            rows.append((a, 2 * a * b / (a + b) if a and b else 0))
        found[system] = tuple(np.mean(rows, axis=0))
    return found


def mid(clip: Clip) -> Values:
    pairs = [(clip.text(text), clip.image(scene)) for scene in SCENES for text in references()[scene]]
    x, y = (np.array(side) for side in zip(*pairs, strict=True))
    z = np.hstack([x, y])

    def fitted(rows: Vector):
        covariance, center = np.cov(rows.T), rows.mean(axis=0)
        return np.linalg.slogdet(covariance)[1], lambda u: (u - center) @ np.linalg.inv(covariance) @ (
            u - center
        )

    (log_x, of_x), (log_y, of_y), (log_z, of_z) = map(fitted, (x, y, z))
    values = {}
    for system in SYSTEMS:
        own = [(clip.text(captions(system)[scene]), clip.image(scene)) for scene in SCENES]
        apart = sum(of_x(c) - of_z(np.hstack([c, v])) for c, v in own) / (len(own) - 1)
        images = sum(map(of_y, y)) / (len(y) - 1)
        values[system] = {"MID": float((log_x + log_y - log_z) / 2 + (apart + images) / 2)}
    return values


def checks() -> list[Check]:
    write_images()
    clip, program = Clip(), package("transformers")
    inputs = {"folder": "examples/verify/clip", "images": "examples/verify/images"}
    rows = []
    for name, weight in (("CLIP-S", 2.5), ("PAC-S", 2.0)):
        found = clip_scores(clip, weight)
        for k, score in enumerate((name, f"Ref{name}")):
            values = {system: {score: float(row[k])} for system, row in found.items()}
            rows.append(scores(score, program, 1e-6, values, score.lower()) | inputs)
    return rows + [scores("MID", program, 1e-5, mid(clip), "mid") | inputs]
