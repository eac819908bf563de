"""capella world: the folder it makes, read back by other means."""

import csv
import io
import json
import struct
import subprocess
import time
import zlib
from collections import Counter

import pytest

from program import PROGRAM

KINDS = ["wrong-attribute", "wrong-relation", "missing-object", "hallucinated-object", "unrelated", "shuffled"]
RATES = ["0.00", "0.10", "0.25", "0.50", "1.00"]
IMAGES = 60


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worlds") / "world"
    done = subprocess.run(
        [PROGRAM, "world", "--images", str(IMAGES), "--seed", "3", "-o", str(folder)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return folder


@pytest.fixture(scope="module")
def large_world(tmp_path_factory):
    """A thousand images, for what needs numbers."""
    folder = tmp_path_factory.mktemp("worlds") / "large"
    command = [PROGRAM, "world", "--images", "1000", "--seed", "5", "--size", "32", "-o", str(folder)]
    assert subprocess.run(command, capture_output=True).returncode == 0
    return folder


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pixels(path):
    """The picture of an 8-bit RGB PNG, as rows of bytes; checks every chunk."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, size = 8, b"", None
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
            size = (width, height)
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    assert len(raw) == size[1] * (3 * size[0] + 1)
    return size, raw


def test_every_file_is_described(world):
    text = (world / "README.md").read_text(encoding="utf-8")
    assert "generated" in text
    assert f"capella world --images {IMAGES} --seed 3 -o DIR" in text
    for path in world.iterdir():
        if path.name != "README.md":
            assert f"`{path.name}" in text, path.name


def test_references_and_splits(world):
    dataset = load(world / "dataset.json")["images"]
    references = load(world / "references.json")
    assert Counter(image["split"] for image in dataset) == {"train": 48, "val": 6, "test": 6}
    assert [image["cocoid"] for image in dataset] == list(range(1, IMAGES + 1))
    for image, row in zip(dataset, references, strict=True):
        assert row == {"image_id": image["cocoid"], "captions": [s["raw"] for s in image["sentences"]]}
        assert len(set(row["captions"])) == 5
        for sentence in image["sentences"]:
            assert sentence["tokens"] == sentence["raw"].lower().replace(",", "").rstrip(".").split()
            assert sentence["sentid"] in image["sentids"]


def test_pictures(world):
    images = load(world / "dataset.json")["images"]
    seen = {pixels(world / image["filepath"] / image["filename"]) for image in images}
    assert {size for size, _ in seen} == {(96, 96)}
    assert len(seen) > IMAGES * 0.95


def test_objects_graphs_and_features(world):
    numpy = pytest.importorskip("numpy")
    classes = {row["class"]: row for row in load(world / "truth.json")["classes"]}
    for row, graph in zip(lines(world / "objects.jsonl"), lines(world / "graphs.jsonl"), strict=True):
        features = numpy.load(world / row["features"])
        assert features.shape == (len(row["objects"]), 64)
        assert features.dtype == numpy.float32
        assert numpy.isfinite(features).all()
        assert [o["label"] for o in row["objects"]] == [o["class"] for o in graph["objects"]]
        for thing in row["objects"]:
            x1, y1, x2, y2 = thing["box"]
            assert 0 <= x1 < x2 <= row["width"] and 0 <= y1 < y2 <= row["height"]
            assert thing["aliases"] == [noun[0] for noun in classes[thing["label"]]["nouns"][1:]]
        for subject, _, other in graph["relations"]:
            assert subject != other and max(subject, other) < len(graph["objects"])
    image_features = numpy.load(world / "image_features.npy")
    assert image_features.shape == (IMAGES, 128)
    saved = io.BytesIO()
    numpy.save(saved, image_features)
    assert saved.getvalue() == (world / "image_features.npy").read_bytes()


def linear_guesses(numpy, features, answers):
    """What a linear rule, fitted to the first 80 % by least squares, says of the others; with their answers."""
    features = numpy.hstack([features, numpy.ones((len(features), 1))])
    train = len(features) * 4 // 5
    rule = numpy.linalg.lstsq(features[:train], answers[:train], rcond=None)[0]
    return features[train:] @ rule, answers[train:]


def test_features_tell_much_but_not_all(large_world):
    numpy = pytest.importorskip("numpy")
    graphs = lines(large_world / "graphs.jsonl")
    classes = [row["class"] for row in load(large_world / "truth.json")["classes"]]
    colours = sorted({c for row in load(large_world / "truth.json")["classes"] for c in row["colours"]})
    objects = [thing for graph in graphs for thing in graph["objects"]]
    rows = numpy.vstack([numpy.load(large_world / "feat" / f"{graph['image_id']}.npy") for graph in graphs])
    is_class = numpy.array([[float(o["class"] == c) for c in classes] for o in objects])
    is_colour = numpy.array([[float(c in o["attributes"]) for c in colours] for o in objects])
    coloured = is_colour.sum(axis=1) == 1
    for features, answers in [(rows, is_class), (rows[coloured], is_colour[coloured])]:
        guesses, right = linear_guesses(numpy, features, answers)
        assert 0.85 < (guesses.argmax(axis=1) == right.argmax(axis=1)).mean() < 0.97
    images = numpy.load(large_world / "image_features.npy")
    present = numpy.array([[float(any(o["class"] == c for o in g["objects"])) for c in classes] for g in graphs])
    guesses, right = linear_guesses(numpy, images, present)
    assert 0.75 < (guesses > 0.5)[right == 1].mean() < 0.97


SIZES = {"small": "small", "little": "small", "tiny": "small", "large": "large", "big": "large", "huge": "large"}
NUMBERS = {"a": 1, "an": 1, "two": 2, "three": 3}


def noun_phrases(words, nouns, adjectives):
    """(classes, number or None, plural, adjectives) of every noun phrase in a caption."""
    for at, word in enumerate(words):
        if word not in nouns or words[at : at + 2] == ["top", "of"]:
            continue
        first = at
        while words[first - 1] in adjectives and first > 0:
            first -= 1
        number = NUMBERS.get(words[first - 1]) if first > 0 else None
        classes, plural = nouns[word]
        yield classes, number, plural, [SIZES.get(w, w) for w in words[first:at]]


def test_captions_say_what_is_in_the_graphs(large_world):
    nouns = {}
    truth = load(large_world / "truth.json")
    for row in truth["classes"]:
        for singular, plural in row["nouns"]:
            nouns.setdefault(plural, (set(), True))[0].add(row["class"])
            if plural != singular:
                nouns.setdefault(singular, (set(), False))[0].add(row["class"])
    adjectives = {c for row in truth["classes"] for c in row["colours"]} | {"striped", "spotted"} | set(SIZES)
    phrases = 0
    for image, graph in zip(load(large_world / "dataset.json")["images"], lines(large_world / "graphs.jsonl"), strict=True):
        for sentence in image["sentences"]:
            for classes, number, plural, said in noun_phrases(sentence["tokens"], nouns, adjectives):
                phrases += 1
                meant = [[o for o in graph["objects"] if o["class"] == c] for c in classes]
                meant = [things for things in meant if any(set(said) <= set(o["attributes"]) for o in things)]
                assert meant, (sentence["raw"], said)
                if any(things[0]["kind"] == "clothing" for things in meant):
                    continue
                assert number is not None or plural, sentence["raw"]
                assert any(len(things) == number if number else len(things) > 1 for things in meant), sentence["raw"]
    assert phrases > 10000


def test_truth_counts_what_came_out(large_world):
    truth = load(large_world / "truth.json")
    for kind, counts in truth["errors"]["captions_with_the_error"].items():
        for rate, count in zip(truth["errors"]["rates"], counts, strict=True):
            assert abs(count - rate * 1000) <= 2, (kind, rate)
    for name, share in truth["realised"].items():
        if isinstance(share, dict) and "stated" in share:
            error = (share["stated"] * (1 - share["stated"]) / share["could_be"]) ** 0.5
            assert abs(share["was"] / share["could_be"] - share["stated"]) < 4 * error, name
    for kind, row in truth["errors"]["told_by_text"].items():
        assert row["captions"] == 1000
        assert row["told_by_text"] < (170 if kind == "foil" else 100), kind
    judges = truth["judges"]
    assert judges["careless"] == sum(w["habit"] != "careful" for w in judges["workers"])


def test_triplets_of_captions_are_true(world):
    gold = {row["image_id"]: {tuple(t) for t in row["triplets"]} for row in lines(world / "gold_triplets.jsonl")}
    rows = lines(world / "triplets.jsonl")
    assert len(rows) == 5 * IMAGES
    assert [row["caption_id"] for row in rows] == list(range(5 * IMAGES))
    for row in rows:
        assert {tuple(t) for t in row["triplets"]} <= gold[row["image_id"]]


def test_concepts_and_ranks(world):
    allowed = {"Sit", "Eat", "Stand", "Walk", "Play", "Fly", "Ride", "On", "In", "Hold", "Other"}
    for row in lines(world / "concepts.jsonl"):
        assert len(row["labels"]) == 3
        assert {row["concept"], *row["labels"]} <= allowed
    gold = {row["image_id"]: row["triplets"] for row in lines(world / "gold_triplets.jsonl")}
    for row in lines(world / "atom_ranks.jsonl"):
        assert [atom in gold[row["image_id"]] for atom in row["atoms"]] == row["truth"]
        for ranks in row["ranks"]:
            assert sorted(ranks) == list(range(1, len(row["atoms"]) + 1))


def test_judgements(world):
    raw = list(csv.DictReader(io.StringIO((world / "raw_ratings.csv").read_text(encoding="utf-8"))))
    assert len(raw) == IMAGES * 15
    habits = {w["worker"]: w["habit"] for w in load(world / "truth.json")["judges"]["workers"]}
    points = {}
    for row in raw:
        assert row["rating"] in "12345" and float(row["seconds"]) > 0
        points.setdefault((row["image_id"], row["caption"]), []).append((row["worker"], int(row["rating"])))
    judged = [row for split in ("train", "val", "test") for row in load(world / f"judgements_{split}.json")]
    splits = {str(image["cocoid"]): image["split"] for image in load(world / "dataset.json")["images"]}
    assert {splits[row["image_id"]] for row in load(world / "judgements_val.json")} == {"val"}
    assert len(judged) == IMAGES * 3
    for row in judged:
        given = [p for worker, p in points[row["image_id"], row["mt"]] if habits[worker] == "careful"]
        assert len(given) == row["judgements"]
        assert row["score"] == pytest.approx((sum(given) / len(given) - 1) / 4)
        assert 0 <= row["truth"] <= 1 and len(row["refs"]) == 5
    means = {kind: [r["score"] for r in judged if r["error"] == kind] for kind in ["none", *KINDS]}
    means = {kind: sum(values) / len(values) for kind, values in means.items()}
    assert means["none"] == max(means.values())
    assert means["unrelated"] == min(means.values())


def test_foils(world):
    for row in lines(world / "foil.jsonl"):
        assert row["target_word"] in row["caption"].split()
        assert row["foil_word"] in row["foil"].split()
        assert row["caption"] != row["foil"] and len(row["references"]) == 5


def test_judges_of_foils_know_the_truth(world):
    rows = lines(world / "foil.jsonl")
    clean = [row for row in load(world / "judgements_train.json") if row["error"] == "none"]
    assert all(0 <= row["foil_truth"] < 1 and 1 <= row["foil_judgements"] <= 5 for row in rows)
    steps = [row["foil_score"] * 4 * row["foil_judgements"] for row in rows]
    assert all(step == pytest.approx(round(step)) for step in steps)
    errors = [row["foil_score"] - row["foil_truth"] for row in rows]
    assert abs(sum(errors) / len(errors)) < 0.05
    assert sum(row["foil_score"] for row in rows) / len(rows) < sum(row["score"] for row in clean) / len(clean) - 0.1


def test_systems_differ_only_where_they_err(world):
    clean = load(world / "systems" / "shuffled-0.00.json")
    references = {row["image_id"]: row["captions"] for row in load(world / "references.json")}
    for row in clean:
        assert row["caption"].capitalize() + "." not in references[row["image_id"]]
    for kind in KINDS:
        assert load(world / "systems" / f"{kind}-0.00.json") == clean
        wrong = load(world / "systems" / f"{kind}-1.00.json")
        for rate in RATES:
            for row, right, bad in zip(load(world / "systems" / f"{kind}-{rate}.json"), clean, wrong, strict=True):
                assert row in (right, bad)
        assert all(a != b for a, b in zip(clean, wrong))


BLIND = {("BLEU-1", "shuffled")}  # it does not look at the order of words


@pytest.mark.parametrize("kind", KINDS)
def test_scores_fall_with_the_error_rate(capella, world, kind):
    systems = [world / "systems" / f"{kind}-{rate}.json" for rate in RATES]
    result = capella("score", world / "references.json", *systems, "-m", "bleu,rouge-l,cider-d,chrf", "--format", "json")
    rows = [{name: s["value"] for name, s in row["scores"].items()} for row in result.json()["systems"]]
    for name in rows[0]:
        values = [row[name] for row in rows]
        if (name, kind) in BLIND:
            assert len(set(values)) == 1, values
        else:
            assert values[-1] < values[0] * 0.99, (name, values)
            assert values[-1] == min(values), (name, values)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_fall_with_every_step(capella, large_world, kind):
    systems = [large_world / "systems" / f"{kind}-{rate}.json" for rate in RATES]
    result = capella("score", large_world / "references.json", *systems, "-m", "bleu,rouge-l,cider-d", "--format", "json")
    rows = [row["scores"] for row in result.json()["systems"]]
    for name in ("BLEU-4", "ROUGE-L", "CIDEr-D"):
        values = [row[name]["value"] for row in rows]
        assert values == sorted(set(values), reverse=True), (name, values)


@pytest.mark.usefixtures("meteor_data")
def test_scores_of_meteor_and_spice_fall(capella, world):
    for kind in KINDS:
        systems = [world / "systems" / f"{kind}-{rate}.json" for rate in ("0.00", "1.00")]
        result = capella("score", world / "references.json", *systems, "-m", "meteor,spice", "--format", "json")
        before, after = (row["scores"] for row in result.json()["systems"])
        for name in before:
            assert after[name]["value"] < before[name]["value"], (kind, name)


def test_other_commands_read_it(capella, world):
    assert capella("score", world / "dataset.json", "--split", "test", "--missing", "skip",
                   world / "systems" / "unrelated-0.50.json", "-m", "bleu").code == 0


def test_same_seed_same_bytes_for_any_threads(capella, tmp_path):
    for number, threads in enumerate([1, 2, 3, 1]):
        assert capella("world", "--images", 20, "--size", 40, "--threads", threads, "-o", f"w{number}").code == 0
    first = {p.relative_to(tmp_path / "w0"): p.read_bytes() for p in (tmp_path / "w0").rglob("*") if p.is_file()}
    for number in (1, 2, 3):
        folder = tmp_path / f"w{number}"
        assert {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()} == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["w0", "w1", "w2", "w3"]


def test_options(capella, tmp_path):
    run = capella("world", "--images", 10, "--size", 128, "--references", 7, "--splits", "0.5,0.3,0.2", "-o", "w")
    assert run.code == 0, run.err
    assert "generated" in run.err
    images = load(tmp_path / "w" / "dataset.json")["images"]
    assert Counter(image["split"] for image in images) == {"train": 5, "val": 3, "test": 2}
    assert all(len(image["sentences"]) == 7 for image in images)
    assert pixels(tmp_path / "w" / "images" / "000001.png")[0] == (128, 128)
    assert "--references 7 --splits 0.5,0.3,0.2" in (tmp_path / "w" / "README.md").read_text(encoding="utf-8")


def test_refuses_a_folder_that_holds_something(capella, write, tmp_path):
    write("w/file", "x")
    assert capella("world", "--images", 5, "-o", "w").failed(2, "holds something already")
    assert [p.name for p in (tmp_path / "w").iterdir()] == ["file"]
    assert capella("world", "--images", 5, "--size", 500, "-o", "v").failed(2, "--size")
    assert capella("world", "--images", 5, "-o", "w/file/x").failed(1, "cannot be made")
    assert capella("world").failed(2, "--output")
    assert capella("world", "--images", 5, "--format", "json", "-o", "v").failed(2, "--format json")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert capella("world", "--images", 5, "-o", "link").failed(2, "is a link")


@pytest.mark.parametrize("splits", ["0.5,0.5", "0.5", "1,0,0,0", "a,b,c", "0.5,,0.5", "0.8,0.1,0.1,", ""])
def test_splits_are_three_shares(capella, splits):
    assert capella("world", "--images", 5, "--splits", splits, "-o", "sp").failed(2, "expected three shares")


def test_tiny_worlds_have_every_split_that_is_owed_an_image(capella, tmp_path):
    assert capella("world", "--images", 5, "--size", 32, "--splits", "0.5,0.3,0.2", "-o", "w").code == 0
    images = load(tmp_path / "w" / "dataset.json")["images"]
    assert Counter(image["split"] for image in images) == {"train": 3, "val": 1, "test": 1}


def test_a_killed_run_leaves_only_its_temporary_folder(tmp_path):
    command = [PROGRAM, "world", "--images", "100000", "--threads", "1", "-o", str(tmp_path / "w")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
        while not list(tmp_path.glob("w.partial-*/images/*.png")):
            assert running.poll() is None
            time.sleep(0.01)
        running.kill()
    [left] = tmp_path.iterdir()
    assert left.name.startswith("w.partial-")
