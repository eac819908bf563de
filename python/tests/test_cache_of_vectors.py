"""Vectors of texts that `cache=` keeps: the same bits in scores, comparisons, rows and rewards."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import capella

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "cli"))
from small_text_encoder import write_text_encoder  # noqa: E402

METRICS = ["sentence-cosine", "bertscore", "moverscore"]
REFS = {1: ["a dog runs", "two dog"], 2: ["a cat"], 3: ["a red sofa", "the sofa", "a sofa"]}
HYPS = {1: "a dog", 2: "a cat sleeps", 3: "a man"}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_text_encoder(tmp_path_factory.mktemp("encoder"))


def ask(metric, model, **options):
    """Everything that takes `cache=` and gives numbers."""
    settings = {metric: {"model": str(model)}}
    scored = capella.score(REFS, HYPS, metric, settings=settings, **options)
    reward = capella.Reward(metric, REFS, settings=settings, **options)
    explained = capella.explain(REFS, HYPS, 1, metric, settings=settings, **options)
    return [scored.table("json"), reward(list(HYPS), list(HYPS.values())).tolist(), str(explained[0])]


def kept(folder):
    return {path.name: path.stat().st_size for path in folder.iterdir() if path.suffix == ".cache"}


@pytest.mark.parametrize("metric", METRICS)
def test_the_cache_changes_nothing(metric, model, tmp_path):
    expected = ask(metric, model)
    folder = tmp_path / "kept"
    assert ask(metric, model, cache=folder) == expected
    sizes = kept(folder)
    assert len(sizes) == 1
    assert ask(metric, model, cache=str(folder)) == expected
    assert kept(folder) == sizes


def test_a_damaged_file_is_told(model, tmp_path):
    settings = {"bertscore": {"model": str(model)}}
    expected = capella.score(REFS, HYPS, "bertscore", settings=settings, cache=tmp_path).table("json")
    [name] = kept(tmp_path)
    (tmp_path / name).write_bytes(b"nothing of the kind")
    with pytest.warns(capella.CapellaWarning, match=f"{name}: is no file of vectors"):
        damaged = capella.score(REFS, HYPS, "bertscore", settings=settings, cache=tmp_path)
    assert damaged.table("json") == expected
