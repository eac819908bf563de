"""capella.compare, against the same tests in numpy."""

from __future__ import annotations

import gc
import itertools
import json
import math
import pickle

import numpy as np
import pytest
from mathematics import ends, holm, length, make_captions, resampled_means

import capella


def test_bootstrap_of_a_mean(corpus):
    references, systems = corpus
    comparison = capella.compare(references, systems, ["rouge-l", length], resamples=500, seed=3)
    assert [(one.system, one.against, one.score) for one in comparison.differences] == [
        ("good", "poor", "ROUGE-L"),
        ("good", "poor", "length"),
    ]
    p_values = []
    for one in comparison.differences:
        good, poor = (comparison.result.systems[name].array(one.score) for name in systems)
        drawn = resampled_means(good - poor, 500, 3)
        observed = np.mean(good) - np.mean(poor)
        assert one.difference == pytest.approx(observed, rel=1e-12)
        assert (one.low, one.high) == pytest.approx(ends(drawn), rel=1e-9, abs=1e-12)
        far = np.abs(drawn - observed) >= np.abs(observed) - 1e-9
        p_values.append((np.sum(far) + 1) / 501)
        assert one.p == p_values[-1]
        sizes = np.abs(drawn)
        assert one.p_sacrebleu == (np.sum(sizes - sizes.mean() > np.abs(observed)) + 1) / 501
        assert one.effect == pytest.approx(np.mean(good - poor) / np.std(good - poor, ddof=1), rel=1e-12)
    assert [one.p_corrected for one in comparison.differences] == pytest.approx(holm(p_values))
    assert [one.real for one in comparison.differences] == [p < 0.05 for p in holm(p_values)] == [True, False]


def test_randomization_of_a_mean(corpus):
    references, systems = corpus
    comparison = capella.compare(references, systems, "rouge-l", test="randomization", resamples=300, seed=11)
    good, poor = (system.array("ROUGE-L") for system in comparison.result.systems.values())
    gaps = good - poor
    coins = np.random.default_rng(11).integers(2, size=(300, len(gaps)), dtype=bool)
    by_chance = np.mean(np.where(coins, -gaps, gaps), axis=1)
    (one,) = comparison.differences
    assert one.p == (np.sum(np.abs(by_chance) >= np.abs(gaps.mean()) - 1e-12) + 1) / 301
    assert one.p_sacrebleu is None and not comparison.exact and comparison.test == "randomization"


def test_advice_names_the_argument():
    with pytest.warns(capella.CapellaWarning) as told:
        capella.compare([["a"]] * 3, {"a": ["a"] * 3, "b": ["b"] * 3}, "rouge-l")
    assert any('test="randomization"' in str(one.message) for one in told)


def test_randomization_tries_everything_for_few_items():
    def mine(items):
        return [float(item.caption) for item in items]

    first = [0.62, 0.48, 0.71, 0.55, 0.4, 0.66]
    second = [0.5, 0.49, 0.6, 0.41, 0.38, 0.52]
    with pytest.warns(capella.CapellaWarning, match="6 items: too few"):
        comparison = capella.compare(
            [["a"]] * 6, {"a": map(str, first), "b": map(str, second)}, mine, test="randomization"
        )
    gaps = np.subtract(first, second)
    signs = np.array(list(itertools.product([1, -1], repeat=6)))
    expected = np.mean(np.abs(signs @ gaps) >= gaps.sum() - 1e-12)
    assert comparison.exact and comparison.differences[0].p == expected == 4 / 64


def test_comparison_with_a_baseline(corpus):
    references, systems = corpus
    three = {**systems, "other": make_captions(5, len(references))}
    everyone = capella.compare(references, three, "rouge-l", resamples=100)
    assert [(one.system, one.against) for one in everyone.differences] == list(
        itertools.combinations(three, 2)
    )
    comparison = capella.compare(references, three, "rouge-l", baseline="poor", resamples=100)
    assert [(one.system, one.against) for one in comparison.differences] == [
        ("good", "poor"),
        ("other", "poor"),
    ]
    assert len(comparison.sentences) == 2 and comparison.sentences[0].startswith(
        "good is better than poor on ROUGE-L"
    )


def test_comparison_formats(corpus):
    references, systems = corpus
    comparison = capella.compare(references, systems, "rouge-l,bleu", resamples=200, threads=1)
    whole = comparison.to_dict()
    assert whole["differences"][0] == {
        name: getattr(comparison.differences[0], name) for name in whole["differences"][0]
    }
    assert whole["sentences"] == comparison.sentences
    low, high = comparison.result.systems["good"].interval("ROUGE-L")
    assert whole["systems"][0]["scores"]["ROUGE-L"]["low"] == low < high
    assert repr(comparison).startswith("system") and repr(comparison).endswith(comparison.sentences[0])
    assert "| system |" in comparison._repr_markdown_() and r"\toprule" in comparison.table("latex")
    assert comparison.table("csv").startswith("system,against,score,difference,low,high,p")
    assert capella.compare(references, systems, "rouge-l,bleu", resamples=200, threads=3).to_dict() == whole
    with pytest.raises(AttributeError):
        comparison.differences[0].p = 0
    with pytest.raises(capella.CapellaError, match="latex"):
        comparison.table("latx")


def test_the_result_outlives_the_comparison(corpus):
    references, systems = corpus
    result = capella.compare(references, systems, "rouge-l", resamples=100).result
    gc.collect()
    again = pickle.loads(pickle.dumps(result))
    array = result.systems["good"].array("ROUGE-L")
    expected, table = array.tolist(), result.table("json")
    del result
    gc.collect()
    assert array.tolist() == expected == again.systems["good"].array("ROUGE-L").tolist()
    assert again.table("json") == table


def test_comparison_of_files(tmp_path, corpus):
    references, systems = corpus
    paths = []
    for name, captions in systems.items():
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(captions))
    comparison = capella.compare(references, paths, "rouge-l", resamples=100)
    assert list(comparison.result.systems) == list(systems)


def test_wrong_comparisons(corpus):
    references, systems = corpus
    called = []

    def mine(items):
        called.append(1)
        return [0.0] * len(items)

    with pytest.raises(capella.CapellaError, match="unknown test 'bootstra'; did you mean 'bootstrap'"):
        capella.compare(references, systems, mine, test="bootstra")
    with pytest.raises(capella.CapellaError, match="unknown baseline 'god'; there are good, poor"):
        capella.compare(references, systems, mine, baseline="god")
    with pytest.raises(capella.CapellaError, match="unknown baseline ''"):
        capella.compare(references, systems, mine, baseline="")
    with pytest.raises(capella.CapellaError, match="did you mean 'bleu'"):
        capella.compare(references, systems, ["blue", mine])
    assert not called
    with pytest.raises(capella.CapellaError, match="at least two systems, found 1"):
        capella.compare(references, {"good": systems["good"]}, "rouge-l")
    with pytest.raises(TypeError, match="found a path"):
        capella.compare(references, "good.json", "rouge-l")


def test_too_few_resamples_are_told_in_words_of_python(corpus):
    references, systems = corpus
    with pytest.warns(
        capella.CapellaWarning, match="40 resamples are too few for 4 tests.*; use resamples 160 or more"
    ) as caught:
        comparison = capella.compare(references, systems, "bleu", resamples=40)
    assert comparison.differences[0].real is None
    assert [one.filename for one in caught] == [__file__]


def test_scores_that_are_no_numbers(corpus):
    references, systems = corpus

    def hole(items):
        return [math.nan] + [1.0] * (len(items) - 1)

    with pytest.warns(capella.CapellaWarning, match="1 of 1 differences cannot be tested"):
        (one,) = capella.compare(references, systems, hole, resamples=100).differences
    assert all(math.isnan(value) for value in (one.difference, one.low, one.high, one.p, one.p_corrected))
    assert one.real is None
    with pytest.warns(capella.CapellaWarning, match="hole has no interval"):
        result = capella.score(references, systems["good"], hole, ci=True)
    assert math.isnan(result["hole"]) and all(map(math.isnan, result.interval("hole")))
