"""A function of one's own as a metric."""

from __future__ import annotations

import pytest

import capella


def length(items):
    return {item.id: float(len(item.caption.split())) for item in items}


def test_by_id_beside_a_metric(refs, hyps):
    result = capella.score(refs, hyps, ["bleu", length])
    assert result["length"] == (5 + 5 + 5) / 3
    assert result["BLEU-4"] == capella.score(refs, hyps, "bleu")["BLEU-4"]
    assert result.per_item["9"]["length"] == 5.0
    assert result.signatures["length"].startswith("length|given")


def test_sees_ids_captions_and_references(refs, hyps):
    seen = []

    def look(items):
        seen.extend(items)
        return [0.5 for _ in items]

    assert capella.score(refs, hyps, look)["look"] == 0.5
    assert [item.id for item in seen] == ["7", "9", "12"]
    assert seen[1].caption == hyps[9] and seen[1].references == refs[9] and seen[1].image is None
    with pytest.raises(AttributeError):
        seen[0].caption = "x"


def test_runs_once_per_system(refs, hyps):
    other = {k: "a" for k in refs}
    result = capella.score(refs, systems={"long": hyps, "short": other}, metrics=[length])
    assert [result.systems[name]["length"] for name in ("long", "short")] == [5.0, 1.0]


@pytest.mark.parametrize(
    "answer, error, words",
    [
        ({"7": 1.0, "9": 1.0}, ValueError, "no value for 1 of 3 ids: 12"),
        ([1.0], ValueError, "1 values, expected 3"),
        (None, TypeError, "NoneType"),
        ([1.0, None, 2.0], TypeError, "'9'"),
        ("abc", TypeError, "str"),
    ],
)
def test_wrong_answers(refs, hyps, answer, error, words):
    def mine(items):
        return answer

    with pytest.raises(error, match=words):
        capella.score(refs, hyps, mine)


def test_its_own_error_comes_through(refs, hyps):
    def broken(items):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        capella.score(refs, hyps, ["bleu", broken])


def test_names_must_differ(refs, hyps):
    with pytest.raises(ValueError, match="two scores are named 'length'"):
        capella.score(refs, hyps, [length, length])
