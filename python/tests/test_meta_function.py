"""capella.meta: metrics and functions against human judgement."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from mathematics import ends, kendall, length, make_captions, pearson, ranks

import capella
from capella import stats

IMAGES = 25
ROWS = 2 * IMAGES


@pytest.fixture(scope="module")
def rated(tmp_path_factory) -> Path:
    """Two rated captions for each of some images."""
    random = np.random.default_rng(6)
    captions, references = make_captions(7, ROWS), make_captions(8, ROWS)
    rows = [
        {"imgid": f"{k // 2}.jpg", "mt": caption, "refs": [reference, caption[:9]], "score": rating / 4}
        for k, (caption, reference, rating) in enumerate(
            zip(captions, references, random.integers(0, 5, ROWS).tolist())
        )
    ]
    path = tmp_path_factory.mktemp("rated") / "nebula.json"
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture(scope="module")
def ratings(rated):
    return np.array([row["score"] for row in json.loads(rated.read_text())])


@pytest.fixture(scope="module")
def voted(tmp_path_factory) -> Path:
    """Pairs of captions, in four categories of different sizes."""
    captions = iter(make_captions(9, 200))

    def make_pair(k):
        both = [next(captions), next(captions)]
        return {"image": f"{k}.jpg", "captions": both, "references": [next(captions)], "label": k % 2}

    path = tmp_path_factory.mktemp("voted") / "pascal.json"
    counts = {"HC": 20, "HI": 14, "HM": 9, "MM": 9}
    path.write_text(
        json.dumps({name: [make_pair(k) for k in range(count)] for name, count in counts.items()})
    )
    return path


def test_a_function_is_held_against_ratings(rated, ratings):
    seen = []

    def mine(items):
        seen.append(items)
        return length(items)

    result = capella.meta("nebula", rated, ["rouge-l", mine], resamples=300, seed=4)
    rows = json.loads(rated.read_text())
    (items,) = seen
    assert [item.id for item in items] == [str(k) for k in range(ROWS)]
    assert [item.caption for item in items] == [row["mt"] for row in rows]
    assert items[3].references == rows[3]["refs"]

    assert list(result) == ["ROUGE-L", "mine"] and len(result) == 2 and "mine" in result
    values = np.array([len(row["mt"].split()) for row in rows], dtype=float)
    assert result.array("mine").tolist() == values.tolist() and result.ratings.tolist() == ratings.tolist()
    expected = dict(zip(["kendall_b", "kendall_c"], kendall(values, ratings)))
    expected["pearson"] = pearson(values, ratings)
    expected["spearman"] = pearson(ranks(values), ranks(ratings))
    assert {name: one["value"] for name, one in result["mine"].items()} == pytest.approx(expected, rel=1e-12)
    assert result["mine"]["pearson"]["p_rows"] == stats.pearson(values, ratings).p

    random = np.random.default_rng(4)
    drawn = []
    for _ in range(300):
        images = random.choice(IMAGES, IMAGES)
        chosen = np.concatenate([[2 * image, 2 * image + 1] for image in images])
        drawn.append(pearson(values[chosen], ratings[chosen]))
    found = result["mine"]["pearson"]
    assert (found["low"], found["high"]) == pytest.approx(ends(drawn), rel=1e-9)


def test_ours_among_theirs(rated):
    ours = capella.meta("nebula", rated, "rouge-l", resamples=200)
    rows = json.loads(rated.read_text())
    again = capella.score([row["refs"] for row in rows], [row["mt"] for row in rows], "rouge-l")
    assert ours.array("ROUGE-L").tolist() == again.systems["system"].array("ROUGE-L").tolist()
    assert ours.signatures == again.signatures
    given = capella.meta("nebula", rated, scores={"theirs": ours.array("ROUGE-L")}, resamples=200)
    assert list(given) == ["theirs"] and given["theirs"] == ours["ROUGE-L"]
    both = capella.meta(
        "nebula", rated, ["rouge-l", length], scores={"theirs": list(range(50))}, resamples=200
    )
    assert list(both) == ["ROUGE-L", "length", "theirs"]
    assert set(both.milliseconds) == {"ROUGE-L", "length"} and set(both.signatures) == {"ROUGE-L"}
    assert all(time > 0 for time in both.milliseconds.values())


def test_scores_from_files_and_from_memory_agree(tmp_path, rated):
    values = np.random.default_rng(1).random(ROWS).tolist()
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps({"row": k, "score": x}) + "\n" for k, x in enumerate(values)))
    result = capella.meta(
        "nebula",
        rated,
        scores={"file": path, "text": str(path), "list": values, "tuple": tuple(values)},
        resamples=200,
    )
    assert sorted(result) == ["file", "list", "text", "tuple"]
    assert result["file"] == result["list"] == result["text"] == result["tuple"]


def test_meta_result(tmp_path, rated):
    result = capella.meta("nebula", str(rated), ["rouge-l", length], resamples=200, cases=2)
    whole = result.to_dict()
    assert whole["benchmark"] == result.benchmark == "nebula" and whole["rows"] == result.rows == ROWS
    assert whole["version"] == result.version and whole["notes"] == result.notes and result.warnings == []
    entry = next(one for one in whole["metrics"] if one["metric"] == "length")
    assert {name: entry[name] for name in result["length"]} == result["length"]
    assert len(whole["cases"]) == 2 * 2 * 2 and "published" not in whole
    assert "published" in result.to_dict(published=True)
    assert result.table().startswith(repr(result)) and repr(result).startswith("metric")
    assert "DENEB" in result.table(published=True) and "DENEB" not in result.table()
    assert result._repr_markdown_() == result.table("md") and r"\toprule" in result.table("latex")
    assert len(result.sentences) == 2
    with pytest.raises(KeyError, match="ROUGE-L, length"):
        result["ROUGE"]
    with pytest.raises(capella.CapellaError, match="latex"):
        result.table("latx")
    with pytest.raises(ValueError):
        result.array("length")[0] = 1

    pictures = result.pictures()
    assert sorted(pictures) == ["bars.svg", "differences.svg", "scatter-length.svg", "scatter-rouge-l.svg"]
    paths = result.plots(tmp_path / "new" / "folder")
    assert {path.name: path.read_text() for path in paths} == pictures
    assert (
        "<svg" in pictures["bars.svg"] and pictures["bars.svg"] != result.pictures(published=True)["bars.svg"]
    )
    with pytest.raises(capella.FileError, match="nebula.json"):
        result.plots(rated)


def test_published_figures_on_request(rated):
    result = capella.meta("nebula", rated, "rouge-l", resamples=40, published=True)
    assert "DENEB" in result.table() and "published" in result.to_dict()
    assert "DENEB" not in result.table(published=False)


def accuracies(path, values):
    """By category, from the definition."""
    found, ties, k = {}, {}, 0
    for name, pairs in json.loads(path.read_text()).items():
        right = [values[2 * (k + j) + pair["label"]] for j, pair in enumerate(pairs)]
        wrong = [values[2 * (k + j) + 1 - pair["label"]] for j, pair in enumerate(pairs)]
        found[name] = np.mean(np.array(right) > np.array(wrong))
        ties[name] = np.sum(np.array(right) == np.array(wrong))
        k += len(pairs)
    return found | {"mean": np.mean(list(found.values()))}, ties


def test_pairs(voted):
    pairs = [pair for some in json.loads(voted.read_text()).values() for pair in some]
    values = [len(caption.split()) for pair in pairs for caption in pair["captions"]]
    result = capella.meta("pascal50s", voted, length, scores={"list": values}, resamples=200)
    expected, ties = accuracies(voted, values)
    assert sum(ties.values()) > 0
    for name in ("length", "list"):
        found = {category: one["value"] for category, one in result[name]["accuracy"].items()}
        assert found == pytest.approx(expected) and result[name]["ties"] == ties
    assert result.rows == len(values) and result.ratings.size == 0
    entry = result.to_dict()["metrics"][0]
    assert {name: entry[name] for name in ("accuracy", "ties")} == result["length"]


def test_foil_asks_a_function_once_with_all_references(tmp_path):
    random = np.random.default_rng(12)
    path = tmp_path / "foil.jsonl"
    captions = iter(make_captions(13, 200))
    rows = [
        {
            "image_id": k,
            "caption": next(captions),
            "foil": next(captions),
            "references": [next(captions) for _ in range(4)],
        }
        for k in range(30)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    values = random.integers(0, 3, 60).astype(float)
    calls = []

    def mine(items):
        calls.append([len(item.references) for item in items])
        return values

    result = capella.meta("foil", path, ["rouge-l", mine], scores={"list": values}, resamples=200)
    assert calls == [[4] * 60]
    share = np.mean(values[::2] > values[1::2])
    for name in ("mine", "list"):
        found = {category: one["value"] for category, one in result[name]["accuracy"].items()}
        assert found == pytest.approx({"1-ref": share, "4-ref": share})
    assert result["ROUGE-L"]["accuracy"]["1-ref"] != result["ROUGE-L"]["accuracy"]["4-ref"]
    values[3] = math.nan
    with pytest.warns(capella.CapellaWarning, match="list: 1 of 60 rows have no number") as caught:
        capella.meta("foil", path, scores={"list": values}, resamples=200)
    assert len(caught) == 1


def test_ties_of_a_challenge_set_count_half(tmp_path):
    random = np.random.default_rng(14)
    path = tmp_path / "challenge.jsonl"
    captions = iter(make_captions(15, 200))
    kinds = ["order", "mine", "order"]
    rows = [
        {
            "image_id": k,
            "kind": kinds[k % 3],
            "better": next(captions),
            "worse": next(captions),
            "references": [next(captions) for _ in range(2)],
        }
        for k in range(30)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    values = random.integers(0, 3, 60).astype(float)
    result = capella.meta("challenge", path, ["rouge-l"], scores={"list": values}, resamples=200)
    worth = (np.sign(values[::2] - values[1::2]) + 1) / 2
    expected = {kind: np.mean([worth[k] for k in range(30) if kinds[k % 3] == kind]) for kind in ("order", "mine")}
    expected["mean"] = np.mean(list(expected.values()))
    found = {kind: one["value"] for kind, one in result["list"]["accuracy"].items()}
    assert found == pytest.approx(expected)
    assert "a tie counts half" in result.table() and "categories.svg" in result.pictures()


def test_what_is_undefined_is_told(rated):
    values = np.arange(ROWS, dtype=float)
    values[[3, 4]] = math.nan
    with pytest.warns(capella.CapellaWarning, match="mine: 2 of 50 rows have no number.*: rows 3, 4"):
        result = capella.meta("nebula", rated, scores={"mine": values}, resamples=40)
    assert len(result.warnings) == 1 and math.isnan(result["mine"]["kendall_c"]["value"])
    with pytest.warns(capella.CapellaWarning, match="mine: every row has the score 1"):
        result = capella.meta("nebula", rated, scores={"mine": [1] * ROWS}, resamples=40)
    assert math.isnan(result["mine"]["pearson"]["low"])


def test_wrong_scores(tmp_path, rated, voted):
    with pytest.raises(capella.CapellaError, match="mine: 3 values, expected 50, one for each row"):
        capella.meta("nebula", rated, scores={"mine": [1, 2, 3]})
    with pytest.raises(capella.CapellaError, match="mine: 3 values, expected 104, two for each pair"):
        capella.meta("pascal50s", voted, scores={"mine": [1, 2, 3]})
    with pytest.raises(capella.CapellaError, match=r"scores\['mine'\]: found 2 dimensions"):
        capella.meta("nebula", rated, scores={"mine": np.zeros((25, 2))})
    with pytest.raises(TypeError, match=r"scores\['mine'\]: found list"):
        capella.meta("nebula", rated, scores={"mine": ["x"] * ROWS})
    with pytest.raises(TypeError, match="scores: found list, expected a dict"):
        capella.meta("nebula", rated, scores=[0.5] * ROWS)
    with pytest.raises(TypeError, match="a name is int"):
        capella.meta("nebula", rated, scores={1: [0.5] * ROWS})
    with pytest.raises(capella.CapellaError, match="without '='"):
        capella.meta("nebula", rated, scores={"a=b": [0.5] * ROWS})
    with pytest.raises(capella.CapellaError, match="two scores are named 'ROUGE-L'"):
        capella.meta("nebula", rated, "rouge-l", scores={"ROUGE-L": range(ROWS)})
    with pytest.raises(capella.FileError, match="nothing.jsonl"):
        capella.meta("nebula", rated, scores={"mine": tmp_path / "nothing.jsonl"})
    path = tmp_path / "some.jsonl"
    path.write_text('{"row": 0, "score": 0.5}\n')
    with pytest.raises(capella.CapellaError, match="some.jsonl: 1 of 50 rows have a score"):
        capella.meta("nebula", rated, scores={"mine": path})


def test_wrong_meta_calls(tmp_path, rated):
    called = []

    def mine(items):
        called.append(1)
        return [0.0] * (len(items) - 1)

    with pytest.raises(capella.CapellaError, match="unknown benchmark 'nebulae'; did you mean 'nebula'"):
        capella.meta("nebulae", rated, mine)
    with pytest.raises(capella.FileError, match="nothing.json"):
        capella.meta("nebula", tmp_path / "nothing.json", mine)
    with pytest.raises(capella.CapellaError, match="did you mean 'bleu'"):
        capella.meta("nebula", rated, ["blue", mine])
    with pytest.raises(capella.CapellaError, match="two scores are named 'mine'"):
        capella.meta("nebula", rated, mine, scores={"mine": [0.5] * ROWS})
    with pytest.raises(capella.CapellaError, match="cases: found -1"):
        capella.meta("nebula", rated, mine, cases=-1)
    with pytest.raises(capella.CapellaError, match="metrics is empty"):
        capella.meta("nebula", rated, [])
    with pytest.raises(capella.CapellaError, match="nebula has its own"):
        capella.meta("nebula", rated, mine, references=rated)
    assert not called
    with pytest.raises(capella.CapellaError, match=r"mine\(\) returned 49 values, expected 50"):
        capella.meta("nebula", rated, mine)


def test_few_images_are_told(tmp_path):
    path = tmp_path / "few.json"
    path.write_text(json.dumps([{"mt": f"a {k}", "refs": ["a dog"], "score": k / 4} for k in range(4)]))
    with pytest.warns(capella.CapellaWarning, match="too few|nothing to measure") as caught:
        capella.meta("nebula", path, scores={"mine": [1, 2, 3, 4]})
    assert {one.filename for one in caught} == {__file__}


def test_figures_of_flickr8k_expert(shared):
    """Scores of the reference programs and their coefficients by scipy."""
    golden = json.loads((shared / "golden/golden_flickr8k_expert.json").read_text())
    names = {"ROUGE_L": "ROUGE-L", "CIDEr": "CIDEr-D"}
    scores = {name: [row[name] for row in golden["rows"]] for name in names}

    def words(items):
        captions = capella.tokenize([item.caption for item in items], "ptb-iso")
        assert captions == [row["cand"] for row in golden["rows"]]
        return [len(caption.split()) for caption in captions]

    result = capella.meta(
        "flickr8k-expert", shared / "data/flickr8k", ["rouge-l", "cider-d", words], scores=scores, resamples=700
    )
    assert result["words"]["kendall_b"]["value"] < 0
    assert result.rows == golden["n"] and result.ratings.tolist() == [row["rating"] for row in golden["rows"]]
    for theirs, ours in names.items():
        expected = golden["results"][theirs]
        for name in (theirs, ours):
            found = {measure.replace("kendall", "tau"): one["value"] for measure, one in result[name].items()}
            assert found == pytest.approx(expected, rel=1e-9)


def test_figures_of_pascal50s(shared):
    golden = json.loads((shared / "golden/golden_pascal50s.json").read_text())["results"]
    result = capella.meta(
        "pascal50s", shared / "data/pascal50s/pascal_50s.json", ["bleu", "rouge-l"], resamples=700
    )
    for ours, theirs in {"BLEU-1": "BLEU-1", "BLEU-4": "BLEU-4", "ROUGE-L": "ROUGE_L"}.items():
        for category in ("HC", "HI", "HM", "MM"):
            found = 100 * result[ours]["accuracy"][category]["value"]
            assert found == pytest.approx(golden[theirs][category]["strict"], rel=1e-12)
            assert result[ours]["ties"][category] == golden[theirs][category]["ties"]
        assert 100 * result[ours]["accuracy"]["mean"]["value"] == pytest.approx(golden[theirs]["mean_strict"])
