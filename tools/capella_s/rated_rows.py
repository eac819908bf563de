#!/usr/bin/env python3
"""Turns the ratings of Crisscrossed Captions into rows that `capella` reads (the layout of Nebula).

Crisscrossed Captions (Parekh et al. 2021) has people's ratings, 0 to 5, of how well captions of COCO describe images
that they were not written for. A row has such a caption, the captions of the image, and the rating from 0 to 1.
Captions that were written for the image itself are left out: nearly all of them are rated 5. Its files lie in the
repository google-research-datasets/Crisscrossed-Captions, captions_val2014.json in COCO's annotations of 2014.

    python rated_rows.py --coco captions_val2014.json sits_val.csv sits_test.csv --every 10 -o crisscrossed.json

With --every N only rows about images whose number is a multiple of N are written: a part that can be held out from
training and validated on.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict
from pathlib import Path

HIGHEST = 5.0
COLUMNS = ("caption", "image", "agg_score", "sampling_method")


def read_coco(path):
    """Captions by their number, each with its image; captions of each image."""
    by_number, by_image = {}, defaultdict(list)
    try:
        with open(path, encoding="utf-8") as file:
            for one in json.load(file)["annotations"]:
                if not isinstance(one["caption"], str):
                    raise TypeError
                by_number[one["id"]] = (one["image_id"], one["caption"])
                by_image[one["image_id"]].append(one["caption"])
    except (KeyError, TypeError, ValueError) as problem:
        sys.exit(f"{path}: is not COCO's annotations of captions ({type(problem).__name__})")
    return by_number, by_image


def image_number(name):
    return int(Path(name).stem.rsplit("_", 1)[-1])


def read_ratings(path):
    """(number of the caption, number of the image, rating) of each row, captions of the image itself left out."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.DictReader(file)
        if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
            sys.exit(f"{path}: has no column {', '.join(missing)}, expected a sits_*.csv of Crisscrossed Captions")
        for row in rows:
            if row["sampling_method"] == "c2i_original":
                continue
            try:
                found = int(row["caption"].rsplit(":", 1)[-1]), image_number(row["image"]), float(row["agg_score"])
            except (AttributeError, TypeError, ValueError):
                sys.exit(f"{path}:{rows.line_num}: is no row with the number of a caption, an image and a rating")
            if not 0 <= found[2] <= HIGHEST:
                sys.exit(f"{path}:{rows.line_num}: found the rating {found[2]}, expected 0 to 5")
            yield found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratings", nargs="+", help="sits_val.csv, sits_test.csv")
    parser.add_argument("--coco", required=True, help="captions_val2014.json")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only images whose number N divides (1: all)")
    parser.add_argument("-o", "--output", required=True, help="the file to write")
    options = parser.parse_args()
    if options.every < 1:
        parser.error(f"--every is {options.every}, expected 1 or more")

    inputs = [options.coco, *options.ratings]
    if Path(options.output).resolve() in [Path(path).resolve() for path in inputs]:
        parser.error(f"-o names {options.output}, which is read")
    for path in inputs:
        if not Path(path).is_file():
            parser.error(f"{path}: there is no such file")
    if not Path(options.output).resolve().parent.is_dir():
        parser.error(f"{options.output}: there is no such folder")

    by_number, by_image = read_coco(options.coco)
    rows, missing = [], 0
    for path in options.ratings:
        for caption, image, rating in read_ratings(path):
            if image % options.every:
                continue
            if caption not in by_number or image not in by_image:
                missing += 1
                continue
            own_image, text = by_number[caption]
            if own_image != image:
                rows.append({"imgid": str(image), "mt": text, "refs": by_image[image], "score": rating / HIGHEST})
    if not rows:
        sys.exit(f"no row is left; captions that are not in {options.coco}: {missing}")
    Path(options.output).write_text(json.dumps(rows, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(f"rows: {len(rows)}; captions that are not in COCO's file: {missing}", file=sys.stderr)


if __name__ == "__main__":
    main()
