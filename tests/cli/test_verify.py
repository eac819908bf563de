"""capella verify: values of reference programs, computed again."""

import json
import math
import os
import re
import shutil
from pathlib import Path

import pytest

from program import ROOT

PARTS = json.loads((ROOT / "examples/expected.json").read_text(encoding="utf-8"))
CHECKS = [check for part in PARTS.values() for check in part]
WITHOUT_DATA = {
    "BLEU",
    "ROUGE-L",
    "CIDEr-D",
    "WMD",
    "SPICE-noSynsets",
    "MLN, exact",
    "pre-gen metrics",
    "NNEval",
}


@pytest.fixture
def own(tmp_path):
    """A folder with the examples that a test may change; Capella looks there first."""
    shutil.copytree(ROOT / "examples", tmp_path / "own/examples")
    return tmp_path / "own"


def verify(capella, folder, code):
    """The verdicts by metric, with Capella's own data in this folder."""
    run = capella("verify", "--format", "json", env={"CAPELLA_HOME": str(folder)})
    assert run.code == code, run.err
    return {row["metric"]: row["verdict"] for row in json.loads(run.out)}


def replace(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_value_is_that_of_the_reference(capella, meteor_data, minilm_data):
    run = capella("verify", "--format", "json")
    rows = run.json()
    assert [row["metric"] for row in rows] == [check["metric"] for check in CHECKS]
    for row, check in zip(rows, CHECKS, strict=True):
        assert row["verdict"] == "equal", row["metric"]
        assert (row["reference"], row["tolerance"]) == (check["reference"], check["tolerance"])
        found = {(value["item"], value["score"]): value["expected"] for value in row["values"]}
        assert found == {(i, name): v for i, scores in check["values"].items() for name, v in scores.items()}
        assert all(value["difference"] <= row["tolerance"] for value in row["values"])


def test_the_table_has_a_row_per_metric_and_totals(capella, meteor_data, minilm_data):
    run = capella("verify")
    assert run.code == 0 and run.err == ""
    lines = run.out.splitlines()
    assert len(lines) == 2 + len(CHECKS) + 2
    assert max(map(len, lines)) <= 80
    values = sum(len(scores) for check in CHECKS for scores in check["values"].values())
    assert re.findall(r"\d+", lines[-1]) == [str(values), str(values), "0", "0"]


def test_metrics_without_their_data_are_skipped(capella, tmp_path):
    verdicts = verify(capella, tmp_path / "empty", 0)
    assert {metric for metric, verdict in verdicts.items() if verdict == "equal"} >= WITHOUT_DATA
    assert {verdicts[m] for m in ("METEOR", "SPICE (trees)", "BERTScore", "Capella-S")} == {"skipped"}
    out = capella("verify", env={"CAPELLA_HOME": str(tmp_path / "empty")}).out
    assert "capella data get meteor" in out and "capella data get minilm" in out
    *_, values, equal, differ, skipped = re.findall(r"\d+", out.splitlines()[-1])
    assert int(differ) == 0 < int(skipped) and int(equal) + int(skipped) == int(values)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check["metric"])
def test_a_value_that_is_not_the_reference_s_differs(capella, own, check, meteor_data, minilm_data):
    for data in (meteor_data, minilm_data):
        (own / data.rsplit("/", 1)[1]).symlink_to(data)
    changed = json.loads(json.dumps(check))
    scores = list(changed["values"].values())[-1]
    name, value = list(scores.items())[-1]
    scores[name] = (
        value + 3 * check["tolerance"] * max(1, abs(value))
        if check["tolerance"]
        else math.nextafter(value, 9)
    )
    (own / "examples/expected.json").write_text(json.dumps({"one row": [changed]}), encoding="utf-8")
    assert verify(capella, own, 1) == {check["metric"]: "DIFFERS"}


def test_a_value_that_this_build_lacks_differs(capella, own):
    check = next(check for check in CHECKS if check["metric"] == "BLEU")
    values = {"careful": {"BLEU-5": 0.5}, "nobody": {"BLEU-1": 0.5}}
    (own / "examples/expected.json").write_text(json.dumps({"one row": [check | {"values": values}]}), encoding="utf-8")
    assert verify(capella, own, 1) == {"BLEU": "DIFFERS"}


def test_damage_is_no_internal_error(capella, own, meteor_data):
    expected = own / "examples/expected.json"
    no_values = json.dumps({"one row": [CHECKS[0] | {"values": {}}]})
    for text in ["{", "{}", '{"one row": [{"metric": "BLEU"}]}', no_values]:
        expected.write_text(text, encoding="utf-8")
        assert capella("verify", env={"CAPELLA_HOME": str(own)}).failed(1, str(expected))
    expected.write_text(json.dumps({"one row": [check for check in CHECKS if check.get("data") == "meteor"]}))
    data = Path(meteor_data)
    (own / data.name).write_bytes(data.read_bytes()[:-1])
    assert capella("verify", env={"CAPELLA_HOME": str(own)}).failed(1, str(own / data.name))


@pytest.mark.parametrize(
    "file, old, new, wrong",
    [
        ("examples/systems/hasty.json", "A dog", "A cat", {"BLEU", "ROUGE-L", "chrF", "WMD", "MOWE"}),
        (
            "examples/scenes.json",
            "line of penguins",
            "line of puffins",
            {"CIDEr-D", "CIDEr-plain", "CIDEr-R"},
        ),
        (
            "examples/verify/captions.conll",
            "\twoman\tNN\t",
            "\tqueen\tNN\t",
            {"SPICE-noSynsets", "HWCM (trees)"},
        ),
        ("examples/verify/rides.mln", "1.3 ", "1.2 ", {"MLN, exact", "MLN, ptp"}),
        ("examples/verify/rides.db", "0.83", "0.84", {"MLN, exact", "MLN, ptp"}),
        ("examples/verify/probabilities.json", "0.711", "0.712", {"pre-gen metrics"}),
    ],
)
def test_changed_data_gives_other_values(capella, own, file, old, new, wrong):
    replace(own / file, old, new)
    verdicts = verify(capella, own, 1)
    assert wrong <= {metric for metric, verdict in verdicts.items() if verdict == "DIFFERS"}
    if file.startswith("examples/verify"):
        assert wrong == {metric for metric, verdict in verdicts.items() if verdict == "DIFFERS"}


def flip_last_sign(path):
    """Of a file's last number, a 32-bit float."""
    changed = bytearray(path.read_bytes())
    changed[-1] ^= 0x80
    path.write_bytes(changed)


def differing(capella, folder):
    return {metric for metric, verdict in verify(capella, folder, 1).items() if verdict == "DIFFERS"}


def test_a_changed_network_gives_other_values(capella, own):
    (own / "models").mkdir()
    shutil.copy(ROOT / "models/eval-cs.safetensors", own / "models")
    flip_last_sign(own / "models/eval-cs.safetensors")  # the bias of P(human)
    assert differing(capella, own) == {"Eval-CS"}


def test_a_changed_clip_model_gives_other_values(capella, own):
    flip_last_sign(own / "examples/verify/clip/model.safetensors")
    assert differing(capella, own) == {"CLIP-S", "RefCLIP-S", "PAC-S", "RefPAC-S", "MID"}


def test_another_image_gives_other_values(capella, own):
    images = own / "examples/verify/images"
    shutil.copy(images / "dog-01.png", images / "train-01.png")
    assert differing(capella, own) == {"CLIP-S", "RefCLIP-S", "PAC-S", "RefPAC-S", "MID"}


def test_a_changed_sentence_encoder_gives_other_values(capella, own, minilm_data):
    model = own / minilm_data.rsplit("/", 1)[1]
    shutil.copytree(minilm_data, model)
    with open(model / "model.safetensors", "r+b") as weights:
        weights.seek(-1_000_000, os.SEEK_END)  # of the last layer
        weights.write(bytes(4_000))
    rows = [
        row for row in PARTS["encoders"] if row["metric"] in ("Sentence-cosine", "BERTScore", "MoverScore")
    ]
    (own / "examples/expected.json").write_text(json.dumps({"encoders": rows}), encoding="utf-8")
    assert "DIFFERS" in verify(capella, own, 1).values()
