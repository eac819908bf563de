"""`capella mln nli` and `infer` on images that no rule is about: their captions are there, and are told from none."""

import json

import pytest

from program import json_lines as lines

GROUND = [
    {"formulas": [{"text": "On(x,y)", "weight": 1}]},
    {"image_id": "1", "things": ["bike", "man"], "atoms": [["man", "on", "bike"]], "log_odds": [None],
     "factors": [{"atoms": [0], "signs": [1], "kind": "conj", "weight": 1, "formula_id": 0}], "offset": 0},
    {"image_id": "2", "things": ["cup", "table"], "atoms": [], "log_odds": [], "factors": [], "offset": 0},
]  # fmt: skip
CAPTIONS = {
    "both": {"1": "a man on a bike", "2": "a cup on a table"},
    "silent": {"1": "a man on a bike", "2": "wow"},
    "one": {"1": "a man on a bike"},
}


@pytest.fixture
def judged(capella, mln_world, tmp_path):
    (tmp_path / "ground.jsonl").write_text("".join(json.dumps(row) + "\n" for row in GROUND))
    for name, captions in CAPTIONS.items():
        rows = [{"image_id": image, "caption": caption} for image, caption in captions.items()]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    made = capella("mln", "nli", "ground.jsonl", *(f"{name}.json" for name in CAPTIONS), "-o", "nli.jsonl")
    assert made.code == 0, made.err
    return lines(tmp_path / "nli.jsonl")


def test_every_caption_has_a_row(judged):
    assert {(row["system"], row["image_id"]) for row in judged} == {
        (name, image) for name, captions in CAPTIONS.items() for image in captions
    }
    for row in judged:
        neutral, entailed = row["p"][1:]
        assert neutral == 1 if row["image_id"] == "2" else entailed > 0.9


def test_only_captions_that_are_there_count(capella, judged):
    got = capella("mln", "infer", "--ground", "ground.jsonl", "--nli", "nli.jsonl", "--format", "json").json()
    counts = {s["system"]: (s["captions"], s["n_scored"], s["n_skipped"]["no_network"]) for s in got["systems"]}
    assert counts == {"both": (2, 1, 1), "silent": (2, 1, 1), "one": (1, 1, 0)}
    assert all(system["unseen"] == 0 for system in got["systems"])
    assert {pair["real"] for pair in got["pairs"]} == {None}  # one image decides nothing
    assert "fewer than 20 images" in " ".join(got["notes"])
