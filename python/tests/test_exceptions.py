"""Errors are of the promised types and say what to do."""

from __future__ import annotations

import json

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


JOINT = [{"image_id": 1, "test": "a", "refs": ["a"]}, {"image_id": 2, "test": "b", "refs": ["b"]}]


@pytest.mark.parametrize("as_file", [False, True])
def test_joint_rows_stand_alone(tmp_path, as_file):
    refs = {"1": ["a dog runs"], "2": ["a red bus"]}
    joint = JOINT
    if as_file:
        joint = tmp_path / "joint.json"
        joint.write_text(json.dumps(JOINT))
    words = "both test and refs; give it as refs, without hyps"
    with pytest.raises(capella.CapellaError, match=words):
        capella.score(refs, joint, "bleu")
    with pytest.raises(capella.CapellaError, match=words):
        capella.score(joint, {1: "a", 2: "b"}, "bleu")
    with pytest.raises(capella.CapellaError, match=words):
        capella.score(refs, systems={"a": {1: "a", 2: "b"}, "b": joint}, metrics="bleu")


def test_standard_input_only_once():
    with pytest.raises(capella.CapellaError, match="standard input .* more than once"):
        capella.score("-", "-", "bleu")


def test_messages_speak_of_arguments(tmp_path, refs, hyps):
    """Not of the command line's options, and names of files stay as they are."""
    path = tmp_path / "a--set -m.json"
    path.write_text('[{"image_id": 7, "caption": 5}]')
    with pytest.raises(capella.CapellaError, match="a--set -m.json:1: .*(?s:.)* with skip_bad=True$"):
        capella.score(refs, path, "bleu")
    with pytest.raises(capella.CapellaError, match='with missing="skip"$'):
        capella.score(refs, {7: "a"}, "bleu")
    with pytest.raises(capella.CapellaError, match="^settings cider-d.*; add it to metrics$"):
        capella.score(refs, hyps, "bleu", settings={"cider-d.sigma": 2})
    with pytest.raises(capella.CapellaError, match="^split test is given"):
        capella.score(refs, hyps, "bleu", split="test")
    path.write_text("no table")
    with pytest.raises(capella.FileError, match=r"a--set -m.json: .*capella.write_df\(refs, FILE\)"):
        capella.score(refs, hyps, "cider-d", df=path)


def test_warnings_speak_of_arguments():
    with pytest.warns(capella.CapellaWarning, match='with df="coco-val" or df=FILE$') as caught:
        result = capella.score({1: ["a dog runs"]}, {1: "a dog"}, "cider-d")
    assert [str(one.message) for one in caught] == result.warnings
    assert "--" not in result.warnings[0]
    with pytest.warns(capella.CapellaWarning, match="df=FILE$"):
        (why,) = capella.explain({1: ["a dog runs"]}, {1: "a dog"}, 1, "cider-d")
    with pytest.warns(capella.CapellaWarning, match="df=FILE$"):
        capella.Reward("cider-d", {1: ["a dog runs"]})
    assert "--df" not in "".join(why.summary) and "--df" not in str(why)


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
