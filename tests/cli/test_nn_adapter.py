"""An adapter of one's own: training, going on after a kill, use by metrics, and what goes wrong."""

import json
import random
import shutil

import pytest

from program import call, killed_training
from small_text_encoder import WORDS, write_text_encoder

# Each image is about something, and so is every one of its captions.
TOPICS = ["dog", "cat", "man", "ball", "grass", "sofa", "red dog", "two cat", "red ball", "man on grass"]
TRAIN = ["nn", "train-adapter", "captions.json", "--base", "base", "--rank", "4", "--batch", "8", "--threads", "1",
         "--rate", "0.02", "--warm-up", "2", "--tell-every", "10"]


def write_inputs(folder):
    draw = random.Random(4)
    others = [word for word in WORDS if not any(word in topic.split() for topic in TOPICS)]
    captions = {
        f"{k}.jpg": [" ".join([*draw.choices(others, k=3), topic, draw.choice(others)]) for _ in range(5)]
        for k, topic in enumerate(TOPICS)
    }
    (folder / "captions.json").write_text(json.dumps(captions))
    write_text_encoder(folder / "base", pooled=True)
    rows = [
        {"imgid": own, "mt": captions[other][0], "refs": captions[own][1:], "score": float(own == other)}
        for own in captions for other in captions
    ]
    (folder / "rated.json").write_text(json.dumps(rows))
    return captions


@pytest.fixture(scope="module")
def trained(plugin, tmp_path_factory):
    """A folder with inputs and an adapter, and what its training printed."""
    folder = tmp_path_factory.mktemp("adapter")
    write_inputs(folder)
    run = call(*TRAIN, "--steps", 60, "--valid", "rated.json", "--valid-layout", "nebula", "--valid-every", 30,
               "--curve", "curve.svg", "--format", "json", "-o", "made", folder=folder)
    return folder, run.json()


def test_training_learns_which_captions_are_of_one_image(trained):
    folder, told = trained
    steps = {step["step"]: step for step in told["steps"]}
    assert sorted(steps) == [0, 10, 20, 30, 40, 50, 60]
    assert steps[0]["loss"] is None and steps[60]["loss"] < 0.5 * steps[10]["loss"]
    assert steps[10]["validation_tau_c"] is None
    assert steps[60]["validation_tau_c"] > steps[0]["validation_tau_c"]
    assert told["images"] == 10 and told["batch"] == 8 and told["validation_rows"] == 100
    files = sorted(path.name for path in (folder / "made").iterdir())
    assert files == ["adapter_config.json", "adapter_model.safetensors"]
    assert not (folder / "made.checkpoint").exists()
    config = json.loads((folder / "made" / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "../base"
    assert config["peft_type"] == "LORA" and config["r"] == 4
    picture = (folder / "curve.svg").read_text()
    assert picture.startswith("<svg") and "validation tau-c" in picture


def test_metrics_take_the_folder_and_agree_with_the_training(trained):
    folder, told = trained
    for model, expected in (("base", told["steps"][0]), ("made", told["steps"][-1])):
        run = call("meta", "nebula", "rated.json", "-m", "sentence-cosine", "--set", f"sentence-cosine.model={model}",
                   "--set", "sentence-cosine.over=max+centroid", "--format", "json", folder=folder)
        assert run.code == 0, run.err
        found = json.loads(run.out)["metrics"][0]["kendall_c"]["value"]
        assert found == pytest.approx(expected["validation_tau_c"], abs=0.002)


def test_ratings_can_be_learnt_from(trained, tmp_path):
    write_inputs(tmp_path)
    rows = json.loads((tmp_path / "rated.json").read_text())
    opposite = [row | {"score": 1 - row["score"]} for row in rows]  # what captions alone do not teach
    (tmp_path / "opposite.json").write_text(json.dumps(opposite))
    run = call(*TRAIN, "--steps", 60, "--rated", "opposite.json", "--rated-layout", "nebula", "--rated-weight", 50,
               "--valid", "opposite.json", "--valid-layout", "nebula", "--format", "json", "-o", "made",
               folder=tmp_path)
    assert run.code == 0, run.err
    told = run.json()
    assert told["rated"] == {"file": "opposite.json", "rows": 100, "held_out_by_caption": 0, "held_out_by_name": 0,
                             "blank": 0}
    assert told["steps"][-1]["validation_tau_c"] > told["steps"][0]["validation_tau_c"] + 0.3


def test_sixteen_bits(trained, tmp_path):
    write_inputs(tmp_path)
    made = {}
    for name, options in (("float32", []), ("bfloat16", ["--bfloat16"])):
        run = call(*TRAIN, "--steps", 3, *options, "-o", name, "--format", "json", folder=tmp_path)
        assert run.code == 0, run.err
        config = json.loads((tmp_path / name / "adapter_config.json").read_text())
        assert config["capella"]["recipe"]["numbers"] == name
        made[name] = [step["loss"] for step in run.json()["steps"][1:]]
    assert made["float32"] != made["bfloat16"]
    assert made["bfloat16"] == pytest.approx(made["float32"], rel=0.05)


def test_a_killed_training_goes_on_to_the_same_bytes(trained, tmp_path):
    write_inputs(tmp_path)
    train = [*TRAIN, "--steps", 60, "--checkpoint-every", 5]
    whole = call(*train, "-o", "whole", folder=tmp_path)
    assert whole.code == 0, whole.err
    killed_training(train, tmp_path, "again")
    again = call(*train, "-o", "again", "--format", "json", folder=tmp_path)
    assert again.json()["resumed"]
    assert "going on after step" in again.err
    assert not (tmp_path / "again.checkpoint").exists()
    for name in ("adapter_model.safetensors", "adapter_config.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_held_out_images_are_not_learnt_from(trained, tmp_path):
    captions = write_inputs(tmp_path)
    (tmp_path / "held.json").write_text(json.dumps({"other": [captions["2.jpg"][3].upper()], "sub/5.jpg": ["a dog"]}))
    run = call(*TRAIN, "--steps", 2, "--held-out", "held.json", "--held-out", "nebula:rated.json", "-o", "x",
               "--format", "json", folder=tmp_path)
    assert run.failed(1, "captions.json: no image is left to learn from")
    run = call(*TRAIN, "--steps", 2, "--held-out", "held.json", "--format", "json", "-o", "x", folder=tmp_path)
    [file] = run.json()["data"]
    assert (file["images"], file["held_out_by_caption"], file["held_out_by_name"]) == (8, 1, 1)
    table = call(*TRAIN, "--steps", 2, "--held-out", "held.json", "-o", "y", folder=tmp_path)
    assert "held out by caption" in table.out and "8 images, 8 in a step" in table.out


def test_a_curve_from_ratings_that_were_learnt_from_is_warned_of(capella, trained, tmp_path):
    write_inputs(tmp_path)
    rows = json.loads((tmp_path / "rated.json").read_text())
    many = [row | {"imgid": f"{k}.jpg"} for k, row in enumerate(rows * (400 // len(rows) + 1))]
    for name in ("learnt.json", "other.json"):
        (tmp_path / name).write_text(json.dumps(many))
    run = call(*TRAIN, "--steps", 2, "--rated", "learnt.json", "--rated-layout", "nebula", "-o", "x/", folder=tmp_path)
    assert run.code == 0, run.err
    own = capella("nn", "calibrate", "x", "learnt.json", "--layout", "nebula")
    assert own.code == 0 and "x has learnt from ratings of a file learnt.json" in own.err
    others = capella("nn", "calibrate", "x", "other.json", "--layout", "nebula", "--replace")
    assert others.code == 0 and "has learnt from" not in others.err


def test_what_goes_wrong_is_told(capella, trained, tmp_path):
    write_inputs(tmp_path)
    plain = ["nn", "train-adapter", "captions.json", "--steps", 1, "-o", "x"]
    one = [*plain, "--base", "base"]
    assert capella(*one, "--rank", 0).failed(2, "--rank is 0, expected 1 to 4096")
    for option, value in (("--batch", 1), ("--temperature", 20), ("--references", 0), ("--warm-up", 2), ("--rate", 0),
                          ("--tell-every", 0), ("--alpha", 1e9), ("--chunk", -1)):
        assert capella(*one, option, value).failed(2, option)
    assert capella(*one, "--references", 5).failed(1, "10 since they have fewer than 6 different captions")
    assert capella(*one, "--held-out", "gone.json").failed(1, "gone.json")
    assert capella(*one, "--held-out", "nebla:rated.json").failed(2, "--held-out", "did you mean 'nebula'")
    assert capella(*one, "--valid", "rated.json").failed(2, "--valid-layout")
    for option in ("--rated-batch", "--rated-weight"):
        assert capella(*one, option, 8).failed(2, option, "--rated")
    assert capella(*one, "--curve", "curve.png").failed(2, "curve.png", ".svg")
    assert capella(*plain, "--base", "nowhere").failed(1, "nowhere")
    (tmp_path / "base" / "modules.json").unlink()
    assert capella(*one).failed(1, "base", "--pooling mean")
    assert capella(*plain, "--base", trained[0] / "made").failed(1, "is an adapter itself")
    shutil.copytree(trained[0] / "made", tmp_path / "x")
    assert capella(*one).failed(2, "x: the folder holds something already")


def test_help_has_examples(capella):
    told = capella("nn", "--help").out
    assert "capella nn train-adapter" in told and "capella nn calibrate" in told
    told = capella("nn", "train-adapter", "--help").out
    assert "--held-out" in told and "--set sentence-cosine.model=" in told
