"""`capella meta` on small benchmarks made up here."""

import json

import pytest

ROWS = [
    {"imgid": f"i{k}", "mt": caption, "refs": ["a dog runs on the grass", "the dog is running"], "score": score}
    for k, (caption, score) in enumerate(
        [
            ("a dog runs on the grass", 1.0),
            ("a dog runs on grass", 0.75),
            ("the dog runs", 0.75),
            ("a dog", 0.5),
            ("an animal outside", 0.5),
            ("a cat on the grass", 0.25),
            ("a cat", 0.25),
            ("two buses", 0.0),
            ("a red bus on a street", 0.0),
            ("some food", 0.0),
        ]
    )
]


@pytest.fixture
def nebula(tmp_path):
    path = tmp_path / "nebula.json"
    path.write_text(json.dumps(ROWS))
    return path


def write_scores(path, scores):
    path.write_text("".join(json.dumps({"row": k, "score": s}) + "\n" for k, s in enumerate(scores)))
    return path


def test_json_has_every_coefficient_with_its_interval(capella, nebula):
    run = capella("meta", "nebula", nebula, "-m", "bleu,rouge-l", "--format", "json")
    whole = run.json()
    assert whole["benchmark"] == "nebula" and whole["rows"] == 10 and "original" in whole["version"]
    assert [m["metric"] for m in whole["metrics"]] == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L"]
    for metric in whole["metrics"]:
        for name in ("kendall_b", "kendall_c", "pearson", "spearman"):
            assert metric[name]["low"] <= metric[name]["value"] <= metric[name]["high"]
    assert "milliseconds per sample: " in run.err and "BLEU-4" in run.err
    assert "milliseconds" not in run.out


def test_scores_of_another_program_stand_alone_unless_metrics_are_named(capella, nebula, tmp_path):
    perfect = write_scores(tmp_path / "perfect.jsonl", [row["score"] for row in ROWS])
    alone = capella("meta", "nebula", nebula, "--scores", f"perfect={perfect}", "--format", "json").json()
    assert [m["metric"] for m in alone["metrics"]] == ["perfect"]
    assert alone["metrics"][0]["kendall_b"]["value"] == pytest.approx(1, abs=1e-12)
    both = capella("meta", "nebula", nebula, "-m", "rouge-l", "--scores", perfect, "--format", "json").json()
    assert [m["metric"] for m in both["metrics"]] == ["ROUGE-L", "perfect"]
    assert both["differences"][0]["against"] == "perfect" and both["differences"][0]["difference"] < 0


def test_constant_scores_are_said_to_be_undefined(capella, nebula, tmp_path):
    flat = write_scores(tmp_path / "flat.jsonl", [1] * 10)
    run = capella("meta", "nebula", nebula, "--scores", flat, "--format", "json")
    assert run.json()["metrics"][0]["kendall_b"]["value"] == "nan"
    assert "flat: every row has the score 1, so its agreement is undefined" in run.err
    table = capella("meta", "nebula", nebula, "--scores", flat)
    assert "nan" not in table.out and "flat" in table.out


def test_bad_score_files(capella, nebula, tmp_path):
    def failed(lines, *parts):
        path = tmp_path / "bad.jsonl"
        path.write_text("\n".join(lines))
        return capella("meta", "nebula", nebula, "--scores", f"bad={path}").failed(1, "bad.jsonl", *parts)

    good = [json.dumps({"row": k, "score": 1}) for k in range(10)]
    assert failed(good[:9], "9 of 10")
    assert failed([*good, good[0]], "bad.jsonl:11")
    assert failed([*good[:9], '{"row": 10, "score": 1}'], "bad.jsonl:10", "10")
    assert failed([*good[:9], '{"row": 9, "score": "nan"}'], "bad.jsonl:10")
    assert failed([*good[:9], '{"row": 9, "sco'], "bad.jsonl:10")


def test_bad_benchmarks(capella, nebula, tmp_path):
    def failed(content, *parts):
        path = tmp_path / "broken.json"
        path.write_text(content)
        return capella("meta", "nebula", path, "-m", "bleu").failed(1, "broken.json", *parts)

    text = nebula.read_text()
    assert failed(text[: len(text) // 2])
    assert failed(text.replace('"score": 0.5', '"score": NaN'))
    assert failed(text.replace('"score": 0.5', '"score": "high"'), "high")
    assert failed(json.dumps(ROWS[:2]), "too few")
    assert failed(json.dumps([{**row, "score": 1} for row in ROWS]), "every rating is 1")
    assert failed("")
    assert capella("meta", "flickr8k-cf", tmp_path, "-m", "bleu").failed(1, "CrowdFlowerAnnotations.txt")
    assert capella("meta", "nebula", tmp_path / "none.json", "-m", "bleu").failed(1, "none.json")


def test_wrong_calls(capella, nebula):
    assert capella("meta", "nebulla", nebula).failed(2, "did you mean 'nebula'", "flickr8k-expert")
    assert capella("meta", "nebula").failed(2, "folder or file")
    assert capella("meta").failed(2, "flickr8k-expert")
    assert capella("meta", "nebula", nebula, "--resamples", "0").failed(2, "--resamples")


def test_cases_name_what_is_rated_wrongly(capella, nebula, tmp_path):
    scores = [row["score"] for row in ROWS]
    scores[7] = 2
    mine = write_scores(tmp_path / "mine.jsonl", scores)
    run = capella("meta", "nebula", nebula, "--scores", mine, "--cases", "1", "--format", "json").json()
    assert run["cases"][0]["caption"] == "two buses" and run["cases"][0]["rated"] == "too high"
    assert "two buses" in capella("meta", "nebula", nebula, "--scores", mine, "--cases", "1").out


def test_published_figures_and_pictures(capella, nebula, tmp_path):
    run = capella("meta", "nebula", nebula, "-m", "rouge-l", "--with-published", "--plots", tmp_path / "pictures")
    assert "DENEB, Table 1" in run.out
    assert "published values are for other data" in run.err
    pictures = {path.name: path.read_text() for path in (tmp_path / "pictures").iterdir()}
    assert set(pictures) == {"bars.svg", "scatter-rouge-l.svg"}  # one metric differs from none
    assert all(picture.startswith("<svg") and picture.endswith("</svg>\n") for picture in pictures.values())


def test_results_do_not_depend_on_threads(capella, nebula):
    def call(threads):
        return capella("meta", "nebula", nebula, "-m", "bleu", "--format", "json", "--threads", threads).out

    assert call("1") == call("3")


def test_no_input_is_written_over(capella, nebula):
    before = nebula.read_text()
    assert capella("meta", "nebula", nebula, "-m", "bleu", "-o", nebula).failed(2, "nebula.json")
    assert nebula.read_text() == before


def test_resamples_without_a_coefficient_are_counted(capella, tmp_path):
    path = tmp_path / "lopsided.json"
    path.write_text(json.dumps([{**ROWS[k % 10], "imgid": k, "score": float(k < 3)} for k in range(25)]))
    run = capella("meta", "nebula", path, "-m", "rouge-l", "--format", "json")
    found = run.json()["metrics"][0]["kendall_b"]
    assert found["low"] <= found["value"] <= found["high"]
    assert "of 1000 resamples have nothing to measure" in run.err


def test_options_that_change_nothing_say_so(capella, nebula):
    run = capella("meta", "nebula", nebula, "-m", "rouge-l", "--as-published")
    assert "--as-published changes nothing for nebula" in run.err
    run = capella("meta", "polaris", nebula, "-m", "rouge-l", "--with-published")
    assert "no published values for polaris" in run.err
    assert capella("meta", "nebula", nebula, "prepare", nebula).failed(2, "prepare")
    assert capella("meta", "nebula", nebula, "--cases", "-1").failed(2, "--cases")
    assert capella("meta", "nebula", nebula, "--seed", "-1").failed(2, "--seed")
