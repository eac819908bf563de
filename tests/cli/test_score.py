"""`capella score`: numbers, formats, outputs."""

import csv
import gzip
import io
import json
import math
import shutil
import sys

import pytest

from program import CAPTIONS, REFERENCES, ROOT

METRICS = "bleu,rouge-l,cider-d,meteor,sacrebleu,chrf"


def read_lines(path):
    """The objects of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_examples_have_the_values_of_the_reference_programs(capella):
    parts = json.loads((ROOT / "examples/expected.json").read_text())
    checks = [check for check in parts["captions"] if check["run"] in METRICS.split(",") and not check["settings"]]
    systems = [ROOT / f"examples/systems/{name}.json" for name in checks[0]["values"]]
    result = capella(
        "score", ROOT / "examples/scenes.json", *systems, "-m", METRICS, "--format", "json"
    ).json()
    assert result["items"] == 52 and result["skipped"] == [] and len(checks) == 6
    for check in checks:
        for system, scores in zip(result["systems"], check["values"].values(), strict=True):
            for name, value in scores.items():
                found = system["scores"][name]["value"]
                assert math.isclose(found, value, rel_tol=check["tolerance"]), (system["system"], name)


def test_signatures_name_the_choices(capella, small):
    run = capella("score", "refs.json", "hyps.json", "-m", "cider-d", "--format", "json")
    signature = run.json()["systems"][0]["scores"]["CIDEr-D"]["signature"]
    version = run.json()["capella"]
    assert signature == f"CIDEr-D|n:4|sigma:6|df:refs(3)|tok:ptb|capella:{version}"


def test_the_tokens_of_karpathys_data_sets(capella, write):
    """Tokens as those data sets have them, joined by blanks, score alike without a tokenizer."""
    references = {"1": ["A dog's t-shirt, blue & white."], "2": ["Two cats; one sleeps."], "3": ["A bus."]}
    write("refs.json", references)
    write("tokens.json", {"1": ["a dogs t shirt blue & white"], "2": ["two cats one sleeps"], "3": ["a bus"]})
    write("hyps.json", {"1": "a dogs shirt", "2": "two cats", "3": "a bus"})
    raw = capella("score", "refs.json", "hyps.json", "--tokenizer", "karpathy", "--format", "json").json()
    tokens = capella("score", "tokens.json", "hyps.json", "--tokenizer", "none", "--format", "json").json()
    raw, tokens = (run["systems"][0]["scores"] for run in (raw, tokens))
    assert [score["value"] for score in raw.values()] == [score["value"] for score in tokens.values()]
    assert all("|tok:karpathy|" in score["signature"] for score in raw.values())


@pytest.mark.parametrize("settings, table", [([], "en-1.5"), (["--set", "meteor.paraphrases=none"], "none")])
def test_the_signature_of_meteor_names_its_table(capella, small, meteor_data, settings, table):
    run = capella("score", "refs.json", "hyps.json", "-m", "meteor", *settings, "--format", "json")
    signature = run.json()["systems"][0]["scores"]["METEOR"]["signature"]
    choices = f"para:{table}|syn:wn3.0|stem:porter2|tok:ptb"
    assert signature == f"METEOR|{choices}|capella:{run.json()['capella']}"


def test_meteor_has_no_other_tables(capella, small):
    run = capella("score", "refs.json", "hyps.json", "-m", "meteor", "--set", "meteor.paraphrases=wrong")
    assert run.failed(2, "meteor.paraphrases", "'wrong'", "en-1.5, none")


def test_results_and_only_results_are_on_standard_output(capella, small):
    run = capella("score", "refs.json", "hyps.json", "-m", "cider", "--format", "json")
    assert list(run.scores()) == ["CIDEr-D"]
    assert "cider-d" in run.err
    assert capella("score", "refs.json", "hyps.json", "-m", "cider", "--quiet").err == ""
    assert capella("score", "refs.json", "hyps.json", "-m", "CLIPScore").failed(2, "clip-s.model")


@pytest.mark.parametrize("metrics", ["all", "available"])
def test_all_metrics(capella, small, metrics):
    scores = capella("score", "refs.json", "hyps.json", "-m", metrics, "--format", "json").scores()
    assert {"BLEU-1", "BLEU-4", "ROUGE-L", "CIDEr-D", "CIDEr-plain", "CIDEr-R", "sacreBLEU", "chrF"} <= set(
        scores
    )


def test_csv_holds_the_same_numbers(capella, small):
    scores = capella("score", "refs.json", "hyps.json", "--format", "json").scores()
    rows = list(
        csv.DictReader(io.StringIO(capella("score", "refs.json", "hyps.json", "--format", "csv").out))
    )
    assert [row.pop("system") for row in rows] == ["hyps"]
    assert {name: float(value) for name, value in rows[0].items()} == scores


def test_plain_holds_the_same_numbers(capella, small):
    scores = capella("score", "refs.json", "hyps.json", "--format", "json").scores()
    lines = capella("score", "refs.json", "hyps.json", "--format", "plain").out.splitlines()
    assert [line.split("\t") for line in lines] == [
        ["hyps", name, f"{value!r}"] for name, value in scores.items()
    ]


@pytest.mark.parametrize("format", ["table", "md", "latex"])
def test_tables_show_values_as_papers_do(capella, small, format):
    bleu = capella("score", "refs.json", "hyps.json", "-m", "bleu", "--format", "json").scores()["BLEU-1"]
    out = capella("score", "refs.json", "hyps.json", "-m", "bleu", "--format", format).out
    assert f"{100 * bleu:.2f}" in out
    assert "x100" in out and "ref:closest" in out


def test_latex_is_balanced(capella, small, write):
    write("a_b%.json", CAPTIONS)
    out = capella("score", "refs.json", "hyps.json", "a_b%.json", "--format", "latex").out
    assert out.count("{") == out.count("}")
    assert "a\\_b\\%" in out and out.count("\\begin{tabular}") == out.count("\\end{tabular}") == 1


@pytest.mark.parametrize("format", ["table", "json", "csv", "md", "latex", "plain"])
def test_output_file_has_the_bytes_of_standard_output(capella, small, tmp_path, format):
    shown = capella("score", "refs.json", "hyps.json", "--format", format)
    silent = capella("score", "refs.json", "hyps.json", "--format", format, "-o", "out")
    assert silent.out == ""
    assert (tmp_path / "out").read_bytes() == shown.raw
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyps.json", "out", "refs.json"]


@pytest.mark.parametrize("format", ["table", "json", "csv", "md", "latex", "plain"])
def test_threads_change_no_byte(capella, small, format):
    arguments = ["score", "refs.json", "hyps.json", "-m", "all", "--format", format]
    assert capella(*arguments, "--threads", 1).raw == capella(*arguments, "--threads", 2).raw


def test_per_item(capella, small, tmp_path):
    run = capella(
        "score", "refs.json", "hyps.json", "-m", "rouge-l", "--per-item", "items.jsonl", "--format", "json"
    )
    lines = read_lines(tmp_path / "items.jsonl")
    assert [(line["system"], line["id"]) for line in lines] == [("hyps", "1"), ("hyps", "2"), ("hyps", "3")]
    mean = sum(line["scores"]["ROUGE-L"] for line in lines) / 3
    assert math.isclose(mean, run.scores()["ROUGE-L"], rel_tol=1e-15)


def test_items_are_in_the_order_of_the_references(capella, small, write, tmp_path):
    write("turned.json", dict(reversed(CAPTIONS.items())))
    capella("score", "refs.json", "turned.json", "--per-item", "items.jsonl")
    assert [line["id"] for line in read_lines(tmp_path / "items.jsonl")] == ["1", "2", "3"]


def test_packed_files(capella, small, write):
    write("refs.json.gz", gzip.compress(json.dumps(REFERENCES).encode()))
    write("hyps.json.gz", gzip.compress(json.dumps(CAPTIONS).encode()))
    packed = capella("score", "refs.json.gz", "hyps.json.gz", "--format", "json")
    assert packed.raw == capella("score", "refs.json", "hyps.json", "--format", "json").raw


def test_standard_input(capella, small):
    text = json.dumps(CAPTIONS).encode()
    named = capella("score", "refs.json", "mine=-", "--format", "json", stdin=text)
    plain = capella("score", "refs.json", "-", "--format", "json", stdin=text)
    expected = capella("score", "refs.json", "hyps.json", "--format", "json").scores()
    assert plain.scores() == expected
    assert named.scores() == expected and named.json()["systems"][0]["system"] == "mine"


def test_names_of_systems(capella, small, write):
    write("run1/out.v2.json", CAPTIONS)
    write("run2/out.v2.json", CAPTIONS)
    write("packed.json.gz", gzip.compress(json.dumps(CAPTIONS).encode()))
    systems = ["run1/out.v2.json", "run2/out.v2.json", "Our Best=hyps.json", "packed.json.gz"]
    result = capella("score", "refs.json", *systems, "--format", "json").json()
    assert [system["system"] for system in result["systems"]] == [
        "run1/out.v2",
        "run2/out.v2",
        "Our Best",
        "packed",
    ]


def test_a_path_with_an_equals_sign_is_a_path(capella, small, write):
    write("lr=0.1.json", CAPTIONS)
    result = capella("score", "refs.json", "lr=0.1.json", "--format", "json").json()
    assert result["systems"][0]["system"] == "lr=0.1"


def test_settings(capella, small):
    narrow = capella(
        "score", "refs.json", "hyps.json", "-m", "cider-d", "--set", "cider-d.sigma=0.5", "--format", "json"
    )
    wide = capella("score", "refs.json", "hyps.json", "-m", "cider-d", "--format", "json")
    assert narrow.scores()["CIDEr-D"] < wide.scores()["CIDEr-D"]
    assert "|sigma:0.5|" in narrow.json()["systems"][0]["scores"]["CIDEr-D"]["signature"]


def test_empty_captions_are_scored_with_a_warning(capella, small, write):
    write("hyps.json", {**CAPTIONS, "2": ""})
    run = capella("score", "refs.json", "hyps.json", "--format", "json")
    assert run.scores()["BLEU-1"] > 0
    assert "warning" in run.err and "empty caption" in run.err and "2" in run.err


def test_a_single_image_warns_of_cider(capella, write):
    write("refs.json", {"1": REFERENCES["1"]})
    write("hyps.json", {"1": CAPTIONS["1"]})
    run = capella("score", "refs.json", "hyps.json", "-m", "cider-d", "--format", "json")
    assert run.scores() == {"CIDEr-D": 0.0}
    assert "--df" in run.err


def test_a_caption_of_a_megabyte_takes_seconds(capella, small, write):
    write("hyps.json", {**CAPTIONS, "1": "a dog runs on the grass and " * 37_000})
    run = capella("score", "refs.json", "hyps.json", "-m", "all", "--format", "json", timeout=30)
    assert run.scores()["BLEU-1"] < 0.1


def test_captions_in_every_script_survive(capella, write, tmp_path):
    odd = {"ключ": "犬が走る", 'k"\\\n': "emoji 😀 \u00a0 café"}
    write("refs.json", {key: [text] for key, text in odd.items()})
    write("hyps.json", odd)
    run = capella(
        "score", "refs.json", "hyps.json", "-m", "chrf", "--per-item", "items.jsonl", "--format", "json"
    )
    assert math.isclose(run.scores()["chrF"], 100.0)
    assert [line["id"] for line in read_lines(tmp_path / "items.jsonl")] == list(odd)


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes")
def test_file_names_that_are_no_utf8(capella, small, tmp_path):
    shutil.copy(tmp_path / "hyps.json", str(tmp_path).encode() + b"/\xff.json")
    run = capella("score", "refs.json", b"\xff.json".decode("utf-8", "surrogateescape"), "--format", "json")
    assert run.json()["systems"][0]["system"] == "\ufffd"
