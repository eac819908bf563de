"""tools/capella_s/rated_rows.py: ratings of Crisscrossed Captions as rows that Capella reads."""

import json
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "capella_s" / "rated_rows.py"

# Images 10 and 20 are for validation, 11 and 12 are not.
CAPTIONS = {10: ["ten a", "ten b"], 20: ["twenty a", "twenty b"], 11: ["eleven a", "eleven b"], 12: ["twelve a"]}
NUMBERS = {"ten a": 1, "ten b": 2, "twenty a": 3, "twenty b": 4, "eleven a": 5, "eleven b": 6, "twelve a": 7}


def row(caption, image, rating, sampling="c2i_intrasim"):
    return f"COCO_val2014:sentid:{caption},COCO_val2014_{image:012d}.jpg,{rating},{sampling}\n"


def test_rows_and_validation_share_no_image(capella, tmp_path):
    annotations = [
        {"id": NUMBERS[text], "image_id": image, "caption": text} for image, texts in CAPTIONS.items() for text in texts
    ]
    (tmp_path / "coco.json").write_text(json.dumps({"annotations": annotations}))
    rows = [
        row(7, 11, 2.5),  # learnt from
        row(5, 12, 5), row(6, 12, 1),
        row(3, 10, 1),  # validated on
        row(3, 11, 1), row(5, 10, 1),  # of both: nowhere
        row(5, 11, 5, "c2i_original"), row(6, 11, 5),  # the image's own captions
        row(99, 11, 3),  # not in COCO's file
    ]
    (tmp_path / "sits.csv").write_text("caption,image,agg_score,sampling_method\n" + "".join(rows))
    ask = [sys.executable, TOOL, "sits.csv", "--coco", "coco.json", "--valid", "valid.json", "-o", "rows.json"]
    done = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "3 rows, 1 to validate with, 1 of captions that are not in COCO's file\n"
    kept, valid = (json.loads((tmp_path / name).read_text()) for name in ("rows.json", "valid.json"))
    assert kept[0] == {"imgid": "11", "mt": "twelve a", "refs": ["eleven a", "eleven b"], "score": 0.5}
    assert [one["mt"] for one in kept] == ["twelve a", "eleven a", "eleven b"]
    assert [one["mt"] for one in valid] == ["twenty a"]
    read = capella("meta", "nebula", "rows.json", "-m", "bleu", "--format", "json")
    assert read.code == 0 and read.json()["rows"] == 3, read.err
