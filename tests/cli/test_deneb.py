"""Learned metrics on the command line: training, scoring, and what goes wrong."""

import csv
import json
import math
import random
import signal

import pytest

from program import json_lines, killed_training
from small_clip import picture, safetensors, write_model
from small_text_encoder import WORDS, read_safetensors, write_text_encoder

IMAGES = 12
LEARNING = "--hidden 12,8 --batch 8 --rate 0.003 --warm-up 4".split()
WIDTHS = "--width 16 --layers 2 --feed-forward 24".split()
SMALL = [*WIDTHS, "--heads", "2", *LEARNING]


def encoders(clip="clip", text="text", images="images"):
    return [word for key, value in locals().items() if value for word in (f"--{key}", value)]


def training(sizes=SMALL, **others):
    return ["deneb", "train", "train.csv", "valid.csv", *encoders(**others), *sizes]


def scoring(model="deneb.safetensors", **others):
    return ["deneb", "score", "refs.json", "hyps.json", "--model", model, *encoders(**others)]


def as_metric(metric="deneb", model="deneb.safetensors", clip="clip", text="text"):
    """The same through `capella score`."""
    values = {"model": model, "clip": clip, "text": text}
    settings = [word for key, value in values.items() for word in ("--set", f"{metric}.{key}={value}")]
    return ["score", "refs.json", "hyps.json", "-m", metric, "--images", "images", *settings]


TRAIN, SCORE = training(), scoring()
POLOS = [*training(LEARNING), "-a", "polos"]
STATISTICS = {"scalar_mix.mean", "scalar_mix.variance"}  # are kept, but not learnt


def caption(words, count):
    return " ".join(words.choice(WORDS) for _ in range(count))


def write_rated(path, rows, seed):
    """The more words of a caption are those of its first reference, in their places, the higher its rating."""
    words = random.Random(seed)
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["imgid", "mt", "refs", "score"])
        for row in range(rows):
            references = [caption(words, 4) for _ in range(1 + row % 3)]
            kept = row % 5
            mixed = [*references[0].split()[:kept], *caption(words, 4 - kept).split()]
            table.writerow([f"{row % IMAGES}.png", " ".join(mixed), str(references), kept / 4])


@pytest.fixture
def data(tmp_path, write):
    """clip, text, images, train.csv, valid.csv, refs.json and hyps.json in the test's folder."""
    write_model(tmp_path / "clip")
    write_text_encoder(tmp_path / "text")
    for image in range(IMAGES):
        write(f"images/{image}.png", picture(image))
    write_rated(tmp_path / "train.csv", 80, 1)
    write_rated(tmp_path / "valid.csv", 40, 2)
    words = random.Random(3)
    references = {str(image): [caption(words, 5) for _ in range(1 + image % 4)] for image in range(IMAGES)}
    (tmp_path / "refs.json").write_text(json.dumps(references))
    (tmp_path / "hyps.json").write_text(json.dumps({image: caption(words, 4) for image in references}))
    return tmp_path


@pytest.fixture
def model(capella, plugin, data):
    """deneb.safetensors"""
    run = capella(*TRAIN, "--epochs", 2, "-o", "deneb.safetensors")
    assert run.code == 0, run.err
    return data / "deneb.safetensors"


VARIANTS = [
    ["-a", "released"],
    ["-a", "paper"],
    ["-a", "polos"],
    ["-a", "polos", "--references", "mean"],
    ["-a", "released", "--tokens", "raw"],
    ["-a", "released", "--joiner", "mlp", "--references", "best"],
    ["-a", "paper", "--joiner", "mlp"],
    ["-a", "paper", "--tokens", "raw", "--references", "mean"],
    ["-a", "released", "--statistics", "batch"],
    ["-a", "released", "--sentence-vectors", "pooled"],
]


@pytest.mark.parametrize("variant", VARIANTS, ids=" ".join)
def test_from_training_to_scores(capella, plugin, data, variant):
    sizes = LEARNING if "polos" in variant else [*WIDTHS, *LEARNING] if "mlp" in variant else SMALL
    run = capella(*training(sizes), *variant, "--epochs", 3, "--patience", 3, "-o", "m.safetensors", "--format", "json")
    trained = run.json()
    assert trained["architecture"] == variant[1]
    assert (trained["training_rows"], trained["validation_rows"], trained["most_references"]) == (80, 40, 3)
    taus = [epoch["validation_tau_c"] for epoch in trained["epochs"]]
    assert len(taus) == 4 and taus[trained["best_epoch"]] == max(taus[1:])
    losses = [epoch["loss"] for epoch in trained["epochs"]]
    assert losses[0] is None and all(0 < loss < 1 for loss in losses[1:])
    assert "epoch 1: loss" in run.err and "trained in" in run.err
    assert not (data / "m.safetensors.checkpoint").exists()
    metadata, arrays = read_safetensors(data / "m.safetensors")
    about = json.loads(metadata["capella.deneb"])
    assert sum(len(arrays[name][1]) for name in arrays.keys() - STATISTICS) == trained["parameters"]
    assert about["encoders"]["clip"]["name"] == "clip" and about["training"]["seed"] == 12345

    metric, name = ("polos", "Polos") if variant[1] == "polos" else ("deneb", "DENEB")
    direct = capella(*scoring("m.safetensors"), "--per-item", "a.jsonl", "--format", "json")
    assert direct.code == 0, direct.err
    through = capella(*as_metric(metric, "m.safetensors"), "--per-item", "b.jsonl", "--format", "json")
    assert direct.scores() == through.scores()
    items = json_lines(data / "a.jsonl")
    assert items == json_lines(data / "b.jsonl")
    scores = [item["scores"][name] for item in items]
    assert len(set(scores)) == len(scores) == IMAGES and all(0 < score < 1 for score in scores)


@pytest.mark.parametrize("architecture, rate", [("paper", "0.001"), ("polos", "0.003")])
def test_training_learns(capella, plugin, data, architecture, rate):
    """Ratings follow from a rule, so that agreement must come far above chance."""
    write_rated(data / "train.csv", 400, 1)
    sizes = LEARNING if architecture == "polos" else SMALL
    train = [*training(sizes), "--epochs", 12, "--patience", 12, "--dropout", 0, "-o", "m.safetensors", "--format", "json"]
    train[train.index("--rate") + 1] = rate
    trained = capella(*train, "-a", architecture, "--curve", "curve.svg").json()
    best = trained["epochs"][trained["best_epoch"]]["validation_tau_c"]
    assert best > 0.35 and best > trained["epochs"][0]["validation_tau_c"]
    picture = (data / "curve.svg").read_text()
    assert picture.startswith("<svg") and "tau-c" in picture and "loss" in picture


def test_the_same_seed_gives_the_same_bytes(capella, model, data):
    again = [*TRAIN, "--epochs", 2]
    for threads in (1, 2):  # the second run finds all vectors in the cache
        name = f"again{threads}.safetensors"
        assert capella(*again, "--threads", threads, "--cache", "vectors", "-o", name).code == 0
        assert (data / name).read_bytes() == model.read_bytes()
    assert capella(*again, "--seed", 9, "-o", "other.safetensors").code == 0
    assert (data / "other.safetensors").read_bytes() != model.read_bytes()


PATIENCE = [["--patience", "1"], ["--patience", "5"], ["--patience", "8", "--rows-per-epoch", "28"]]


@pytest.mark.parametrize("more", PATIENCE, ids=" ".join)
def test_a_killed_training_goes_on(capella, plugin, data, more):
    train = [*TRAIN, "--epochs", "8", *more]
    assert capella(*train, "-o", "whole.safetensors").code == 0
    checkpoint = killed_training(train, data, "killed.safetensors")
    run = capella(*train, "-o", "killed.safetensors", "--format", "json")
    assert run.json()["resumed"] is True
    assert (data / "killed.safetensors").read_bytes() == (data / "whole.safetensors").read_bytes()
    assert not checkpoint.exists()


@pytest.mark.parametrize(("given", "advice"), [([], "add --restart"), (["--restart"], "without --restart")])
def test_an_interrupted_training_names_its_checkpoint(plugin, data, given, advice):
    with open(data / "said.txt", "w") as said:
        train = [*TRAIN, "--epochs", "200", "--patience", "200", *given]
        killed_training(train, data, "interrupted.safetensors", signal.SIGINT, said)
    last = (data / "said.txt").read_text().splitlines()[-1]
    assert "interrupted.safetensors.checkpoint" in last and advice in last


def test_a_checkpoint_of_another_training_is_refused(capella, plugin, data):
    killed_training([*TRAIN, "--epochs", "200", "--patience", "200"], data, "m.safetensors")
    train = [*TRAIN, "--patience", "200", "-o", "m.safetensors"]
    assert capella(*train, "--epochs", 200, "--seed", 7).failed(1, "another seed", "--restart")
    assert capella(*train, "--epochs", 300).failed(1, "another number of epochs", "--restart")
    write_text_encoder(data / "other", seed=5)
    other = [*training(text="other"), "--patience", "200", "--epochs", 200, "-o", "m.safetensors"]
    assert capella(*other).failed(1, "other encoders", "--restart")
    faster = [word.replace("0.003", "0.25") for word in train] + ["--epochs", 200, "--dropout", "0.5"]
    assert capella(*faster).failed(1, "rate 0.003 instead of 0.25", "dropout 0.1 instead of 0.5", "--restart")
    assert capella(*train, "--epochs", 1, "--restart").code == 0


def test_a_model_is_replaced_only_by_a_restart(capella, model):
    before = model.read_bytes()
    other = [*TRAIN, "--epochs", 1, "--seed", 9, "-o", "deneb.safetensors"]
    assert capella(*other).failed(2, "deneb.safetensors: is there already", "--restart")
    assert model.read_bytes() == before
    assert capella(*other, "--restart").code == 0 and model.read_bytes() != before


def test_a_training_without_agreement_fails(capella, plugin, data):
    """At such a rate all scores become the same; the checkpoint is of no use then."""
    slow = [*POLOS, "--epochs", 2, "-o", "m.safetensors"]
    fast, too_fast = ([rate if word == "0.003" else word for word in slow] for rate in ("1000", "1e30"))
    assert capella(*fast).failed(1, "all captions the same score", "smaller --rate")
    assert not (data / "m.safetensors").exists()
    assert capella(*too_fast).failed(1, "no number", "smaller --rate")
    assert capella(*slow).failed(1, "m.safetensors.checkpoint", "rate 1e+30 instead of 0.003", "--restart")
    assert capella(*slow, "--restart").code == 0


def test_validation_rows_without_order_are_refused(capella, plugin, data):
    train = [*TRAIN[:3], "same.csv", *TRAIN[4:], "-o", "n.safetensors"]
    rows = (data / "valid.csv").read_text().splitlines()
    (data / "same.csv").write_text("\n".join([rows[0], *rows[1::5]]))  # whose ratings are 0
    assert capella(*train).failed(1, "same.csv: all 8 ratings are 0", "agreement")
    (data / "same.csv").write_text("\n".join(rows[:2]))
    assert capella(*train).failed(1, "same.csv: found 1 rated caption")
    both = capella(*TRAIN[:3], "train.csv", *TRAIN[4:], "--epochs", 1, "-o", "n.safetensors")
    assert both.code == 0 and "train.csv: rows to learn from" in both.err


@pytest.mark.parametrize(
    "given",
    ["--tokens raw", "--joiner mlp", "--width 16", "--layers 3", "--heads 8", "--feed-forward 2048"],
)
def test_options_that_polos_has_not_are_refused(capella, data, given):
    option = given.split()[0]
    assert capella(*POLOS, *given.split(), "-o", "m.safetensors").failed(2, "Polos has no", f"leave out {option}")


def test_options_of_what_is_not_there_are_refused(capella, plugin, data):
    def refused(train, *given):
        run = capella(*train, *given, "-o", "m.safetensors")
        return run.failed(2, f"leave out {given[0]}") and not (data / "m.safetensors").exists()

    write_text_encoder(data / "pooled", pooled=True)
    assert refused(training(text="pooled"), "--statistics", "batch")
    assert refused(TRAIN, "--statistics", "frozen", "--sentence-vectors", "pooled")
    assert refused([*training([*WIDTHS, *LEARNING]), "--joiner", "mlp"], "--heads", "2")
    for given in (["--half"], ["--statistics", "batch"], ["--sentence-vectors", "mix"]):
        assert refused(training(text=None), *given)
    assert refused(training(clip=None, images=None), "--prompt", "A photo: ")


def test_what_cannot_count_is_refused(capella, model, data):
    assert capella(*SCORE, "--heads", 2).failed(2, "deneb.safetensors", "itself tells", "leave out --heads")
    as_setting = capella(*as_metric(), "--set", "deneb.heads=2")
    assert as_setting.failed(2, "deneb.safetensors", "itself tells", "leave out --set deneb.heads")
    assert capella(*SCORE, "--parity", "--refs-policy", "all").failed(2, "--parity", "--refs-policy all")
    assert capella(*SCORE, "--parity", "--refs-policy", "zip-min").code == 0
    texts = ["deneb", "train", "train.csv", "valid.csv", "--text", "text", "--text-only", *SMALL]
    assert capella(*texts, "--epochs", 0, "-o", "texts.safetensors").code == 0
    assert capella(*scoring("texts.safetensors", images=None)).failed(2, "texts.safetensors", "leave out --clip")
    assert capella(*scoring("texts.safetensors", clip=None)).failed(2, "texts.safetensors", "leave out --images")
    assert capella(*scoring("texts.safetensors", clip=None, images=None)).code == 0


def test_other_encoders_are_refused(capella, model, data):
    write_model(data / "other-clip", seed=8)
    write_text_encoder(data / "other-text", seed=8)
    for key, what in (("clip", "CLIP model"), ("text", "sentence encoder")):
        folder = f"other-{key}"
        assert capella(*scoring(**{key: folder})).failed(1, "deneb.safetensors", f"another {what}", folder)
        assert capella(*as_metric(**{key: folder})).failed(1, f"another {what}", folder)


def test_items_without_references_are_refused(capella, model, data):
    references = json.loads((data / "refs.json").read_text())
    references["3"] = references["7"] = []
    (data / "refs.json").write_text(json.dumps(references))
    run = capella(*SCORE)
    assert run.failed(1, "refs.json", "id 3", "id 7")


def test_pictures_must_be_there(capella, model, data):
    assert capella(*scoring(images=None)).failed(2, "--images")
    assert capella(*training(images=None), "-o", "m.safetensors").failed(2, "--images", "--text-only")
    (data / "images" / "4.png").unlink()
    assert capella(*SCORE).failed(1, "images", "4")
    assert capella(*TRAIN, "-o", "m.safetensors").failed(1, "images", "4.png")
    assert capella(*SCORE, "--missing", "skip").code == 0


def test_parity_depends_on_neighbours_and_nothing_else_does(capella, model, data):
    def items(*more):
        run = capella(*SCORE, *more, "--per-item", "items.jsonl", "--format", "json")
        assert run.code == 0, run.err
        [score] = run.json()["systems"][0]["scores"].values()
        return [item["scores"]["DENEB"] for item in json_lines(data / "items.jsonl")], score["signature"]

    plain, signature = items()
    assert items("--threads", 2, "--batch", 5)[0] == plain
    assert "arch:released" in signature and "mix:frozen" in signature and "clip:clip(" in signature
    parity, signature = items("--parity")
    assert parity != plain and "mix:batch" in signature and "zip-min" in signature
    assert items("--parity", "--batch", 4)[0] != parity
    assert items("--refs-policy", "zip-min")[0] != plain


def test_long_captions_are_told_by_their_items(capella, model, data):
    """64 tokens fit; CLIP's tokens are letters here, of which 40 fit."""
    longer = " ".join(["dog"] * 70)
    captions = json.loads((data / "hyps.json").read_text())
    (data / "hyps.json").write_text(json.dumps(captions | {"3": longer, "7": longer + " a"}))
    direct = capella(*SCORE)
    assert "2 captions have more tokens than the 64 that the sentence encoder takes (of 3, 7);" in direct.err
    assert "more tokens than the 40 that CLIP takes (of" in direct.err
    through = capella(*as_metric())
    assert "deneb: 2 captions have more than the 64 tokens that the encoder takes (ids 3, 7);" in through.err
    rows = (data / "train.csv").read_text().splitlines()
    rows[1] = f"""4.png,{longer},"['a dog']",0.5"""
    (data / "train.csv").write_text("\n".join(rows))
    trained = capella(*TRAIN, "--epochs", 0, "-o", "m.safetensors")
    assert "1 caption has more tokens than the 64 that the sentence encoder takes (of 4.png);" in trained.err


def test_one_caption_is_no_plural(capella, plugin, data):
    rows = (data / "train.csv").read_text().splitlines()
    (data / "one.csv").write_text("\n".join(rows[:2]))
    train = ["deneb", "train", "one.csv", "valid.csv", *encoders(), *SMALL, "--epochs", 1, "-o", "m.safetensors"]
    assert "learnt from 1 rated caption with up to 1 reference; 40 rated captions ended" in capella(*train).out


def test_more_references_than_in_training_are_told(capella, model):
    run = capella(*SCORE)
    assert "3 items have more references than the 3" in run.err


def test_a_file_of_the_authors_program(capella, model, data):
    """Their names, without our header and statistics: batches only."""
    _, arrays = read_safetensors(model)
    theirs = {name.replace("ff.", "ff.0.ff."): arrays[name] for name in arrays.keys() - STATISTICS}
    theirs["pos_encoder.pe"] = ([2], [0, 0])
    (data / "theirs.safetensors").write_bytes(safetensors(theirs))
    score = [*scoring("theirs.safetensors"), "--heads", 2]
    assert capella(*score).failed(1, "--parity")
    one = capella(*score, "--parity", "--format", "json")
    assert "does not say which encoders" in one.err
    assert one.scores() == capella(*SCORE, "--parity", "--format", "json").scores()
    run = capella(*as_metric(model="theirs.safetensors"), "--set", "deneb.heads=2")
    assert run.failed(2, "theirs.safetensors", "--parity")


def test_explanations(capella, model, data):
    why = capella("explain", *as_metric()[1:], "--id", 3)
    assert why.code == 0, why.err
    references = json.loads((data / "refs.json").read_text())["3"]
    assert all(reference in why.out for reference in references) and "3.png" in why.out
    listed = {metric["metric"]: metric for metric in capella("metrics", "--format", "json").json()}
    assert {"deneb", "polos"} <= listed.keys()
    assert [setting["key"] for setting in listed["deneb"]["settings"]] == ["model", "clip", "text", "heads"]


def test_devices(capella, model):
    """A plug-in that is not there shows who would open it."""
    absent_plugin = {"CAPELLA_TORCH": "absent-plugin.so"}
    meta = ["meta", "nebula", "valid.csv", *as_metric()[as_metric().index("-m") :]]
    for command in (SCORE, as_metric(), meta):
        assert capella(*command, "--device", "cuda", env=absent_plugin).failed(1, "absent-plugin.so")
        assert capella(*command, env=absent_plugin).code == 0


def test_agreement_is_that_of_meta(capella, plugin, data):
    """Training measures with the plug-in, `capella meta` on the CPU without it."""
    trained = capella(*TRAIN, "--epochs", 3, "--patience", 3, "-o", "deneb.safetensors", "--format", "json").json()
    best = trained["epochs"][trained["best_epoch"]]["validation_tau_c"]
    settings = as_metric()[as_metric().index("-m") :]
    found = capella("meta", "nebula", "valid.csv", *settings, "--resamples", 50, "--format", "json").json()
    [metric] = found["metrics"]
    assert metric["metric"] == "DENEB"
    assert metric["kendall_c"]["value"] == pytest.approx(best, abs=0.01)  # rounding may swap two that are all but equal


def write_pairs(path, count):
    """PASCAL-50S' layout: of two captions the one with more words of the first reference is preferred."""
    words = random.Random(7)
    pairs = {kind: [] for kind in ("HC", "HI", "HM", "MM")}
    for row in range(count):
        references = [caption(words, 4) for _ in range(1 + row % 3)]
        both = [references[0], caption(words, 4)]
        label = row % 2
        pair = {"image": f"{row % IMAGES}.png", "captions": both[:: -1 if label else 1], "label": label}
        pairs[list(pairs)[row % 4]].append(pair | {"references": references})
    path.write_text(json.dumps(pairs))


def test_pairs_end_the_training(capella, plugin, data):
    write_pairs(data / "pairs.json", 41)
    train = ["deneb", "train", "train.csv", "pairs.json", "--valid-layout", "pascal50s", *encoders(), *SMALL]
    written = ["-o", "deneb.safetensors", "--curve", "c.svg", "--format", "json"]
    run = capella(*train, "--epochs", 2, "--patience", 2, *written)
    trained = run.json()
    assert trained["measure"] == "accuracy" and trained["validation_rows"] == 82
    assert "validation accuracy" in run.err and "validation accuracy" in (data / "c.svg").read_text()
    best = trained["epochs"][trained["best_epoch"]]["validation_accuracy"]
    metadata, _ = read_safetensors(data / "deneb.safetensors")
    about = json.loads(metadata["capella.deneb"])["training"]
    assert about["measure"] == "accuracy" and about["epochs"][trained["best_epoch"]][1] == best
    settings = as_metric()[as_metric().index("-m") :]
    found = capella("meta", "pascal50s", "pairs.json", *settings, "--resamples", 50, "--format", "json").json()
    # One pair may be a draw, all but.
    assert found["metrics"][0]["accuracy"]["mean"]["value"] == pytest.approx(best, abs=0.03)
    table = capella(*train, "--epochs", 0, "-o", "other.safetensors")
    assert "validation accuracy" in table.out and "82 compared captions ended the training" in table.out
    pairs_to_learn = [*train[:2], "pairs.json", *train[3:], "--layout", "pascal50s", "-o", "m.safetensors"]
    assert capella(*pairs_to_learn).failed(2, "pairs of captions", "nebula", "--valid-layout pascal50s")


def test_rows_about_images_of_a_test_are_left_out(capella, plugin, data):
    with open(data / "train.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    first = [json.loads(row["refs"].replace("'", '"'))[0] for row in rows[:30]]
    test = [{"imgid": "x", "mt": "the ball", "refs": [text.upper()], "score": 1} for text in first]
    (data / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in test))
    held = ["--held-out", "nebula:test.jsonl", "--epochs", 1]
    trained = capella(*TRAIN, *held, "-o", "m.safetensors", "--format", "json").json()
    assert trained["training_rows"] + trained["dropped_rows"] == 80 and 30 <= trained["dropped_rows"] < 40
    metadata, _ = read_safetensors(data / "m.safetensors")
    about = json.loads(metadata["capella.deneb"])["training"]
    assert about["held_out"] == ["nebula:test.jsonl"] and about["dropped_rows"] == trained["dropped_rows"]
    table = capella(*TRAIN, *held, "-o", "n.safetensors")
    assert f"({trained['dropped_rows']} more were left out" in table.out
    without = [*TRAIN, "-o", "other.safetensors", "--held-out"]
    assert capella(*without, "nebula:train.csv").failed(1, "train.csv", "each of the 80 rows")
    assert capella(*without, "test.jsonl").failed(2, "LAYOUT:PATH")
    assert capella(*without, "nebul:test.jsonl").failed(2, "did you mean 'nebula'")
    assert capella(*without, "nebula:none.jsonl").failed(1, "none.jsonl")


def test_parts_are_left_out(capella, plugin, data):
    words = random.Random(4)
    with open(data / "composite.jsonl", "w") as file:
        for row in range(24):
            part = "flickr8k" if row < 9 else "coco"
            references = [caption(words, 4), caption(words, 5)]
            about = {"image": f"{row // 3}.png", "dataset": part, "candidate_no": row % 3, "references": references}
            file.write(json.dumps(about | {"caption": caption(words, 4), "human_rating": 1 + row % 5}) + "\n")
    train = ["deneb", "train", "composite.jsonl", "valid.csv", "--layout", "composite", "--valid-layout", "nebula"]
    train += [*encoders(), *SMALL, "--epochs", 1, "--restart", "-o", "m.safetensors"]
    assert capella(*train, "--without", "flickr8k", "--format", "json").json()["training_rows"] == 15
    metadata, _ = read_safetensors(data / "m.safetensors")
    assert json.loads(metadata["capella.deneb"])["training"]["without"] == ["flickr8k"]
    assert capella(*train, "--without", "flicker8k").failed(2, "did you mean 'flickr8k'")
    assert capella(*train, "--without", "flickr8k", "--without", "coco").failed(2, "nothing is left")
    assert capella(*TRAIN, "--without", "coco", "-o", "other.safetensors").failed(2, "without parts")


@pytest.mark.parametrize("more", [[], ["--scale-vectors"]], ids=["as they are", "scaled"])
def test_an_untrained_network_with_a_cosine_is_the_cosine(capella, plugin, data, more):
    write_text_encoder(data / "pooled", pooled=True)
    cosine = ["--text", "pooled", "--text-only", "--cosine"]
    train = ["deneb", "train", "train.csv", "valid.csv", *cosine, *SMALL, *more]
    assert capella(*train, "--epochs", 0, "-o", "m.safetensors").code == 0
    names = {"deneb.model": "m.safetensors", "deneb.text": "pooled", "sentence-cosine.model": "pooled"}
    settings = [word for key, value in names.items() for word in ("--set", f"{key}={value}")]
    score = ["score", "refs.json", "hyps.json", "-m", "deneb,sentence-cosine", *settings]
    run = capella(*score, "--per-item", "items.jsonl")
    assert run.code == 0, run.err
    scores = [item["scores"] for item in json_lines(data / "items.jsonl")]
    for score in scores:
        assert score["DENEB"] == pytest.approx(1 / (1 + math.exp(2.5 - 5 * score["Sentence-cosine"])), abs=1e-6)
    found = [score["DENEB"] for score in scores]
    assert max(found) - min(found) > 2e-5  # far more than rounding
    polos = ["deneb", "train", "train.csv", "valid.csv", *cosine, "-a", "polos", "-o", "other.safetensors"]
    assert capella(*polos).failed(2, "Polos has no cosine")


def test_models_are_checked(capella, model, data):
    content = model.read_bytes()
    model.write_bytes(content[:-4])
    assert capella(*SCORE).failed(1, "deneb.safetensors", "cut short")
    model.write_bytes(content[:-4] + bytes([content[-4] ^ 1]) + content[-3:])
    assert capella(*SCORE).failed(1, "changed after it was written")
    model.write_text("nothing")
    assert capella(*SCORE).failed(1, "deneb.safetensors", "capella deneb train")
    folder = "images: is a folder, expected a file that 'capella deneb train' wrote; name the file"
    assert capella(*scoring("images")).failed(1, folder)
    assert capella(*as_metric(model="images")).failed(1, folder)


def test_wrong_calls(capella, plugin, data):
    assert capella(*TRAIN, "-a", "relased", "-o", "m.safetensors").failed(2, "did you mean 'released'")
    assert capella(*TRAIN, "--joiner", "mpl", "-o", "m.safetensors").failed(2, "did you mean 'mlp'")
    wide = [word.replace("16", "20") for word in TRAIN]
    assert capella(*wide, "-o", "m.safetensors").failed(2, "multiple of 16")
    assert capella(*TRAIN, "--layout", "foil", "-o", "m.safetensors").code == 2
    assert capella(*TRAIN, "--valid-layout", "foo", "-o", "m.safetensors").failed(2, "'foo'", "pascal50s", "foil")
    assert capella(*TRAIN, "--curve", "c.png", "-o", "m.safetensors").failed(2, "--curve", "c.png", ".svg")
    deep = [*TRAIN, "-o", "m.safetensors"]
    deep[deep.index("--layers") + 1] = 300
    assert capella(*deep).failed(2, "--layers", "300", "256")
    assert capella(*TRAIN, "-o", "m.bin").failed(2, "NAME.safetensors")
    assert capella(*TRAIN, "-o", "train.csv").code == 2
    assert capella(*TRAIN, "--device", "gpu", "-o", "m.safetensors").failed(2, "'gpu'", "cpu, cuda")
    assert capella("deneb", "score", "refs.json", "hyps.json", "--model", "no.safetensors").failed(1, "no.safetensors")
    assert capella("score", "refs.json", "hyps.json", "-m", "deneb").failed(2, "deneb", "--set deneb.model=FILE")
    assert not (data / "m.safetensors").exists()
