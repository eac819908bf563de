"""Columns and ids that are named otherwise, in files and in memory."""

from __future__ import annotations

import json
import warnings

import pytest

import capella


@pytest.fixture
def plain(refs, hyps):
    return capella.score(refs, hyps, "bleu").to_dict()["systems"][0]["scores"]


def scores(result):
    return result.to_dict()["systems"][0]["scores"]


def rows_of(hyps):
    return [{"img": id, "pred": text, "caption": "x"} for id, text in hyps.items()]


@pytest.mark.filterwarnings("ignore:.*3 items")  # too few to compare
@pytest.mark.parametrize("as_file", [False, True])
def test_named_columns(tmp_path, refs, hyps, plain, as_file):
    rows = rows_of(hyps)
    if as_file:
        rows = tmp_path / "hyps.json"
        rows.write_text(json.dumps(rows_of(hyps)))
    columns = {"id_column": "img", "caption_column": "pred"}
    assert scores(capella.score(refs, rows, "bleu", **columns)) == plain
    compared = capella.compare(refs, {"a": rows, "b": hyps}, "bleu", resamples=100, **columns)
    assert [d.difference for d in compared.differences] == [0.0] * len(compared.differences)
    assert capella.explain(refs, rows, 7, "bleu", **columns)
    with pytest.raises(capella.CapellaError, match="id_column"):
        capella.score(refs, rows, "bleu")
    for option in columns:
        with pytest.raises(capella.CapellaError, match=f"^{option} prde "):
            capella.score(refs, hyps, "bleu", **{option: "prde"})


def test_rows_without_captions_name_the_keys_found(refs, hyps):
    rows = [{"id": id, "pred": text} for id, text in hyps.items()]
    with pytest.raises(capella.CapellaError, match="id, pred.*caption_column"):
        capella.score(refs, rows, "bleu")
    with pytest.raises(capella.CapellaError, match="id, pred.*'predd'.*caption_column"):
        capella.score(refs, rows, "bleu", caption_column="predd")


def test_ids_that_pandas_made_floats(refs, hyps, plain):
    frame = pytest.importorskip("pandas").DataFrame({"image_id": [*hyps, None], "caption": [*hyps.values(), "x"]})
    assert scores(capella.score(refs, frame[:-1].to_dict("records"), "bleu")) == plain
    assert scores(capella.score(refs, {float(id): text for id, text in hyps.items()}, "bleu")) == plain


def test_ids_as_numbers_of_coco(refs, hyps, plain):
    names = {f"COCO_val2014_{id:012}.jpg": text for id, text in hyps.items()}
    rows = [{"file_name": name, "caption": text} for name, text in names.items()]
    for given in [names, rows, {"predictions": rows}]:
        assert scores(capella.score(refs, given, "bleu", ids="coco")) == plain
    with pytest.raises(capella.CapellaError, match='ids="coco"'):
        capella.score(refs, names, "bleu")
    with pytest.raises(capella.CapellaError, match="'exact' or 'coco'"):
        capella.score(refs, hyps, "bleu", ids="voc")


@pytest.mark.parametrize("name", ["annotations", "predictions", "results", "captions"])
def test_rows_in_a_document(refs, hyps, plain, name):
    document = {"model": "mine", name: [{"image_id": id, "caption": text} for id, text in hyps.items()]}
    assert scores(capella.score(refs, document, "bleu")) == plain
    if name != "annotations":  # a dictionary is none of COCO's
        assert scores(capella.score(refs, {"model": "mine", name: hyps}, "bleu")) == plain


def test_swapped_arguments(refs, hyps):
    with pytest.raises(capella.CapellaError, match="refs and hyps .*captions references$"):
        capella.score(hyps, refs, "bleu")


def test_captions_of_another_language(refs, hyps):
    with pytest.warns(capella.CapellaWarning, match="any of the 3 captions"):
        capella.score(refs, {id: "一只狗" for id in hyps}, "bleu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        capella.score(refs, hyps, "bleu")
