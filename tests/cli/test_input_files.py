"""Files as users have them give the scores of the same captions in plain shape, or an error that names the way out."""

import csv
import io

import pytest

from program import CAPTIONS, REFERENCES

METRICS = ["-m", "bleu,cider-d", "--format", "json"]


@pytest.fixture
def plain(capella, small):
    """The scores of refs.json and hyps.json."""
    return capella("score", "refs.json", "hyps.json", *METRICS).scores()


def table(header, rows, delimiter=","):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerows([header, *rows])
    return text.getvalue()


def test_ids_that_pandas_made_floats(capella, plain, write):
    write("hyps.csv", table(["image_id", "caption"], [(f"{id}.0", text) for id, text in CAPTIONS.items()]))
    write("floats.json", [{"image_id": float(id), "caption": text} for id, text in CAPTIONS.items()])
    write("keys.json", {f"{id}.0": text for id, text in CAPTIONS.items()})
    for hyps in ["hyps.csv", "floats.json", "keys.json"]:
        assert capella("score", "refs.json", hyps, *METRICS).scores() == plain


def test_semicolons(capella, plain, write):
    write("hyps.csv", table(["image_id", "caption"], CAPTIONS.items(), ";"))
    assert capella("score", "refs.json", "hyps.csv", *METRICS).scores() == plain


def test_several_columns_of_references(capella, plain, write):
    rows = [[id, *(texts + [""])[:3]] for id, texts in REFERENCES.items()]
    write("refs.csv", table(["image_id", "caption_1", "caption_2", "caption_3"], rows))
    assert capella("score", "refs.csv", "hyps.json", *METRICS).scores() == plain


def test_columns_of_other_names(capella, plain, write):
    write("hyps.csv", table(["img", "step", "pred"], [(id, 3, text) for id, text in CAPTIONS.items()]))
    assert capella("score", "refs.json", "hyps.csv").failed(1, "hyps.csv:1", "img, step, pred", "--id-column")
    only_id = capella("score", "refs.json", "hyps.csv", "--id-column", "img")
    assert only_id.failed(1, "hyps.csv:1", "img, step, pred", "--caption-column")
    misspelled = capella("score", "refs.json", "hyps.csv", "--id-column", "img", "--caption-column", "predd")
    assert misspelled.failed(1, "hyps.csv:1", "img, step, pred", "'predd'", "--caption-column")
    assert capella("score", "refs.json", "hyps.csv", "--id-column", "imgg").failed(1, "'imgg'", "--id-column")
    columns = ["--id-column", "img", "--caption-column", "pred"]
    assert capella("score", "refs.json", "hyps.csv", *columns, *METRICS).scores() == plain
    assert capella("explain", "refs.json", "hyps.csv", *columns, "--id", 1, "-m", "bleu").code == 0
    lines = capella("parse", "hyps.csv", *columns)
    assert lines.code == 0 and len(lines.out.splitlines()) == 3
    for command in [["score", "refs.json", "hyps.json"], ["df", "refs.json", "-o", "x.df"], ["parse", "hyps.json"]]:
        assert capella(*command, "--caption-column", "pred").failed(2, "--caption-column", "pred")
        assert capella(*command, "--id-column", "").failed(2, "--id-column")


def test_captions_in_an_object(capella, plain, write):
    rows = [{"image_id": int(id), "caption": text} for id, text in CAPTIONS.items()]
    write("rows.json", {"model": "mine", "predictions": rows})
    write("keys.json", {"results": CAPTIONS})
    for hyps in ["rows.json", "keys.json"]:
        assert capella("score", "refs.json", hyps, *METRICS).scores() == plain


def test_names_of_image_files(capella, plain, write):
    write("hyps.json", {f"COCO_val2014_{int(id):012}.jpg": text for id, text in CAPTIONS.items()})
    write("padded.json", {f"{int(id):012}": texts for id, texts in REFERENCES.items()})
    assert capella("score", "refs.json", "hyps.json").failed(1, "--ids coco", "COCO_val2014_000000000001.jpg")
    for refs in ["refs.json", "padded.json"]:
        assert capella("score", refs, "hyps.json", "--ids", "coco", *METRICS).scores() == plain
    assert capella("score", "refs.json", "hyps.json", "--ids", "voc").failed(2, "--ids", "voc", "exact, coco")


def test_swapped_files(capella, small):
    assert capella("score", "hyps.json", "refs.json").failed(1, "refs.json hyps.json")
    compared = capella("compare", "hyps.json", "refs.json", "hyps.json")
    assert compared.failed(1, "refs.json hyps.json")


def test_captions_that_share_nothing_with_their_references(capella, small, write):
    write("zh.json", {"1": "一只狗在草地上奔跑", "2": "两只猫", "3": ""})
    run = capella("score", "refs.json", "zh.json", "hyps.json", *METRICS)
    assert run.code == 0
    [warning] = [line for line in run.err.splitlines() if "2 captions" in line]
    assert "zh: " in warning
    assert "3 captions" not in capella("score", "refs.json", "hyps.json", *METRICS).err
    assert capella("score", "refs.json", "zh.json", "-q").err == ""
