"""capella.Reward: values, threads, errors."""

from __future__ import annotations

import json
import sys
import threading

import numpy as np
import pytest

import capella


def test_equals_score(refs, hyps):
    reward = capella.Reward("cider-d", references=refs)
    values = reward(hyps.keys(), hyps.values())
    assert values.dtype == np.float64 and values.shape == (3,)
    items = capella.score(refs, hyps, "cider-d", tokenizer="ptb-iso").per_item
    assert values.tolist() == [items[str(id)]["CIDEr-D"] for id in hyps]
    assert (
        reward.score_name == "CIDEr-D"
        and "tok:ptb-iso" in reward.signature
        and reward.signature in repr(reward)
    )


def test_ids_repeat_and_may_be_any_whole_number(refs):
    reward = capella.Reward("cider-d", references=refs)
    values = reward([7, "7", np.int32(7), 9], ["a dog runs"] * 4)
    assert values[0] == values[1] == values[2] > values[3]
    assert reward([], []).shape == (0,)


def test_references_of_the_call(refs, hyps):
    reward = capella.Reward("cider-d", references=refs)
    by_ids = reward(list(hyps), list(hyps.values()))
    assert np.array_equal(reward(None, list(hyps.values()), references=[refs[id] for id in hyps]), by_ids)
    other = reward(None, ["a red kite", "a red kite"], references=[["a red kite flies"], ["two cats"]])
    assert other[0] > other[1] == 0.0


def test_scores_and_settings(refs, hyps):
    bleu = capella.Reward("bleu", refs)
    first = capella.Reward("bleu", refs, score="BLEU-1")
    assert bleu.score_name == "BLEU-4" and first.score_name == "BLEU-1"
    assert (first(list(hyps), hyps.values()) >= bleu(list(hyps), hyps.values())).all()
    assert "sigma:2|" in capella.Reward("cider-d", refs, settings={"cider-d.sigma": 2}).signature
    with pytest.raises(ValueError, match="BLEU-1"):
        capella.Reward("bleu", refs, score="BLEU-5")


def test_errors(refs):
    reward = capella.Reward("cider-d", references=refs)
    with pytest.raises(ValueError, match="'8'"):
        reward([8], ["a dog"])
    with pytest.raises(ValueError, match="1 captions but 2 ids"):
        reward([7, 9], ["a dog"])
    with pytest.raises(TypeError, match="caption 1 .id '9'. is int"):
        reward([7, 9], ["a dog", 5])
    with pytest.raises(TypeError, match="expected a list"):
        reward([7], "a dog")
    with pytest.raises(TypeError, match="ids"):
        reward(None, ["a dog"])
    with pytest.raises(ValueError, match="no references"):
        reward(None, ["a dog"], references=[[]])
    with pytest.raises(ValueError, match="ptb-iso"):
        capella.Reward("cider-d", refs, tokenizer="ptb")
    with pytest.raises(ValueError, match="needs references"):
        capella.Reward("cider-d")


def test_threads_share_one_reward(refs, hyps):
    reward = capella.Reward("cider-d", references=refs)
    ids, captions = list(hyps) * 200, list(hyps.values()) * 200
    want = reward(ids, captions)
    outcomes = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(np.array_equal(reward(ids, captions), want)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 8


@pytest.fixture
def switch_only_where_the_gil_is_released():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(interval)


def meanwhile(call, act):
    """Starts ``call`` in a thread, runs ``act`` once the GIL is free; what call returned and who was first."""
    inside, order, found = threading.Event(), [], []

    def work():
        inside.set()
        found.append(call())
        order.append("call")

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    act()
    order.append("act")
    thread.join()
    return found[0], order[0]


def test_the_caller_empties_its_lists_meanwhile(refs, hyps, switch_only_where_the_gil_is_released):
    """The call keeps the captions it was given, though nobody else does and memory is used again."""
    reward = capella.Reward("cider-d", references=refs)
    want = reward(list(hyps), list(hyps.values()))
    times = 20_000
    for _ in range(10):  # the call may end before this thread runs, so try again
        ids = list(hyps) * times
        captions = ["".join([c, "."]) for _ in range(times) for c in hyps.values()]

        def empty():
            ids.clear()
            captions.clear()
            captions.extend("x" * 20 + str(k) for k in range(1000))

        values, first = meanwhile(lambda: reward(ids, captions), empty)
        assert np.array_equal(values, np.tile(want, times))
        if first == "act":
            return
    pytest.fail("no call was still running when its lists were emptied")


def test_other_threads_run_meanwhile(refs, hyps, switch_only_where_the_gil_is_released):
    """While one call computes, another Python thread makes progress: the GIL is free."""
    reward = capella.Reward("cider-d", references=refs)
    ids, captions = list(hyps) * 20000, list(hyps.values()) * 20000
    firsts = (meanwhile(lambda: reward(ids, captions), lambda: None)[1] for _ in range(10))
    assert "act" in firsts


def test_no_leak(refs):
    reward = capella.Reward("cider-d", references=refs)
    caption, ids = "a dog " * 3, [7]
    before = sys.getrefcount(caption)
    for _ in range(100):
        reward(ids, [caption])
    assert sys.getrefcount(caption) == before


def test_coco_frequencies(shared):
    golden = json.loads((shared / "golden/golden_cider_cocodf.json").read_text())["D"]
    items = json.loads((shared / "golden/golden_coco_fakecap.json").read_text())["per_image"]
    references = {item["id"]: item["refs"] for item in items}
    reward = capella.Reward("cider-d", references=references, df="coco-val", tokenizer="none")
    values = reward([item["id"] for item in items], [item["cand"] for item in items])
    assert values[:20] == pytest.approx(golden["first20"], rel=1e-12)
    assert values.mean() == pytest.approx(golden["corpus"], abs=1e-12)


def test_capella_s_takes_the_model_that_comes_with_capella(minilm_data, refs, hyps):
    reward = capella.Reward("capella-s", references=refs)
    assert reward.score_name == "Capella-S" and "|model:capella-s(" in reward.signature
    result = capella.score(refs, hyps, metrics=["capella-s"])
    expected = [result.per_item[str(id)]["Capella-S"] for id in hyps]
    assert reward(hyps.keys(), hyps.values()).tolist() == expected
    own = reward(None, list(hyps.values()), references=[refs[id] for id in hyps])
    assert own.tolist() == expected
