"""capella.score: shapes of input, results, settings."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import capella

METRICS = ["bleu", "rouge-l", "cider-d"]


@pytest.fixture
def expected(refs, hyps):
    return capella.score(refs, hyps, METRICS)


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value))
    return path


def coco(refs: dict[int, list[str]]) -> dict[str, object]:
    notes = [
        {"id": 10 * k + j, "image_id": k, "caption": c} for k, cs in refs.items() for j, c in enumerate(cs)
    ]
    return {"images": [{"id": k} for k in refs], "annotations": notes}


SHAPES = {
    "text ids": lambda refs, hyps: ({str(k): v for k, v in refs.items()}, hyps),
    "numpy ids": lambda refs, hyps: ({np.int64(k): v for k, v in refs.items()}, hyps),
    "tuples": lambda refs, hyps: ({k: tuple(v) for k, v in refs.items()}, {k: [v] for k, v in hyps.items()}),
    "caption objects": lambda refs, hyps: ({k: [{"caption": c} for c in v] for k, v in refs.items()}, hyps),
    "rows": lambda refs, hyps: (
        [{"image_id": k, "captions": v} for k, v in refs.items()],
        [{"image_id": k, "caption": v} for k, v in reversed(hyps.items())],
    ),
    "one row per reference": lambda refs, hyps: (
        [{"id": k, "text": c} for k, v in refs.items() for c in v],
        hyps,
    ),
    "without ids": lambda refs, hyps: (list(refs.values()), list(hyps.values())),
    "ids on one side": lambda refs, hyps: (refs, list(hyps.values())),
    "generators": lambda refs, hyps: ((v for v in refs.values()), (v for v in hyps.values())),
    "array": lambda refs, hyps: (refs, np.array(list(hyps.values()))),
    "parsed COCO file": lambda refs, hyps: (coco(refs), hyps),
    "joint rows": lambda refs, hyps: (
        [{"image_id": k, "test": hyps[k], "refs": refs[k]} for k in refs],
        None,
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_in_memory_gives_the_same_scores(shape, refs, hyps, expected):
    result = capella.score(*SHAPES[shape](refs, hyps), METRICS)
    assert [result[name] for name in result.scores] == [expected[name] for name in expected.scores]


def test_files(tmp_path, refs, hyps, expected):
    refs_file = write(tmp_path / "refs.json", coco(refs))
    hyps_file = tmp_path / "ours.json.gz"
    hyps_file.write_bytes(gzip.compress(json.dumps(hyps).encode()))
    for result in (
        capella.score(refs_file, str(hyps_file), METRICS),
        capella.score(str(refs_file), hyps, METRICS),
    ):
        assert result["CIDEr-D"] == expected["CIDEr-D"]
    assert list(capella.score(refs_file, hyps_file, METRICS).systems) == ["ours"]


def test_several_systems(tmp_path, refs, hyps, expected):
    other = {k: v[0] for k, v in refs.items()}
    result = capella.score(refs, systems={"ours": hyps, "oracle": other}, metrics=METRICS)
    assert list(result.systems) == ["ours", "oracle"]
    assert result.systems["ours"]["BLEU-4"] == expected["BLEU-4"]
    assert result.systems["oracle"].per_item["9"]["ROUGE-L"] == 1.0
    with pytest.raises(capella.CapellaError, match="ours, oracle"):
        result["BLEU-4"]
    with pytest.raises(ValueError, match="ours, oracle"):
        result.per_item
    paths = [write(tmp_path / "a.json", hyps), write(tmp_path / "b.json", other)]
    assert list(capella.score(refs, systems=paths).systems) == ["a", "b"]


def test_result(refs, hyps, expected):
    assert expected.scores == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr-D"]
    assert expected.ids == ["7", "9", "12"] == list(expected.per_item)
    system = expected.systems["system"]
    assert np.mean(system.array("CIDEr-D")) == pytest.approx(expected["CIDEr-D"], rel=1e-12)
    assert system.array("CIDEr-D").tolist() == [row["CIDEr-D"] for row in expected.per_item.values()]
    assert expected.signatures["CIDEr-D"].startswith("CIDEr-D|n:4|sigma:6|df:refs(3)|tok:ptb|capella:")
    assert expected.skipped == []
    with pytest.raises(KeyError, match="ROUGE-L"):
        expected["ROUGE"]


def test_formats(expected):
    whole = expected.to_dict()
    assert whole["capella"] == capella.__version__ and whole["items"] == 3
    assert whole["systems"][0]["scores"]["CIDEr-D"]["value"] == expected["CIDEr-D"]
    assert json.loads(expected.table("json")) == whole
    assert expected.table().startswith(repr(expected))
    assert "| system" in expected.table("md") and r"\toprule" in expected.table("latex")
    assert expected.table("csv").splitlines()[0] == "system," + ",".join(expected.scores)
    assert len(expected.item_lines().splitlines()) == 3
    with pytest.raises(ValueError, match="latex"):
        expected.table("latx")


def test_a_table_folds_to_a_width(expected):
    whole, narrow = expected.table(), expected.table(width=30)
    assert expected.table(width=1000) == whole and max(map(len, whole.splitlines())) > 30
    assert max(map(len, narrow.split("\n\n1 ")[0].splitlines())) <= 30
    assert all(f"{value:.2f}" in narrow for value in (100 * expected["BLEU-1"], 100 * expected["CIDEr-D"]))
    assert expected.table("csv", width=30) == expected.table("csv")


def test_a_result_maps_scores_to_values(refs, hyps):
    result = capella.score(refs, hyps, "bleu,cider-d")
    assert list(result) == result.scores == ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "CIDEr-D"] and len(result) == 5
    assert dict(result) == {name: result[name] for name in result.scores} == dict(result.systems["system"])
    assert "CIDEr-D" in result and "CIDEr" not in result and result.get("CIDEr") is None
    assert result == result and result != capella.score(refs, hyps, "bleu,cider-d") and len({result}) == 1
    two = capella.score(refs, systems={"one": hyps, "two": hyps}, metrics="bleu")
    assert list(two) == two.scores and two
    for wrong in (lambda: two["BLEU-1"], lambda: two.get("BLEU-1"), lambda: dict(two)):
        with pytest.raises(capella.CapellaError, match="one, two"):
            wrong()


def test_ids_that_are_numbers_may_be_int(refs, hyps):
    items = capella.score(refs, hyps, "bleu").per_item
    assert list(items) == ["7", "9", "12"]
    assert items[7] is items["7"] is items[np.int64(7)] is items.get(7) and 7 in items and "7" in items
    for id in (8, "8", 7.0, True, None):
        assert id not in items and items.get(id, 0) == 0
        with pytest.raises(KeyError, match=f"{id!r}.* 3 "):
            items[id]
    assert 7 not in capella.score([["a dog"]], ["a dog"], "bleu").per_item


def test_result_pickles(expected):
    copy = pickle.loads(pickle.dumps(expected))
    assert copy.per_item == expected.per_item and copy.table() == expected.table()


def test_default_metrics_and_lists(meteor_data, minilm_data, refs, hyps, expected):
    assert set(capella.score(refs, hyps).scores) >= {"BLEU-4", "ROUGE-L", "CIDEr-D"}
    assert capella.score(refs, hyps, "bleu, cider-d").scores[-1] == "CIDEr-D"
    with pytest.warns(capella.CapellaWarning, match="cider-plain") as caught:
        assert capella.score(refs, hyps, ["cider"])["CIDEr-D"] == expected["CIDEr-D"]
    assert caught[0].filename == __file__  # it points at the caller
    everything = capella.score(refs, hyps, "all")
    without_model = [m for m in capella.metrics() if not any(s.default == "" and s.key == "model" for s in m.settings)]
    assert set(everything.scores) == {score for metric in without_model for score in metric.scores}


@pytest.mark.parametrize("settings", [{"cider-d.sigma": 2}, {"cider-d": {"sigma": 2}}, ["cider-d.sigma=2"]])
def test_settings(refs, hyps, expected, settings):
    result = capella.score(refs, hyps, "cider-d", settings=settings)
    assert "sigma:2|" in result.signatures["CIDEr-D"]
    assert result["CIDEr-D"] < expected["CIDEr-D"]


def test_threads_change_nothing(refs, hyps):
    refs = {k: refs[7] if k % 3 else refs[9] + [f"thing {k}"] for k in range(1000)}
    hyps = {k: f"a dog and {k} cats" for k in refs}
    one = capella.score(refs, hyps, METRICS, threads=1)
    four = capella.score(refs, hyps, METRICS, threads=4)
    assert one.table("json") == four.table("json") and one.item_lines() == four.item_lines()


def test_missing_skip_lists_what_was_left_out(refs, hyps):
    del hyps[9]
    hyps[99] = "a tree"
    with pytest.warns(capella.CapellaWarning, match="2 rows left out"):
        result = capella.score(refs, hyps, METRICS, missing="skip")
    assert result.ids == ["7", "12"]
    assert {id for id, _ in result.skipped} == {"9", "99"}


def test_skip_bad_lists_what_was_left_out(refs, hyps):
    refs[5], hyps[5] = ["a tree"], None
    with pytest.raises(TypeError, match="'5'"):
        capella.score(refs, hyps, METRICS)
    with pytest.warns(capella.CapellaWarning, match="left out"):
        result = capella.score(refs, hyps, METRICS, skip_bad=True, missing="skip")
    assert result.ids == ["7", "9", "12"]


ROWS = [{"image_id": 1, "caption": "a dog"}, {"image_id": 2, "caption": "a cat"}]
JOINT = [{"image_id": 1, "test": "a", "refs": ["a dog"]}, {"image_id": 2, "test": "b", "refs": ["a cat"]}]


@pytest.mark.parametrize("shape", ["memory", "file"])
@pytest.mark.parametrize(
    "bad, id",
    [
        ({"caption": "no id"}, None),
        ({"image_id": None, "caption": "a"}, None),
        ({"image_id": "", "caption": "a"}, None),
        ({"image_id": 3, "caption": 5}, "3"),
        ({"image_id": 3, "caption": ["a", None]}, "3"),
        ({"image_id": 3, "caption": []}, "3"),
        ({"image_id": 3}, "3"),
        ("no row", None),
    ],
)
def test_skip_bad_rows(tmp_path, shape, bad, id):
    rows = [ROWS[0], bad, ROWS[1]]
    given = rows if shape == "memory" else write(tmp_path / "hyps.json", rows)
    with pytest.raises((ValueError, TypeError)):
        capella.score({1: ["a dog"], 2: ["a cat"]}, given, "bleu")
    with pytest.warns(capella.CapellaWarning, match="1 row left out"):
        result = capella.score({1: ["a dog"], 2: ["a cat"]}, given, "bleu", skip_bad=True)
    assert result.ids == ["1", "2"]
    assert [place for place, _ in result.skipped] == [id or ("row 1" if shape == "memory" else f"{given}:1")]


@pytest.mark.parametrize("shape", ["memory", "file"])
@pytest.mark.parametrize(
    "bad",
    [
        {"image_id": 3, "test": 5, "refs": ["b"]},
        {"image_id": 3, "test": "b", "refs": 5},
        {"image_id": 3, "test": "b", "refs": []},
        {"image_id": 3, "test": "b"},
        {"image_id": 3, "refs": ["b"]},
        {"test": "b", "refs": ["b"]},
        {"image_id": None, "test": "b", "refs": ["b"]},
    ],
)
def test_skip_bad_joint_rows(tmp_path, shape, bad):
    rows = [JOINT[0], bad, JOINT[1]]
    given = rows if shape == "memory" else write(tmp_path / "joint.json", rows)
    with pytest.warns(capella.CapellaWarning, match="1 row left out"):
        result = capella.score(given, metrics="bleu", skip_bad=True)
    assert result.ids == ["1", "2"] and len(result.skipped) == 1


def test_skip_bad_ids_of_a_dict():
    with pytest.warns(capella.CapellaWarning, match="2 rows .*first: entry 0: captions: an id is NoneType"):
        result = capella.score({1: ["a dog"]}, {None: "a", 1: "a dog", "": "b"}, "bleu", skip_bad=True)
    assert result.ids == ["1"] and [place for place, _ in result.skipped] == ["entry 0", "entry 2"]


def test_empty_captions_warn(refs, hyps):
    hyps[9] = ""
    with pytest.warns(capella.CapellaWarning, match="empty caption.*9"):
        result = capella.score(refs, hyps, METRICS)
    assert result.per_item["9"]["CIDEr-D"] == 0.0 and len(result.warnings) == 1


def test_pandas(expected):
    pandas = pytest.importorskip("pandas")
    frame = expected.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame["id"]) == expected.ids
    assert list(frame["CIDEr-D"]) == [row["CIDEr-D"] for row in expected.per_item.values()]


def test_karpathy_split_equals_pycocoevalcap(shared):
    golden = json.loads((shared / "golden/golden_karpathy.json").read_text())["systems"]
    folder = shared / "data/coco"
    files = [folder / "systems" / f"{name}.json" for name in golden]
    result = capella.score(folder / "karpathy_test_refs.json", systems=files, metrics=METRICS)
    for name, want in golden.items():
        scores = result.systems[name]
        assert [scores[f"BLEU-{n}"] for n in (1, 2, 3, 4)] == want["BLEU"]
        assert scores["ROUGE-L"] == want["ROUGE-L"]
        assert scores["CIDEr-D"] == pytest.approx(want["CIDEr-D"], rel=1e-12)
