"""Tokens, explanations, lists, shipped values."""

from __future__ import annotations

import re

import pytest

import capella


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", capella.__version__)


def test_tokenize():
    assert capella.tokenize(["A dog, running.", "It's 5 o'clock!"]) == ["a dog running", "it 's 5 o'clock"]
    assert capella.tokenize(["A dog, running."], "none") == ["A dog, running."]
    assert capella.tokenize([]) == []
    with pytest.raises(TypeError, match="expected a list"):
        capella.tokenize("a dog")
    with pytest.raises(TypeError, match="caption 1 is NoneType"):
        capella.tokenize(["a", None])


def test_metrics():
    by_name = {metric.name: metric for metric in capella.metrics()}
    assert by_name["bleu"].scores == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4"]
    assert "sigma" in [setting.key for setting in by_name["cider-d"].settings]
    assert all(metric.summary for metric in by_name.values())
    needing = {name: metric.data for name, metric in by_name.items() if metric.data}
    learnt = [preset.name for preset in capella.composite.presets()]  # all fuse METEOR or SPICE with others
    encoding = dict.fromkeys(["sentence-cosine", "bertscore", "moverscore", "capella-s"], "minilm")
    assert needing == dict.fromkeys(["meteor", "spice", "spider", *learnt], "meteor") | encoding


def test_explain(refs, hyps):
    whys = capella.explain(refs, hyps, 7, ["bleu", "cider-d"])
    assert [why.metric for why in whys] == ["bleu", "cider-d"]
    value = capella.score(refs, hyps, "cider-d").per_item["7"]["CIDEr-D"]
    assert f"CIDEr-D = {value:.6g}" in whys[1].summary and f"{value:.6g}" in str(whys[1])
    for why in whys:
        assert all(len(row) == len(columns) for _, columns, rows in why.tables for row in rows)
    with pytest.raises(ValueError, match="'70'"):
        capella.explain(refs, hyps, 70, "bleu")


def test_shipped_values_are_exact():
    metrics = {row.metric: row for row in capella.verify()}
    assert all(row.exact for row in metrics.values())
    values = metrics["BLEU"].values
    assert [value.item for value in values[::4]] == ["careful", "hasty", "dreamer"]
    assert all(value.found == value.expected and value.difference == 0 for value in values)


def test_write_df_is_what_df_takes(tmp_path, refs, hyps):
    count = capella.write_df(refs, str(tmp_path / "own.df"))
    assert count > 0
    from_file = capella.score(refs, hyps, "cider-d", df=tmp_path / "own.df")
    assert from_file["CIDEr-D"] == capella.score(refs, hyps, "cider-d")["CIDEr-D"]
    assert "df:own(3" in from_file.signatures["CIDEr-D"]
