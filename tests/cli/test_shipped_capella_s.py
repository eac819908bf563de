"""Capella-S with the model that comes with Capella, on the data package minilm."""

import json
import re

import pytest

from program import ROOT

SCENES = ROOT / "examples/scenes.json"
SYSTEMS = [ROOT / f"examples/systems/{name}.json" for name in ("careful", "hasty", "dreamer")]


def item_scores(capella, tmp_path, refs, hyps, *options):
    """(system, id) -> Capella-S."""
    done = capella("score", refs, *hyps, "-m", "capella-s", "--per-item", "items.jsonl", *options)
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    return {(row["system"], row["id"]): row["scores"]["Capella-S"] for row in rows}


def test_is_the_default(capella, minilm_data):
    done = capella("score", SCENES, *SYSTEMS, "-m", "capella-s", "--format", "json")
    assert done.code == 0, done.err
    [row] = [metric for metric in capella("metrics", "--format", "json").json() if metric["metric"] == "capella-s"]
    assert row["data"] == "minilm" and row["scores"] == ["Capella-S"]
    assert [setting["default"] for setting in row["settings"] if setting["key"] == "model"] == ["capella-s"]
    for system in done.json()["systems"]:
        score = system["scores"]["Capella-S"]
        assert 0 < score["value"] < 1
        choices = r"Capella-S\|model:capella-s\([0-9a-f]{8}\)\|pool:mean\|ref:max\+centroid\|scale:#"
        assert re.match(choices, score["signature"])
    ask = ["-m", "capella-s", "--set", "capella-s.model=capella-s", "--format", "json"]
    named = capella("score", SCENES, *SYSTEMS, *ask)
    assert named.raw == done.raw


def test_available_has_it(capella, small, minilm_data):
    done = capella("score", "refs.json", "hyps.json", "-m", "available", "--format", "json")
    assert "Capella-S" in done.scores()


@pytest.mark.parametrize("settings", [[], ["--set", "capella-s.precision=int8"]])
def test_names_the_package_that_is_missing(capella, small, home, settings):
    done = capella("score", "refs.json", "hyps.json", "-m", "capella-s", *settings, env=home)
    assert done.failed(1, "capella data get minilm", "leave capella-s out with -m available")
    left_out = capella("score", "refs.json", "hyps.json", "-m", "available", env=home)
    assert left_out.code == 0 and "capella-s is left out" in left_out.err


@pytest.mark.parametrize("settings", [[], ["--set", "capella-s.precision=int8"]])
def test_scores_depend_on_caption_and_references_alone(capella, tmp_path, minilm_data, write, settings):
    one = item_scores(capella, tmp_path, SCENES, SYSTEMS, "--threads", 1, *settings)
    two = item_scores(capella, tmp_path, SCENES, SYSTEMS, "--threads", 2, *settings)
    assert len(one) > 30 and one.keys() == two.keys()
    for key, value in one.items():
        assert two[key] == value
    scenes, captions = json.loads(SCENES.read_text()), json.loads(SYSTEMS[0].read_text())
    for number in (0, len(captions) // 2):
        caption = captions[number]
        refs = write("one_refs.json", [row for row in scenes if row["image_id"] == caption["image_id"]])
        hyps = write("one.json", [caption])
        alone = item_scores(capella, tmp_path, refs, [hyps], *settings)
        together = one[SYSTEMS[0].stem, caption["image_id"]]
        assert list(alone.values()) == [together]


def test_explains_with_shares_of_references(capella, tmp_path, minilm_data):
    ask = ["--id", "market-01", "-m", "capella-s", "--format", "json"]
    [told] = capella("explain", SCENES, SYSTEMS[0], *ask).json()
    table = told["tables"][0]
    assert table["columns"] == ["reference", "cosine", "share"] and len(table["rows"]) == 5
    done = capella("score", SCENES, SYSTEMS[0], "-m", "capella-s", "--detail", "--per-item", "items.jsonl")
    assert done.code == 0, done.err
    first = json.loads((tmp_path / "items.jsonl").read_text().splitlines()[0])
    assert first["id"] == "market-01"
    shares = sum(float(row[2]) for row in table["rows"])
    assert shares == pytest.approx(first["scores"]["Capella-S-cosine"], abs=5e-4)  # told with four digits


def test_a_text_that_was_cut_has_no_picture(capella, write, minilm_data):
    write("refs.json", {"1": ["the red dog on grass"]})
    write("hyps.json", {"1": "a dog " * 200})
    cut = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "capella-s", "--format", "svg")
    assert cut.failed(1, "id 1: no figure of capella-s", "a text was cut") and cut.out == ""
