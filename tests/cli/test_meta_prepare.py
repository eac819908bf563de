"""capella meta prepare: raw ratings in, a benchmark out, and a report of what was left out."""

import json

import pytest

CAREFUL = {"ann": [1, 2, 4, 5], "ben": [2, 2, 4, 5], "cleo": [1, 3, 5, 5]}


def raw(extra=""):
    """Ratings of three careful workers, one who is too quick and what is given."""
    rows = ["worker,imgid,caption,rating,seconds,refs"]
    for worker, ratings in {**CAREFUL, "hasty": [5, 1, 3, 2]}.items():
        seconds = 0.5 if worker == "hasty" else 9
        for k, rating in enumerate(ratings):
            refs = f'"[""a dog"", ""a cat {k}""]"'
            rows.append(f"{worker},i{k // 2},caption {k},{rating},{seconds},{refs}")
    return "\n".join(rows) + "\n" + extra


def test_averages_and_report(capella, write):
    write("raw.csv", raw())
    run = capella("meta", "prepare", "raw.csv")
    rows = run.json()
    assert [row["score"] for row in rows] == pytest.approx([1 / 12, 4 / 12, 10 / 12, 1])
    assert list(rows[2]) == ["imgid", "mt", "refs", "score", "judgements"]
    assert list(rows[2].values())[:3] == ["i1", "caption 2", ["a dog", "a cat 2"]]
    assert rows[2]["judgements"] == 3
    assert "left out: worker hasty, 4 judgements; quick: median time 0.5 s, below 2.25 s" in run.err
    assert capella("meta", "prepare", "raw.csv", "--quiet").err == ""


def test_report_as_json(capella, write, tmp_path):
    write("raw.csv", raw())
    run = capella("meta", "prepare", "raw.csv", "-o", "out.json", "--report", "report.json")
    assert (run.code, run.out, run.err) == (0, "", "")
    report = json.loads((tmp_path / "report.json").read_text())
    assert [worker["worker"] for worker in report["dropped"]] == ["hasty"]
    assert report["agreement"]["after"]["alpha_interval"] > report["agreement"]["before"]["alpha_interval"]


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_the_result_is_a_benchmark(capella, write, format):
    write("raw.csv", raw())
    assert capella("meta", "prepare", "raw.csv", "--format", format, "-o", "out", "-q").code == 0
    result = capella("meta", "nebula", "out", "-m", "rouge-l", "--resamples", "100", "--format", "json").json()
    assert result["rows"] == 4
    assert "12 judgements" in result["version"]


def test_references_from_a_file(capella, write):
    write("refs.json", '{"x": ["one dog"]}')
    write("raw.jsonl", '{"worker": 1, "image_id": "x", "mt": "a dog", "rating": 70}\n')
    [row] = capella("meta", "prepare", "raw.jsonl", "--references", "refs.json", "--scale", "0-100").json()
    assert (row["refs"], row["score"]) == (["one dog"], 0.7)


def test_errors(capella, write):
    write("raw.csv", raw("ann,i0,caption 0,9,9,\n"))
    assert capella("meta", "prepare", "raw.csv").failed(1, "raw.csv:18: rating is 9, expected a number from")
    write("none.csv", "worker,imgid,caption,rating\nann,x,a dog,3\n")
    assert capella("meta", "prepare", "none.csv").failed(1, "none.csv: the rows have no references")
    assert capella("meta", "prepare", "absent.csv").failed(1, "absent.csv")
    assert capella("meta", "prepare", "raw.csv", "--scale", "5").failed(2, "--scale 5")
    assert capella("meta", "prepare", "raw.csv", "--scale", "5-1").failed(2, "the scale 5 to 1 is none")
    assert capella("meta", "prepare", "raw.csv", "--format", "csv").failed(2, "unknown format 'csv'", "jsonl")
    assert capella("meta", "prepare", "raw.csv", "-o", "raw.csv").failed(2, "raw.csv: is read or written")
