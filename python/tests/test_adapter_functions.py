"""Adapters from Python: training (which needs the plug-in) and people's scale."""

from __future__ import annotations

import json
import math
import os
import random
import sys
from pathlib import Path

import pytest

import capella

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "cli"))
from small_text_encoder import WORDS, write_text_encoder  # noqa: E402

TOPICS = ["dog", "cat", "man", "ball", "grass", "sofa", "red dog", "two cat", "red ball", "man on grass"]
SMALL = {"rank": 4, "batch": 8, "steps": 4, "threads": 1, "tell_every": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """base, captions.json, and rated.json, where captions of the own image have the rating 1, others 0."""
    folder = tmp_path_factory.mktemp("adapter")
    draw = random.Random(4)
    others = [word for word in WORDS if not any(word in topic.split() for topic in TOPICS)]
    captions = {
        f"{k}.jpg": [" ".join([*draw.choices(others, k=3), topic, draw.choice(others)]) for _ in range(5)]
        for k, topic in enumerate(TOPICS)
    }
    (folder / "captions.json").write_text(json.dumps(captions))
    rows = [
        {"imgid": own, "mt": captions[other][0], "refs": captions[own][k:], "score": float(own == other)}
        for own in captions
        for other in captions
        for k in (1, 2, 3)
    ]
    (folder / "rated.json").write_text(json.dumps(rows))
    write_text_encoder(folder / "base", pooled=True)
    return folder


def train(folder, output, **others):
    how = SMALL | {"base": folder / "base"} | others
    return capella.train_adapter(folder / "captions.json", output=folder / output, **how)


def test_an_adapter_is_trained_and_can_be_used(plugin, folder):
    told: list[str] = []
    rated = {"validation": folder / "rated.json", "validation_layout": "nebula"}
    learnt = {"rated": folder / "rated.json", "rated_layout": "nebula", "rated_batch": 16, "rated_weight": 0.5}
    made = train(folder, "made", tell=told.append, **rated, **learnt)
    assert [text.split(",")[0] for text in told] == ["step 0 of 4", "step 2 of 4", "step 4 of 4"]
    assert made.path == os.fspath(made) == str(folder / "made") and Path(made, "adapter_config.json").exists()
    assert made.images == 10 and made.batch == 8 and made.validation_rows == 300 and not made.resumed
    assert made.rated_rows == 300 and made.rated_held_out == 0
    [file] = made.data
    assert (file.images, file.captions, file.repeated) == (10, 50, 0)
    assert len(made.steps) == 5 and math.isnan(made.steps[0].loss) and made.steps[4].loss > 0
    assert math.isnan(made.steps[1].agreement) and -1 <= made.steps[4].agreement <= 1
    assert json.loads(made.table("json"))["parameters"] == made.parameters
    assert made.svg().startswith("<svg")
    refs, hyps = {1: ["a dog", "dog on grass"]}, {1: "red dog"}
    score = capella.score(refs, hyps, "sentence-cosine", settings={"sentence-cosine.model": made.path})
    assert -1 <= score["Sentence-cosine"] <= 1
    itself = capella.score(refs, hyps, "sentence-cosine", settings={"sentence-cosine.model": made})
    assert itself["Sentence-cosine"] == score["Sentence-cosine"]


def test_what_is_held_out_is_left_out(plugin, folder):
    (folder / "held.json").write_text(json.dumps({"sub/5.jpg": ["a dog"]}))
    made = train(folder, "fewer", steps=1, held_out=[folder / "held.json"])
    assert made.data[0].held_out_by_name == 1 and made.images == 9
    with pytest.raises(capella.CapellaError, match="no image is left to learn from"):
        train(folder, "none", held_out=("nebula:" + str(folder / "rated.json"),))


def test_what_is_raised_ends_a_training_that_goes_on_later(plugin, folder):
    whole = train(folder, "whole", checkpoint_every=1)

    def stop(text):
        if text.startswith("step 2"):
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        train(folder, "again", checkpoint_every=1, tell=stop)
    assert not (folder / "again").exists() and (folder / "again.checkpoint").exists()
    again = train(folder, "again", checkpoint_every=1)
    assert again.resumed and [step.loss for step in again.steps[1:]] == [step.loss for step in whole.steps[1:]]
    name = "adapter_model.safetensors"
    assert Path(again, name).read_bytes() == Path(whole, name).read_bytes()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"rank": 0}, "rank is 0, expected 1 to 4096"),
        ({"warm_up": 5}, "warm_up is 5, expected no more than there are steps, 4"),
        ({"tell_every": 0}, "tell_every"),
        ({"temperature": 20}, "temperature is 20"),
        ({"validation_layout": "nebula"}, "validation=FILE"),
        ({"held_out": [("nebla", "x")]}, "nebula"),
        ({"rated_batch": 8}, "give rated=FILE"),
    ],
)
def test_wrong_calls_name_the_argument(plugin, folder, how, message):
    with pytest.raises(ValueError, match=message):
        train(folder, "never", **how)
    assert not (folder / "never").exists()


@pytest.mark.parametrize("name", ["alpha", "strength", "rate", "temperature"])
def test_numbers_are_numbers(folder, name):
    for wrong, kind in (("half", "str"), (True, "bool"), (None, "NoneType")):
        with pytest.raises(TypeError, match=f"{name}: found {kind}, expected a number"):
            train(folder, "never", **{name: wrong})


def test_captions_are_files(folder):
    for wrong, message in (({"1": ["a dog"]}, "captions: found dict, expected a file or several"),
                           (5, "captions: found int, expected a file or several"),
                           ([["a", "b"]], "captions: found list, expected a file")):  # fmt: skip
        with pytest.raises(TypeError, match=message):
            capella.train_adapter(wrong, output=folder / "never")
    with pytest.raises(TypeError, match="ratings: found dict, expected a file"):
        capella.calibrate(folder, {}, layout="nebula")
    with pytest.raises(TypeError, match="replace: found str, expected bool"):
        capella.calibrate(folder, folder / "rated.json", layout="nebula", replace="no")


def test_people_have_a_scale(folder, tmp_path):
    write_text_encoder(tmp_path / "model", pooled=True)
    made = capella.calibrate(tmp_path / "model", folder / "rated.json", layout="nebula", threads=1)
    assert made.path == str(tmp_path / "model" / "calibration.json") and Path(made.path).exists()
    assert made.captions == 300 and made.images == 10 and made.knots >= 2
    assert sum(one.captions for one in made.bins) == 300
    assert all(0 <= one.predicted <= 1 and one.standard_error >= 0 for one in made.bins)
    assert 0 <= made.within <= 1 and 0 <= made.error <= 1
    assert json.loads(made.table("json"))["knots"] == made.knots and made.svg().startswith("<svg")
    with pytest.raises(capella.FileError, match="replace=True"):
        capella.calibrate(tmp_path / "model", folder / "rated.json", layout="nebula")
    again = capella.calibrate(tmp_path / "model", folder / "rated.json", layout="nebula", replace=True)
    assert again.bins == made.bins
    with pytest.raises(capella.CapellaError, match="is it in the layout composite.* looks like nebula"):
        capella.calibrate(tmp_path / "model", folder / "rated.json", layout="composite", replace=True)
