"""Errors are of the promised types and say what to do."""

from __future__ import annotations

import pytest

import capella


def test_classes():
    assert issubclass(capella.CapellaError, ValueError)
    assert issubclass(capella.FileError, capella.CapellaError) and issubclass(capella.FileError, OSError)


@pytest.mark.parametrize("value", [5, None, 1.5, b"a dog", {"text": "a dog"}, [5], [None, "a"], [["a"]]])
def test_a_caption_that_is_no_text_names_its_id(refs, hyps, value):
    hyps[9] = value
    with pytest.raises(TypeError, match="'9'"):
        capella.score(refs, hyps, "bleu")
    refs[9] = value
    with pytest.raises(TypeError, match="references.*'9'"):
        capella.score(refs, {}, "bleu")


@pytest.mark.parametrize("id", [1.5, None, (1, 2), True, b"7"])
def test_ids_are_text_or_whole_numbers(id):
    with pytest.raises(TypeError, match="id"):
        capella.score({id: ["a dog"]}, {id: "a dog"}, "bleu")


def test_data_errors(refs, hyps):
    with pytest.raises(capella.CapellaError, match="'7'.*empty list"):
        capella.score({7: []}, {7: "a"}, "bleu")
    with pytest.raises(capella.CapellaError, match='no caption for 2 of the 3 ids.*(?s:.)*missing="skip"'):
        capella.score(refs, {7: "a dog"}, "bleu")
    with pytest.raises(capella.CapellaError, match="2 captions without ids, expected 3"):
        capella.score(refs, ["a", "b"], "bleu")
    with pytest.raises(capella.CapellaError, match="more than one caption"):
        capella.score(refs, hyps | {7: ["a", "b"]}, "bleu")
    with pytest.raises(capella.CapellaError, match="has no caption"):
        capella.score([{"image_id": 1}], {1: "a"}, "bleu")
    with pytest.raises(capella.CapellaError, match="surrogate"):
        capella.score({1: ["a"]}, {1: "\ud800"}, "bleu")
    with pytest.raises(capella.CapellaError):
        capella.score([], [], "bleu")


def test_usage_errors(refs, hyps):
    with pytest.raises(capella.CapellaError, match="did you mean 'bleu'"):
        capella.score(refs, hyps, ["blue"])
    with pytest.raises(capella.CapellaError, match="ptb"):
        capella.score(refs, hyps, "bleu", tokenizer="pbt")
    with pytest.raises(capella.CapellaError, match="'skip'"):
        capella.score(refs, hyps, "bleu", missing="ignore")
    with pytest.raises(capella.CapellaError, match="settings: found 'sigma=2'"):
        capella.score(refs, hyps, "bleu", settings=["sigma=2"])
    with pytest.raises(capella.CapellaError, match="split"):
        capella.score(refs, hyps, "bleu", split="test")
    with pytest.raises(capella.CapellaError, match="not both"):
        capella.score(refs, hyps, "bleu", systems={"a": hyps})
    with pytest.raises(capella.CapellaError, match="empty"):
        capella.score(refs, hyps, [])
    with pytest.raises(TypeError, match="int"):
        capella.score(refs, hyps, [3])
    with pytest.raises(TypeError, match="int, expected a list"):
        capella.score(5, hyps, "bleu")


def test_files_that_are_not_there(tmp_path, refs):
    with pytest.raises(OSError, match="nothing.json"):
        capella.score(tmp_path / "nothing.json", {}, "bleu")
    with pytest.raises(capella.FileError, match="nothing.df"):
        capella.Reward("cider-d", refs, df=tmp_path / "nothing.df")


def test_a_malformed_file_names_its_line(tmp_path, refs):
    path = tmp_path / "hyps.jsonl"
    path.write_text('{"image_id": 7, "caption": "a"}\n{"image_id": 9, "caption": 5}\n')
    with pytest.raises(capella.CapellaError, match="hyps.jsonl:2: "):
        capella.score(refs, path, "bleu")
