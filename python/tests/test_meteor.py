"""METEOR from Python: values of the reference program, types, threads, data."""

from __future__ import annotations

import gzip
import json
import threading
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import capella
from capella.compat import Meteor

pytestmark = pytest.mark.usefixtures("meteor_data")


@pytest.fixture(scope="module")
def golden(shared):
    """Segments as the reference program was given them, with its scores."""
    with gzip.open(shared / "golden/golden_meteor_full.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row for row in rows if "hyp" in row]


@pytest.fixture(scope="module")
def texts(golden):
    return {k: row["refs"] for k, row in enumerate(golden)}, {k: [row["hyp"]] for k, row in enumerate(golden)}


def test_every_score_is_that_of_the_reference_program(golden, texts):
    _, scores = Meteor().compute_score(*texts)
    assert scores == [row["score"] for row in golden]


def test_karpathy(shared):
    with gzip.open(shared / "golden/golden_karpathy_gat.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = {str(row["image_id"]): row["METEOR"] for row in map(json.loads, file)}
    folder = shared / "data/coco"
    result = capella.score(folder / "karpathy_test_refs.json", folder / "systems/gat.json", "meteor")
    assert result["METEOR"] == 0.2745487792115754
    assert {id: scores["METEOR"] for id, scores in result.per_item.items()} == rows


def test_types_and_order_are_those_of_the_original():
    """As pycocoevalcap 1.2 returns them: a float and a list of floats in the order of gts."""
    scorer = Meteor()
    score, scores = scorer.compute_score({9: ["a cat"], 7: ["a dog"]}, {7: ["a dog"], 9: ["two birds"]})
    assert (
        type(score) is float and type(scores) is list and [type(value) for value in scores] == [float, float]
    )
    assert scores == [0.0, 1.0]
    assert scorer.method() == "METEOR"


def test_the_corpus_score_is_not_the_mean(golden, texts):
    score, scores = Meteor().compute_score(*texts)
    assert abs(score - np.mean(scores)) > 1e-4


def in_eight_threads(work):
    """Calls ``work`` from eight threads that begin together; what the calls returned."""
    start, found = threading.Barrier(8), []

    def one():
        start.wait()
        found.append(work())

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_eight_threads_share_one_object(texts):
    scorer = Meteor()
    gts = {id: texts[0][id] for id in range(300)}
    res = {id: texts[1][id] for id in range(300)}
    want = scorer.compute_score(gts, res)
    found = in_eight_threads(lambda: [scorer.compute_score(gts, res) for _ in range(3)])
    assert found == [[want] * 3] * 8


def test_eight_threads_share_one_reward(golden):
    part = golden[:300]
    reward = capella.Reward("meteor", {k: row["refs"] for k, row in enumerate(part)}, tokenizer="none")
    captions = [row["hyp"] for row in part]
    found = in_eight_threads(lambda: [reward(range(300), captions).tolist() for _ in range(3)])
    assert found == [[[row["score"] for row in part]] * 3] * 8


def test_reward_with_references_of_the_call(golden):
    reward = capella.Reward("meteor", {"1": ["a dog"]}, tokenizer="none")
    part = golden[:50]
    values = reward(None, [row["hyp"] for row in part], references=[row["refs"] for row in part])
    assert values.tolist() == [row["score"] for row in part]
    assert reward(["1"], ["a dog"]).tolist() == [1.0]


def test_rows_of_shards_merge_to_the_whole(texts):
    gts = {id: texts[0][id] for id in range(100)}
    res = {id: texts[1][id][0] for id in range(100)}
    shards = [capella.rows(gts, res, ["meteor"], tokenizer="none", shard=(k, 3)) for k in range(3)]
    want, wants = Meteor().compute_score(gts, {id: [text] for id, text in res.items()})
    merged = capella.merge(shards)
    assert merged["METEOR"] == want
    assert [scores["METEOR"] for scores in merged.per_item.values()] == wants


def test_picture_of_an_explanation(refs, hyps):
    why, plain = capella.explain(refs, hyps, 7, ["meteor", "bleu"])
    words = [
        element.text for element in ElementTree.fromstring(why.svg()).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert {"a", "dog", "runs", "over", "grass"} <= set(words)
    assert why._repr_svg_() == why.svg()
    assert plain.svg() is None and plain._repr_svg_() is None


def test_without_paraphrases(refs, hyps):
    result = capella.score(refs, hyps, "meteor", settings={"meteor.paraphrases": "none"})
    assert "para:none" in result.signatures["METEOR"]


def test_data_is_found(meteor_data):
    assert capella.data_path("meteor") == meteor_data
    assert capella.get_data("meteor") == meteor_data  # there already: nothing is fetched


def test_missing_data_names_what_gets_it(tmp_path, monkeypatch, refs, hyps):
    monkeypatch.setenv("CAPELLA_HOME", str(tmp_path))
    for call in (
        lambda: capella.data_path("meteor"),
        lambda: capella.score(refs, hyps, "meteor"),
        lambda: capella.Reward("meteor", refs),
        lambda: Meteor().compute_score({7: ["a dog"]}, {7: ["a dog"]}),
    ):
        with pytest.raises(capella.FileError, match=r'capella\.get_data\("meteor"\)') as failed:
            call()
        assert "-m " not in str(failed.value)


def test_get_data_says_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setenv("CAPELLA_HOME", str(tmp_path / "home"))
    with pytest.raises(ValueError, match="did you mean 'meteor'"):
        capella.get_data("metoer")
    with pytest.raises(capella.FileError, match="nothing-here"):
        capella.get_data("meteor", source=tmp_path / "nothing-here")
    with pytest.raises(ValueError, match="empty path"):
        capella.get_data("meteor", source="")
    with pytest.raises(ValueError, match="did you mean 'meteor'"):
        capella.data_path("metoer")


def test_get_data_tells_what_pip_said(tmp_path, monkeypatch):
    """In pip's own words; what Capella advises is in Python's."""
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n[ $2 = -c ] && { echo pip: True; exit; }\necho 'No module named pip; run python3 -m ensurepip'\nexit 1\n"
    )
    python.chmod(0o755)
    monkeypatch.setenv("CAPELLA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CAPELLA_PYTHON", str(python))
    with pytest.raises(capella.FileError) as failed:
        capella.get_data("meteor")
    assert "No module named pip; run python3 -m ensurepip" in str(failed.value)
    assert 'capella.get_data("meteor", source=PATH)' in str(failed.value)
    assert "--from" not in str(failed.value)
