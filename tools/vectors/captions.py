"""The captions that word vectors are trained on, and the images that must stay out of them."""

import csv
import json
import re


def flickr8k_captions(path):
    """Image name -> captions, of Flickr8k.token.txt."""
    captions = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            place, text = line.rstrip("\n").split("\t", 1)
            captions.setdefault(place.split("#")[0], []).append(text)
    return captions


def coco_captions(path):
    """Image id -> captions, of a JSON object of that form."""
    with open(path, encoding="utf-8") as file:
        return {int(image): captions for image, captions in json.load(file).items()}


def factual_captions(path):
    """Image id -> phrases, of FACTUAL's train.csv."""
    captions = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            captions.setdefault(int(row["image_id"]), []).append(row["caption"])
    return captions


def test_images(paths):
    """The images of test sets: COCO ids, and the numbers that Flickr's names begin with.

    A file is taken as text in which images are named: 1056338697_4f7d7ce270.jpg (Flickr8k), 4911020894.jpg
    (Flickr30k, which has the same images under a shorter name), COCO_val2014_000000243955.jpg, or
    "image_id": 391895. A file that names none ends the program: a test set would be trained on.
    """
    coco, flickr = set(), set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        coco_here = {int(number) for number in re.findall(r'(?:COCO_val2014_|"image_id": *)(\d+)', text)}
        flickr_here = set(re.findall(r"(?<!\w)(\d+)(?:_\w+)?\.jpg", text))
        if not coco_here and not flickr_here:
            raise SystemExit(f"{path}: names no image that could be left out; is it the right file?")
        coco |= coco_here
        flickr |= flickr_here
    return coco, flickr


def without(captions, images, key=lambda image: image):
    return {image: texts for image, texts in captions.items() if key(image) not in images}
