"""tools/capella_s/rated_rows.py: ratings of Crisscrossed Captions as rows that Capella reads."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "capella_s" / "rated_rows.py"
CAPTIONS = {10: ["ten a", "ten b"], 11: ["eleven a", "eleven b"], 12: ["twelve a"]}
NUMBERS = {"ten a": 1, "ten b": 2, "eleven a": 5, "eleven b": 6, "twelve a": 7}
HEADER = "caption,image,agg_score,sampling_method\n"


def row(caption, image, rating, sampling="c2i_intrasim"):
    return f"COCO_val2014:sentid:{caption},COCO_val2014_{image:012d}.jpg,{rating},{sampling}\n"


@pytest.fixture
def tool(tmp_path):
    annotations = [
        {"id": NUMBERS[text], "image_id": image, "caption": text} for image, texts in CAPTIONS.items() for text in texts
    ]
    (tmp_path / "coco.json").write_text(json.dumps({"annotations": annotations}))

    def run(ratings, *more):
        (tmp_path / "sits.csv").write_text(ratings)
        ask = [sys.executable, TOOL, "sits.csv", "--coco", "coco.json", "-o", "rows.json", *more]
        return subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True)

    return run


RATINGS = [
    row(7, 11, 2.5),
    row(5, 12, 5), row(6, 12, 1),
    row(7, 10, 1),
    row(5, 11, 5, "c2i_original"), row(6, 11, 5),  # the image's own captions
    row(99, 11, 3),  # not in COCO's file
]  # fmt: skip


def test_rows_are_what_capella_reads(capella, tool, tmp_path):
    done = tool(HEADER + "".join(RATINGS))
    assert (done.returncode, done.stderr) == (0, "rows: 4; captions that are not in COCO's file: 1\n")
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert rows[0] == {"imgid": "11", "mt": "twelve a", "refs": ["eleven a", "eleven b"], "score": 0.5}
    assert [one["mt"] for one in rows] == ["twelve a", "eleven a", "eleven b", "twelve a"]
    read = capella("meta", "nebula", "rows.json", "-m", "bleu", "--format", "json")
    assert read.code == 0 and read.json()["rows"] == 4, read.err


def test_a_part_of_the_images(tool, tmp_path):
    assert tool(HEADER + "".join(RATINGS), "--every", "5").returncode == 0
    assert [one["imgid"] for one in json.loads((tmp_path / "rows.json").read_text())] == ["10"]


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ("caption,image\n", "sits.csv: has no column agg_score, sampling_method"),
        (HEADER + row(7, 11, 6), "sits.csv:2: found the rating 6.0, expected 0 to 5"),
        (HEADER + row(7, 11, 1) + row(7, 11, "much"), "sits.csv:3: is no row"),
        (HEADER + "x\n", "sits.csv:2: is no row"),
        (HEADER + row(99, 11, 3), "no row is left; captions that are not in coco.json: 1"),
    ],
)
def test_wrong_ratings_are_named(tool, tmp_path, ratings, message):
    done = tool(ratings)
    assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "rows.json").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--every", "0"], "--every is 0, expected 1 or more"),
        (["--coco", "gone.json"], "gone.json: there is no such file"),
        (["--coco", "sits.csv"], "sits.csv: is not COCO's annotations of captions"),
        (["-o", "coco.json"], "-o names coco.json, which is read"),
        (["-o", "gone/rows.json"], "gone/rows.json: there is no such folder"),
        (["--coco", sys.executable], "is not COCO's annotations of captions"),
    ],
)
def test_wrong_calls_are_refused(tool, tmp_path, more, message):
    before = (tmp_path / "coco.json").read_bytes()
    done = tool(HEADER + "".join(RATINGS), *more)
    assert done.returncode != 0 and message in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr) < 1000
    assert not (tmp_path / "rows.json").exists() and (tmp_path / "coco.json").read_bytes() == before
