"""SPICE and parsing from Python: types, order, detail, cache, rewards, threads."""

from __future__ import annotations

import math
import threading
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import capella
from capella import _core
from capella.compat import COCOEvalCap, Spice

pytestmark = pytest.mark.usefixtures("meteor_data")

CATEGORIES = ["All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object"]
KEYS = ["pr", "re", "f", "fn", "numImages", "fp", "tp"]


@pytest.fixture
def texts(refs, hyps):
    """As the tokenizer leaves them."""
    gts = {id: [text.lower().rstrip(".") for text in own] for id, own in refs.items()}
    return gts, {id: [text] for id, text in hyps.items()}


def test_types_keys_and_order_are_those_of_the_original(texts):
    gts, res = texts
    gts = {id: gts[id] for id in (12, 7, 9)}
    score, scores = Spice().compute_score(gts, res)
    assert type(score) is np.float64 and type(scores) is list
    assert len(scores) == 3
    for item in scores:
        assert list(item) == CATEGORIES
        for numbers in item.values():
            assert list(numbers) == KEYS and all(type(value) is float for value in numbers.values())
            assert numbers["numImages"] == 1.0
    result = capella.score(gts, {id: own[0] for id, own in res.items()}, "spice", tokenizer="none")
    assert [item["All"]["f"] for item in scores] == [result.per_item[id]["SPICE"] for id in ("7", "9", "12")]
    assert score == result["SPICE"] == np.mean([item["All"]["f"] for item in scores])
    assert Spice().method() == "SPICE"


def test_categories_without_tuples_are_nan():
    _, [item] = Spice().compute_score({1: ["a dog"]}, {1: ["a dog"]})
    assert all(math.isnan(item["Color"][key]) for key in ("pr", "re", "f"))
    assert item["Color"]["tp"] == item["Color"]["fp"] == item["Color"]["fn"] == 0.0


def test_ids_and_lists_are_checked():
    with pytest.raises(ValueError, match="different ids"):
        Spice().compute_score({1: ["a"]}, {2: ["a"]})
    with pytest.raises(ValueError, match="one caption"):
        Spice().compute_score({1: ["a"]}, {1: ["a", "b"]})


def test_coco_eval_cap_gives_every_image_its_own_scores(texts):
    gts, res = texts
    gts = {id: gts[id] for id in (12, 7, 9)}
    evaluation = COCOEvalCap(gts, res)
    evaluation.scorers = ((Spice, ("SPICE",)),)
    evaluation.evaluate()
    assert set(evaluation.imgToEval) == {7, 9, 12}
    for id in gts:
        _, [alone] = Spice().compute_score({id: gts[id]}, {id: res[id]})
        assert repr(evaluation.imgToEval[id]["SPICE"]) == repr(alone)  # NaN is not equal to itself


def test_detail(refs, hyps):
    plain = capella.score(refs, hyps, "spice")
    detailed = capella.score(refs, hyps, "spice", detail=True)
    assert plain.scores == ["SPICE"] and detailed["SPICE"] == plain["SPICE"]
    assert detailed.scores[:3] == ["SPICE", "SPICE-Object", "SPICE-Relation"]
    assert detailed.per_item["7"]["SPICE-Object-tp"] >= 0
    assert "SPICE-Object-tp" not in detailed.table() and "SPICE-Object-tp" in detailed.table("json")
    parts = [capella.rows(refs, hyps, "spice", shard=(k, 2), tokenizer="ptb-iso") for k in range(2)]
    merged = capella.merge(parts, detail=True)
    assert merged.scores == detailed.scores and capella.merge(parts).scores == ["SPICE"]


def test_the_cache_changes_nothing(refs, hyps, tmp_path):
    plain = capella.score(refs, hyps, "spice").table("json")
    folder = tmp_path / "cache"
    assert capella.score(refs, hyps, "spice", cache=folder).table("json") == plain
    assert capella.score(refs, hyps, "spice", cache=str(folder)).table("json") == plain
    [facts] = folder.glob("*.facts")
    facts.write_bytes(b"damage")
    with pytest.warns(capella.CapellaWarning, match="made anew"):
        assert capella.score(refs, hyps, "spice", cache=folder).table("json") == plain
    with pytest.raises(capella.FileError, match="with cache"):
        capella.score(refs, hyps, "spice", cache=facts)
    with pytest.raises(capella.CapellaError, match="cache"):
        capella.score(refs, hyps, "spice", cache="")


def use_cache(job, refs, hyps, folder):
    if job == "explain":
        return str(capella.explain(refs, hyps, 7, "spice", cache=folder)[0])
    return capella.Reward("spice", refs, cache=folder)(list(hyps), list(hyps.values())).tolist()


@pytest.mark.parametrize("job", ["explain", "reward"])
def test_problems_of_the_cache_are_told(refs, hyps, job, tmp_path):
    folder = tmp_path / "cache"
    want = use_cache(job, refs, hyps, folder)
    [facts] = folder.glob("*.facts")
    facts.write_bytes(b"damage")
    with pytest.warns(capella.CapellaWarning, match="made anew") as caught:
        assert use_cache(job, refs, hyps, folder) == want
    assert [warning.filename for warning in caught] == [__file__]
    facts.unlink()
    [lock] = folder.iterdir()
    lock.unlink()
    lock.mkdir()
    with pytest.warns(capella.CapellaWarning, match="not kept.*with cache$"):
        assert use_cache(job, refs, hyps, folder) == want


def test_the_default_score_of_a_reward_is_always_shown(refs):
    assert capella.Reward("spice", refs).score_name == "SPICE"
    assert capella.Reward("bleu", refs).score_name == "BLEU-4"


@pytest.mark.parametrize("metric", ["spice", "spider"])
def test_rewards_are_the_captions_scores(refs, hyps, metric, tmp_path):
    result = capella.score(refs, hyps, metric, tokenizer="ptb-iso")
    reward = capella.Reward(metric, refs, cache=tmp_path)
    want = [result.per_item[str(id)][result.scores[0]] for id in hyps]
    assert reward(list(hyps), list(hyps.values())).tolist() == want
    found: list[list[float]] = []
    threads = [
        threading.Thread(target=lambda: found.append(reward(list(hyps), list(hyps.values())).tolist()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [want] * 4
    assert reward.signature == result.signatures[result.scores[0]]
    own = reward(None, [hyps[7]], references=[refs[7]])
    assert own.shape == (1,)
    if metric == "spice":
        assert own.tolist() == want[:1]


def test_spider_is_the_mean(refs, hyps):
    result = capella.score(refs, hyps, ["spider", "cider-d", "spice"])
    assert result["SPIDEr"] == (result["CIDEr-D"] + result["SPICE"]) / 2
    assert capella.score(refs, hyps, "spider")["SPIDEr"] == result["SPIDEr"]


def test_parse():
    parsed, empty = capella.parse(["A man. Two dogs run!", ""])
    assert parsed.text == "A man. Two dogs run!" and len(parsed.sentences) == 2
    assert [token.word for token in parsed.tokens] == ["A", "man", ".", "Two", "dogs", "run", "!"]
    assert all(type(tuple_) is tuple and 1 <= len(tuple_) <= 3 for tuple_ in parsed.tuples)
    assert parsed.tuples == sorted(parsed.tuples)
    assert ElementTree.fromstring(parsed.svg()).tag == "{http://www.w3.org/2000/svg}svg"
    assert parsed._repr_svg_() == parsed.svg() and "svg" not in repr(parsed)
    assert empty.sentences == [] and empty.tuples == []
    assert capella.parse([]) == []
    assert capella.parse(["A man. Two dogs run!"], threads=2) == [parsed]
    [lower] = capella.parse(["A Dog!"], tokenizer="ptb-iso")
    assert lower.text == "A Dog!" and [token.word for token in lower.tokens] == ["a", "dog"]
    with pytest.raises(TypeError):
        capella.parse("a man")
    with pytest.raises(TypeError, match="caption 1"):
        capella.parse(["a", 3])


def test_pictures_are_drawn_when_they_are_asked_for(monkeypatch):
    drawn = []
    monkeypatch.setattr(_core, "draw_parse", lambda *parts: drawn.append(parts) or "<svg/>")
    [parsed] = capella.parse(["A man."])
    assert drawn == []
    assert parsed.svg() == parsed._repr_svg_() == "<svg/>" and len(drawn) == 2


def test_explanation(refs, hyps):
    [why] = capella.explain(refs, hyps, 7, "spice")
    assert [table[0].split(":")[0] for table in why.tables] == ["by category", "matched", "extra", "missed"]
    assert "SPICE = " in str(why) and why.svg() is None
