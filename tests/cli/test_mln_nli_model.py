"""`capella mln nli --model`: a network judges what captions entail."""

import json
import math

import pytest

from program import json_lines as lines
from small_text_encoder import write_classifier, write_text_encoder

NAMES = ("contradiction", "neutral", "entailment")
ATOMS = [["man", "on", "grass"], ["dog", "on", "grass"]]
GROUND = [
    {"formulas": [{"text": "On(x,y)", "weight": 1}]},
    *({"image_id": image, "things": ["dog", "grass", "man"], "atoms": ATOMS, "log_odds": [None, None],
       "factors": [{"atoms": [0], "signs": [1], "kind": "conj", "weight": 1, "formula_id": 0}], "offset": 0}
      for image in ("1", "2")),
]  # fmt: skip
PAIRS = "entailment\ta dog runs\ta dog\nneutral\ta man on grass\ta red ball\ncontradiction\ttwo cat\tthe dog sleeps\n"


@pytest.fixture
def files(write):
    write("ground.jsonl", "".join(json.dumps(row) + "\n" for row in GROUND))
    write("a.json", {"1": "a man on the grass", "2": "a red ball"})
    write("b.json", {"1": "a man on the grass", "2": "a dog runs on the grass"})
    write("pairs.tsv", PAIRS)


def softmax(logits):
    powers = [math.exp(x) for x in logits]
    return [power / math.fsum(powers) for power in powers]


def judge(capella, model, *further):
    command = ["mln", "nli", "ground.jsonl", "a.json", "b.json", "-o", "nli.jsonl", "--format", "json"]
    return capella(*command, "--model", model, *further)


@pytest.mark.parametrize("labels", [NAMES, ("Entailment", "CONTRADICTION", "neutral")])
def test_probabilities_are_those_of_the_labels(capella, files, tmp_path, labels):
    """A model that always answers the same: its biases are the logits, whatever the order of labels."""
    biases = dict(zip(NAMES, (0.25, -0.5, 2.0), strict=True))
    write_classifier(tmp_path / "model", labels, [biases[label.lower()] for label in labels])
    summary = judge(capella, "model").json()
    expected = softmax([biases[name] for name in NAMES])
    rows = lines(tmp_path / "nli.jsonl")
    assert {(row["system"], row["image_id"], *row["atom"]) for row in rows if "hypothesis" in row} == {
        (system, image, *atom) for system in "ab" for image in "12" for atom in ATOMS
    }
    for row in rows:
        if "hypothesis" in row:
            assert row["p"] == pytest.approx(expected, abs=1e-7)
            assert row["judge"] == summary["judge"]
    assert summary["judge"].startswith("model(")
    assert (summary["questions"], summary["entailed"], summary["neutral"]) == (8, 8, 0)
    assert summary["questions that differ"] == 6  # two systems say the same of an image


def test_the_verdict_tells_who_judged(capella, files, tmp_path):
    write_classifier(tmp_path / "model", NAMES, [0.0, 0.0, 4.0])
    name = judge(capella, "model").json()["judge"]
    assert "judge" not in (tmp_path / "ground.jsonl").read_text()
    asked = ["mln", "infer", "--ground", "ground.jsonl", "--nli", "nli.jsonl", "--results", "results.json"]
    assert capella(*asked, "--format", "json").json()["judges"] == [name]
    assert f"Entailment was judged by {name}." in capella("mln", "report", "results.json").out
    assert capella("mln", "nli", "ground.jsonl", "a.json", "b.json", "-o", "nli.jsonl").code == 0
    assert "judges" not in capella(*asked, "--format", "json").json()


def test_neutral_captions_have_the_answer_of_the_model(capella, files, tmp_path):
    write_classifier(tmp_path / "model", NAMES, [0.0, 3.0, 1.0])
    summary = judge(capella, "model").json()
    assert (summary["entailed"], summary["contradicted"], summary["neutral"]) == (0, 0, 8)
    row = next(
        row for row in lines(tmp_path / "nli.jsonl") if row["system"] == "a" and row["image_id"] == "1"
    )
    assert row["p"] == pytest.approx(softmax([0.0, 3.0, 1.0]), abs=1e-7)


def test_threads_change_nothing(capella, files, tmp_path):
    write_classifier(tmp_path / "model", NAMES)
    found = []
    for threads in (1, 4):
        assert judge(capella, "model", "--threads", threads).code == 0
        found.append((tmp_path / "nli.jsonl").read_bytes())
    assert found[0] == found[1]
    assert len({tuple(row["p"]) for row in lines(tmp_path / "nli.jsonl")}) > 1


def test_long_questions_are_told(capella, files, write, tmp_path):
    write_classifier(tmp_path / "model", NAMES)
    assert "longer than the model reads" not in judge(capella, "model").err
    write("a.json", {"1": "a dog " * 40, "2": "a red ball"})
    done = judge(capella, "model")
    assert done.json()["questions longer than the model reads"] == 2
    assert "2 questions are longer than the model reads" in done.err


def test_pairs_with_known_labels(capella, files, tmp_path):
    write_classifier(tmp_path / "model", NAMES, [0.0, 3.0, 1.0])
    found = capella("mln", "nli", "--pairs", "pairs.tsv", "--model", "model", "--format", "json").json()
    assert found["judge"].startswith("model(")
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert [found["confusion"][truth]["neutral"] for truth in NAMES] == [1, 1, 1]
    shown = capella("mln", "nli", "--pairs", "pairs.tsv", "--model", "model")
    assert f"judged by {found['judge']}" in shown.out


def test_bad_models_are_told(capella, files, write, tmp_path):
    write_text_encoder(tmp_path / "headless")
    assert judge(capella, "headless").failed(1, "headless: has no classifier", "sequence classification")
    write_classifier(tmp_path / "two", ["entailment", "not_entailment"])
    assert judge(capella, "two").failed(
        1, "tells 2 labels apart (entailment, not_entailment)", "expected three"
    )
    write_classifier(tmp_path / "unnamed", [], [0.0, 1.0, 2.0])
    assert judge(capella, "unnamed").failed(
        1, "config.json: the model's labels are LABEL_0, LABEL_1", "id2label"
    )
    assert judge(capella, "absent").failed(1, "absent: no such folder")
    write_classifier(tmp_path / "model", NAMES)
    (tmp_path / "model" / "vocab.txt").unlink()
    assert judge(capella, "model").failed(1, "model")
    assert not (tmp_path / "nli.jsonl").exists()


def test_devices(capella, files, tmp_path):
    write_classifier(tmp_path / "model", NAMES)
    assert judge(capella, "model", "--device", "gpu").failed(2, "'gpu'", "cpu, cuda")
    rules = capella("mln", "nli", "ground.jsonl", "a.json", "--device", "cuda", "-o", "nli.jsonl")
    assert rules.failed(2, "the rules that judge entailment run on the CPU")


def test_run_takes_the_model(capella, mln_world, tmp_path):
    write_classifier(tmp_path / "model", NAMES, [0.0, 0.0, 4.0])
    write_classifier(tmp_path / "other", NAMES, [4.0, 0.0, 0.0])
    command = ["mln", "run", "--world", mln_world, "-o", "run", "--resamples", 100, "--format", "json"]
    assert capella(*command, "--nli-model", "absent").failed(1, "absent: no such folder")
    assert capella(*command, "--nli-model", "model").code == 0
    judges = {row.get("judge", "")[:6] for row in lines(tmp_path / "run/nli.jsonl") if "hypothesis" in row}
    assert "model(" in judges
    assert json.loads((tmp_path / "run/results.json").read_text())["judges"][0].startswith("model(")
    assert capella(*command, "--nli-model", "other").code == 0
    assert json.loads((tmp_path / "run/results.json").read_text())["judges"][0].startswith("other(")
