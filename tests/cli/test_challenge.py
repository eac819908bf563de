"""`capella meta challenge-set` and `capella meta challenge`."""

import json

import pytest

KINDS = [
    "synonym",
    "word-order",
    "negation",
    "swapped-attributes",
    "swapped-roles",
    "hallucinated-object",
    "wrong-object",
    "length",
    "truncated",
]

CAPTIONS = {
    f"{place}{k}": captions
    for k in range(12)
    for place, captions in {
        "room": [
            "A brown dog is sleeping on a couch near a white wall.",
            "A dog sleeps on a couch.",
            "A brown dog on a blue couch in a large room with two windows and a wooden floor.",
            "The dog lies down on a couch.",
        ],
        "street": [
            "A red bus is driving down a street next to a white car.",
            "A bus drives by a car.",
            "A man riding a bicycle behind a red bus on a busy street in a large city.",
            "There is a bus on the street.",
        ],
        "field": [
            "A dog catches a frisbee.",
            "A black dog with a white frisbee runs across a wide green field near some tall trees in the park.",
            "The dog is jumping for a frisbee.",
        ],
    }.items()
}


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def captions(tmp_path):
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(CAPTIONS))
    return path


@pytest.fixture
def challenge(capella, captions, tmp_path):
    path = tmp_path / "challenge.jsonl"
    run = capella("meta", "challenge-set", captions, "-o", path)
    assert run.code == 0, run.err
    return path


def test_a_set_of_captions(capella, captions, challenge, tmp_path):
    rows = rows_of(challenge)
    assert list(dict.fromkeys(row["kind"] for row in rows)) == KINDS
    for row in rows:
        assert {"image_id", "kind", "better", "worse", "references"} <= set(row)
        assert row["better"] not in row["references"] and 1 <= len(row["references"]) <= 4
        assert set(row["references"]) <= set(CAPTIONS[row["image_id"]])
    again = capella("meta", "challenge-set", captions, "--threads", 1)
    assert again.out == challenge.read_text()
    assert "synonym: " in again.err and " pairs from 36 images" in again.err
    assert "lack" in again.err
    other = capella("meta", "challenge-set", captions, "--seed", 2, "--quiet")
    assert other.out != again.out and other.err == ""


def test_kinds_and_pairs(capella, captions):
    run = capella("meta", "challenge-set", captions, "--kinds", "negation,truncated", "--pairs", 3)
    rows = [json.loads(line) for line in run.out.splitlines()]
    assert [row["kind"] for row in rows] == ["negation"] * 3 + ["truncated"] * 3


def test_one_table_of_metrics_by_kinds(capella, challenge, tmp_path):
    run = capella("meta", "challenge", challenge, "-m", "bleu,rouge-l", "--plots", tmp_path / "pictures")
    head = run.out.splitlines()[0].split()
    assert head == ["metric", *KINDS, "mean"]
    assert "a tie counts half" in run.out
    counts = {kind: sum(row["kind"] == kind for row in rows_of(challenge)) for kind in KINDS}
    assert "pairs: " + ", ".join(f"{kind} {count}" for kind, count in counts.items()) in run.out
    assert "swapped-roles" in (tmp_path / "pictures" / "categories.svg").read_text()
    whole = capella("meta", "challenge", challenge, "-m", "bleu,rouge-l", "--format", "json").json()
    assert whole["category_pairs"] == counts
    for metric in whole["metrics"]:
        accuracy = metric["accuracy"]
        assert set(accuracy) == {*KINDS, "mean"}
        for cell in accuracy.values():
            assert 0 <= cell["low"] <= cell["value"] <= cell["high"] <= 1
        mean = sum(accuracy[kind]["value"] for kind in KINDS) / len(KINDS)
        assert accuracy["mean"]["value"] == pytest.approx(mean)
    csv = capella("meta", "challenge", challenge, "-m", "rouge-l", "--format", "csv").out
    assert "negation,negation_low,negation_high" in csv


def test_words_in_any_order_are_the_same_to_bleu_1(capella, challenge):
    whole = capella("meta", "challenge", challenge, "-m", "bleu", "--format", "json").json()
    bleu = {metric["metric"]: metric for metric in whole["metrics"]}
    assert bleu["BLEU-1"]["accuracy"]["word-order"]["value"] == 0.5
    assert bleu["BLEU-4"]["accuracy"]["word-order"]["value"] > 0.6


def test_a_file_of_ones_own(capella, tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text(
        "".join(
            json.dumps(
                {
                    "image_id": k,
                    "kind": "gender" if k % 2 else "numbers",
                    "better": "two women",
                    "worse": "two men" if k % 2 else "three women",
                    "references": ["two women run", "women"],
                }
            )
            + "\n"
            for k in range(6)
        )
    )
    scores = tmp_path / "scores.jsonl"
    lines = [{"pair": k, "candidate": c, "score": 1 - c if k % 2 else 0} for k in range(6) for c in (0, 1)]
    scores.write_text("".join(json.dumps(line) + "\n" for line in lines))
    whole = capella("meta", "challenge", path, "--scores", f"mine={scores}", "--format", "json").json()
    accuracy = whole["metrics"][0]["accuracy"]
    assert {kind: cell["value"] for kind, cell in accuracy.items()} == {"numbers": 0.5, "gender": 1, "mean": 0.75}


def test_damaged_files(capella, challenge, captions, tmp_path):
    lines = challenge.read_text().splitlines()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([lines[0], lines[1][:40], lines[2]]))
    assert capella("meta", "challenge", broken, "-m", "bleu").failed(1, "broken.jsonl:2", "not JSON")
    row = json.loads(lines[0])
    broken.write_text("\n".join([lines[0], json.dumps({**row, "worse": row["better"]})]))
    assert capella("meta", "challenge", broken, "-m", "bleu").failed(1, "broken.jsonl:2", "same caption")
    broken.write_text("\n".join([lines[0], json.dumps({**row, "kind": ["a"]})]))
    assert capella("meta", "challenge", broken, "-m", "bleu").failed(1, "broken.jsonl:2", "kind is")
    broken.write_bytes(b"\xff\xfe\x00{")
    assert capella("meta", "challenge", broken, "-m", "bleu").failed(1, "broken.jsonl")
    broken.write_text("")
    assert capella("meta", "challenge", broken, "-m", "bleu").failed(1, "broken.jsonl")
    assert capella("meta", "challenge", captions, "-m", "bleu").failed(1, "captions.json")


def test_wrong_calls(capella, captions, tmp_path):
    assert capella("meta", "challenge-set").failed(2, "--world")
    assert capella("meta", "challenge-set", captions, "--world", tmp_path).failed(2, "--world")
    assert capella("meta", "challenge-set", captions, "--kinds", "negatoin").failed(2, "did you mean 'negation'")
    assert capella("meta", "challenge-set", captions, "--pairs", "0").failed(2, "--pairs")
    assert capella("meta", "challenge-set", captions, "-o", captions).failed(2, "captions.json")
    assert capella("meta", "challenge-set", captions, "--format", "csv").failed(2, "lines of JSON")
    assert capella("meta", "challenge-set", "--world", tmp_path).failed(1, "truth.json")
    empty = tmp_path / "empty.json"
    empty.write_text(json.dumps({"1": ["Man.", "Men."]}))
    assert capella("meta", "challenge-set", empty).failed(1, "no caption can be edited")


def test_a_set_of_a_world(capella, tmp_path):
    world = tmp_path / "world"
    assert capella("world", "--images", 150, "--size", 32, "--seed", 7, "-o", world).code == 0
    path = tmp_path / "challenge.jsonl"
    run = capella("meta", "challenge-set", "--world", world, "--pairs", 20, "-o", path)
    assert run.code == 0 and "generated" in run.err
    before = (world / "truth.json").read_bytes()
    assert capella("meta", "challenge-set", "--world", world, "-o", world / "truth.json").failed(2, "truth.json")
    assert (world / "truth.json").read_bytes() == before
    rows = rows_of(path)
    assert list(dict.fromkeys(row["kind"] for row in rows)) == KINDS
    graphs = {graph["image_id"]: graph for graph in rows_of(world / "graphs.jsonl")}
    for row in rows:
        classes = {thing["class"] for thing in graphs[row["image_id"]]["objects"]}
        if row["kind"] == "hallucinated-object":
            assert row["edit"].split()[-1] not in classes, row
        if row["kind"] == "wrong-object":
            assert row["edit"].split(" -> ")[1] not in classes, row
