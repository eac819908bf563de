"""Confidence intervals of scores, and capella.stats."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from statistics import NormalDist

import numpy as np
import pytest
from mathematics import ends, holm, kendall, length, pearson, ranks, resampled_means

import capella
from capella import stats


@pytest.mark.parametrize("resamples, seed", [(1000, 12345), (137, 7), (40, 2**64 - 1)])
def test_intervals_of_a_mean(corpus, resamples, seed):
    references, systems = corpus
    result = capella.score(
        references, systems["good"], ["rouge-l", length], ci=True, resamples=resamples, seed=seed
    )
    for score in result.scores:
        means = resampled_means(result.systems["system"].array(score), resamples, seed)
        assert result.interval(score) == pytest.approx(ends(means), rel=1e-12)
        assert result.systems["system"].interval(score) == result.interval(score)


def test_intervals_corrected_for_bias_and_skew(corpus):
    references, systems = corpus
    result = capella.score(references, systems["good"], "rouge-l", ci=True, ci_method="bca")
    values = result.systems["system"].array("ROUGE-L")
    replicates = np.sort(resampled_means(values, 1000, 12345))
    normal = NormalDist()
    bias = normal.inv_cdf(np.mean(replicates < result["ROUGE-L"]))
    influence = values - values.mean()
    speed = np.sum(influence**3) / (6 * np.sum(influence**2) ** 1.5)
    for found, share in zip(result.interval("ROUGE-L"), (0.025, 0.975)):
        z = bias + normal.inv_cdf(share)
        assert found == pytest.approx(
            np.quantile(replicates, normal.cdf(bias + z / (1 - speed * z))), rel=1e-9
        )
    assert "BCa" in result.table()


def test_intervals_of_a_corpus_score_depend_on_the_seed_alone(corpus):
    references, systems = corpus

    def run(**options):
        return capella.score(references, systems["good"], "bleu", ci=True, **options)

    one = run(threads=1)
    low, high = one.interval("BLEU-4")
    assert low < one["BLEU-4"] < high
    assert run(threads=3).table("json") == one.table("json")
    assert run(seed=1).interval("BLEU-4") != (low, high)


def test_intervals_in_results(corpus):
    references, systems = corpus
    result = capella.score(references, systems=systems, metrics="rouge-l", ci=True, ci_method="bca", seed=9)
    entry = result.to_dict()["systems"][1]["scores"]["ROUGE-L"]
    assert (entry["low"], entry["high"]) == result.systems["poor"].interval("ROUGE-L")
    again = pickle.loads(pickle.dumps(result))
    assert again.table() == result.table() and "seed 9" in again.table()
    assert again.table("json") == result.table("json")
    with pytest.raises(capella.CapellaError, match="2 systems"):
        result.interval("ROUGE-L")
    with pytest.raises(KeyError, match="ROUGE-L"):
        result.systems["good"].interval("ROUGE")


def test_no_intervals_unasked(corpus):
    references, systems = corpus
    result = capella.score(references, systems["good"], "rouge-l")
    with pytest.raises(capella.CapellaError, match="ci=True"):
        result.interval("ROUGE-L")
    assert "low" not in result.to_dict()["systems"][0]["scores"]["ROUGE-L"]
    assert pickle.loads(pickle.dumps(result)).table("json") == result.table("json")


def test_merged_rows_have_the_intervals_of_one_run(corpus):
    references, systems = corpus
    metrics = ["bleu", "cider-d"]
    options = {"ci": True, "resamples": 200, "seed": 5}
    whole = capella.score(references, systems["good"], metrics, tokenizer="ptb-iso", **options)
    shards = [capella.rows(references, systems["good"], metrics, shard=(rank, 3)) for rank in range(3)]
    merged = capella.merge(shards, **options)
    assert merged.table("json") == whole.table("json") and merged.interval("CIDEr-D") == whole.interval(
        "CIDEr-D"
    )
    with pytest.raises(capella.CapellaError, match="ci=True"):
        capella.merge(shards).interval("CIDEr-D")


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"resamples": 0}, ValueError, "resamples: found 0, expected a whole number from 40"),
        ({"resamples": -5}, ValueError, "resamples: found -5"),
        ({"resamples": 2.5}, TypeError, "resamples: found float"),
        ({"seed": -1}, ValueError, "seed: found -1"),
        ({"seed": 2**64}, ValueError, "seed: found"),
        ({"seed": "x"}, TypeError, "seed: found str"),
        ({"ci_method": "bac"}, ValueError, "ci_method: found 'bac', expected 'percentile' or 'bca'"),
    ],
)
def test_wrong_resampling(corpus, options, error, words):
    references, systems = corpus
    with pytest.raises(error, match=words):
        capella.score(references, systems["good"], "rouge-l", ci=True, **options)
    with pytest.raises(error, match=words):
        capella.merge([], ci=True, **options)
    if "ci_method" not in options:
        with pytest.raises(error, match=words):
            capella.compare(references, systems, "rouge-l", **options)
        with pytest.raises(error, match=words):
            capella.meta("nebula", "nothing.json", "rouge-l", **options)


def test_whole_numbers_of_numpy(corpus):
    references, systems = corpus
    result = capella.score(
        references, systems["good"], "rouge-l", ci=True, resamples=np.int64(50), seed=np.uint8(3)
    )
    assert "50 resamples, seed 3" in result.table()


def test_few_items_are_told(refs, hyps):
    with pytest.warns(capella.CapellaWarning, match="3 items: too few"):
        result = capella.score(refs, hyps, "rouge-l", ci=True)
    assert len(result.warnings) == 1


@pytest.fixture
def series():
    random = np.random.default_rng(8)
    x = random.integers(0, 9, 50) / 8
    return x, np.round(x * 3 + random.normal(0, 1, 50))


def test_coefficients(series):
    x, y = series
    tau_b, tau_c = kendall(x, y)
    found = stats.kendall(x, y)
    assert (found.tau_b, found.tau_c) == pytest.approx((tau_b, tau_c), rel=1e-12) and 0 < found.p < 1e-4
    assert stats.pearson(x, y).value == pytest.approx(pearson(x, y), rel=1e-12)
    assert stats.spearman(x, y).value == pytest.approx(pearson(ranks(x), ranks(y)), rel=1e-12)
    assert stats.kendall(x.tolist(), tuple(y)) == found
    assert stats.kendall(x.astype(np.float32)[::2], y[::2].astype(int)) == stats.kendall(x[::2], y[::2])


def test_exact_p_value_of_kendall():
    def surplus(order):
        return sum(np.sign(b - a) for a, b in itertools.combinations(order, 2))

    y = [3, 1, 4, 2, 5]
    orders = [abs(surplus(order)) for order in itertools.permutations(range(5))]
    assert stats.kendall(range(5), y).p == pytest.approx(np.mean(np.array(orders) >= surplus(y)), rel=1e-12)


def test_holm():
    p_values = [0.01, 0.04, 0.03, 0.2, 1.0]
    assert stats.holm(p_values) == pytest.approx([0.05, 0.12, 0.12, 0.4, 1.0])
    assert stats.holm(p_values) == pytest.approx(holm(p_values))
    assert stats.holm([0.03, math.nan, 0.02]) == pytest.approx([0.04, math.nan, 0.04], nan_ok=True)
    assert stats.holm([]).shape == (0,)


def test_williams():
    """With three degrees of freedom the t distribution can be written down."""
    found = stats.williams(0.6, 0.5, 0.7, 6)
    determinant = 1 - 0.36 - 0.25 - 0.49 + 2 * 0.6 * 0.5 * 0.7
    t = 0.1 * math.sqrt(5 * 1.7 / (2 * determinant * 5 / 3 + 0.55**2 * 0.3**3))
    assert found.t == pytest.approx(t, rel=1e-12)
    u = t / math.sqrt(3)
    assert found.p == pytest.approx(1 - 2 / math.pi * (u / (1 + u * u) + math.atan(u)), rel=1e-12)
    assert stats.williams(0.5, 0.5, 0.7, 6) == (0, 1)


def test_undefined_coefficients(series):
    x, y = series
    for function in (stats.kendall, stats.pearson, stats.spearman):
        assert all(map(math.isnan, function([1, 2, 3], [2, 2, 2])))
        assert all(map(math.isnan, function(x, np.where(np.arange(50) == 7, math.nan, y))))
        assert all(map(math.isnan, function([], []))) and all(map(math.isnan, function([1], [2])))
    assert all(map(math.isnan, stats.williams(0.5, 0.6, 0.7, 3)))


def test_wrong_series():
    for function in (stats.kendall, stats.pearson, stats.spearman):
        with pytest.raises(capella.CapellaError, match="x has 3 values and y 2"):
            function([1, 2, 3], [1, 2])
        with pytest.raises(capella.CapellaError, match="y: found 2 dimensions"):
            function([1, 2], [[1, 2]])
        with pytest.raises(capella.CapellaError, match="x: found 0 dimensions"):
            function(1.5, [1, 2])
        with pytest.raises(TypeError, match="x: found str"):
            function("ab", [1, 2])
        with pytest.raises(TypeError, match="y: found list"):
            function([1, 2], ["a", "b"])
    with pytest.raises(capella.CapellaError, match="n: found -1"):
        stats.williams(0.1, 0.2, 0.3, -1)


def test_coefficients_of_scipy(shared):
    golden = json.loads((shared / "golden/golden_stats.json").read_text())
    for case in [*golden["small"].values(), *golden["random"]]:
        found = stats.kendall(case["x"], case["y"])
        p = case.get("p_auto", case["p_asymptotic"])  # random series have ties
        expected = (case["tau_b"], case["tau_c"], p)
        assert tuple(found) == pytest.approx(expected, rel=1e-9, abs=1e-15, nan_ok=True)
        assert stats.pearson(case["x"], case["y"]).value == pytest.approx(
            case["pearson"], rel=1e-9, nan_ok=True
        )
        assert stats.spearman(case["x"], case["y"]).value == pytest.approx(
            case["spearman"], rel=1e-9, nan_ok=True
        )
    for case in golden["williams"]:
        found = stats.williams(case["r12"], case["r13"], case["r23"], case["n"])
        assert tuple(found) == pytest.approx((case["t"], case["p_two_sided"]), rel=1e-9)
