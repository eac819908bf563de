"""Capella-S: a curve learnt from ratings, and the metric that tells scores on it."""

import json
import random

import pytest

from small_adapter import without_norms, write_adapter
from small_text_encoder import write_text_encoder

WORDS = ["a", "the", "dog", "cat", "runs", "sleeps", "on", "grass", "sofa", "red", "two", "ball"]


@pytest.fixture
def adapter(tmp_path):
    base = without_norms(write_text_encoder(tmp_path / "base"))
    write_adapter(tmp_path / "mine", base, ["encoder.layer.0.attention.self.query"], "../base")
    return tmp_path / "mine"


@pytest.fixture
def rated(write):
    """Captions that people rate by how many of their words the reference has."""
    draw = random.Random(3)
    rows = []
    for image in range(400):
        reference = draw.sample(WORDS, 5)
        caption = draw.sample(WORDS, 5)
        same = len(set(reference) & set(caption)) / 5
        rows.append({"imgid": f"{image}.jpg", "mt": " ".join(caption), "refs": [" ".join(reference)], "score": same})
    write("rated.json", rows)
    return rows


def test_curve_and_scores(capella, adapter, rated, write):
    done = capella("nn", "calibrate", "mine", "rated.json", "--layout", "nebula", "--plot", "r.svg", "--format", "json")
    assert done.code == 0, done.err
    told = done.json()
    assert told["captions"] == told["images"] == 400
    assert sum(row["captions"] for row in told["bins"]) == 400
    assert (adapter.parent / "r.svg").read_text().startswith("<svg")
    knots = json.loads((adapter / "calibration.json").read_text())["knots"]
    assert len(knots) == told["knots"]
    assert all(a["score"] < b["score"] and a["rating"] < b["rating"] for a, b in zip(knots, knots[1:]))

    write("refs.json", {str(k): row["refs"] for k, row in enumerate(rated[:50])})
    write("hyps.json", {str(k): row["mt"] for k, row in enumerate(rated[:50])})
    use = ["--set", "capella-s.model=mine", "--set", "sentence-cosine.model=mine"]
    use += ["--set", "sentence-cosine.over=max+centroid"]
    scored = capella("score", "refs.json", "hyps.json", "-m", "capella-s,sentence-cosine", *use, "--detail",
                     "--per-item", "items.jsonl", "--format", "json")  # fmt: skip
    assert scored.code == 0, scored.err
    items = [json.loads(line) for line in (adapter.parent / "items.jsonl").read_text().splitlines()]
    values = [item["scores"] for item in items]
    for value in values:
        assert value["Capella-S-cosine"] == pytest.approx(value["Sentence-cosine"], abs=1e-12)
        above = next(k for k in range(1, len(knots)) if knots[k]["score"] >= value["Capella-S-cosine"])
        a, b = knots[above - 1], knots[above]
        way = (value["Capella-S-cosine"] - a["score"]) / (b["score"] - a["score"])
        assert value["Capella-S"] == pytest.approx(a["rating"] + way * (b["rating"] - a["rating"]), abs=1e-9)
        assert value["Capella-S-spread"] == pytest.approx(a["spread"] + way * (b["spread"] - a["spread"]), abs=1e-9)


def test_shares_of_words_sum_to_the_cosine(capella, adapter, rated, write):
    assert capella("nn", "calibrate", "mine", "rated.json", "--layout", "nebula").code == 0
    write("refs.json", {"1": ["the red dog on grass", "two cat"]})
    write("hyps.json", {"1": "a dog runs on the grass"})
    done = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "capella-s", "--set", "capella-s.model=mine",
                   "--format", "json")  # fmt: skip
    assert done.code == 0, done.err
    told = done.json()
    tables = (told[0] if isinstance(told, list) else told["explanations"][0])["tables"]
    nearest = max(float(row[1]) for row in tables[0]["rows"])
    for table in tables[1:]:
        assert sum(float(row[1]) for row in table["rows"]) == pytest.approx(nearest, abs=1e-3)


def test_a_curve_is_not_overwritten_in_silence(capella, adapter, rated):
    ask = ["nn", "calibrate", "mine", "rated.json", "--layout", "nebula"]
    assert capella(*ask).code == 0
    before = (adapter / "calibration.json").read_bytes()
    again = capella(*ask)
    assert again.code != 0 and "--replace" in again.err
    assert (adapter / "calibration.json").read_bytes() == before
    assert capella(*ask, "--replace").code == 0


def test_refusals(capella, adapter, rated, write):
    write("refs.json", {"1": ["a dog"]})
    write("hyps.json", {"1": "a dog"})
    score = ["score", "refs.json", "hyps.json", "-m", "capella-s"]
    assert capella(*score, "--set", "capella-s.model=").failed(2, "capella-s.model is empty")
    cosine = [*score[:-1], "sentence-cosine", "--set", "sentence-cosine.model="]
    assert capella(*cosine).failed(2, "sentence-cosine.model is empty")
    nowhere = capella(*score, "--set", "capella-s.model=nowhere")
    assert nowhere.code != 0 and "nowhere" in nowhere.err
    missing = capella(*score, "--set", "capella-s.model=mine")
    assert missing.code != 0 and "nn calibrate" in missing.err
    (adapter / "calibration.json").write_text('{"over": "max+centroid", "learnt_from": "x", "model": "x", "knots": [1]}')
    damaged = capella(*score, "--set", "capella-s.model=mine")
    assert damaged.code != 0 and "calibration.json" in damaged.err
    knots = [{"score": -1, "rating": 0, "spread": 0.1}, {"score": 1, "rating": 50, "spread": 0.1}]
    (adapter / "calibration.json").write_text(json.dumps({"over": "max+centroid", "learnt_from": "x", "model": "x", "knots": knots}))
    beyond = capella(*score, "--set", "capella-s.model=mine")
    assert beyond.code == 1 and "knot 1 has the score 1, the rating 50" in beyond.err
    write("reversed.json", [{**row, "score": 1 - row["score"]} for row in rated])
    upside_down = capella("nn", "calibrate", "mine", "reversed.json", "--layout", "nebula", "--replace")
    assert upside_down.code == 1 and "reversed.json: ratings do not rise" in upside_down.err
    write("blank.json", [*rated, {**rated[0], "mt": " \u00a0"}])
    blank = capella("nn", "calibrate", "mine", "blank.json", "--layout", "nebula", "--replace")
    assert blank.code == 0 and "blank.json: 1 rated captions are blank and were left out" in blank.err
    write("every-second.json", [{**row, "mt": ""} if k % 2 else row for k, row in enumerate(rated)])
    every_second = capella("nn", "calibrate", "mine", "every-second.json", "--layout", "nebula", "--replace")
    assert every_second.code == 0 and "200 captions of 200 images" in every_second.out, every_second.err
    write("all-blank.json", [{**row, "mt": " "} for row in rated])
    all_blank = capella("nn", "calibrate", "mine", "all-blank.json", "--layout", "nebula", "--replace")
    assert all_blank.code == 1 and "all-blank.json: all rated captions are blank" in all_blank.err
    write("few.json", rated[:60])
    few = capella("nn", "calibrate", "mine", "few.json", "--layout", "nebula", "--replace")
    assert few.code != 0 and "too few" in few.err
    wrong = capella("nn", "calibrate", "nowhere", "rated.json", "--layout", "nebula")
    assert wrong.code != 0 and "nowhere" in wrong.err


def test_calibrate_speaks_of_the_curve(capella, adapter, rated, write, minilm_data):
    package = capella("nn", "calibrate", "minilm", "rated.json", "--layout", "nebula")
    assert package.failed(1, "minilm is a data package", "a folder of your own", "capella data path minilm")
    write("same.json", [{**row, "score": 0.5} for row in rated])
    same = capella("nn", "calibrate", "mine", "same.json", "--layout", "nebula")
    assert same.failed(1, "same.json: all 400 ratings are 0.5", "there is no curve of it") and "train" not in same.err
    write("alone.json", [*rated[:300], {**rated[0], "refs": []}])
    alone = capella("nn", "calibrate", "mine", "alone.json", "--layout", "nebula")
    assert alone.code == 1 and "alone.json" in alone.err and "learned metric" not in alone.err


def test_blanks_of_all_kinds_are_told(capella, adapter, rated, write):
    assert capella("nn", "calibrate", "mine", "rated.json", "--layout", "nebula").code == 0
    write("refs.json", {str(k): ["a dog"] for k in range(4)})
    write("hyps.json", {"0": "a dog", "1": "", "2": " \t", "3": "\u00a0\u2003\u3000"})
    use = ["-m", "capella-s", "--set", "capella-s.model=mine", "--per-item", "items.jsonl"]
    done = capella("score", "refs.json", "hyps.json", *use)
    assert done.code == 0 and "3 empty captions" in done.err
    lines = (adapter.parent / "items.jsonl").read_text().splitlines()
    items = [json.loads(line)["scores"]["Capella-S"] for line in lines]
    lowest = json.loads((adapter / "calibration.json").read_text())["knots"][0]["rating"]
    assert items[1:] == [lowest] * 3 and items[0] > lowest


def test_a_picture_that_cannot_be_drawn_is_told(capella, adapter, rated, write):
    assert capella("nn", "calibrate", "mine", "rated.json", "--layout", "nebula").code == 0
    write("refs.json", {"2": ["a dog"]})
    write("hyps.json", {"2": " "})
    ask = ["-m", "capella-s", "--set", "capella-s.model=mine", "--format", "svg"]
    blank = capella("explain", "refs.json", "hyps.json", "--id", "2", *ask)
    assert blank.failed(1, "no figure of capella-s", "the caption has no word")
