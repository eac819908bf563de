"""A network as the judge of entailment, from Python."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

import capella
from capella import mln

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "cli"))
from small_text_encoder import write_classifier  # noqa: E402

NAMES = ["contradiction", "neutral", "entailment"]
ATOM = ["man", "on", "grass"]
GROUND = [
    {"formulas": [{"text": "On(x,y)", "weight": 1}]},
    {"image_id": "1", "things": ["grass", "man"], "atoms": [ATOM], "log_odds": [None],
     "factors": [{"atoms": [0], "signs": [1], "kind": "conj", "weight": 1, "formula_id": 0}], "offset": 0},
]  # fmt: skip


@pytest.fixture
def ground(tmp_path):
    path = tmp_path / "ground.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in GROUND))
    return path


def captions_of(path, text):
    path.write_text(json.dumps({"1": text}))
    return {"ours": path}


@pytest.mark.filterwarnings("ignore:.* pairs share fewer than 20 images")
def test_a_model_judges_and_is_named(meteor_data, ground, tmp_path):
    model = write_classifier(tmp_path / "model", NAMES, [0.0, 0.5, 2.0])
    captions = captions_of(tmp_path / "a.json", "a man on the grass")
    made = mln.nli(ground, captions, output=tmp_path / "nli.jsonl", model=model)
    assert (made.questions, made.distinct, made.entailed, made.cut) == (1, 1, 1, 0)
    [row] = [json.loads(line) for line in (tmp_path / "nli.jsonl").read_text().splitlines()]
    whole = sum(map(math.exp, (0.0, 0.5, 2.0)))
    assert row["p"] == pytest.approx([1 / whole, math.exp(0.5) / whole, math.exp(2.0) / whole], abs=1e-7)
    assert row["judge"] == made.judge and made.judge.startswith("model(")
    assert mln.verify(ground, made, resamples=0).judges == [made.judge]
    rules = mln.nli(ground, captions, output=tmp_path / "rules.jsonl")
    assert rules.judge == "" and mln.verify(ground, rules, resamples=0).judges == []


def test_long_captions_are_told(meteor_data, ground, tmp_path):
    model = write_classifier(tmp_path / "model", NAMES)
    captions = captions_of(tmp_path / "a.json", "a man " * 50)
    with pytest.warns(capella.CapellaWarning, match="1 question is longer than the model reads"):
        assert mln.nli(ground, captions, output=tmp_path / "nli.jsonl", model=model).cut == 1


def test_accuracy_of_a_model(tmp_path):
    model = write_classifier(tmp_path / "model", NAMES, [0.0, 3.0, 1.0])
    (tmp_path / "pairs.tsv").write_text("entailment\ta dog\ta dog\nneutral\ta dog\ta cat\n")
    found = mln.nli_accuracy(tmp_path / "pairs.tsv", model=model)
    assert (found.accuracy, found.cut) == (0.5, 0) and found.judge.startswith("model(")


def test_wrong_models(ground, tmp_path):
    captions = captions_of(tmp_path / "a.json", "a man")
    with pytest.raises(capella.FileError, match="no such folder"):
        mln.nli(ground, captions, output=tmp_path / "nli.jsonl", model=tmp_path / "absent")
    with pytest.raises(capella.CapellaError, match="name a model, or no other device"):
        mln.nli(ground, captions, output=tmp_path / "nli.jsonl", device="cuda")
    with pytest.raises(capella.FileError, match="no such folder"):
        mln.run(tmp_path / "run", world=tmp_path / "world", nli_model=tmp_path / "absent")
