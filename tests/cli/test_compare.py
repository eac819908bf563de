"""`capella compare` and `capella score --ci`."""

import json

from program import CAPTIONS, ROOT

SCENES = ROOT / "examples/scenes.json"
SYSTEMS = [ROOT / f"examples/systems/{name}.json" for name in ("careful", "hasty", "dreamer")]


def test_intervals_hold_the_value_and_are_said_to_be_there(capella):
    run = capella("score", SCENES, *SYSTEMS, "-m", "bleu,cider-d", "--ci", "--format", "json")
    for system in run.json()["systems"]:
        for score in system["scores"].values():
            assert score["low"] < score["value"] < score["high"]
    table = capella("score", SCENES, *SYSTEMS, "-m", "bleu", "--ci", "--resamples", "200")
    assert "±" in table.out and "95 % interval (bootstrap, 200 resamples, seed 12345)" in table.out


def test_without_ci_there_are_no_intervals(capella):
    run = capella("score", SCENES, SYSTEMS[0], "-m", "bleu", "--format", "json")
    assert "low" not in run.json()["systems"][0]["scores"]["BLEU-1"]


def test_intervals_depend_on_the_seed_and_not_on_threads(capella):
    def call(*more):
        return capella("score", SCENES, SYSTEMS[0], "-m", "rouge-l", "--ci", "--format", "json", *more).out

    assert call("--threads", "1") == call("--threads", "3")
    assert call("--seed", "1") != call("--seed", "2")
    assert call("--ci-method", "bca") != call()


def test_csv_and_plain_have_the_ends_of_intervals(capella):
    header = capella("score", SCENES, SYSTEMS[0], "-m", "rouge-l", "--ci", "--format", "csv").out.split("\n")[0]
    assert header == "system,ROUGE-L,ROUGE-L low,ROUGE-L high"
    plain = capella("score", SCENES, SYSTEMS[0], "-m", "rouge-l", "--ci", "--format", "plain").out
    assert len(plain.split("\t")) == 5


def test_resamples_alone_are_refused(capella):
    assert capella("score", SCENES, SYSTEMS[0], "--resamples", "100").failed(2, "--ci")
    assert capella("score", SCENES, SYSTEMS[0], "--ci", "--resamples", "0").failed(2, "--resamples")
    assert capella("score", SCENES, SYSTEMS[0], "--ci", "--ci-method", "bcb").failed(2, "bca")


def test_merged_shards_have_the_intervals_of_one_run(capella, tmp_path):
    for k in (1, 2):
        run = capella("score", SCENES, SYSTEMS[0], "-m", "bleu", "--shard", f"{k}/2", "--stats-out", tmp_path / f"{k}")
        assert run.code == 0, run.err
    merged = capella("merge", tmp_path / "1", tmp_path / "2", "--ci", "--format", "json")
    whole = capella("score", SCENES, SYSTEMS[0], "-m", "bleu", "--tokenizer", "ptb-iso", "--ci", "--format", "json")
    assert merged.out == whole.out


def test_the_careful_system_is_better_than_the_dreamer(capella):
    for test in ("bootstrap", "randomization"):
        run = capella("compare", SCENES, *SYSTEMS, "-m", "cider-d", "--test", test, "--format", "json").json()
        found = {(d["system"], d["against"]): d for d in run["differences"]}
        assert set(found) == {("careful", "hasty"), ("careful", "dreamer"), ("hasty", "dreamer")}
        best = found["careful", "dreamer"]
        assert best["real"] and best["difference"] > 0 and best["low"] > 0 and best["effect"] > 0
        assert best["p"] <= best["p_corrected"] < 0.05
        values = {s["system"]: s["scores"]["CIDEr-D"]["value"] for s in run["systems"]}
        assert best["difference"] == values["careful"] - values["dreamer"]
        assert run["test"] == test and run["correction"] == "holm" and len(run["sentences"]) == 3


def test_the_table_says_what_is_real(capella):
    run = capella("compare", SCENES, *SYSTEMS, "-m", "bleu,cider-d", "--baseline", "careful")
    assert "wins over" in run.out
    assert "dreamer is worse than careful on" in run.out
    assert "hasty  " not in run.out.split("wins over")[1].split("\n")[0][:5]
    assert run.out == capella("compare", SCENES, *SYSTEMS, "-m", "bleu,cider-d", "--baseline", "careful", "--threads", "1").out


def test_wrong_calls(capella, small, tmp_path):
    assert capella("compare", SCENES, SYSTEMS[0]).failed(2, "two systems")
    assert capella("compare", SCENES, *SYSTEMS, "--baseline", "carefull").failed(2, "careful")
    assert capella("compare", SCENES, *SYSTEMS, "--test", "ttest").failed(2, "bootstrap", "randomization")
    (tmp_path / "other.json").write_text(json.dumps({**CAPTIONS, "9": "x"}))
    assert capella("compare", "refs.json", "hyps.json", "other.json", "-m", "bleu").failed(1, "9")
