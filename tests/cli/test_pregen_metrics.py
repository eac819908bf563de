"""capella pregen metrics: the 504 numbers in every format, and what is said of bad files."""

import gzip
import json
import math

import pytest


def caption(probabilities, wrong=()):
    return [[p, int(i in wrong)] for i, p in enumerate(probabilities)]


# The paper's worked example: two images with two captions each.
EXAMPLE = [
    [
        caption([0.711, 0.507, 0.380, 0.563, 0.577, 0.352, 0.557, 0.574, 0.268, 0.615], {5, 8}),
        caption([0.711, 0.507, 0.369, 0.561, 0.605, 0.384, 0.520], {2}),
    ],
    [
        caption([0.714, 0.438, 0.364, 0.580, 0.454, 0.739, 0.743], {1}),
        caption([0.714, 0.438, 0.340, 0.592, 0.536, 0.454, 0.739, 0.743], {1, 2}),
    ],
]
BEST = "mean_max_normcount_prefix0"


@pytest.fixture
def probs(tmp_path):
    path = tmp_path / "init_1.json"
    path.write_text(json.dumps(EXAMPLE))
    return path


def test_one_file_gives_one_object(capella, probs):
    metrics = capella("pregen", "metrics", probs, "--format", "json").json()
    assert len(metrics) == 504
    assert list(metrics)[0] == "sum_sum_prob_none"
    assert metrics[BEST] == pytest.approx((5 / 10 + 1 / 7) / 2, rel=1e-14)
    assert metrics["sum_sum_count_filter0"] == 6


def test_filter0_as_the_paper_words_it(capella, probs):
    metrics = capella("pregen", "metrics", probs, "--filter0", "paper", "--format", "json").json()
    assert metrics["sum_sum_count_filter0"] == 26
    capella("pregen", "metrics", probs, "--filter0", "both").failed(2, "--filter0", "code", "paper")


def test_several_files_are_told_apart(capella, probs, tmp_path):
    (tmp_path / "packed.json.gz").write_bytes(gzip.compress(json.dumps([[[[0.5, 1]]]]).encode()))
    systems = capella("pregen", "metrics", probs, "packed.json.gz", f"b={probs}", "--format", "json").json()
    assert list(systems) == ["init_1", "packed", "b"]
    assert systems["init_1"] == systems["b"]
    assert systems["packed"]["mean_mean_pplx_none"] == 2
    assert systems["packed"]["mean_mean_pplx_prefix0"] == "inf"


def test_tables(capella, probs):
    few = capella("pregen", "metrics", probs)
    assert few.code == 0
    lines = few.out.splitlines()
    assert "perplexity" in lines[2] and BEST in lines[3]
    assert len(lines) < 20
    everything = capella("pregen", "metrics", probs, "--all").out.splitlines()
    assert len(everything) == 2 + 504
    assert len({line.split()[0] for line in everything[2:]}) == 504
    header, row = capella("pregen", "metrics", probs, "--format", "csv").out.splitlines()
    values = dict(zip(header.split(","), row.split(","), strict=True))
    assert values["system"] == "init_1" and len(values) == 505
    assert math.isclose(float(values[BEST]), (5 / 10 + 1 / 7) / 2)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([[[[1.5, 0]]]], "p.json: image 1, caption 1, word 1: the probability 1.5"),
        ([[[[0.5, 0], [0.5, -1]]]], "p.json: image 1, caption 1, word 2: found the number -1 as the rank"),
        ([[]], "p.json: image 1: no captions"),
        ({"a": 1}, "p.json:1: no token probabilities"),
    ],
)
def test_bad_files(capella, tmp_path, content, said):
    (tmp_path / "p.json").write_text(json.dumps(content))
    capella("pregen", "metrics", "p.json").failed(1, said)


def test_an_output_is_no_input(capella, probs):
    capella("pregen", "metrics", probs, "-o", probs).failed(2, "init_1.json")
