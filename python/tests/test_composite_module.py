"""Composite metrics from Python: features, training, scores, and the metrics that come with Capella."""

from __future__ import annotations

import json
import os
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from meanwhile import others_run_during

import capella
from capella import composite

SCORES = ["ROUGE-L", "BLEU-1"]
NOUNS = "dog cat man woman horse bus train ball street table child boat kite beach".split()
VERBS = "runs sits stands plays rides eats holds watches".split()


def sentence(draw: random.Random) -> str:
    one, two, three = draw.choices(NOUNS, k=3)
    return f"a {one} {draw.choice(VERBS)} a {two} near the {three}"


def people_and_machines(images: int, seed: int = 5):
    """People say nearly the same of an image; machines say anything."""
    draw = random.Random(seed)
    refs, machines = {}, {"one": {}, "two": {}, "three": {}}
    for k in range(images):
        said = sentence(draw)
        refs[k] = [f"{said} {draw.choice(NOUNS)}" for _ in range(5)]
        for captions in machines.values():
            captions[k] = sentence(draw)
    return refs, machines


def write_ratings(path: Path) -> Path:
    """Captions rated, with some noise, by how much of the reference they keep."""
    draw = random.Random(6)
    rows = []
    for k in range(60):
        words = sentence(draw).split()
        kept = k % 5
        caption = " ".join([*words[: 2 * kept], *draw.choices(NOUNS, k=2)])
        score = min(1.0, max(0.0, kept / 4 + draw.choice([-0.25, 0, 0, 0.25])))
        rows.append({"imgid": f"v{k}", "mt": caption, "refs": [" ".join(words)], "score": score})
    path.write_text(json.dumps(rows))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("composite")


@pytest.fixture(scope="module")
def ratings(folder):
    return write_ratings(folder / "ratings.json")


@pytest.fixture(scope="module")
def files(folder, ratings):
    """Features to learn from and to end the training with."""
    refs, machines = people_and_machines(40)
    training = composite.features(refs, systems=machines, output=folder / "train.jsonl", scores=SCORES, machines="own")
    validation = composite.benchmark_features("nebula", ratings, folder / "valid.jsonl", scores=SCORES)
    return training, validation


def train(files, output, **more):
    options = {"scores": SCORES, "hidden": (8,), "seeds": 2, "rate": 0.02, "held_out": 0.2, "batch": 16}
    return composite.train(*files, output=output, **{**options, **more})


@pytest.fixture(scope="module")
def trained(files, folder):
    return train(files, folder / "mine.safetensors")


def test_presets():
    by_name = {preset.name: preset for preset in composite.presets()}
    assert by_name["eval-mcs"].score == "Eval-MCS"
    assert by_name["eval-mcs"].inputs == ["METEOR", "CIDEr-D", "SPICE"]
    assert by_name["nneval"].hidden == [72, 72] and by_name["lceval"].hidden == []
    assert len(by_name["lceval"].inputs) == 16
    assert set(by_name) <= {metric.name for metric in capella.metrics()}


def test_features_are_the_metrics_scores(files, folder):
    training, validation = files
    assert training.path == os.fspath(folder / "train.jsonl") and training.columns == SCORES
    assert (training.rows, training.images, training.human) == (240, 40, 120)
    assert (validation.rows, validation.images, validation.human) == (60, 60, 0)
    refs, machines = people_and_machines(40)
    plain = composite.features(
        refs, machines["one"], output=folder / "plain.jsonl", scores="BLEU-1, ROUGE-L", labelled=False
    )
    assert plain.columns == ["BLEU-1", "ROUGE-L"] and plain.rows == 40
    result = capella.score(refs, machines["one"], ["bleu", "rouge-l"])
    header, *rows = map(json.loads, Path(plain.path).read_text().splitlines())
    assert header["targets"] == "none"
    for row in rows:
        want = result.per_item[row["id"]]
        assert row["scores"] == [want["BLEU-1"], want["ROUGE-L"]]


def test_people_and_machines_are_told_apart(trained, folder):
    assert trained.name == "mine" and trained.inputs == SCORES
    assert trained.human + trained.machine + trained.held_out == 240
    assert trained.held_out == 48  # 8 of 40 images, 6 captions each
    assert [seed.seed for seed in trained.seeds] == [12345, 12346]
    # What is kept agrees best with the ratings, which may be before classes are told apart.
    assert trained.best.accuracy > 0.9 and trained.best.training_accuracy > 0.9
    assert all(seed.curve[-1][1] > 0.9 for seed in trained.seeds)
    assert trained.best in trained.seeds
    assert trained.best.tau_b == max(seed.tau_b for seed in trained.seeds)
    assert trained.best.path == os.fspath(folder / "mine.safetensors")
    assert [seed.path for seed in trained.seeds if seed is not trained.best] == [""]
    for seed in trained.seeds:
        assert len(seed.curve) == seed.epochs + 1 and seed.curve[seed.best_epoch][2] == seed.tau_b
        assert seed.curve[-1][0] < seed.curve[0][0]  # the loss falls
        assert seed.tau_b == max(tau for _, _, tau in seed.curve[1:])


def test_tables_and_pictures(trained):
    assert "held-out accuracy" in trained.table() and "12346" in trained.table()
    whole = json.loads(trained.table("json"))
    assert whole["metric"] == "mine" and whole["seeds"][0]["held_out_accuracy"] == trained.seeds[0].accuracy
    assert ElementTree.fromstring(trained.svg()).tag == "{http://www.w3.org/2000/svg}svg"
    assert trained._repr_svg_() == trained.svg()
    assert "mine" in repr(trained) and "svg" not in repr(trained)
    with pytest.raises(capella.CapellaError, match="jsn"):
        trained.table("jsn")


def test_the_same_call_makes_the_same_model(files, trained, folder):
    again = train(files, folder / "again.safetensors", name="mine", threads=1)
    assert Path(again.best.path).read_bytes() == Path(trained.best.path).read_bytes()
    other = train(files, folder / "other.safetensors", name="mine", seed=7)
    assert Path(other.best.path).read_bytes() != Path(trained.best.path).read_bytes()


@pytest.mark.filterwarnings("ignore::capella.CapellaWarning")  # a linear one hardly learns here
def test_all_networks_can_be_kept(files, folder):
    made = train(files, folder / "all.safetensors", keep_all=True, hidden=())
    paths = {seed.seed: seed.path for seed in made.seeds}
    assert paths.pop(made.best.seed) == os.fspath(folder / "all.safetensors")
    for seed, path in paths.items():
        assert path == os.fspath(folder / f"all-{seed}.safetensors") and Path(path).is_file()


def test_without_held_out_images_there_is_no_accuracy(files, folder):
    made = train(files, folder / "none.safetensors", held_out=0, seeds=1, epochs=3)
    assert np.isnan(made.best.accuracy) and made.held_out == 0


def test_scores_of_features_are_those_of_captions(files, trained, ratings):
    scored = composite.score_features(trained.best.path, files[1])
    assert scored.name == "mine" and scored.ids == [str(k) for k in range(60)]
    assert scored.scores.dtype == np.float64 and scored.scores.shape == (60,)
    assert not scored.scores.flags.writeable
    assert ((scored.scores > 0) & (scored.scores < 1)).all()
    rows = json.loads(ratings.read_text())
    result = capella.score(
        [row["refs"] for row in rows], [row["mt"] for row in rows], trained.best.path, tokenizer="ptb-iso"
    )
    assert scored.scores.tolist() == result.systems[next(iter(result.systems))].array("mine").tolist()
    tau_b = capella.stats.kendall(scored.scores, [row["score"] for row in rows]).tau_b
    assert tau_b == pytest.approx(trained.best.tau_b, abs=1e-12)
    agreement = capella.meta("nebula", ratings, [trained.best.path], scores={"given": scored.scores})
    assert agreement["mine"]["kendall_b"]["value"] == agreement["given"]["kendall_b"]["value"]
    assert agreement["given"]["kendall_b"]["value"] == pytest.approx(tau_b, abs=1e-12)


def test_a_model_is_a_metric_like_any_other(trained):
    refs, machines = people_and_machines(8, seed=9)
    path = Path(trained.best.path)
    copied = {k: own[0] for k, own in refs.items()}
    result = capella.score(refs, systems={"people": copied, "machine": machines["one"]}, metrics=["rouge-l", path])
    assert result.scores == ["ROUGE-L", "mine"]
    assert result.systems["people"]["mine"] > result.systems["machine"]["mine"]
    assert "model:#" in result.signatures["mine"]
    assert capella.score(refs, copied, path)["mine"] == result.systems["people"]["mine"]
    [why] = capella.explain(refs, machines["one"], 3, [path])
    assert why.metric == os.fspath(path) and contributions_add_up(why)
    reward = capella.Reward(path, refs)
    want = [result.systems["machine"].per_item[str(k)]["mine"] for k in range(8)]
    assert reward.score_name == "mine"
    assert reward(list(range(8)), [machines["one"][k] for k in range(8)]).tolist() == want
    parts = [capella.rows(refs, copied, [path], shard=(k, 2), tokenizer="ptb-iso") for k in range(2)]
    assert capella.merge(parts)["mine"] == result.systems["people"]["mine"]


def contributions_add_up(why) -> bool:
    """What scores contribute, as printed with four digits, is the whole way from the mean to the caption."""
    title, columns, rows = why.tables[0]
    place = columns.index("contribution")
    *parts, whole = [float(row[place]) for row in rows]
    assert len(parts) > 1 and rows[-1][0] == "all"
    return sum(parts) == pytest.approx(whole, abs=0.5e-4 * len(rows))


def test_images_are_left_out(folder, ratings):
    refs, machines = people_and_machines(10)
    made = composite.features(refs, machines["one"], output=folder / "some.jsonl", scores=SCORES, leave_out=[0, "3"])
    assert (made.images, made.left_out) == (8, 2)
    named = {f"v{k}": own for k, own in refs.items()}
    hyps = {f"v{k}": caption for k, caption in machines["one"].items()}
    named["other"], hyps["other"] = refs[0], machines["one"][0]
    made = composite.features(
        named, hyps, output=folder / "some.jsonl", scores=SCORES, machines="own", leave_out={"nebula": ratings}
    )
    assert (made.images, made.left_out) == (1, 10)
    few = {**refs, 0: refs[0][:4]}
    made = composite.features(few, machines["one"], output=folder / "some.jsonl", scores=SCORES)
    assert (made.images, made.too_few) == (9, 1)


def test_captions_of_other_images(folder):
    refs, machines = people_and_machines(12)
    made = composite.features(
        refs, machines["one"], output=folder / "other.jsonl", scores=SCORES, machines="other", source="made up"
    )
    assert made.rows == 48
    source = json.loads(Path(made.path).read_text().split("\n")[0])["source"]
    assert "made up" in source and "other images" in source


def test_other_threads_go_on_meanwhile(files, folder):
    model = folder / "threads.safetensors"
    assert others_run_during(lambda: train(files, model, seeds=3, patience=200, epochs=200, threads=1))


def test_bad_calls_of_features(folder, ratings):
    refs, machines = people_and_machines(4)
    output = folder / "bad.jsonl"

    def failed(kind, match, **more):
        with pytest.raises(kind, match=match):
            composite.features(refs, machines["one"], **{"output": output, "scores": SCORES, **more})
        assert not output.exists()

    failed(capella.CapellaError, "did you mean 'ROUGE-L'", scores=["ROGUE-L"])
    failed(capella.CapellaError, "twice", scores=["BLEU-1", "BLEU-1"])
    failed(TypeError, "scores: found int", scores=[3])
    failed(capella.CapellaError, "machines: found 'any'", machines="any")
    failed(capella.CapellaError, "fewer than 9", captions=9)
    failed(capella.CapellaError, "captions: found -1", captions=-1)
    failed(capella.CapellaError, "0 of 5", humans=0)
    failed(capella.CapellaError, "unknown benchmark 'nebulla'", leave_out={"nebulla": ratings})
    failed(TypeError, "leave_out", leave_out="7")
    failed(capella.CapellaError, "empty path", output="")
    failed(capella.CapellaError, "unknown tokenizer", tokenizer="ptp")
    with pytest.raises(capella.CapellaError, match="no machine captions"):
        composite.features(refs, output=output, scores=SCORES)
    with pytest.raises(capella.CapellaError, match="named 'human'"):
        composite.features(refs, systems={"human": machines["one"]}, output=output, scores=SCORES)
    with pytest.raises(capella.CapellaError, match="one data set"):
        composite.benchmark_features("nebula", ratings, output, scores=SCORES, without="flickr8k")
    with pytest.raises(capella.FileError, match="none.json"):
        composite.benchmark_features("nebula", folder / "none.json", output, scores=SCORES)
    with pytest.raises(capella.FileError, match="nowhere"):
        composite.features(refs, machines["one"], output=folder / "nowhere" / "x.jsonl", scores=SCORES)
    before = ratings.read_bytes()
    with pytest.raises(capella.CapellaError, match="name another file"):
        composite.benchmark_features("nebula", ratings, ratings, scores=SCORES)
    assert ratings.read_bytes() == before


def test_bad_calls_of_train(files, folder):
    output = folder / "bad.safetensors"

    def failed(kind, match, **more):
        with pytest.raises(kind, match=match):
            train(files, output, **more)
        assert not output.exists()

    failed(capella.CapellaError, "did you mean 'eval-ms'", preset="evl-ms", scores=None)
    failed(capella.CapellaError, "not both", preset="eval-ms")
    failed(capella.CapellaError, "give a preset", scores=None)
    failed(capella.CapellaError, "unknown column 'METEOR'", scores=["METEOR"])
    failed(capella.CapellaError, "given twice", scores=["BLEU-1", "BLEU-1"])
    failed(capella.CapellaError, "seeds: found 0", seeds=0)
    failed(TypeError, "seeds: found float", seeds=1.5)
    failed(capella.CapellaError, "hidden: found 0", hidden=[0])
    failed(capella.CapellaError, "hidden layer", hidden=[10**6])
    failed(capella.CapellaError, "held-out", held_out=2)
    failed(capella.CapellaError, "rate", rate=float("nan"))
    failed(capella.CapellaError, "epochs: found 0", epochs=0)
    with pytest.raises(capella.CapellaError, match="NAME.safetensors"):
        train(files, folder / "bad.model")
    training, validation = files
    with pytest.raises(capella.CapellaError, match=r"capella\.composite\.benchmark_features\("):
        train((training, training), output)
    with pytest.raises(capella.CapellaError, match=r"capella\.composite\.features\(refs"):
        train((validation, validation), output)
    with pytest.raises(capella.FileError, match="none.jsonl"):
        train((folder / "none.jsonl", validation), output)
    with pytest.raises(TypeError, match="features: found list"):
        train(([], validation), output)
    with pytest.raises(capella.FileError, match=r"capella\.composite\.train"):
        composite.score_features(training.path, validation)
    with pytest.raises(capella.CapellaError, match="tokenizer ptb or ptb-iso"):
        refs, machines = people_and_machines(3)
        capella.score(refs, machines["one"], train(files, output).best.path, tokenizer="13a")


def test_two_scores_of_one_name_are_refused(trained, folder):
    refs, machines = people_and_machines(3)
    (folder / "copy.safetensors").write_bytes(Path(trained.best.path).read_bytes())
    with pytest.raises(capella.CapellaError, match="both have a score named mine"):
        capella.score(refs, machines["one"], [trained.best.path, folder / "copy.safetensors"])


# The metrics that come with Capella, on captions of the examples.

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def scenes():
    """References, and a good caption of each image; those of the next image are poor ones."""
    refs = {row["image_id"]: row["captions"] for row in json.loads((EXAMPLES / "scenes.json").read_text())[:40]}
    own = {id: captions[0] for id, captions in refs.items()}
    rest = {id: captions[1:] for id, captions in refs.items()}
    ids = list(own)
    other = {id: own[ids[(k + 1) % len(ids)]] for k, id in enumerate(ids)}
    return rest, own, other


@pytest.mark.usefixtures("meteor_data")
@pytest.mark.parametrize("metric", [preset.name for preset in composite.presets()])
def test_shipped_metrics_prefer_captions_of_the_image(scenes, metric):
    refs, own, other = scenes
    result = capella.score(refs, systems={"own": own, "other": other}, metrics=metric)
    [name] = result.scores
    for system in result.systems.values():
        values = system.array(name)
        assert ((values >= 0) & (values <= 1)).all()
    assert result.systems["own"][name] > result.systems["other"][name]


@pytest.mark.usefixtures("meteor_data")
def test_shipped_metrics_are_explained_and_rewarded(scenes):
    refs, own, _ = scenes
    id = next(iter(refs))
    result = capella.score(refs, own, "eval-ms")
    [why] = capella.explain(refs, own, id, "eval-ms")
    assert [row[0] for row in why.tables[0][2]] == ["METEOR", "SPICE", "all"] and contributions_add_up(why)
    value = result.per_item[str(id)]["Eval-MS"]
    assert any(line.startswith(f"P(human) is {value:.4f};") for line in why.summary)
    iso = capella.score(refs, own, "eval-ms", tokenizer="ptb-iso")
    reward = capella.Reward("eval-ms", refs)
    assert reward([id], [own[id]]).tolist() == [iso.per_item[str(id)]["Eval-MS"]]
