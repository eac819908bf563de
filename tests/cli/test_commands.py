"""The other commands: merge, explain, df, metrics, doctor, completion, help."""

import json
import math
import os
import shutil
import subprocess

import pytest

from program import CAPTIONS, PROGRAM, REFERENCES, ROOT

COMMANDS = ["score", "merge", "explain", "parse", "df", "data", "metrics", "verify", "doctor", "completion"]


def test_help_lists_every_command(capella):
    out = capella("--help").out
    assert all(command in out for command in COMMANDS)


def test_help_as_a_word(capella):
    assert capella("help").out == capella("--help").out
    assert capella("help", "score").out == capella("score", "--help").out
    assert capella("help", "pregen", "train").out == capella("pregen", "train", "--help").out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_its_options(capella, command):
    run = capella(command, "--help")
    assert run.code == 0 and run.err == ""
    for option in ["--format", "--seed", "--threads", "--quiet", "-o"]:
        assert option in run.out


def test_version(capella, small):
    version = capella("score", "refs.json", "hyps.json", "--format", "json").json()["capella"]
    assert capella("--version").out == f"capella {version}\n"


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_merge_to_the_whole(capella, tmp_path, count):
    refs, hyps = ROOT / "examples/scenes.json", ROOT / "examples/systems/hasty.json"
    whole = capella(
        "score", refs, hyps, "-m", "all", "--tokenizer", "ptb-iso", "--format", "json", "--per-item", "whole"
    )
    for i in range(1, count + 1):
        run = capella(
            "score", refs, hyps, "-m", "all", "--shard", f"{i}/{count}", "--stats-out", f"part{i}.stats"
        )
        assert run.code == 0 and run.out == "" and "ptb-iso" in run.err
    parts = [f"part{i}.stats" for i in range(count, 0, -1)]
    merged = capella("merge", *parts, "--format", "json", "--per-item", "merged")
    assert merged.raw == whole.raw
    assert (tmp_path / "merged").read_bytes() == (tmp_path / "whole").read_bytes()


def test_shards_in_every_format_of_the_table(capella, small):
    capella("score", "refs.json", "hyps.json", "--shard", "1/1", "--stats-out", "all.stats")
    for format in ["table", "csv", "md", "latex", "plain"]:
        whole = capella("score", "refs.json", "hyps.json", "--tokenizer", "ptb-iso", "--format", format)
        assert capella("merge", "all.stats", "--format", format).raw == whole.raw


def test_more_shards_than_items(capella, small):
    for i in range(1, 6):
        assert (
            capella(
                "score", "refs.json", "hyps.json", "--shard", f"{i}/5", "--stats-out", f"part{i}.stats"
            ).code
            == 0
        )
    whole = capella("score", "refs.json", "hyps.json", "--tokenizer", "ptb-iso", "--format", "json")
    orders = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 1, 5, 2, 4]]
    for order in orders:
        assert capella("merge", *(f"part{i}.stats" for i in order), "--format", "json").raw == whole.raw


def test_merge_says_what_is_wrong(capella, small, write):
    for i in (1, 2):
        capella("score", "refs.json", "hyps.json", "--shard", f"{i}/2", "--stats-out", f"part{i}.stats")
    assert capella("merge", "part1.stats").failed(1, "all shards")
    assert capella("merge", "part2.stats", "part2.stats").failed(1, "part2.stats")
    assert capella("merge", "part1.stats", "refs.json").failed(1, "refs.json")
    capella("score", "refs.json", "hyps.json", "-m", "bleu", "--shard", "2/2", "--stats-out", "other.stats")
    assert capella("merge", "part1.stats", "other.stats").failed(1, "other.stats", "metrics")
    assert capella("merge", "absent.stats").failed(1, "absent.stats")


def test_shards_of_a_system_whose_name_is_no_utf8(capella, small, tmp_path):
    shutil.copy(tmp_path / "hyps.json", str(tmp_path).encode() + b"/\xff.json")
    name = b"\xff.json".decode("utf-8", "surrogateescape")
    assert capella("score", "refs.json", name, "--shard", "1/1", "--stats-out", "all.stats").code == 0
    assert capella("merge", "all.stats", "--format", "json").json()["items"] == 3


def test_frequencies_from_a_file(capella, small):
    run = capella("df", "refs.json", "-o", "own.df")
    assert run.code == 0 and run.out == "" and "own.df" in run.err
    counted = capella("score", "refs.json", "hyps.json", "-m", "cider-d", "--format", "json")
    looked_up = capella(
        "score", "refs.json", "hyps.json", "-m", "cider-d", "--df", "own.df", "--format", "json"
    )
    assert looked_up.scores() == counted.scores()
    assert "df:own(3,#" in looked_up.json()["systems"][0]["scores"]["CIDEr-D"]["signature"]
    assert capella("score", "refs.json", "hyps.json", "--df", "refs.json").failed(
        1, "refs.json", "capella df"
    )
    assert capella("score", "refs.json", "hyps.json", "--df", "absent.df").failed(1, "absent.df")


def test_one_caption_can_be_scored_with_shipped_frequencies(capella, write):
    write("refs.json", {"1": REFERENCES["1"]})
    write("hyps.json", {"1": CAPTIONS["1"]})
    run = capella("score", "refs.json", "hyps.json", "-m", "cider-d", "--df", "coco-val", "--format", "json")
    assert run.scores()["CIDEr-D"] > 0.1
    assert "|df:coco-val(40504,#" in run.json()["systems"][0]["scores"]["CIDEr-D"]["signature"]


def test_explain_names_what_matched(capella, small):
    out = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "bleu,cider-d").out
    assert "== bleu ==" in out and "== cider-d ==" in out and "a dog runs" in out
    [explanation] = json.loads(
        capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "bleu", "--format", "json").out
    )
    rows = explanation["tables"][0]["rows"]
    assert ["3", "a dog runs", "1", "1"] in rows and ["2", "on grass", "1", "0"] in rows


def test_explain_agrees_with_score(capella, small, tmp_path):
    capella("score", "refs.json", "hyps.json", "-m", "rouge-l", "--per-item", "items.jsonl")
    score = json.loads((tmp_path / "items.jsonl").read_text().splitlines()[1])["scores"]["ROUGE-L"]
    out = capella("explain", "refs.json", "hyps.json", "--id", "2", "-m", "rouge-l").out
    [shown] = [line.split(" = ")[1] for line in out.splitlines() if line.startswith("ROUGE-L = ")]
    assert math.isclose(float(shown), score, rel_tol=1e-5)


def test_explain_says_what_is_wrong(capella, small):
    assert capella("explain", "refs.json", "hyps.json", "--id", "11").failed(1, "'11'", "did you mean '1'?")
    assert capella("explain", "refs.json", "hyps.json", "--id", "1", "--format", "csv").failed(2, "table, json")


def test_metrics_are_listed_with_their_settings(capella):
    listed = {row["metric"]: row for row in json.loads(capella("metrics", "--format", "json").out)}
    assert listed["bleu"]["scores"] == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4"]
    assert [row["key"] for row in listed["cider-d"]["settings"]] == ["sigma", "df"]
    text = capella("metrics").out
    assert all(name in text for name in listed)


def test_an_error_that_cannot_be_printed_is_still_an_error(capella):
    with open("/dev/full", "w", encoding="ascii") as full:
        assert subprocess.run([PROGRAM, "parse", "nothing-here"], stderr=full, check=False).returncode == 1


def test_doctor_knows_the_parser_that_is_shipped(capella):
    findings = {row["what"]: row for row in json.loads(capella("doctor", "--format", "json").out)}
    assert findings["parser of captions"]["ok"]


def test_doctor_examines_the_installation(capella, tmp_path):
    run = capella("doctor", "--format", "json", env={"CAPELLA_HOME": str(tmp_path)})
    findings = {row["what"]: row for row in json.loads(run.out)}
    assert findings["arithmetic"]["ok"]
    assert str(tmp_path) in findings["data is looked for in"]["found"]
    assert run.code == (0 if all(row["ok"] for row in findings.values()) else 1)


def test_doctor_reports_folders_whose_names_are_no_utf8(capella, tmp_path):
    env = {"CAPELLA_HOME": os.fsdecode(bytes(tmp_path) + b"/caf\xe9")}
    found = json.loads(capella("doctor", "--format", "json", env=env).out)
    assert any(f"{tmp_path}/caf\ufffd" in row["found"] for row in found)


def test_doctor_looks_for_the_plugin(capella, write):
    def finding(**env):
        found = json.loads(capella("doctor", "--format", "json", env=env).out)
        return next(row for row in found if row["what"] == "torch plug-in")

    usual = finding(CAPELLA_TORCH="")
    assert usual["ok"] and ("libtorch" in usual["found"] or usual["found"].startswith("not built"))
    absent = finding(CAPELLA_TORCH="absent.so")
    assert not absent["ok"] and "absent.so" in absent["found"]
    broken = finding(CAPELLA_TORCH=str(write("broken.so", "no library")))
    assert not broken["ok"] and "broken.so: cannot be opened" in broken["found"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_accepted_by_the_shell(capella, write, shell):
    script = capella("completion", shell).out
    assert all(command in script for command in COMMANDS) and "per-item" in script
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    path = write(f"completion.{shell}", script)
    assert subprocess.run([shell, "-n", path], capture_output=True).returncode == 0


def test_completion_in_bash_completes(capella, write):
    path = write("completion.bash", capella("completion", "bash").out)
    ask = f"source {path}; COMP_WORDS=(capella score --per); COMP_CWORD=2; _capella; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True)
    assert done.stdout == "--per-item\n"
