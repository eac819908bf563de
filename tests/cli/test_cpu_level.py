"""CAPELLA_CPU: every level gives the same figures, bit by bit, and a level that cannot be had is refused."""

import json

import pytest

from program import ROOT
from small_text_encoder import write_text_encoder

LEVELS = ["portable", "avx2", "avx512", "amx"]
KNOWN = []
CLASSICAL = "bleu,rouge-l,meteor,cider-d,spice,chrf,wmd"


@pytest.fixture(autouse=True)
def no_level(monkeypatch):
    monkeypatch.delenv("CAPELLA_CPU", raising=False)


def level_in_use(call, **env):
    """What `capella doctor` finds."""
    findings = json.loads(call("doctor", "--format", "json", env=env).out)
    [found] = [finding["found"] for finding in findings if finding["what"] == "processor level"]
    return found


@pytest.fixture
def highest(capella):
    """The processor's own level; the program is asked once."""
    if not KNOWN:
        KNOWN.append(level_in_use(capella))
    return KNOWN[0]


def test_doctor_shows_the_level_and_whether_it_is_forced(capella, highest):
    for level in LEVELS[: LEVELS.index(highest) + 1]:
        found = level_in_use(capella, CAPELLA_CPU=level)
        assert found.startswith(f"{level},") and "CAPELLA_CPU" in found and found.endswith(highest)


def test_unknown_levels_and_those_that_the_processor_lacks_are_refused(capella, highest, small):
    lacking = LEVELS[LEVELS.index(highest) + 1 :]
    for level in ["avx3", "AVX2", *lacking]:
        for command in [["doctor"], ["score", "refs.json", "hyps.json", "-m", "bleu"]]:
            assert capella(*command, env={"CAPELLA_CPU": level}).failed(2, "CAPELLA_CPU", f"'{level}'")


@pytest.fixture
def expect_same_bits(capella, highest, tmp_path):
    """Scores once more at each level: corpus scores and those of every item."""

    def compare(*command):
        def scored(**env):
            run = capella(*command, "--format", "json", "--per-item", "items.jsonl", env=env)
            assert run.code == 0, run.err
            return run.raw, (tmp_path / "items.jsonl").read_bytes()

        expected = scored()
        assert b"inf" not in expected[0].lower() and b"nan" not in expected[0].lower()
        for level in LEVELS[: LEVELS.index(highest)]:
            assert scored(CAPELLA_CPU=level) == expected, level

    return compare


def test_classical_metrics_have_the_same_bits(expect_same_bits, meteor_data):
    systems = sorted((ROOT / "examples/systems").glob("*.json"))
    expect_same_bits("score", ROOT / "examples/scenes.json", *systems, "-m", CLASSICAL)


# The bound is 0: the engine's kernels write down the order of every sum.
def test_small_encoders_have_the_same_bits(expect_same_bits, small, tmp_path):
    model = write_text_encoder(tmp_path / "text", pooled=True)
    settings = [f"--set={metric}.model={model}" for metric in ("sentence-cosine", "bertscore", "moverscore")]
    expect_same_bits("score", "refs.json", "hyps.json", "-m", "sentence-cosine,bertscore,moverscore", *settings)


def test_sentence_encoders_have_the_same_bits(expect_same_bits, minilm_data, small):
    expect_same_bits("score", "refs.json", "hyps.json", "-m", "sentence-cosine")
