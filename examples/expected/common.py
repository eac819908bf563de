"""The example captions, their tokens, and the shape of a check in expected.json."""

import json
import os
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

EXAMPLES = Path(__file__).resolve().parent.parent
SYSTEMS = ("careful", "hasty", "dreamer")

os.environ["LC_ALL"] = "C.UTF-8"  # Java takes the encoding of its input and output from the locale

Captions = dict[str, list[str]]
Values = dict[str, dict[str, float]]
Check = dict[str, Any]


def check(metric: str, reference: str, tolerance: float, kind: str, values: Values, **inputs: Any) -> Check:
    """A row of `capella verify`: `inputs` say what is computed, values are by item and score."""
    row = {"metric": metric, "reference": reference, "tolerance": tolerance, "kind": kind, **inputs}
    return row | {"values": values}


def scores(metric: str, reference: str, tolerance: float, values: Values, run: str, *settings: str) -> Check:
    """A check of scores of the three systems, by the metric `run` of `capella score`."""
    return check(metric, reference, tolerance, "scores", values, run=run, settings=list(settings))


def package(name: str) -> str:
    return f"{name} {version(name)}"


def load(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8"))


@cache
def references() -> Captions:
    return {scene["image_id"]: scene["captions"] for scene in load("scenes.json")}


@cache
def captions(system: str) -> dict[str, str]:
    found = {row["image_id"]: row["caption"] for row in load(f"systems/{system}.json")}
    if list(found) != list(references()):
        raise SystemExit(f"systems/{system}.json: its ids are not those of scenes.json, in the same order")
    return found


def tokenize(texts: Captions) -> Captions:
    rows = {key: [{"caption": text} for text in own] for key, own in texts.items()}
    tokens: Captions = PTBTokenizer().tokenize(rows)
    return tokens


@cache
def reference_tokens() -> Captions:
    return tokenize(references())


@cache
def caption_tokens(system: str) -> Captions:
    return tokenize({key: [caption] for key, caption in captions(system).items()})
