"""A small CLIP of one's own: training, going on after a kill, use by metrics, and what goes wrong."""

import json
import math
import shutil

import pytest

from program import call, killed_training

SMALL = ["--size", "32", "--patch", "16", "--width", "32", "--layers", "1", "--heads", "2", "--threads", "1"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nn")
    made = call("world", "--images", 80, "--size", 32, "--seed", 5, "-o", "world", folder=folder)
    assert made.code == 0, made.err
    return folder / "world"


@pytest.fixture(scope="module")
def trained(plugin, world, tmp_path_factory):
    """A model's folder and what its training printed."""
    folder = tmp_path_factory.mktemp("clip")
    train = ["nn", "train-clip", "--world", world, *SMALL, "--epochs", 3]
    run = call(*train, "--format", "json", "-o", "clip", folder=folder)
    return folder / "clip", run.json()


def test_training_learns(trained):
    folder, told = trained
    losses = [epoch["loss"] for epoch in told["epochs"]]
    assert losses[0] is None
    assert losses[3] < losses[1] < math.log(128)
    assert told["training_images"] == 64 and told["training_captions"] == 320
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json", "merges.txt", "model.safetensors", "preprocessor_config.json", "vocab.json",
    ]
    config = json.loads((folder / "config.json").read_text())
    assert config["text_config"]["vocab_size"] == told["vocabulary"]
    assert not (folder.parent / "clip.checkpoint").exists()


def test_metrics_take_the_folder(capella, trained, world):
    folder, _ = trained
    systems = [world / "systems" / f"unrelated-{rate}.json" for rate in ("0.00", "1.00")]
    run = capella("score", world / "references.json", *systems, "-m", "clip-s,refclip-s", "--images", world / "images",
                  "--set", f"clip-s.model={folder}", "--set", f"refclip-s.model={folder}", "--format", "json")
    right, wrong = run.scores(0), run.scores(1)
    assert 0 < wrong["CLIP-S"] < right["CLIP-S"]
    assert wrong["RefCLIP-S"] < right["RefCLIP-S"]


def test_a_killed_training_goes_on_to_the_same_bytes(trained, world, tmp_path):
    folder, _ = trained
    train = ["nn", "train-clip", "--world", world, *SMALL, "--epochs", 3]
    checkpoint = killed_training(train, tmp_path, "again")
    assert call(*train, "-o", "again", "--format", "json", folder=tmp_path).json()["resumed"]
    assert not checkpoint.exists()
    assert (tmp_path / "again" / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()


def test_what_goes_wrong_is_told(capella, trained, world, tmp_path):
    assert capella("nn", "train-clip", "-o", "x").failed(2, "--world DIR")
    assert capella("nn", "train-clip", "--world", world, "--patch", 7, "-o", "x").failed(2, "--patch is 7", "--size, 96")
    assert capella("nn", "train-clip", "--world", world, "--heads", 3, "-o", "x").failed(2, "--heads is 3", "--width, 128")
    assert capella("nn", "train-clip", "--world", world, "--width", 24, "-o", "x").failed(2, "24", "multiple of 16")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    full = capella("nn", "train-clip", "--world", world, *SMALL, "-o", "full")
    assert full.failed(2, "full: the folder holds something already; remove it or name another")
    (tmp_path / "refs.json").write_text('{"1": ["a dog"]}')
    no_splits = capella("nn", "train-clip", "refs.json", "--images", world / "images", *SMALL, "-o", "x")
    assert no_splits.failed(1, "refs.json: found dictionary, which has no splits", "train", "val")
    assert "--split" not in no_splits.err
    shutil.copytree(world, tmp_path / "torn", ignore=shutil.ignore_patterns("feat"))
    next((tmp_path / "torn" / "images").iterdir()).write_bytes(b"no picture")
    assert capella("nn", "train-clip", "--world", "torn", *SMALL, "-o", "x").failed(1, "torn/images/")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("rate", ["0", "-1", "nan", "inf", "fast"])
def test_a_rate_is_more_than_0(capella, rate):
    run = capella("nn", "train-clip", "--world", "world", "--rate", rate, "-o", "x")
    assert run.failed(2, f"--rate: found {rate}, expected a finite number, more than 0") and len(run.err) < 200


def test_help_has_examples(capella):
    told = capella("nn", "--help").out
    assert "capella nn train-clip --world" in told and "--set clip-s.model=" in told
    assert "capella compare" not in told


def test_a_checkpoint_of_another_training_is_refused(capella, trained, world, tmp_path):
    folder, _ = trained
    shutil.copy(folder / "model.safetensors", tmp_path / "x.checkpoint")
    assert capella("nn", "train-clip", "--world", world, *SMALL, "-o", "x").failed(1, "x.checkpoint", "--restart")
    run = capella("nn", "train-clip", "--world", world, *SMALL, "--epochs", 0, "--restart", "-o", "x")
    assert run.code == 0, run.err
