#!/usr/bin/env python3
"""Turns the ratings of Crisscrossed Captions into rows that `capella` reads (the layout of Nebula).

Crisscrossed Captions (Parekh et al. 2021) has people's ratings, 0 to 5, of how well captions of COCO describe images
that they were not written for. A row has such a caption, the captions of the image, and the rating from 0 to 1.
Captions that were written for the image itself are left out: nearly all of them are rated 5. Its files lie in the
repository google-research-datasets/Crisscrossed-Captions, captions_val2014.json in COCO's annotations of 2014.

    python rated_rows.py --coco captions_val2014.json sits_val.csv sits_test.csv --valid rated_valid.json -o rated.json

Every tenth image is for validation: rows whose caption and image are both of such go into the file --valid, rows of
which neither is into the other, and the rest nowhere, so that the two files share no image.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

HIGHEST = 5.0
VALID_EVERY = 10


def read_coco(path):
    """Captions by their number, each with its image; captions of each image."""
    by_number, by_image = {}, defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for one in json.load(file)["annotations"]:
            by_number[one["id"]] = (one["image_id"], one["caption"])
            by_image[one["image_id"]].append(one["caption"])
    return by_number, by_image


def image_number(name):
    return int(Path(name).stem.rsplit("_", 1)[-1])


def read_ratings(path):
    """(number of the caption, number of the image, rating) of each row, captions of the image itself left out."""
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["sampling_method"] != "c2i_original":
                rating = float(row["agg_score"])
                if not 0 <= rating <= HIGHEST:
                    sys.exit(f"{path}: found the rating {rating}, expected 0 to 5")
                yield int(row["caption"].rsplit(":", 1)[-1]), image_number(row["image"]), rating


def is_valid(image):
    return image % VALID_EVERY == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratings", nargs="+", help="sits_val.csv, sits_test.csv")
    parser.add_argument("--coco", required=True, help="captions_val2014.json")
    parser.add_argument("--valid", required=True, help="the file for rows of every tenth image")
    parser.add_argument("-o", "--output", required=True, help="the file for the other rows")
    options = parser.parse_args()
    if Path(options.valid).resolve() == Path(options.output).resolve():
        parser.error("--valid and -o name the same file")

    by_number, by_image = read_coco(options.coco)
    kept, valid, missing = [], [], 0
    for path in options.ratings:
        for caption, image, rating in read_ratings(path):
            if caption not in by_number or image not in by_image:
                missing += 1
                continue
            own_image, text = by_number[caption]
            if own_image == image:
                continue
            row = {"imgid": str(image), "mt": text, "refs": by_image[image], "score": rating / HIGHEST}
            if is_valid(image) and is_valid(own_image):
                valid.append(row)
            elif not is_valid(image) and not is_valid(own_image):
                kept.append(row)
    for path, rows in ((options.output, kept), (options.valid, valid)):
        Path(path).write_text(json.dumps(rows, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    told = f"{len(kept)} rows, {len(valid)} to validate with, {missing} of captions that are not in COCO's file"
    print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
