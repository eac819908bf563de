"""The study of DENEB on a generated world, small: what is tested on, what is told, and going on after a stop."""

import json
import subprocess
import sys

import pytest

from program import PROGRAM, ROOT, absent, call

SMALL = ["--images", "60", "--clip-epochs", "1", "--rated", "30", "--epochs", "1", "--seeds", "1"]
SMALL += ["--jobs", "2", "--threads", "1"]
NETWORKS = ["DENEB", "learnt without foils", "layers without attention", "no Sim-Vec", "references one by one", "Polos"]
ROWS = [*NETWORKS, "RefCLIP-S", "CLIP-S", "CIDEr-D", "the truth"]


def conduct(folder, *others):
    tool = ROOT / "tools" / "deneb_study.py"
    command = [sys.executable, tool, "--capella", PROGRAM, *SMALL, *others, "-o", folder]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def study(plugin, tmp_path_factory):
    """The folder of a finished study and what it printed; skipped where MiniLM is not there."""
    if call("data", "path", "minilm").code != 0:
        absent("the data package minilm is not installed")
    folder = tmp_path_factory.mktemp("study")
    done = conduct(folder)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_only_test_images_are_tested_on(study):
    folder, _ = study
    images = json.loads((folder / "world" / "dataset.json").read_text())["images"]
    test = {image["cocoid"] for image in images if image["split"] == "test"}
    foils = lines_of(folder / "foil.jsonl")
    assert len(foils) == len(test) == 3
    assert {pair["image_id"] for pair in foils} == test
    assert {len(pair["references"]) for pair in foils} == {4}
    for count in (1, 4):
        rated = lines_of(folder / f"judges-{count}.jsonl")
        assert {int(row["image_id"]) for row in rated} == test
        assert {len(row["refs"]) for row in rated} == {count}


def test_networks_learn_from_training_images(study):
    folder, _ = study
    images = json.loads((folder / "world" / "dataset.json").read_text())["images"]
    splits = {str(image["cocoid"]): image["split"] for image in images}
    foils = {row["foil"]: row["foil_score"] for row in lines_of(folder / "world" / "foil.jsonl")}
    for split, most in (("train", 30), ("val", 3)):
        rows, plain = (lines_of(folder / f"{split}{kind}.jsonl") for kind in ("", "-without-foils"))
        assert {splits[row["image_id"]] for row in rows} == {split}
        assert (len(rows), len(plain)) == (4 * most, 3 * most)
        assert rows[: len(plain)] == plain
        assert all(row["score"] == foils[row["mt"]] for row in rows[len(plain) :])
        assert {len(row["refs"]) for row in rows} == ({1, 2, 3, 4, 5} if split == "train" else {1, 4})


def test_report_has_every_network_and_metric(study):
    folder, printed = study
    results = json.loads((folder / "report.json").read_text())["results"]
    assert list(results) == ROWS
    for name, measures in results.items():
        foil = set() if name == "the truth" else {"foil-1", "foil-4"}
        assert set(measures) == foil | {"judges-1", "judges-4"}
        assert all(len(values) == 1 for values in measures.values())
    assert [line.split("|")[1].strip() for line in printed.splitlines()[6:16]] == ROWS
    assert (folder / "report.md").read_text() == printed


def test_figures_are_those_of_meta(study):
    folder, _ = study
    results = json.loads((folder / "report.json").read_text())["results"]
    told = call("meta", "nebula", folder / "judges-4.jsonl", "-m", "cider-d", "--format", "json", folder=folder).json()
    assert results["CIDEr-D"]["judges-4"] == [100 * told["metrics"][0]["kendall_c"]["value"]]
    told = call("meta", "foil", folder / "foil.jsonl", "-m", "cider-d", "--format", "json", folder=folder).json()
    assert results["CIDEr-D"]["foil-1"] == [100 * told["metrics"][0]["accuracy"]["1-ref"]["value"]]


def test_differences_are_those_of_the_figures(study):
    folder, _ = study
    report = json.loads((folder / "report.json").read_text())
    seen = set()
    for row in report["differences"]:
        measure = "foil-4" if row["test"] == "foil" else row["test"]
        ours, other = (report["results"][name][measure][row["seed"] - 1] for name in ("DENEB", row["against"]))
        assert row["difference"] == pytest.approx(ours - other, abs=1e-9)
        assert row["low"] <= row["high"]
        seen.add((row["test"], row["seed"], row["against"]))
    assert len(seen) == len(report["differences"]) == 3 * 4


def test_goes_on_where_it_stopped(study):
    folder, printed = study
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*.safetensors")}
    lost = folder / "no-sim-vec-1.safetensors"
    old = lost.read_bytes()
    lost.unlink()
    (folder / "judges-1-no-sim-vec-1.json").unlink()
    assert conduct(folder).stdout == printed
    assert lost.read_bytes() == old
    assert all(path.stat().st_mtime_ns == time for path, time in before.items() if path != lost)


def test_a_folder_holds_one_study(study):
    folder, printed = study
    done = conduct(folder, "--images", "70", "--clip-epochs", "2")
    assert done.returncode == 1 and "other options (images, clip_epochs)" in done.stderr
    assert (folder / "report.md").read_text() == printed
