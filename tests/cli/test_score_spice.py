"""SPICE and SPIDEr on the command line: detail, cache, settings, explanations."""

import json

import pytest

from program import ROOT

REFS = ROOT / "examples/scenes.json"
HYPS = ROOT / "examples/systems/careful.json"

pytestmark = pytest.mark.usefixtures("meteor_data")


def test_spider_is_the_mean_of_the_two(capella, tmp_path):
    run = capella("score", REFS, HYPS, "-m", "cider-d,spice,spider", "--format", "json", "--per-item", "items")
    scores = run.scores()
    assert scores["SPIDEr"] == (scores["CIDEr-D"] + scores["SPICE"]) / 2
    for line in (tmp_path / "items").read_text().splitlines():
        item = json.loads(line)["scores"]
        assert item["SPIDEr"] == (item["CIDEr-D"] + item["SPICE"]) / 2
    alone = capella("score", REFS, HYPS, "-m", "spider", "--format", "json")
    assert alone.scores() == {"SPIDEr": scores["SPIDEr"]}


def test_detail_shows_categories(capella, tmp_path):
    plain = capella("score", REFS, HYPS, "-m", "spice", "--format", "json").scores()
    assert list(plain) == ["SPICE"]
    run = capella("score", REFS, HYPS, "-m", "spice", "--detail", "--format", "json", "--per-item", "items")
    scores = run.scores()
    categories = ["Object", "Relation", "Attribute", "Color", "Size", "Cardinality"]
    assert list(scores)[:7] == ["SPICE", *(f"SPICE-{category}" for category in categories)]
    assert scores["SPICE"] == plain["SPICE"]
    items = [json.loads(line)["scores"] for line in (tmp_path / "items").read_text().splitlines()]
    for name in ["SPICE", "SPICE-Object", "SPICE-Color"]:
        for item in items:
            tp, fp, fn = (item[f"{name}-{count}"] for count in ("tp", "fp", "fn"))
            if tp + fn == 0:
                assert item[name] == ("nan" if name != "SPICE" else 0)
            elif tp == 0:
                assert item[name] == 0
            else:
                assert item[name] == pytest.approx(2 * tp / (2 * tp + fp + fn), abs=1e-15)
        values = [item[name] for item in items if item[name] != "nan"]
        assert scores[name] == pytest.approx(sum(values) / len(values), abs=1e-15)
    table = capella("score", REFS, HYPS, "-m", "spice", "--detail").out
    assert "SPICE-Cardinality" in table and "SPICE-tp" not in table


def test_shards_merge_with_detail(capella):
    whole = capella("score", REFS, HYPS, "-m", "spice,spider", "--tokenizer", "ptb-iso", "--detail")
    for i in (1, 2):
        capella("score", REFS, HYPS, "-m", "spice,spider", "--shard", f"{i}/2", "--stats-out", f"{i}.stats")
    assert capella("merge", "1.stats", "2.stats", "--detail").raw == whole.raw


def test_the_cache_changes_nothing(capella, tmp_path):
    command = ["score", REFS, HYPS, "-m", "spice", "--format", "json"]
    want = capella(*command).raw
    assert capella(*command, "--cache", "deep/cache").raw == want
    [facts] = (tmp_path / "deep/cache").glob("*.facts")
    before = facts.read_bytes()
    assert capella(*command, "--cache", "deep/cache").raw == want
    assert facts.read_bytes() == before
    facts.write_bytes(before[:-3])
    damaged = capella(*command, "--cache", "deep/cache")
    assert damaged.raw == want and str(facts.name) in damaged.err and "made anew" in damaged.err
    mended = capella(*command, "--cache", "deep/cache")
    assert mended.raw == want and mended.err == ""


def test_a_cache_that_cannot_be_is_told_before_any_work(capella, write):
    write("file", "")
    assert capella("score", REFS, HYPS, "-m", "spice", "--cache", "file").failed(1, "file", "--cache")
    assert capella("score", REFS, HYPS, "-m", "spice", "--cache", "").failed(2, "--cache")


def test_a_run_that_fails_leaves_no_folder(capella, tmp_path):
    assert capella("score", "nosuch.json", HYPS, "-m", "spice", "--cache", "left/cache").failed(1, "nosuch.json")
    assert not (tmp_path / "left").exists()


def explain_first(capella, *more):
    id = json.loads(REFS.read_text())[0]["image_id"]
    return capella("explain", REFS, HYPS, "--id", id, "-m", "spice", "--format", "json", *more)


def test_explain_tells_of_a_damaged_cache(capella, tmp_path):
    want = explain_first(capella, "--cache", "cache")
    assert want.code == 0 and want.err == ""
    [facts] = (tmp_path / "cache").glob("*.facts")
    facts.write_bytes(b"damage")
    damaged = explain_first(capella, "--cache", "cache")
    assert damaged.raw == want.raw and facts.name in damaged.err and "made anew" in damaged.err


def test_a_cache_that_cannot_be_written_is_told(capella, tmp_path):
    want = explain_first(capella, "--cache", "cache")
    for path in list((tmp_path / "cache").iterdir()):
        path.unlink()
        if path.suffix == ".lock":
            path.mkdir()
    for run in [explain_first(capella, "--cache", "cache"), capella("score", REFS, HYPS, "--cache", "cache")]:
        assert run.code == 0 and "parsed captions are not kept" in run.err
    assert explain_first(capella, "--cache", "cache").raw == want.raw


def test_without_synsets_no_data_is_needed(capella, tmp_path):
    command = ["score", REFS, HYPS, "-m", "spice,spider", "--set", "spice.synsets=no", "--format", "json"]
    empty = {"CAPELLA_HOME": str(tmp_path / "empty")}
    assert capella(*command, env=empty).raw == capella(*command).raw
    assert capella("score", REFS, HYPS, "-m", "spider", env=empty).failed(1, "capella data get meteor")


def test_settings_are_in_the_signature(capella):
    run = capella("score", REFS, HYPS, "-m", "spice", "--set", "spice.synsets=no", "--format", "json")
    signature = run.json()["systems"][0]["scores"]["SPICE"]["signature"]
    assert signature.startswith("SPICE|parser:#") and "|syn:none|tok:ptb|" in signature
    assert capella("score", REFS, HYPS, "-m", "spice", "--set", "spice.synsets=x").failed(2, "spice.synsets")


def test_explanation(capella):
    id = json.loads(REFS.read_text())[0]["image_id"]
    [why, mean] = capella("explain", REFS, HYPS, "--id", id, "-m", "spice,spider", "--format", "json").json()
    titles = [table["title"].split(":")[0] for table in why["tables"]]
    assert titles == ["by category", "matched", "extra", "missed"]
    assert why["summary"][1].startswith("SPICE = ") and "CIDEr-D" in mean["summary"][2]


def test_odd_captions(capella, write):
    odd = ["", ".", "!!!", "dog", "🐶🐶", "犬が走る", "a " * 1000, "the the the", "A man. Two dogs!", "\u200b", "x" * 5000]
    write("odd.json", [{"image_id": i, "test": text, "refs": ["a dog runs", text]} for i, text in enumerate(odd)])
    for tokenizer in ["ptb", "none"]:
        run = capella("score", "odd.json", "-m", "spice", "--tokenizer", tokenizer, "--format", "json")
        assert 0 <= run.scores()["SPICE"] <= 1
