"""`--images`, and the metrics that look at pictures."""

import json

import pytest

from small_clip import picture, safetensors, write_model
from small_text_encoder import read_safetensors

METRICS = ["clip-s", "refclip-s", "pac-s", "refpac-s"]
NAMES = ["CLIP-S", "RefCLIP-S", "PAC-S", "RefPAC-S"]
REFERENCES = {"1": ["a dog", "the dog runs"], "2": ["a cat"], "3": ["two cats", "a cat on a mat"]}
CAPTIONS = {"1": "a dog runs", "2": "a dog", "3": "the cats"}


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("clip"))


@pytest.fixture
def data(write):
    """refs.json, hyps.json and the pictures 1.png, 2.png, 3.png in the folder pictures."""
    write("refs.json", REFERENCES)
    write("hyps.json", CAPTIONS)
    for id in REFERENCES:
        write(f"pictures/{id}.png", picture(int(id)))


@pytest.fixture
def run(capella, model, data):
    def call(*arguments, metrics=METRICS, command="score", images="pictures"):
        settings = [word for metric in metrics for word in ("--set", f"{metric}.model={model}")]
        pictures = [] if images is None else ["--images", images]
        return capella(
            command, "refs.json", "hyps.json", "-m", ",".join(metrics), *settings, *pictures, *arguments
        )

    return call


def scores_of(run):
    assert run.code == 0, run.err
    return run.scores()


def test_scores_and_their_relations(run, tmp_path):
    found = scores_of(run("--format", "json", "--per-item", "items.jsonl"))
    assert list(found) == NAMES
    items = [json.loads(line)["scores"] for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert len(items) == 3
    for scores in items:
        # One model: PAC-S differs by its factor alone.
        assert scores["PAC-S"] == pytest.approx(scores["CLIP-S"] * 2 / 2.5, abs=1e-12)
        assert 0 <= scores["CLIP-S"] <= 2.5
    for name in NAMES:
        assert found[name] == pytest.approx(sum(scores[name] for scores in items) / 3, abs=1e-12)


def test_signatures_name_the_model(run):
    out = run("--format", "json").json()["systems"][0]["scores"]
    parts = out["CLIP-S"]["signature"].split("|")
    assert parts[0] == "CLIP-S" and parts[1].startswith("model:") and len(parts[1]) == len("model:") + 16
    assert parts[2:4] == ['prompt:"A photo depicts"', "w:2.5"]


def test_a_file_may_name_the_pictures(run, write):
    expected = run("--format", "json").out
    write("list.json", {id: f"pictures/{id}.png" for id in REFERENCES})
    write("list.csv", "id,path\n" + "".join(f"{id},pictures/{id}.png\n" for id in REFERENCES))
    for name in ("list.json", "list.csv"):
        assert run("--format", "json", images=name).out == expected


def test_names_of_coco(run, tmp_path):
    expected = run("--format", "json").out
    for id, name in (("1", "COCO_val2014_000000000001.png"), ("2", "000000000002.png")):
        (tmp_path / "pictures" / f"{id}.png").rename(tmp_path / "pictures" / name)
    assert run("--format", "json").out == expected
    (tmp_path / "pictures/COCO_train2014_000000000001.png").write_bytes(picture(9))
    both = [f"COCO_{part}2014_000000000001.png" for part in ("train", "val")]
    assert run().failed(1, "2 pictures fit the id 1", *both)


def test_missing_pictures(run, tmp_path):
    (tmp_path / "pictures/2.png").unlink()
    assert run().failed(1, "1 of 3 items have no picture there: 2", "--missing skip")
    skipped = run("--missing", "skip", "--format", "json")
    assert skipped.json()["items"] == 2
    assert [row["id"] for row in skipped.json()["skipped"]] == ["2"]
    assert "1 row left out" in skipped.err


def test_pictures_that_a_list_names_are_told_by_their_paths(run, write, tmp_path):
    write("map.json", {"1": "pictures/1.png", "2": "pictures/gone.png"})
    assert run(images="map.json").failed(1, "2 of 3 items have no picture there: 2 (pictures/gone.png), 3;")
    skipped = run("--missing", "skip", images="map.json")
    assert skipped.code == 0 and "map.json: pictures/gone.png is not there; 1 item remains" in skipped.err


@pytest.mark.parametrize("tower", ["visual", "text"])
def test_a_model_that_overflows_has_no_score(capella, data, tmp_path, tower):
    """Its vectors are infinite: no number must come out of it, not even 0."""
    folder = write_model(tmp_path / "clip")
    _, tensors = read_safetensors(folder / "model.safetensors")
    shape, values = tensors[f"{tower}_projection.weight"]
    tensors[f"{tower}_projection.weight"] = (shape, [3e38 if value > 0 else -3e38 for value in values])
    (folder / "model.safetensors").write_bytes(safetensors(tensors))
    settings = [word for metric in METRICS for word in ("--set", f"{metric}.model={folder}")]
    metrics = ["-m", ",".join(METRICS), *settings, "--images", "pictures"]
    run = capella("score", "refs.json", "hyps.json", *metrics, "--format", "json")
    assert run.code == 0, run.err
    assert run.scores() == dict.fromkeys(NAMES, "nan")


def test_damaged_pictures(run, tmp_path):
    whole = (tmp_path / "pictures/2.png").read_bytes()
    (tmp_path / "pictures/2.png").write_bytes(whole[: len(whole) // 2])
    half = run("--format", "json", metrics=["clip-s"])
    assert half.code == 0 and "1 picture ends before it is complete" in half.err and "2.png" in half.err
    (tmp_path / "pictures/2.png").write_bytes(b"nothing of the kind")
    assert run().failed(1, "pictures/2.png: found another kind of file, expected a picture as JPEG, PNG or WebP")


def test_what_is_lacking_is_said(run, capella, data):
    assert run(images=None).failed(2, "--images DIR")
    assert capella("score", "refs.json", "hyps.json", "-m", "clip-s", "--images", "pictures").failed(
        2, "--set clip-s.model=DIR"
    )
    wrong = capella("score", "refs.json", "hyps.json", "-m", "clip-s", "--set", "clip-s.model=pictures")
    assert wrong.code == 1 and "pictures" in wrong.err
    assert run(images="nowhere").failed(1, "nowhere")
    assert run(images="").failed(2, "--images")


def test_all_means_all_that_need_no_model(capella, data, meteor_data, minilm_data):
    left_out = capella("score", "refs.json", "hyps.json", "-m", "all", "--format", "json")
    assert left_out.code == 0, left_out.err
    assert "left out, since they need a model: clip-s" in left_out.err
    assert "CLIP-S" not in left_out.scores()


def test_the_cache_changes_nothing(run, tmp_path):
    expected = run("--format", "json").out
    for _ in range(2):
        assert run("--format", "json", "--cache", "kept").out == expected
    kept = [path for path in (tmp_path / "kept").iterdir() if path.suffix == ".cache"]
    assert len(kept) == 1
    assert run("--cache", "kept", "--cache-gb", "0").failed(2, "--cache-gb")


def test_threads_and_shards_change_nothing(run, capella):
    expected = run("--format", "json").out
    assert run("--format", "json", "--threads", "1").out == expected
    for k in (1, 2):
        assert run("--shard", f"{k}/2", "--stats-out", f"{k}.stats").code == 0
    merged = capella("merge", "1.stats", "2.stats", "--format", "json").json()
    assert merged["systems"] == json.loads(expected)["systems"]


def test_explain_shows_cosines(run):
    out = run("--id", "3", "--format", "json", command="explain", metrics=["refclip-s"]).json()
    text = json.dumps(out)
    assert "pictures/3.png" in text and "a cat on a mat" in text and "harmonic mean" in text


def test_compare_takes_pictures(run, write, capella, model):
    write("second.json", {id: "a mat" for id in REFERENCES})
    done = capella(
        *("compare", "refs.json", "hyps.json", "second.json", "-m", "clip-s", "--images", "pictures"),
        *("--set", f"clip-s.model={model}", "--test", "randomization"),
    )
    assert done.code == 0 and "CLIP-S" in done.out


def test_mid(run):
    assert run(metrics=["mid"]).failed(1, "--set mid.epsilon=0.0005")
    assert list(scores_of(run("--set", "mid.epsilon=0.01", "--format", "json", metrics=["mid"]))) == ["MID"]
