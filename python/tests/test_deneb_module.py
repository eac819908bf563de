"""Learned metrics from Python: training (which needs the plug-in) and scoring."""

from __future__ import annotations

import json
import math
import sys
import warnings
from pathlib import Path

import pytest

import capella
from capella import deneb

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "cli"))
from small_clip import picture, write_model  # noqa: E402
from small_text_encoder import write_text_encoder  # noqa: E402

SIZES = {"width": 16, "layers": 1, "heads": 2, "feed_forward": 8, "hidden": [6, 4]}
SMALL = SIZES | {"batch": 4, "rate": 1e-3, "warm_up": 0}
REFS = {1: ["a dog runs", "two dog"], 2: ["a cat"], 3: ["a red sofa", "the sofa", "a sofa"]}
HYPS = {1: "a dog", 2: "a cat sleeps", 3: "a man"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """clip, text, images, train.jsonl and valid.jsonl."""
    folder = tmp_path_factory.mktemp("deneb")
    write_model(folder / "clip")
    write_text_encoder(folder / "text")
    (folder / "images").mkdir()
    for image in REFS:
        (folder / "images" / f"{image}.png").write_bytes(picture(image))
    rows = [
        {"imgid": str(image), "mt": caption, "refs": REFS[image], "score": score}
        for image in REFS
        for caption, score in ((HYPS[image], 0.75), (REFS[image][0], 1.0), ("the ball", 0.0))
    ]
    for name, some in (("train", rows), ("valid", rows[::-1])):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    return folder


@pytest.fixture(scope="module")
def encoders(folder):
    return {"clip": folder / "clip", "text": folder / "text", "images": folder / "images"}


@pytest.fixture(scope="module")
def trained(plugin, folder, encoders):
    told: list[str] = []
    files = (folder / "train.jsonl", folder / "valid.jsonl")
    how = {"epochs": 3, "patience": 3, "tell": told.append}
    with warnings.catch_warnings():  # it need not become better than it was
        warnings.filterwarnings("ignore", "no epoch agrees better", capella.CapellaWarning)
        made = deneb.train(*files, output=folder / "m.safetensors", **how, **encoders, **SMALL)
    assert len(told) == 4 and told[1].startswith("epoch 1: loss")
    return made


def test_what_was_trained(trained, folder):
    assert trained.architecture == "released" and trained.training_rows == 9 and trained.images == 3
    assert trained.most_references == 3 and trained.captions == 10
    assert math.isnan(trained.epochs[0].loss) and len(trained.epochs) == 4
    best = trained.epochs[trained.best_epoch].agreement
    assert trained.measure == "tau-c" and best == max(epoch.agreement for epoch in trained.epochs[1:])
    assert json.loads(trained.table("json"))["best_epoch"] == trained.best_epoch
    assert trained.svg().startswith("<svg")
    assert Path(trained).exists() and not (folder / "m.safetensors.checkpoint").exists()


def test_scores_are_those_of_the_metric(trained, encoders):
    with pytest.warns(capella.CapellaWarning, match="too few for an interval"):
        found = deneb.score(REFS, HYPS, model=trained, ci=True, resamples=50, **encoders)
    settings = {f"deneb.{key}": encoders[key] for key in ("clip", "text")} | {"deneb.model": Path(trained)}
    other = capella.score(REFS, HYPS, "deneb", images=encoders["images"], settings=settings)
    assert found["DENEB"] == other["DENEB"] and 0 < found["DENEB"] < 1
    assert found.signatures == other.signatures
    low, high = found.interval("DENEB")
    assert low <= found["DENEB"] <= high
    parity = deneb.score(REFS, HYPS, model=trained, parity=True, **encoders)
    assert parity["DENEB"] != found["DENEB"]


def test_pairs_end_a_training_and_tests_are_held_out(plugin, folder, encoders, tmp_path):
    """The captions of image 3 are held out, so that two images are left; an epoch is 4 of their rows."""
    rows = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    (tmp_path / "test.jsonl").write_text(json.dumps(rows[-1] | {"refs": ["A  red SOFA"]}) + "\n")
    pair = {"image": "1", "captions": ["a dog", "the ball"], "label": 0, "references": REFS[1]}
    (tmp_path / "pairs.json").write_text(json.dumps({kind: [pair] for kind in ("HC", "HI", "HM", "MM")}))
    only = {"text": encoders["text"], "text_only": True, "cosine": True, "scale_vectors": True, "weight_decay": 0.1}
    made = deneb.train(
        folder / "train.jsonl",
        tmp_path / "pairs.json",
        output=tmp_path / "m.safetensors",
        validation_layout="pascal50s",
        held_out=[("nebula", tmp_path / "test.jsonl")],
        rows_per_epoch=4,
        epochs=2,
        patience=2,
        **only,
        **SMALL,
    )
    assert made.measure == "accuracy" and {epoch.agreement for epoch in made.epochs} <= {0.0, 1.0}
    assert (made.training_rows, made.dropped_rows, made.validation_rows) == (6, 3, 8)
    with pytest.warns(capella.CapellaWarning, match="more references than the 2"):
        assert 0 < deneb.score(REFS, HYPS, model=made, text=encoders["text"])["DENEB"] < 1
    with pytest.raises(capella.CapellaError, match="validation_layout pascal50s"):
        deneb.train(*[tmp_path / "pairs.json"] * 2, layout="pascal50s", output=tmp_path / "n.safetensors", **only)


def test_errors_are_in_words_of_python(plugin, trained, folder, encoders, tmp_path):
    files = (folder / "train.jsonl", folder / "valid.jsonl")
    only = {"clip": encoders["clip"], "text": encoders["text"]}
    with pytest.raises(capella.CapellaError, match="images=DIR.* or text_only=True"):
        deneb.train(*files, output=tmp_path / "m.safetensors", **only, **SMALL)
    with pytest.raises(capella.CapellaError, match="clip=DIR"):
        deneb.score(REFS, HYPS, model=trained, text=encoders["text"], images=encoders["images"])
    with pytest.raises(capella.CapellaError, match="did you mean 'paper'"):
        deneb.train(*files, output=tmp_path / "m.safetensors", architecture="papre", **encoders, **SMALL)
    with pytest.raises(capella.CapellaError, match="Polos has no .*: leave out width, or"):
        deneb.train(*files, output=tmp_path / "m.safetensors", architecture="polos", **encoders, **SMALL)
    pooled = {"statistics": "batch", "sentence_vectors": "pooled"}
    with pytest.raises(capella.CapellaError, match='leave out statistics, or mix layers .sentence_vectors="mix"'):
        deneb.train(*files, output=tmp_path / "m.safetensors", **pooled, **encoders, **SMALL)
    with pytest.raises(capella.CapellaError, match="itself tells .*; leave out heads"):
        deneb.score(REFS, HYPS, model=trained, heads=2, **encoders)
    with pytest.raises(capella.CapellaError, match="is an input"):
        deneb.train(*files, output=files[0], **encoders)
    with pytest.raises(capella.CapellaError, match="is there already.*with restart=True"):
        deneb.train(*files, output=Path(trained), **encoders, **SMALL)
    for wrong in ("test.jsonl", ["nebula:"], ("nebula", files[0])):
        with pytest.raises(capella.CapellaError, match="held_out: found .*, expected .layout, path. or 'layout:path'"):
            deneb.train(*files, output=tmp_path / "m.safetensors", held_out=wrong, **encoders, **SMALL)
    with pytest.raises(capella.CapellaError, match="each of the 9 rows"):
        deneb.train(*files, output=tmp_path / "m.safetensors", held_out=f"nebula:{files[1]}", **encoders, **SMALL)
    with pytest.raises(capella.CapellaError, match='parity=True cuts .* refs_policy="all"'):
        deneb.score(REFS, HYPS, model=trained, parity=True, refs_policy="all", **encoders)
    write_text_encoder(tmp_path / "other", seed=4)
    with pytest.raises(capella.FileError, match="another sentence encoder"):
        deneb.score(REFS, HYPS, model=trained, **{**encoders, "text": tmp_path / "other"})
