"""`capella composite study` on a made-up world: every metric trained, tested and reported."""

import json
import random

import pytest

SUBJECTS = ["a dog", "two cats", "a man", "a red bus", "a woman", "three birds", "a small child", "a brown horse"]
ACTIONS = ["runs on the grass", "sits on a bench", "stands near a tree", "waits in the street", "plays with a ball"]


def caption(rng, subject, action):
    """One of many ways to say the same."""
    return f"{rng.choice(['', 'there is ', 'photo of '])}{subject} {rng.choice(['that ', ''])}{action}"


@pytest.fixture
def made_up(tmp_path, meteor_data):
    """Captions of people and a machine, and three small benchmarks in the published layouts."""
    rng = random.Random(3)
    scenes = [(s, a) for s in SUBJECTS for a in ACTIONS]
    write = lambda name, value: (tmp_path / name).write_text(json.dumps(value))
    write("refs.json", {str(i): [caption(rng, *scene) for _ in range(5)] for i, scene in enumerate(scenes)})
    write("machine.json", {str(i): caption(rng, *scene) for i, scene in enumerate(scenes)})

    folder = tmp_path / "flickr8k"
    folder.mkdir()
    tokens, expert = [], []
    for i, scene in enumerate(scenes):
        tokens += [f"f{i}.jpg#{k}\t{caption(rng, *scene)} here" for k in range(5)]
        near, far = (i + 1) % len(scenes), (i + 13) % len(scenes)  # another action; another subject too
        expert += [f"f{i}.jpg\tf{near}.jpg#0\t2\t3\t3", f"f{i}.jpg\tf{far}.jpg#1\t1\t1\t2"]
    (folder / "Flickr8k.token.txt").write_text("\n".join(tokens) + "\n")
    (folder / "ExpertAnnotations.txt").write_text("\n".join(expert) + "\n")

    rows = []
    for i, scene in enumerate(scenes[:30]):
        references = [caption(rng, *scene) + f" number {k}" for k in range(5)]
        other = scenes[(i + 7) % len(scenes)]
        for number, (text, rating) in enumerate([(references[0], 5), (caption(rng, *scene), 4), (caption(rng, *other), 1)]):
            rows.append({"dataset": "flickr8k" if i < 10 else "coco", "image": f"part{i < 10}/c{i}.jpg",
                         "candidate_no": number, "caption": text, "human_rating": rating, "references": references})
    (tmp_path / "composite.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def study(capella, *more, seeds=2):
    return capella("composite", "study", "refs.json", "machine.json", "--flickr8k", "flickr8k", "--composite",
                   "composite.jsonl", "--seeds", seeds, "--machines", "other", "--resamples", 200, "-o", "out", *more)


def best_of(test, wanted):
    """Name and value of the metric that agrees best with people, of those that `wanted` takes."""
    metrics = {metric["metric"]: metric["kendall_c"]["value"] for metric in test["metrics"] if wanted(metric["metric"])}
    name = max(metrics, key=metrics.get)
    return f"{name} {100 * metrics[name]:.2f}"


def check_findings(report):
    """Two sentences for each test: the best of Eval_* and the best of all, against the best single score."""
    presets = {preset["metric"] for preset in report["presets"]}
    wanted = []
    for test in report["tests"]:
        single = best_of(test, lambda name: name in ("METEOR", "WMD", "CIDEr-D", "SPICE"))
        evals, both = best_of(test, lambda name: name.startswith("Eval-")), best_of(test, lambda name: name in presets)
        for group, best in (("Eval_*", evals), ("all composite metrics", both)):
            wanted.append(f"{test['test']}: best of {group} {best}, best of METEOR, WMD, CIDEr-D, SPICE {single}; ")
    assert len(report["findings"]) == len(wanted) == 4
    for finding, begin in zip(report["findings"], wanted):
        assert finding.startswith(begin), (finding, begin)


def test_trains_tests_and_reports_every_metric(capella, made_up):
    done = study(capella, "--format", "json")
    report = done.json()
    names = [preset["metric"] for preset in report["presets"]]
    assert names == ["Eval-MS", "Eval-CS", "Eval-MCS", "Eval-WCS", "Eval-MWS", "Eval-MWCS", "NNEval", "LCEval"]
    assert [test["test"] for test in report["tests"]] == ["Composite", "Composite without Flickr8k"]
    assert report["tests"][0]["rows"] == 90 and report["tests"][1]["rows"] == 60
    for preset in report["presets"]:
        seeds = preset["spreads"]["Composite"]["tau-c"]["seeds"]
        assert preset["spreads"]["Composite"]["tau-c"]["mean"] == pytest.approx(sum(seeds) / 2)
        # The caption of another scene is rated 1 and shares little: no trained metric can miss that.
        assert min(seeds) > 0.4, preset["metric"]
    check_findings(report)
    assert report["lengths"]["captions"] and sum(report["lengths"]["captions"]) == 90

    # What it says of a kept network is what the program says of the model's file.
    eval_ms = next(m for m in report["tests"][0]["metrics"] if m["metric"] == "Eval-MS")
    scored = capella("composite", "score", "out/models/eval-ms.safetensors", "--features",
                     "out/features-composite.jsonl", "--format", "json", "-o", "ms.jsonl")
    assert scored.code == 0, scored.err
    alone = capella("meta", "composite", "composite.jsonl", "--scores", "ms.jsonl", "--resamples", 200, "--format", "json")
    assert alone.json()["metrics"][0]["kendall_c"]["value"] == eval_ms["kendall_c"]["value"]
    again = capella("meta", "composite", "composite.jsonl", "-m", "out/models/eval-ms.safetensors", "--resamples",
                    200, "--format", "json")
    assert again.json()["metrics"][0]["kendall_c"]["value"] == eval_ms["kendall_c"]["value"]

    folder = made_up / "out"
    for name in ["report.md", "report.json", "lengths.svg", "training-Eval-MS.svg", "Composite/bars.svg"]:
        assert (folder / name).stat().st_size > 0
    assert "held-out" in (folder / "report.md").read_text()


def test_uses_features_that_fit_and_makes_others_again(capella, made_up):
    first = study(capella, "--quiet")
    assert first.code == 0, first.err
    files = {name: made_up / "out" / f"features-{name}.jsonl" for name in ("training", "composite", "flickr8k-expert")}
    before = {name: path.stat().st_mtime_ns for name, path in files.items()}
    second = study(capella)
    assert second.out == first.out
    assert second.err.count("is used") == 3
    assert before == {name: path.stat().st_mtime_ns for name, path in files.items()}

    captions = json.loads((made_up / "machine.json").read_text())
    (made_up / "machine.json").write_text(json.dumps({key: f"{text} again" for key, text in captions.items()}))
    third = study(capella)
    assert "features-training.jsonl was made of other captions or scores and is made again" in third.err
    assert third.err.count("is used") == 2
    after = {name: path.stat().st_mtime_ns for name, path in files.items()}
    assert [name for name in files if after[name] != before[name]] == ["training"]
    fourth = study(capella, "--quiet", seeds=1)
    assert fourth.code == 0, fourth.err
    models = {path.name for path in (made_up / "out/models").iterdir()}
    assert {name for name in models if name.startswith("eval-ms")} == {"eval-ms.safetensors", "eval-ms-12345.safetensors"}
    assert len(models) == 16  # the second seed's networks of the earlier studies are gone


def test_folders_are_tested_before_the_work(capella, made_up):
    (made_up / "out").mkdir()
    (made_up / "out/models").write_text("a file where the folder should be")
    study(capella).failed(1, "out/models", "cannot be made")
    assert sorted(path.name for path in (made_up / "out").iterdir()) == ["models"]
    (made_up / "file").write_text("")
    done = capella("composite", "study", "refs.json", "machine.json", "--flickr8k", "flickr8k", "--composite",
                   "composite.jsonl", "-o", "file/out")
    done.failed(1, "file/out", "cannot be made")


@pytest.fixture
def small_model(capella, made_up):
    """mine.safetensors, learnt from scores that need no data."""
    scores = ["--scores", "ROUGE-L,BLEU-1"]
    for arguments in (["refs.json", "machine.json", "--machines", "other", "-o", "train.jsonl"],
                      ["--benchmark", "flickr8k-expert", "flickr8k", "-o", "ratings.jsonl"]):
        done = capella("composite", "features", *scores, *arguments)
        assert done.code == 0, done.err
    done = capella("composite", "train", "train.jsonl", "--validate", "ratings.jsonl", *scores, "--seeds", 2, "-o",
                   "mine.safetensors")
    assert done.code == 0, done.err
    return made_up


def scored(capella, features, output):
    done = capella("composite", "score", "mine.safetensors", "--features", features, "--format", "json", "-o", output)
    assert done.code == 0, done.err


def both_ways(capella, benchmark, path):
    """The agreement of the model and of its scores from a file."""
    found = capella("meta", benchmark, path, "-m", "mine.safetensors", "--tokenizer", "ptb-iso", "--scores",
                    "given=scores.jsonl", "--format", "json").json()["metrics"]
    assert [metric.pop("metric") for metric in found] == ["mine", "given"]
    return found


def test_scores_of_joined_judges_are_read_by_meta(capella, small_model):
    scored(capella, "ratings.jsonl", "scores.jsonl")
    lines = [json.loads(line) for line in (small_model / "scores.jsonl").read_text().splitlines()]
    assert [line["row"] for line in lines] == list(range(240))  # three judges for each of 80 captions
    assert all(lines[k]["score"] == lines[k - k % 3]["score"] for k in range(240))
    mine, given = both_ways(capella, "flickr8k-expert", "flickr8k")
    assert mine["kendall_c"]["value"] == given["kendall_c"]["value"] > 0.1


def test_scores_of_pairs_are_read_by_meta(capella, small_model):
    references = json.loads((small_model / "refs.json").read_text())
    pairs = []
    for image, captions in references.items():
        if len(set(captions)) == 1:
            continue
        texts = [captions[0], f"{captions[0]} nowhere"]
        true, foil = texts if len(pairs) % 3 else reversed(texts)  # the model errs in every third pair
        pairs.append({"image_id": f"p{image}", "caption": true, "foil": foil, "references": captions})
    (small_model / "foil.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    done = capella("composite", "features", "--scores", "ROUGE-L,BLEU-1", "--benchmark", "foil", "foil.jsonl", "-o",
                   "pairs.jsonl")
    assert done.code == 0, done.err
    scored(capella, "pairs.jsonl", "scores.jsonl")
    lines = [json.loads(line) for line in (small_model / "scores.jsonl").read_text().splitlines()]
    assert [(line["pair"], line["candidate"]) for line in lines] == [(k, c) for k in range(len(pairs)) for c in (0, 1)]
    mine, given = both_ways(capella, "foil", "foil.jsonl")
    assert 0.3 < mine["accuracy"]["4-ref"]["value"] == given["accuracy"]["4-ref"]["value"] < 0.9
    assert mine["ties"]["4-ref"] == given["ties"]["4-ref"]


def test_scores_name_their_systems(capella, small_model):
    done = capella("composite", "features", "--unlabelled", "--scores", "ROUGE-L,BLEU-1", "refs.json", "one=machine.json",
                   "two=machine.json", "-o", "captions.jsonl")
    assert done.code == 0, done.err
    scored(capella, "captions.jsonl", "scores.jsonl")
    lines = [json.loads(line) for line in (small_model / "scores.jsonl").read_text().splitlines()]
    assert [line["system"] for line in lines] == ["one"] * 40 + ["two"] * 40


def test_options_that_would_be_ignored_are_refused(capella, small_model):
    train = ["composite", "train", "train.jsonl", "--validate", "ratings.jsonl", "-o", "bad.safetensors"]
    capella(*train, "--preset", "eval-ms", "--hidden", 8).failed(2, "--hidden", "preset")
    capella(*train, "--scores", "ROUGE-L", "--name", "").failed(2, "--name")
    capella(*train, "--scores", "ROUGE-L", "--name", "a|b").failed(2, "a|b", "'|'")
    score = ["composite", "score", "mine.safetensors", "--features", "ratings.jsonl"]
    for option in (["--ci"], ["--per-item", "items"], ["--tokenizer", "ptb"], ["--cache", "kept"]):
        capella(*score, *option).failed(2, option[0], "--features")
    learnt = (["--machines", "own"], ["--leave-out", "flickr8k-expert=flickr8k"], ["--humans", 3], ["--captions", 5],
              ["--source", "here"])
    for option in (*learnt, ["--unlabelled"]):
        capella("composite", "features", "--benchmark", "flickr8k-expert", "flickr8k", *option, "-o", "bad.jsonl").failed(
            2, option[0], "--benchmark")
    for option in learnt:
        capella("composite", "features", "--unlabelled", "refs.json", "machine.json", *option, "-o", "bad.jsonl").failed(
            2, option[0], "--unlabelled")
    # A file that a seed's model would replace.
    keep = ["composite", "train", "train.jsonl", "--validate", "ratings.jsonl", "--scores", "ROUGE-L", "--keep-all"]
    (small_model / "train.jsonl").rename(small_model / "x-12345.safetensors")
    keep[2] = "x-12345.safetensors"
    capella(*keep, "-o", "x.safetensors").failed(2, "x-12345.safetensors")
    assert not list(small_model.glob("bad*"))


def test_images_that_are_rated_are_not_learnt_from(capella, small_model):
    refs, machine = (json.loads((small_model / f"{name}.json").read_text()) for name in ("refs", "machine"))
    for name, captions in (("refs", refs), ("machine", machine)):
        (small_model / f"{name}.json").write_text(json.dumps({f"f{key}": value for key, value in captions.items()}))
    make = ["composite", "features", "--scores", "ROUGE-L", "refs.json", "machine.json", "--machines", "other"]
    assert capella(*make, "-o", "same.jsonl").code == 0
    capella("composite", "train", "same.jsonl", "--validate", "ratings.jsonl", "--scores", "ROUGE-L", "-o",
            "bad.safetensors").failed(1, "same.jsonl", "ratings.jsonl", "f0.jpg", "--leave-out")


def test_makes_damaged_features_again(capella, made_up):
    first = study(capella, "--quiet")
    assert first.code == 0, first.err
    path = made_up / "out" / "features-training.jsonl"
    whole = path.read_bytes()
    for damaged in [b"", whole[: len(whole) // 2], whole[: whole.rindex(b"\n", 0, -1) + 1]]:
        path.write_bytes(damaged)
        again = study(capella)
        assert again.out == first.out
        assert "so it is made again" in again.err
        assert path.read_bytes() == whole


def test_needs_something_to_test_on(capella, made_up):
    done = capella("composite", "study", "refs.json", "machine.json", "--flickr8k", "flickr8k", "-o", "out")
    done.failed(2, "Composite or PASCAL-50S")
