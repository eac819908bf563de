"""Generators and the study of them from Python. Most of this needs the plug-in."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import capella
from capella import pregen

PERPLEXITY = "geomean_join_pplx_none"
COLOURS = ["red", "green", "blue", "black"]
THINGS = ["dog", "cat", "bus", "kite"]


def write_pictures(folder, training):
    """dataset.json and features of images, each a thing of some colour: for training, and 8 and 8 others."""
    images, features = [], []
    for k in range(training + 16):
        colour, thing = k % 4, k // 4 % 4
        said = [f"a {COLOURS[colour]} {THINGS[thing]} here", f"there is a {COLOURS[colour]} {THINGS[thing]}"]
        split = "train" if k < training else "val" if k < training + 8 else "test"
        sentences = [
            {"tokens": text.split(), "raw": text, "sentid": 2 * k + s} for s, text in enumerate(said)
        ]
        images.append({"filename": f"{k}.png", "imgid": k, "split": split, "sentences": sentences})
        features.append(np.eye(8)[colour] + np.eye(8)[4 + thing])
    (folder / "dataset.json").write_text(json.dumps({"images": images, "dataset": "small"}))
    np.save(folder / "features.npy", np.array(features, dtype=np.float32))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Where the data of 64 images lie."""
    folder = tmp_path_factory.mktemp("pictures")
    write_pictures(folder, 48)
    return folder


@pytest.fixture(scope="module")
def generator(plugin, pictures):
    told = []
    made = pregen.train(
        pictures / "dataset.json",
        pictures / "features.npy",
        "merge",
        output=pictures / "merge_1.safetensors",
        size=16,
        batch=8,
        epochs=12,
        least_count=1,
        tell=told.append,
    )
    return made, told


def test_training(generator, pictures):
    made, told = generator
    assert (made.architecture, made.vocabulary) == ("merge", 2 + len(COLOURS) + len(THINGS) + 4)
    assert (made.training_images, made.training_captions, made.validation_images) == (48, 96, 8)
    assert math.isnan(made.epochs[0].loss) and len(told) == len(made.epochs) and "epoch 0" in told[0]
    assert made.epochs[made.best_epoch].perplexity == min(epoch.perplexity for epoch in made.epochs)
    assert made.epochs[made.best_epoch].perplexity < made.epochs[0].perplexity / 2
    assert os.path.isfile(made.path) and not made.resumed
    assert json.loads(made.table("json"))["architecture"] == "merge"


def test_probabilities_and_captions(generator, pictures):
    made, _ = generator
    inputs = [pictures / "dataset.json", pictures / "features.npy"]
    asked = pregen.probabilities(made, *inputs, output=pictures / "merge_1.json")
    assert (asked.images, asked.captions, asked.words, asked.unknown) == (8, 16, 8 * (5 + 6), 0)
    stored = json.loads((pictures / "merge_1.json").read_text())
    assert pregen.metrics(stored) == pregen.metrics(asked.path)
    assert pregen.metrics(stored)[PERPLEXITY] == pytest.approx(asked.perplexity, rel=1e-12)
    compact = pregen.probabilities(made.path, *inputs, output=pictures / "merge_1.bin")
    assert pregen.metrics(compact.path) == pregen.metrics(stored)
    written = pregen.generate(made, *inputs, output=pictures / "captions.json", beam=2, most_words=6)
    captions = json.loads((pictures / "captions.json").read_text())
    assert (written.images, written.beam) == (8, 2) and len(captions) == 8
    assert sum(len(row["caption"].split()) for row in captions) == written.words
    assert all(4 <= len(row["caption"].split()) <= 6 for row in captions)
    assert len({row["caption"] for row in captions}) == written.different


def test_what_was_written_stands_for_its_file(generator, pictures, tmp_path):
    made, _ = generator
    inputs = [pictures / "dataset.json", pictures / "features.npy"]
    asked = pregen.probabilities(made, *inputs, output=tmp_path / "merge_1.bin")
    written = pregen.generate(made, *inputs, output=tmp_path / "merge_1.json", beam=2, most_words=6)
    assert pregen.metrics(asked) == pregen.metrics(asked.path)
    options = {"scores": "CIDEr", "most_strata": 2, "split": "test"}
    by_path = pregen.strata(inputs[0], systems=[written.path], probs=[asked.path], **options)
    assert by_path.rows[0]["architecture"] == "merge" and len(by_path) == 3
    for systems in ([written], {"merge_1": written}):
        for probs in (asked, [asked], {"merge_1": asked}):
            assert pregen.strata(inputs[0], systems=systems, probs=probs, **options).text == by_path.text
    scored = [capella.score(inputs[0], hyps, "bleu", split="test") for hyps in (written, written.path)]
    assert scored[0]["BLEU-1"] == scored[1]["BLEU-1"]


# Ctrl-C half a second after the work began; `changed` tells whether the work went on to an end of its own.
INTERRUPTED = """
import os, signal, sys, threading, time
from capella import pregen
job, dataset, features, folder = sys.argv[1:]
model, output = os.path.join(folder, "m.safetensors"), os.path.join(folder, "out.json")
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
def soon(sentence=""):
    global before
    before = state()
    threading.Timer(0.5, send).start()
def state():
    return [os.stat(path).st_mtime_ns for path in (output, model + ".checkpoint") if os.path.exists(path)]
options = {"output": model, "size": 128, "batch": 1, "least_count": 1}
if job != "train":
    pregen.train(dataset, features, epochs=0, **options)
try:
    if job == "train":
        pregen.train(dataset, features, epochs=1, tell=soon, **options)
    else:
        soon()
        pregen.generate(model, dataset, features, split="train", output=output, beam=10, threads=int(job))
finally:
    print("changed" if state() != before else "as before", time.monotonic() - sent[0])
"""


@pytest.mark.parametrize("job", ["train", "1", "2"])  # or captions by so many threads
def test_interrupts_end_the_work(plugin, tmp_path, job):
    write_pictures(tmp_path, 6000)
    paths = [tmp_path / "dataset.json", tmp_path / "features.npy", tmp_path]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", INTERRUPTED, job, *paths]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGINT and "KeyboardInterrupt" in done.stderr, done.stderr
    changed, seconds = done.stdout.rsplit(maxsplit=1)
    assert changed == "as before" and float(seconds) < 5


def test_what_the_callback_raises_ends_the_training(plugin, pictures):
    def stop(sentence):
        raise LookupError(sentence)

    output = pictures / "stopped.safetensors"
    with pytest.raises(LookupError, match="epoch 0"):
        pregen.train(
            pictures / "dataset.json", pictures / "features.npy", output=output, size=4, epochs=2, tell=stop
        )
    assert not output.exists()


def test_errors_of_generators(plugin, pictures, tmp_path):
    inputs = [pictures / "dataset.json", pictures / "features.npy"]
    output = tmp_path / "x.safetensors"
    with pytest.raises(capella.CapellaError, match="unknown architecture 'mrge'.*'merge'"):
        pregen.train(*inputs, "mrge", output=output)
    with pytest.raises(capella.CapellaError, match="lower least_count"):
        pregen.train(*inputs, output=output, least_count=1000)
    with pytest.raises(capella.FileError, match="absent.json"):
        pregen.train(tmp_path / "absent.json", inputs[1], output=output)
    with pytest.raises(capella.FileError, match=r"capella\.pregen\.train"):
        pregen.probabilities(inputs[1], *inputs, output=tmp_path / "x.bin")


def test_arguments_of_generators_are_checked(pictures, tmp_path):
    inputs = [pictures / "dataset.json", pictures / "features.npy"]
    with pytest.raises(capella.CapellaError, match="is an input of this call too"):
        pregen.train(*inputs, output=inputs[0])
    with pytest.raises(capella.CapellaError, match="output: found an empty path"):
        pregen.generate("m.safetensors", *inputs, output="")
    with pytest.raises(TypeError, match="epochs: found float, expected a whole number"):
        pregen.train(*inputs, output=tmp_path / "x.safetensors", epochs=1.5)
    with pytest.raises(capella.CapellaError, match="beam: found -1"):
        pregen.generate("m.safetensors", *inputs, output=tmp_path / "x.json", beam=-1)


def test_without_the_plugin(pictures, tmp_path):
    """In a process of its own, since a plug-in that was opened stays."""
    call = (
        "import sys; from capella import pregen\n"
        "pregen.train(sys.argv[1], sys.argv[2], output=sys.argv[3])"
    )
    paths = [pictures / "dataset.json", pictures / "features.npy", tmp_path / "x.safetensors"]
    absent = str(tmp_path / "absent.so")
    env = {**os.environ, "CAPELLA_TORCH": absent, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", call, *paths], env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "FileError" in done.stderr and "absent.so" in done.stderr


def test_study(plugin, tmp_path, meteor_data):
    told, shares = [], [1.0, 0.3]
    options = {"images": 150, "size": 8, "shares": shares, "epochs": 2, "resamples": 50}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        made = pregen.study(tmp_path / "world", tmp_path / "study", tell=told.append, **options)
    assert len(made.generators) == 4 * len(shares) and {one.run for one in made.generators} == {1, 2}
    assert list(made.generators[0].post) == made.correlations.posts and "CIDEr" in made.correlations.posts
    assert made.findings and told and os.path.isfile(made.data_file)
    assert made.warnings and [str(one.message) for one in warned] == made.warnings
    assert all(one.category is capella.CapellaWarning and one.filename == __file__ for one in warned)
    assert made.to_dict()["findings"] == made.findings and made.generators[0].architecture in made.table()
    rows = pregen.Strata(Path(made.data_file).read_text(encoding="utf-8"))
    assert len(rows) == 15 * len(made.generators)
