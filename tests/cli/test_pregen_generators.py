"""Caption generators on the command line: training, probabilities, captions, and what goes wrong."""

import json
import shutil
import struct
import subprocess
import time

import pytest

from program import PROGRAM

IMAGES = 120
INPUTS = ["world/dataset.json", "world/image_features.npy"]
SMALL = ["--size", "16", "--batch", "64", "--least-count", "2", "--threads", "1"]


@pytest.fixture(scope="module")
def made_world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pregen") / "world"
    command = [PROGRAM, "world", "--images", str(IMAGES), "--size", "32", "--seed", "3", "-o", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def world(made_world, tmp_path):
    """The folder `world` with what generators are trained from, free to be changed."""
    (tmp_path / "world").mkdir()
    for name in ("dataset.json", "image_features.npy"):
        shutil.copy(made_world / name, tmp_path / "world" / name)
    return tmp_path / "world"


@pytest.fixture
def model(capella, plugin, world, tmp_path):
    """merge.safetensors"""
    run = capella("pregen", "train", *INPUTS, "-a", "merge", *SMALL, "--epochs", 2, "-o", "merge.safetensors")
    assert run.code == 0, run.err
    return tmp_path / "merge.safetensors"


def images_of(world, split):
    images = json.loads((world / "dataset.json").read_text())["images"]
    return [image for image in images if image["split"] == split]


def change_data_set(world, change):
    path = world / "dataset.json"
    content = json.loads(path.read_text())
    change(content["images"])
    path.write_text(json.dumps(content))


def header_of(path):
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def write_with_header(path, header, numbers):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + numbers)


@pytest.mark.parametrize("architecture", ["init", "pre", "par", "merge"])
def test_from_training_to_metrics_and_captions(capella, plugin, world, tmp_path, architecture):
    train = ["pregen", "train", *INPUTS, "-a", architecture, *SMALL, "--epochs", 2, "-o", "m.safetensors"]
    run = capella(*train, "--format", "json")
    trained = run.json()
    assert trained["architecture"] == architecture
    assert trained["training_captions"] == sum(len(image["sentences"]) for image in images_of(world, "train"))
    assert trained["validation_images"] == len(images_of(world, "val"))
    perplexities = [epoch["validation_perplexity"] for epoch in trained["epochs"]]
    assert len(perplexities) == 3 and perplexities[trained["best_epoch"]] == min(perplexities)
    assert perplexities[1] < perplexities[0]
    assert "epoch 1: loss" in run.err and "trained in" in run.err
    assert not (tmp_path / "m.safetensors.checkpoint").exists()
    header, _ = header_of(tmp_path / "m.safetensors")
    about = header.pop("__metadata__")
    sizes = [tensor["data_offsets"][1] - tensor["data_offsets"][0] for tensor in header.values()]
    assert sum(sizes) == 4 * trained["parameters"]
    assert len(json.loads(about["vocabulary"])) == trained["vocabulary"]

    tests = images_of(world, "test")
    probs = capella("pregen", "probs", "m.safetensors", *INPUTS, "-o", "p.json", "--format", "json").json()
    table = json.loads((tmp_path / "p.json").read_text())
    assert [len(image) for image in table] == [len(image["sentences"]) for image in tests]
    for image, captions in zip(tests, table):
        for sentence, words in zip(image["sentences"], captions):
            assert len(words) == len(sentence["tokens"]) + 1
            assert all(0 < probability < 1 and rank >= 0 for probability, rank in words)
    assert probs["words"] == sum(len(words) for captions in table for words in captions)
    assert capella("pregen", "probs", "m.safetensors", *INPUTS, "-o", "p.bin").code == 0
    assert (tmp_path / "p.bin").stat().st_size < (tmp_path / "p.json").stat().st_size
    one, other = (capella("pregen", "metrics", name, "--all", "--format", "csv").out for name in ("p.json", "p.bin"))
    assert one == other and len(one) > 1000

    run = capella("pregen", "generate", "m.safetensors", *INPUTS, "-o", "captions.json", "--format", "json")
    assert run.json()["beam"] == (5 if architecture == "par" else 3)
    captions = json.loads((tmp_path / "captions.json").read_text())
    names = [image.get("cocoid", image["filename"]) for image in tests]
    assert [row["image_id"] for row in captions] == names
    vocabulary = set(json.loads(about["vocabulary"])[2:])
    for row in captions:
        words = row["caption"].split()
        assert 4 <= len(words) <= 50 and set(words) <= vocabulary
    scored = capella("score", INPUTS[0], "captions.json", "--split", "test", "-m", "bleu")
    assert scored.code == 0, scored.err


def test_validation_is_the_perplexity_of_first_captions(capella, model, world):
    trained = capella(
        *["pregen", "train", *INPUTS, "-a", "merge", *SMALL, "--epochs", 2, "-o", "again.safetensors"],
        *["--format", "json"],
    ).json()
    change_data_set(world, lambda images: [image.update(sentences=image["sentences"][:1]) for image in images])
    run = ["pregen", "probs", model, *INPUTS, "--split", "val", "-o", "v.bin", "--format", "json"]
    best = trained["epochs"][trained["best_epoch"]]["validation_perplexity"]
    assert capella(*run).json()["perplexity"] == pytest.approx(best, rel=1e-5)


def test_the_same_seed_gives_the_same_bytes(capella, model, tmp_path):
    train = ["pregen", "train", *INPUTS, "-a", "merge", *SMALL, "--epochs", 2]
    assert capella(*train, "-o", "again.safetensors").code == 0
    assert (tmp_path / "again.safetensors").read_bytes() == model.read_bytes()
    assert capella(*train, "--seed", 9, "-o", "other.safetensors").code == 0
    assert (tmp_path / "other.safetensors").read_bytes() != model.read_bytes()


def test_a_killed_training_goes_on(capella, plugin, world, tmp_path):
    train = ["pregen", "train", *INPUTS, "-a", "init", *SMALL, "--epochs", "4"]
    assert capella(*train, "-o", "whole.safetensors").code == 0
    command = [PROGRAM, *train, "-o", "killed.safetensors"]
    checkpoint = tmp_path / "killed.safetensors.checkpoint"
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        while not checkpoint.exists() and running.poll() is None:
            time.sleep(0.002)
        running.kill()
    assert checkpoint.exists() and not (tmp_path / "killed.safetensors").exists()
    run = capella(*train, "-o", "killed.safetensors", "--format", "json")
    assert run.json()["resumed"] is True
    assert (tmp_path / "killed.safetensors").read_bytes() == (tmp_path / "whole.safetensors").read_bytes()
    assert not checkpoint.exists()


def test_a_checkpoint_of_another_training_is_refused(capella, plugin, world, tmp_path):
    train = ["pregen", "train", *INPUTS, *SMALL]
    with subprocess.Popen(
        [PROGRAM, *train, "-o", "m.safetensors"], cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as running:
        while not (tmp_path / "m.safetensors.checkpoint").exists() and running.poll() is None:
            time.sleep(0.002)
        running.kill()
    assert capella(*train, "--seed", 7, "-o", "m.safetensors").failed(1, "another seed", "--restart")
    (tmp_path / "m.safetensors.checkpoint").unlink()
    (tmp_path / "m.safetensors.checkpoint").mkdir()
    for more in ([], ["--restart"]):
        assert capella(*train, *more, "-o", "m.safetensors").failed(1, "m.safetensors.checkpoint")
    (tmp_path / "m.safetensors.checkpoint").rmdir()
    assert capella(*train, "--seed", 7, "--epochs", 1, "--restart", "-o", "m.safetensors").code == 0


def test_features_must_fit(capella, plugin, world):
    numpy = pytest.importorskip("numpy")
    path = world / "image_features.npy"
    whole = numpy.load(path)
    train = ["pregen", "train", *INPUTS, *SMALL, "--epochs", 1, "-o", "bad.safetensors"]

    def failed(features, *parts):
        numpy.save(path, features)
        return capella(*train).failed(1, "image_features.npy", *parts)

    assert failed(whole[:-1], f"{IMAGES - 1} images, expected {IMAGES}", "dataset.json")
    images = json.loads((world / "dataset.json").read_text())["images"]
    place = [image["split"] for image in images].index("train")
    bad = whole.copy()
    bad[place, 5] = numpy.nan
    assert failed(bad, f"row {place + 1} ", "number 6", "nan")
    bad[place] = 0
    assert failed(bad, f"row {place + 1} ", "all numbers are 0")
    assert failed(whole[0], "1 dimensions")
    assert failed(whole.astype("int32"), "<i4")
    numpy.save(path, whole)
    path.write_bytes(path.read_bytes()[:-10])
    assert capella(*train).failed(1, "cut short")
    for kind in ("float64", "float16"):
        numpy.save(path, numpy.asfortranarray(whole.astype(kind)))
        assert capella(*train).code == 0


def test_splits_must_be_there(capella, plugin, world):
    def rename(images):
        for image in images:
            image["split"] = "test" if image["split"] == "train" else image["split"]

    change_data_set(world, rename)
    run = capella("pregen", "train", *INPUTS, *SMALL, "-o", "bad.safetensors")
    assert run.failed(1, "dataset.json", "no split 'train'", "test (", "val (")


def test_restval_images_are_not_learnt_from(capella, plugin, world):
    def hide(images):
        for image in images:
            if image["split"] == "test":
                image["split"] = "restval"
                image["sentences"] = [{"tokens": ["zebra"] * 9}]

    change_data_set(world, hide)
    run = capella("pregen", "train", *INPUTS, *SMALL, "--epochs", 0, "-o", "m.safetensors", "--format", "json")
    assert run.json()["training_images"] == len(images_of(world, "train"))
    header, _ = header_of(world.parent / "m.safetensors")
    assert "zebra" not in json.loads(header["__metadata__"]["vocabulary"])


def test_models_are_checked(capella, model, world):
    header, numbers = header_of(model)
    ask = ["pregen", "probs", model, *INPUTS, "-o", "p.json"]
    model.write_bytes(model.read_bytes()[:-4])
    assert capella(*ask).failed(1, "merge.safetensors", "cut short")
    write_with_header(model, header, numbers[:-4] + bytes([numbers[-4] ^ 1]) + numbers[-3:])
    assert capella(*ask).failed(1, "changed after it was written")
    words = json.loads(header["__metadata__"]["vocabulary"])
    shorter = {**header, "__metadata__": {**header["__metadata__"], "vocabulary": json.dumps(words[:-1])}}
    write_with_header(model, shorter, numbers)
    assert capella(*ask).failed(1, f"network has {len(words)} words", f"vocabulary {len(words) - 1}")
    write_with_header(model, {key: header[key] for key in header if key != "nn/out/b"}, numbers)
    assert capella(*ask).failed(1, "merge.safetensors")
    assert not (world.parent / "p.json").exists()


def test_sizes_that_no_memory_holds_are_refused(capella, model):
    header, numbers = header_of(model)
    about = json.loads(header["__metadata__"]["capella.generator"])
    about["recipe"].update(size=16000, image=100_000_000)
    header["__metadata__"]["capella.generator"] = json.dumps(about)
    write_with_header(model, header, numbers)
    assert capella("pregen", "generate", model, *INPUTS, "-o", "c.json").failed(1, "merge.safetensors", "recipe")


# The level of Capella's own kernels, and the kernels that OpenBLAS is told to use.
PROCESSORS = [("portable", "Haswell"), ("avx2", "Haswell"), ("avx2", "Zen"), ("avx512", "SkylakeX")]


@pytest.mark.parametrize("architecture", ["init", "pre", "par", "merge"])
def test_every_processor_gives_the_same_bytes(capella, plugin, world, tmp_path, architecture):
    train = ["pregen", "train", *INPUTS, "-a", architecture, *SMALL, "--epochs", 1, "-o", "m.safetensors"]
    assert capella(*train).code == 0

    def files(**env):
        for action in ("probs", "generate"):
            run = capella("pregen", action, "m.safetensors", *INPUTS, "-o", f"{action}.json", env=env)
            if run.code == 2 and "CAPELLA_CPU" in run.err:
                return None  # the processor lacks the level
            assert run.code == 0, run.err
        return [(tmp_path / f"{action}.json").read_bytes() for action in ("probs", "generate")]

    found = [files(CAPELLA_CPU=level, OPENBLAS_CORETYPE=core) for level, core in PROCESSORS]
    assert None not in found[:1]
    assert all(each in (found[0], None) for each in found)


@pytest.mark.parametrize("action", ["probs", "generate"])
def test_standard_output_has_the_file_alone(capella, model, tmp_path, action):
    assert "images" in capella("pregen", action, model, *INPUTS, "-o", "file").out
    command = [PROGRAM, "pregen", action, model, *INPUTS, "-o", "-"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert run.returncode == 0 and run.stdout == (tmp_path / "file").read_bytes()


def test_models_and_features_must_belong_together(capella, model, world):
    numpy = pytest.importorskip("numpy")
    path = world / "image_features.npy"
    numpy.save(path, numpy.load(path)[:, :-1])
    assert capella("pregen", "generate", model, *INPUTS, "-o", "c.json").failed(1, "image_features.npy", "numbers")


def test_wrong_calls(capella, plugin, world, tmp_path):
    train = ["pregen", "train", *INPUTS, *SMALL, "-o", "bad.safetensors"]
    assert capella(*train, "-a", "marge").failed(2, "did you mean 'merge'")
    assert capella(*train, "--device", "gpu").failed(2, "'gpu'", "cpu, cuda")
    assert capella(*train, "--share", "0").failed(2, "share of 0")
    assert capella(*train, "--epochs", "-1").failed(2, "--epochs")
    assert capella(*train, "--variable", "feats").failed(2, "an .npy file has no variables")
    assert capella("pregen", "train", *INPUTS, "-o", "model.bin").failed(2, "NAME.safetensors")
    assert capella("pregen", "train", *INPUTS, "-o", INPUTS[0]).failed(2, "name another file")
    assert capella("pregen", "probs", "none.safetensors", *INPUTS, "-o", "p.bin").failed(1, "none.safetensors")
    assert not (tmp_path / "bad.safetensors").exists()
