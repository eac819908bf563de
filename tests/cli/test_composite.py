"""Composite metrics on the command line: features, training, scores, explanations, and what goes wrong."""

import json
import random
import struct

import pytest

from program import ROOT

SCENES = ROOT / "examples/scenes.json"
CAREFUL = ROOT / "examples/systems/careful.json"
NOUNS = "dog cat man woman horse bus train ball street table child boat kite beach".split()
VERBS = "runs sits stands plays rides eats holds watches".split()
TRAIN = ["composite", "train", "train.jsonl", "--validate", "valid.jsonl"]
SMALL = ["--scores", "ROUGE-L,BLEU-1", "--hidden", "8", "--seeds", "2", "--rate", "0.02", "--batch", "16"]


def sentence(draw):
    one, two, three = draw.choices(NOUNS, k=3)
    return f"a {one} {draw.choice(VERBS)} a {two} near the {three}"


def people_and_machine(images):
    """People say nearly the same of an image; the machine says anything."""
    draw = random.Random(5)
    refs, machine = {}, {}
    for k in range(images):
        said = sentence(draw)
        refs[str(k)] = [f"{said} {draw.choice(NOUNS)}" for _ in range(5)]
        machine[str(k)] = sentence(draw)
    return refs, machine


def rated_captions():
    """Rated, with some noise, by how much of the reference they keep."""
    draw = random.Random(6)
    rows = []
    for k in range(60):
        words = sentence(draw).split()
        caption = " ".join([*words[: 2 * (k % 5)], *draw.choices(NOUNS, k=2)])
        score = min(1.0, max(0.0, (k % 5) / 4 + draw.choice([-0.25, 0, 0, 0.25])))
        rows.append({"imgid": f"v{k}", "mt": caption, "refs": [" ".join(words)], "score": score})
    return rows


@pytest.fixture
def features(capella, write):
    """refs.json, machine.json and nebula.json, and of these train.jsonl and valid.jsonl."""
    refs, machine = people_and_machine(40)
    write("refs.json", refs)
    write("machine.json", machine)
    write("nebula.json", rated_captions())
    scores = ["--scores", "ROUGE-L,BLEU-1"]
    run = capella("composite", "features", "refs.json", "machine.json", *scores, "-o", "train.jsonl")
    assert run.code == 0 and "160 rows of 40 images" in run.err and "120 human, 40 machine" in run.err
    run = capella("composite", "features", "--benchmark", "nebula", "nebula.json", *scores, "-o", "valid.jsonl")
    assert run.code == 0 and "60 rows" in run.err


@pytest.fixture
def model(capella, features, tmp_path):
    """mine.safetensors"""
    run = capella(*TRAIN, *SMALL, "-o", "mine.safetensors")
    assert run.code == 0, run.err
    return tmp_path / "mine.safetensors"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def change_header(path, change):
    """Changes what a model says of itself; the numbers stay, and so does the rule for the header's length."""
    content = path.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    whole = json.loads(content[8 : 8 + length])
    about = json.loads(whole["__metadata__"]["capella.composite"])
    change(about)
    whole["__metadata__"]["capella.composite"] = json.dumps(about)
    header = json.dumps(whole).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + content[8 + length :])


def test_from_captions_to_agreement_with_people(capella, model, tmp_path):
    run = capella("composite", "score", model, "--features", "valid.jsonl", "--format", "json", "-o", "scores.jsonl")
    assert run.code == 0, run.err
    scored = lines(tmp_path / "scores.jsonl")
    assert [row["row"] for row in scored] == list(range(60)) and all(0 < row["score"] < 1 for row in scored)
    run = capella("meta", "nebula", "nebula.json", "-m", model, "--scores", "given=scores.jsonl", "--format", "json")
    mine, given = run.json()["metrics"]
    assert (mine["metric"], given["metric"]) == ("mine", "given")
    assert mine["kendall_b"]["value"] == given["kendall_b"]["value"] > 0.5
    trained = capella(*TRAIN, *SMALL, "-o", "again.safetensors", "--format", "json").json()
    best = trained["seeds"][trained["best"]]
    assert best["validation_kendall_b"] == pytest.approx(mine["kendall_b"]["value"], abs=1e-12)
    assert best["validation_kendall_b"] == max(seed["validation_kendall_b"] for seed in trained["seeds"])
    assert best["model"] == "again.safetensors"


def test_a_model_stands_beside_other_metrics(capella, model, tmp_path):
    run = capella("score", "refs.json", "machine.json", "-m", f"rouge-l,{model}", "--format", "json")
    scores = run.scores()
    assert list(scores) == ["ROUGE-L", "mine"] and 0 < scores["mine"] < 1
    alone = capella("composite", "score", model, "refs.json", "machine.json", "--format", "json")
    assert alone.scores() == {"mine": scores["mine"]}
    names = ["--scores", "BLEU-1,ROUGE-L"]
    capella("composite", "features", "--unlabelled", "refs.json", "machine.json", *names, "-o", "plain.jsonl")
    run = capella("composite", "score", model, "--features", "plain.jsonl", "--format", "json")
    values = [json.loads(line)["score"] for line in run.out.splitlines()]
    assert sum(values) / len(values) == pytest.approx(scores["mine"], abs=1e-14)


def test_training_shows_curves_and_keeps_what_is_asked_for(capella, features, tmp_path):
    run = capella(*TRAIN, *SMALL, "--keep-all", "--plot", "curves.svg", "-o", "all.safetensors")
    assert run.code == 0, run.err
    assert "held-out accuracy" in run.out and "over 2 seeds" in run.out
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")
    assert len(list(tmp_path.glob("all*.safetensors"))) == 3  # one per seed, and the best
    scores = ["--scores", "ROUGE-L,BLEU-1", "--hidden", "0"]
    linear = capella(*TRAIN, *scores, "--seeds", "1", "-o", "linear.safetensors")
    assert linear.code == 0, linear.err
    content = (tmp_path / "linear.safetensors").read_bytes()
    header = json.loads(content[8 : 8 + struct.unpack("<Q", content[:8])[0]])
    assert header["layer1.weight"]["shape"] == [2, 2] and "layer2.weight" not in header


def test_threads_change_no_byte(capella, features, tmp_path):
    outputs = []
    for threads in (1, 2):
        more = ["--threads", threads]
        name = ["--name", "same"]
        assert capella(*TRAIN, *SMALL, *name, *more, "-o", f"{threads}.safetensors").code == 0
        scores = ["--scores", "ROUGE-L,BLEU-1"]
        args = ["composite", "features", "refs.json", "machine.json", *scores, *more, "-o", f"{threads}.jsonl"]
        assert capella(*args).code == 0
        scored = capella("score", "refs.json", "machine.json", "-m", "1.safetensors", "--format", "json", *more)
        outputs.append(
            [(tmp_path / f"{threads}{ending}").read_bytes() for ending in (".safetensors", ".jsonl")] + [scored.raw]
        )
    assert outputs[0] == outputs[1]


def test_images_are_left_out(capella, features, write):
    refs, machine = people_and_machine(4)
    write("some.json", {f"v{k}" if k != "0" else "new": captions for k, captions in refs.items()})
    write("hyps.json", {f"v{k}" if k != "0" else "new": caption for k, caption in machine.items()})
    run = capella(
        *["composite", "features", "some.json", "hyps.json", "--scores", "ROUGE-L", "--machines", "own"],
        *["--leave-out", "nebula=nebula.json", "-o", "some.jsonl"],
    )
    assert run.code == 0 and "4 rows of 1 images" in run.err and "3 images left out" in run.err


def test_numbers_that_are_none_name_their_line(capella, features, tmp_path):
    text = (tmp_path / "train.jsonl").read_text().splitlines()
    row = json.loads(text[6])
    for bad in ("NaN", "Infinity", '"0.5"', "null"):
        text[6] = json.dumps({**row, "scores": ["BAD", 0.5]}).replace('"BAD"', bad)
        (tmp_path / "train.jsonl").write_text("\n".join(text) + "\n")
        assert capella(*TRAIN, *SMALL, "-o", "bad.safetensors").failed(1, "train.jsonl:7")
    text[6] = json.dumps({**row, "scores": [0.5]})
    (tmp_path / "train.jsonl").write_text("\n".join(text) + "\n")
    assert capella(*TRAIN, *SMALL, "-o", "bad.safetensors").failed(1, "train.jsonl:7", "expected 2")
    assert not (tmp_path / "bad.safetensors").exists()


def unsealed(header):
    """The header of a file as another program may write it, which does not say what its rows were."""
    return json.dumps({key: value for key, value in json.loads(header).items() if key not in ("rows", "hash")})


@pytest.mark.parametrize("target, word", [(1, "human"), (0, "machine")])
def test_both_classes_are_needed(capella, features, tmp_path, target, word):
    header, *rows = (tmp_path / "train.jsonl").read_text().splitlines()
    kept = [row for row in rows if json.loads(row)["target"] == target]
    cut = "\n".join([header, *kept]) + "\n"
    (tmp_path / "train.jsonl").write_text(cut)
    assert capella(*TRAIN, *SMALL, "-o", "bad.safetensors").failed(1, "its header says", "make it again")
    (tmp_path / "train.jsonl").write_text("\n".join([unsealed(header), *kept]) + "\n")
    assert capella(*TRAIN, *SMALL, "-o", "bad.safetensors").failed(1, f"training captions are {word}")
    assert not (tmp_path / "bad.safetensors").exists()


def test_ratings_are_needed(capella, features, tmp_path):
    def failed(training, validation, *parts):
        run = capella("composite", "train", training, "--validate", validation, *SMALL, "-o", "bad.safetensors")
        return run.failed(1, *parts) and not (tmp_path / "bad.safetensors").exists()

    assert failed("train.jsonl", "train.jsonl", "train.jsonl", "no human ratings", "--benchmark")
    assert failed("valid.jsonl", "valid.jsonl", "valid.jsonl", "who wrote them")
    assert failed("train.jsonl", "nebula.json", "nebula.json:1", "capella composite features")
    header, *rows = map(json.loads, (tmp_path / "valid.jsonl").read_text().splitlines())
    header = json.loads(unsealed(json.dumps(header)))
    same = [header, *({**row, "target": 0.5} for row in rows)]
    (tmp_path / "same.jsonl").write_text("".join(json.dumps(row) + "\n" for row in same))
    assert failed("train.jsonl", "same.jsonl", "validation ratings are 0.5")
    header["columns"][0]["choices"] = "beta:9|ref:max"
    other = "".join(json.dumps(row) + "\n" for row in [header, *rows])
    (tmp_path / "other.jsonl").write_text(other)
    assert failed("train.jsonl", "other.jsonl", "other.jsonl", "beta:9|ref:max", "beta:1.2|ref:max")
    (tmp_path / "cut.jsonl").write_text(other[: len(other) // 2])
    assert failed("train.jsonl", "cut.jsonl", "cut.jsonl:")


def test_wrong_calls(capella, features, tmp_path):
    out = ["-o", "bad.safetensors"]
    assert capella(*TRAIN, "--preset", "evl-mcs", *out).failed(2, "'evl-mcs'", "did you mean 'eval-mcs'", "nneval")
    assert capella(*TRAIN, "--preset", "eval-ms", *SMALL, *out).failed(2, "not both")
    assert capella(*TRAIN, *out).failed(2, "give a preset")
    assert capella(*TRAIN, "--preset", "eval-ms", *out).failed(1, "train.jsonl", "'METEOR'")
    assert capella(*TRAIN, "--scores", "BLEU-1,BLEU-1", *out).failed(2, "BLEU-1 is given twice")
    assert capella(*TRAIN, *SMALL, "-o", "bad.model").failed(2, "bad.model", "NAME.safetensors")
    assert capella(*TRAIN, *SMALL, "-o", "train.jsonl").failed(2, "train.jsonl")
    for option, value in [
        ("--hidden", "-2"),
        ("--hidden", "8,0"),
        ("--hidden", "99999999999"),
        ("--epochs", "-1"),
        ("--epochs", "0"),
        ("--patience", "0"),
        ("--batch", "-3"),
        ("--held-out", "2"),
        ("--rate", "nan"),
    ]:
        assert capella(*TRAIN, "--scores", "ROUGE-L", option, value, *out).failed(2)
    for seeds in ("-1", "0", "1001"):
        assert capella(*TRAIN, "--scores", "ROUGE-L", "--seeds", seeds, *out).failed(2)
    make = ["composite", "features", "refs.json", "machine.json", "-o", "bad.jsonl"]
    assert capella(*make, "--scores", "ROGUE-L").failed(2, "did you mean 'ROUGE-L'")
    assert capella(*make, "--scores", "ROUGE-L", "--captions", "-1").failed(2, "--captions")
    assert capella(*make, "--scores", "ROUGE-L", "--captions", "9").failed(1, "fewer than 9")
    assert capella(*make, "--scores", "ROUGE-L", "--humans", "0").failed(2, "0 of 5")
    assert capella(*make, "--leave-out", "composite").failed(2, "BENCHMARK=PATH")
    assert capella("composite", "features", "refs.json", "-o", "bad.jsonl").failed(2, "--benchmark")
    assert capella("composite", "features", "--benchmark", "nebulla", "nebula.json", "-o", "bad.jsonl").failed(
        2, "did you mean 'nebula'"
    )
    assert capella("composite").failed(2) and capella("composite", "trian").failed(2, "trian")
    assert not list(tmp_path.glob("bad*"))


def test_outputs_appear_whole_or_not_at_all(capella, features, model, tmp_path):
    before = sorted(path.name for path in tmp_path.iterdir())
    missing = "nowhere/x"
    assert capella(*TRAIN, *SMALL, "-o", f"{missing}.safetensors").failed(1, missing)
    args = ["composite", "features", "refs.json", "machine.json", "--scores", "ROUGE-L"]
    assert capella(*args, "-o", f"{missing}.jsonl").failed(1, missing)
    assert capella("composite", "score", model, "--features", "valid.jsonl", "-o", missing).failed(1, missing)
    kept = model.read_bytes()
    text = (tmp_path / "train.jsonl").read_text()
    (tmp_path / "train.jsonl").write_text(text[: len(text) // 2])
    assert capella(*TRAIN, *SMALL, "-o", "mine.safetensors").failed(1, "train.jsonl:")
    assert model.read_bytes() == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_models_that_are_none(capella, model, tmp_path):
    score = ["score", "refs.json", "machine.json", "-m"]
    assert capella(*score, "none.safetensors").failed(1, "none.safetensors", "capella composite train")
    content = model.read_bytes()
    for damaged in (b"", b"{}", content[:100], content[:-1]):
        (tmp_path / "bad.safetensors").write_bytes(damaged)
        assert capella(*score, "bad.safetensors").failed(1, "bad.safetensors")
    assert capella("composite", "score", "mine", "refs.json", "machine.json").failed(2, "NAME.safetensors")
    assert capella("composite", "score", model).failed(2, "--features")
    assert capella(*score, model, "--tokenizer", "13a").failed(2, "13a", "ptb or ptb-iso")
    (tmp_path / "copy.safetensors").write_bytes(content)
    assert capella(*score, f"{model},copy.safetensors").failed(2, "both have a score named mine")


def test_a_model_that_learnt_from_other_scores_is_refused(capella, model, tmp_path):
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(model.read_bytes())
    score = ["score", "refs.json", "machine.json", "-m", "copy.safetensors", "--format", "json"]
    change_header(copy, lambda about: None)
    assert capella(*score).scores() == capella(*score[:4], model, *score[5:]).scores()

    def other_choices(about):
        about["inputs"][0]["choices"] = "beta:9|ref:max"

    change_header(copy, other_choices)
    both = ["copy.safetensors", "ROUGE-L", "'beta:9|ref:max'", "'beta:1.2|ref:max'"]
    assert capella(*score).failed(1, *both)
    assert capella("explain", "refs.json", "machine.json", "--id", "3", "-m", "copy.safetensors").failed(1, *both)
    run = capella("composite", "score", "copy.safetensors", "--features", "valid.jsonl")
    assert run.failed(1, "valid.jsonl", *both[1:])

    def unknown(about):
        about["inputs"][0].update(choices="beta:1.2|ref:max", metric="rogue-l")

    change_header(copy, unknown)
    assert capella(*score).failed(1, "rogue-l")
    change_header(copy, lambda about: about.update(format=2))
    assert capella(*score).failed(1, "copy.safetensors", "format 2")


def test_parts_of_a_benchmark_are_left_out(capella, write):
    rows = [
        {
            "image": f"{part}-{k // 2}",
            "dataset": part,
            "candidate_no": 1 + k % 3,
            "caption": row["mt"],
            "references": row["refs"],
            "human_rating": 1 + 4 * row["score"],
        }
        for k, row in enumerate(rated_captions())
        for part in ["coco" if k % 3 else "flickr8k"]
    ]
    write("composite.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write("rest.jsonl", "".join(json.dumps(row) + "\n" for row in rows if row["dataset"] == "coco"))
    write("whole.jsonl", "".join(json.dumps({"row": k, "score": len(r["caption"])}) + "\n" for k, r in enumerate(rows)))
    command = ["meta", "composite", "composite.jsonl", "-m", "rouge-l", "--format", "json"]
    some = capella(*command, "--without", "flickr8k", "--scores", "length=whole.jsonl").json()
    rest = capella("meta", "composite", "rest.jsonl", "-m", "rouge-l", "--format", "json").json()
    assert some["rows"] == rest["rows"] == 40 and capella(*command).json()["rows"] == 60
    assert some["metrics"][0]["kendall_c"]["value"] == rest["metrics"][0]["kendall_c"]["value"]
    assert [metric["metric"] for metric in some["metrics"]] == ["ROUGE-L", "length"]
    assert capella(*command, "--without", "flickr9k").failed(2, "did you mean 'flickr8k'", "coco")
    write("nebula.json", rated_captions())
    run = capella("meta", "nebula", "nebula.json", "-m", "rouge-l", "--without", "flickr8k")
    assert run.failed(2, "one data set")


def test_metrics_lists_those_that_were_learnt(capella):
    listed = {metric["metric"]: metric for metric in capella("metrics", "--format", "json").json()}
    presets = "eval-ms eval-cs eval-mcs eval-wcs eval-mws eval-mwcs nneval lceval".split()
    assert set(presets) <= set(listed)
    assert listed["eval-mcs"]["scores"] == ["Eval-MCS"] and listed["eval-mcs"]["best"] == 1
    assert all(listed[name]["data"] == "meteor" for name in presets)
    assert listed["wmd"]["data"] == "" and "Eval-MCS" in capella("metrics").out
    doctor = capella("doctor", "--format", "json")
    assert json.loads(doctor.out)


# The metrics that come with Capella.


def first_id():
    return json.loads(SCENES.read_text())[0]["image_id"]


def test_explain_shows_what_each_score_contributes(capella, meteor_data):
    score = capella("score", SCENES, CAREFUL, "-m", "eval-mcs", "--format", "json", "--per-item", "items")
    assert 0 < score.scores()["Eval-MCS"] < 1
    [why] = capella("explain", SCENES, CAREFUL, "--id", first_id(), "-m", "eval-mcs", "--format", "json").json()
    table = why["tables"][0]
    assert table["columns"] == ["score", "value", "training mean", "contribution"]
    assert [row[0] for row in table["rows"]] == ["METEOR", "CIDEr-D", "SPICE", "all"]
    *parts, whole = [float(row[3]) for row in table["rows"]]
    assert sum(parts) == pytest.approx(whole, abs=0.5e-4 * 4)  # printed with four digits
    text = capella("explain", SCENES, CAREFUL, "--id", first_id(), "-m", "eval-mcs").out
    assert "P(human)" in text and "contribution" in text and "CIDEr-D" in text


def test_explanations_hold_the_captions_scores(capella, meteor_data, tmp_path):
    parts = ["meteor", "spice", "eval-ms"]
    capella("score", SCENES, CAREFUL, "-m", ",".join(parts), "--per-item", "items")
    item = next(row["scores"] for row in lines(tmp_path / "items") if row["id"] == first_id())
    [why] = capella("explain", SCENES, CAREFUL, "--id", first_id(), "-m", "eval-ms", "--format", "json").json()
    shown = {row[0]: float(row[1]) for row in why["tables"][0]["rows"][:-1]}
    assert shown == {name: pytest.approx(item[name], abs=0.5e-4) for name in ("METEOR", "SPICE")}
    assert any(f"P(human) is {item['Eval-MS']:.4f}" in line for line in why["summary"])


def test_frequencies_and_settings_of_the_run_change_nothing(capella, meteor_data, tmp_path):
    command = ["score", SCENES, CAREFUL, "--format", "json", "-m"]
    want = capella(*command, "eval-mcs").scores()["Eval-MCS"]
    assert capella(*command, "eval-mcs", "--df", "coco-val").scores()["Eval-MCS"] == want
    assert capella("df", SCENES, "-o", "own.df").code == 0
    assert capella(*command, "eval-mcs", "--df", "own.df").scores()["Eval-MCS"] == want
    plain = capella(*command, "cider-d,eval-mcs").scores()
    narrow = capella(*command, "cider-d,eval-mcs", "--set", "cider-d.sigma=1").scores()
    assert plain["Eval-MCS"] == narrow["Eval-MCS"] == want and plain["CIDEr-D"] != narrow["CIDEr-D"]


def test_settings_that_would_change_nothing_are_refused(capella, meteor_data):
    run = capella("score", SCENES, CAREFUL, "-m", "eval-mcs", "--set", "cider-d.sigma=1")
    assert run.failed(2, "cider-d", "as they learnt it", "-m")
    assert capella("score", SCENES, CAREFUL, "-m", "eval-ms", "--set", "wmd.norm=raw").failed(2, "not among")


def test_without_the_data_they_say_how_to_get_it(capella, home):
    run = capella("score", SCENES, CAREFUL, "-m", "eval-ms", env=home)
    assert run.failed(1, "capella data get meteor")


def test_wrong_options_are_told_from_those_of_their_own_word(capella):
    capella("composite", "train", "a", "--validate", "b", "--sedes", 3).failed(2, "--sedes", "--seeds")


def test_bash_completes_words_and_presets(capella):
    script = capella("completion", "bash").out
    assert "features train score study" in script
    assert "eval-ms eval-cs" in script
    assert "list get path vectors" in script
