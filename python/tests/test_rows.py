"""Shares of the work: pickled, added, merged."""

from __future__ import annotations

import pickle

import pytest

import capella

METRICS = ["bleu", "cider-d"]


@pytest.fixture
def many(refs, hyps):
    names = list(refs)
    big = {k: refs[names[k % 3]] + [f"thing {k}"] for k in range(100)}
    return big, {k: f"{hyps[names[k % 3]]} {k}" for k in big}


def test_shards_in_any_order_equal_one_run(many):
    whole = capella.score(*many, METRICS, tokenizer="ptb-iso")
    shards = [capella.rows(*many, METRICS, shard=(rank, 7)) for rank in range(7)]
    shards = [pickle.loads(pickle.dumps(rows)) for rows in reversed(shards)]
    for merged in (capella.merge(shards), capella.merge(*shards), capella.merge(sum(shards))):
        assert merged.table("json") == whole.table("json") and merged.item_lines() == whole.item_lines()


def test_parts_with_fixed_frequencies_equal_one_run(tmp_path, many):
    refs, hyps = many
    assert capella.write_df(refs, tmp_path / "own.df") > 0
    options = {"metrics": METRICS, "df": tmp_path / "own.df", "tokenizer": "ptb-iso"}
    whole = capella.score(refs, hyps, **options)
    cut = [range(0, 33), range(33, 34), range(34, 100)]
    parts = [capella.rows({k: refs[k] for k in c}, {k: hyps[k] for k in c}, **options) for c in cut]
    assert capella.merge(parts).item_lines() == whole.item_lines()
    assert capella.merge(parts)["BLEU-4"] == whole["BLEU-4"]


def test_wrong_shares(many, refs, hyps):
    first = capella.rows(*many, METRICS, shard=(0, 2))
    with pytest.raises(ValueError, match="give all shards"):
        capella.merge(first)
    with pytest.raises(ValueError, match="given twice"):
        capella.merge(first, first)
    with pytest.raises(ValueError, match="differ"):
        capella.merge(first, capella.rows(*many, "bleu", shard=(1, 2)))
    with pytest.raises(ValueError, match="0 <= rank < size"):
        capella.rows(*many, METRICS, shard=(2, 2))
    with pytest.raises(ValueError, match="document frequencies"):
        capella.rows(*many, METRICS)
    with pytest.raises(ValueError, match="names of metrics"):
        capella.rows(*many, [len], shard=(0, 2))
    with pytest.raises(ValueError, match="block 0"):
        capella.merge(capella.Rows([b"no rows"]))
    with pytest.raises(ValueError, match="no statistics"):
        capella.merge()


def test_rows_are_values(many):
    a, b = (capella.rows(*many, METRICS, shard=(rank, 2)) for rank in (0, 1))
    assert a + b == capella.Rows(a.blocks + b.blocks) != b + a
    assert len({a, b, pickle.loads(pickle.dumps(a))}) == 2
    assert repr(a).startswith("<capella.Rows: 1 block(s)")
    with pytest.raises(TypeError):
        a + 1
