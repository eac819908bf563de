"""`capella mln`: every stage by itself on a small generated world, all of them at once, and a run that is cut off."""

import json
import math
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import pytest

from program import PROGRAM, call
from program import json_lines as lines

RATES = ["0.00", "0.10", "0.25", "0.50", "1.00"]


def run_world(world, folder, *options):
    return call("mln", "run", "--world", world, "-o", folder, "--resamples", 100, *options)


@pytest.fixture
def world(mln_world):
    return mln_world


@pytest.fixture
def study(mln_study):
    return mln_study


@pytest.fixture
def stages(mln_stages):
    return mln_stages


def test_triplets(stages, world):
    folder, printed = stages
    rows = lines(folder / "triplets.jsonl")
    assert {row["split"] for row in rows} == {"train", "val"}
    assert printed["triplets"]["captions"] == len(rows) == 5 * (84 + 12)
    assert printed["triplets"]["images"] == 84 + 12
    assert printed["triplets"]["triplets"] == sum(len(row["triplets"]) for row in rows)
    assert all(len(triplet) == 3 for row in rows for triplet in row["triplets"])
    counts = {}
    for row in rows:
        for _, predicate, _ in row["triplets"]:
            counts[predicate] = counts.get(predicate, 0) + 1
    for predicate, count in printed["triplets"]["common"].items():
        assert counts[predicate] == count
    assert printed["triplets"]["predicates"] == len(counts)


def test_excluded_images_are_left_out(capella, stages, world):
    folder, _ = stages
    excluded = {"--exclude": folder / "references.json"}
    options = ["--split", "train", "--split", "test", *sum(map(list, excluded.items()), [])]
    got = capella("mln", "triplets", world / "dataset.json", *options, "-o", "t.jsonl", "--format", "json").json()
    assert got["images left out"] == 24
    assert got["images"] == 84


def test_structure(stages):
    folder, printed = stages
    text = (folder / "rules.mln").read_text()
    assert text.count("//@stat ") == printed["structure"]["formulas kept"] > 20
    assert printed["structure"]["images"] == 84  # those of split val are not learned from
    kept = printed["structure"]["kept, of 1 literal"] + printed["structure"]["kept, of 2 literals"]
    assert kept == printed["structure"]["formulas kept"]
    for formula in printed["structure"]["best"]:
        assert f" {formula}\n" in text


def test_ground_rules_name_things(capella, stages):
    folder, _ = stages
    call_ground = ["mln", "structure", folder / "triplets.jsonl", "--mode", "ground", "-o", "ground.mln"]
    best = capella(*call_ground, "--format", "json").json()["best"]
    assert best and not any("(x," in formula for formula in best)


def test_attention_networks(stages, world, tmp_path):
    folder, printed = stages
    assert printed["mil"]["attention"] == "gated"
    assert "mean_auc_plain" not in printed["mil"]
    assert {row["predicate"] for row in printed["mil"]["predicates"]} >= {"wear", "left of", "right of"}
    assert printed["mil"]["mean_auc"] > 0.6
    objects = lines(world / "objects.jsonl")
    image = next(row for row in objects if len({o["label"] for o in row["objects"]}) > 1)
    first = image["objects"][0]["label"]
    second = next(o["label"] for o in image["objects"] if o["label"] != first)
    look = ["--model", folder / "mil.npz", "--image", image["image_id"], "--claim", f"{first}:left of:{second}"]
    picture = call("mln", "mil", world / "objects.jsonl", *look, "-o", tmp_path / "a.svg")
    assert picture.code == 0, picture.err
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


def test_ground(stages, world):
    folder, printed = stages
    header, *images = lines(folder / "ground.jsonl")
    assert len(header["formulas"]) == printed["structure"]["formulas kept"]
    assert printed["ground"]["images"] == len(images) == 24
    assert printed["ground"]["atoms"] == sum(len(image["atoms"]) for image in images)
    assert printed["ground"]["ground formulas"] == sum(len(image["factors"]) for image in images)
    detected = {row["image_id"]: {o["label"] for o in row["objects"]} for row in lines(world / "objects.jsonl")}
    for image in images:
        assert set(image["things"]) == detected[image["image_id"]]
        for subject, _, thing in image["atoms"]:
            assert {subject, thing} <= detected[image["image_id"]]
        assert len(image["log_odds"]) == len(image["atoms"])


def test_entailment(stages):
    folder, printed = stages
    rows = lines(folder / "nli.jsonl")
    said = [row for row in rows if row["p"][1] < max(row["p"][0], row["p"][2])]
    asked = [row for row in said if "hypothesis" in row]
    assert printed["nli"]["captions"] == 24 * 30
    assert printed["nli"]["entailed"] == sum(row["p"][2] > row["p"][0] for row in asked)
    assert printed["nli"]["contradicted"] == sum(row["p"][2] < row["p"][0] for row in asked)
    assert printed["nli"]["claims about undetected things"] == len(said) - len(asked)


def test_verdicts_follow_from_networks_and_entailments(stages):
    """A caption whose atoms are in no formula together: checked against the network of its image, by hand."""
    folder, printed = stages
    results = json.loads((folder / "results.json").read_text())
    assert len(results["captions"]) == 30 * 24
    for system in results["systems"]:
        own = [c for c in results["captions"] if c["system"] == system["system"]]
        scored = [c["per_atom"] for c in own if "skipped" not in c]
        assert system["n_scored"] == len(scored)
        mean = math.fsum(scored) / len(scored)
        assert system["per_atom_mean"] == pytest.approx(mean, rel=1e-12)
        assert system["logp_var"] == pytest.approx(math.fsum((x - mean) ** 2 for x in scored) / len(scored), rel=1e-9)
        low, high = system["ci95"]
        assert low <= mean <= high
    for caption in results["captions"]:
        if "skipped" in caption:
            continue
        logs = [math.log(max(claim["p"], 1e-12)) for claim in caption["query"]]
        assert caption["per_atom"] == pytest.approx(math.fsum(logs) / len(logs), rel=1e-9)
        error = 5 * caption["mcse"] + 1e-9  # of a sampler, where one was needed
        assert caption["lnP"] <= min(logs) + error  # no conjunction is more probable than a part of it
        assert caption["query"][caption["dominant"]]["p"] == max(claim["p"] for claim in caption["query"])
    shown = {s["system"]: s["per_atom_mean"] for s in printed["infer"]["systems"]}
    assert shown == {s["system"]: s["per_atom_mean"] for s in results["systems"]}


def worlds_of(image):
    """Every world of a small network with its weight."""
    count = len(image["atoms"])
    for code in range(1 << count):
        world = [code >> k & 1 for k in range(count)]
        log_weight = 0.0
        for atom, odds in zip(world, image["log_odds"]):
            log_weight += (odds or 0) * atom
        for factor in image["factors"]:
            holds = [world[atom] == sign for atom, sign in zip(factor["atoms"], factor["signs"])]
            log_weight += factor["weight"] * (any(holds) if factor["kind"] == "clause" else all(holds))
        yield world, math.exp(log_weight)


def test_small_networks_by_enumeration(stages):
    folder, _ = stages
    results = json.loads((folder / "results.json").read_text())
    images = {row["image_id"]: row for row in lines(folder / "ground.jsonl")[1:] if 0 < len(row["atoms"]) <= 12}
    checked = 0
    for caption in results["captions"]:
        if caption["image_id"] not in images or "skipped" in caption or caption["system"] != "wrong-relation-1.00":
            continue
        image = images[caption["image_id"]]
        wanted = [(image["atoms"].index(claim["atom"]), claim["entailed"]) for claim in caption["query"]]
        total, query, each = 0.0, 0.0, [0.0] * len(wanted)
        for world, weight in worlds_of(image):
            hits = [world[atom] == entailed for atom, entailed in wanted]
            total += weight
            query += weight * all(hits)
            each = [sum_ + weight * hit for sum_, hit in zip(each, hits)]
        assert caption["lnP"] == pytest.approx(math.log(query / total), rel=1e-9)
        for claim, sum_ in zip(caption["query"], each):
            assert claim["p"] == pytest.approx(sum_ / total, rel=1e-9)
        checked += 1
    assert checked > 0


def test_a_run_gives_what_its_stages_give(stages, study):
    folder, _ = stages
    run, printed = study
    for name in ["triplets.jsonl", "rules.mln", "network.mln", "ground.jsonl", "nli.jsonl"]:
        assert (run / name).read_bytes() == (folder / name).read_bytes(), name
    mine, theirs = (json.loads((f / "results.json").read_text()) for f in (folder, run))
    assert mine == theirs
    assert [s["system"] for s in printed["verification"]["systems"]] == [s["system"] for s in mine["systems"]]


def test_a_run_tells_everything(study):
    folder, printed = study
    assert printed["generated"] and printed["test_images"] == 24
    assert {kind["kind"] for kind in printed["kinds"]} == {
        "wrong-attribute", "wrong-relation", "missing-object", "hallucinated-object", "unrelated", "shuffled",
    }
    assert all(kind["rates"] == [float(rate) for rate in RATES] for kind in printed["kinds"])
    for weight in printed["returned_weights"]:
        assert abs(weight["learned"] - weight["truth"]) < 4 * weight["standard_error"], weight
    assert sum(printed["people"]["histogram"]) == len(printed["people"]["images"]) > 0
    report = (folder / "report.md").read_text()
    for heading in ["Which errors are seen", "Known weights", "Beside other metrics", "Explanations", "Stages"]:
        assert f"## {heading}" in report
    assert json.loads((folder / "report.json").read_text()) == printed
    pictures = sorted(path.name for path in (folder / "pictures").iterdir())
    assert pictures == ["concepts.svg", "errors-unseen.svg", "errors.svg", "people.svg", "ranks.svg", "systems.svg"]
    for path in (folder / "pictures").iterdir():
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_a_second_run_does_nothing_twice(study, world):
    folder, printed = study
    made = {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.suffix in (".jsonl", ".npz")}
    assert len(made) == 4
    report = (folder / "report.md").read_bytes()
    again = run_world(world, folder, "--format", "json")
    assert again.json() == printed
    assert again.err == ""  # each stage that is done is told
    assert (folder / "report.md").read_bytes() == report
    assert made == {name: (folder / name).stat().st_mtime_ns for name in made}


def test_a_run_that_was_killed_goes_on(study, world, tmp_path):
    folder = tmp_path / "run"
    command = [PROGRAM, "mln", "run", "--world", world, "-o", folder, "--resamples", "100"]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (folder / "rules.mln").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (folder / "report.md").exists()
    again = run_world(world, folder)
    assert again.code == 0, again.err
    assert "note: triplets of captions" not in again.err
    assert "note: probabilities of captions" in again.err
    assert (folder / "report.md").read_bytes() == (study[0] / "report.md").read_bytes()


def test_other_rules_need_later_stages_only(world, study, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    for path in study[0].iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    changed = run_world(world, folder, "--rules", "ground")
    assert changed.code == 0, changed.err
    notes = [line.removeprefix("capella: note: ") for line in changed.err.splitlines()]
    assert "rules" in notes and "networks of images" in notes
    assert "triplets of captions" not in notes and "attention networks of predicates" not in notes
    assert (folder / "report.md").read_bytes() != (study[0] / "report.md").read_bytes()


# Captions of one's own.
TRAIN = {
    **{f"t{i}": ["a man is riding a bike", "a man is sitting on a bike", "a man wearing a helmet"] for i in range(9)},
    **{f"u{i}": ["a dog is lying on a sofa", "a dog is sleeping on a sofa"] for i in range(9)},
    **{f"v{i}": ["a man is walking a dog"] for i in range(9)},
}
OWN_REFERENCES = {
    "1": ["a man is riding a bike", "a man wearing a helmet on a bike"],
    "2": ["a dog is lying on a sofa", "a sofa with a dog"],
    "3": ["a man is walking a dog"],
    "t0": ["a man is riding a bike"],
}
OWN = {
    "good": ["a man is riding a bike", "a dog is lying on a sofa", "a man is walking a dog", "a man is riding a bike"],
    "bad": ["a man is carrying a bike", "a dog is under a sofa", "a dog is riding a horse", "a man is eating a bike"],
    "mute": ["very nice", "hello", "blue", "what a day"],
}


@pytest.fixture
def own(write):
    write("train.json", TRAIN)
    write("refs.json", OWN_REFERENCES)
    for name, captions in OWN.items():
        rows = [{"image_id": image, "caption": text} for image, text in zip(OWN_REFERENCES, captions)]
        write(f"{name}.json", rows)
    return ["mln", "run", "--train", "train.json", "--references", "refs.json", "--resamples", "50", "-o", "run"]


def test_run_on_own_captions(capella, own, tmp_path):
    systems = ["--system", "good.json", "--system", "bad.json", "--system", "mute.json"]
    run = capella(*own, *systems, "--format", "json")
    got = run.json()
    assert not got["generated"] and "kinds" not in got
    verdicts = {system["system"]: system for system in got["verification"]["systems"]}
    assert verdicts["good"]["per_atom_mean"] > verdicts["bad"]["per_atom_mean"]
    assert verdicts["bad"]["unseen"] > 0  # nobody mentions a horse
    assert verdicts["mute"]["n_scored"] == 0 and verdicts["mute"]["per_atom_mean"] == "nan"
    assert verdicts["mute"]["n_skipped"]["empty_query"] + verdicts["mute"]["n_skipped"]["no_network"] == 4
    trained = {row["image_id"] for row in lines(tmp_path / "run" / "triplets.jsonl")}
    assert "t0" not in trained and "t1" in trained  # no image is both learned from and judged
    assert "Things that references mention stand in" in (tmp_path / "run" / "report.md").read_text()
    assert "nan" not in (tmp_path / "run" / "report.md").read_text()


def test_names_of_systems_may_change(capella, own, tmp_path):
    assert capella(*own, "--system", "good.json", "--system", "bad.json").code == 0
    again = capella(*own, "--system", "best=good.json", "--system", "bad.json", "--format", "json")
    assert {s["system"] for s in again.json()["verification"]["systems"]} == {"best", "bad"}
    assert "note: entailment" in again.err and "note: rules" not in again.err


def test_names_of_systems_may_be_any_bytes(capella, own, tmp_path):
    odd = os.fsdecode(b"caf\xe9.json")
    (tmp_path / odd).write_bytes((tmp_path / "good.json").read_bytes())
    run = capella(*own, "--system", odd, "--system", "bad.json", "--format", "json")
    assert {s["system"] for s in run.json()["verification"]["systems"]} == {"caf\ufffd", "bad"}


def test_changed_captions_are_judged_again(capella, own, write):
    first = capella(*own, "--system", "good.json", "--format", "json").json()
    rows = [{"image_id": image, "caption": text} for image, text in zip(OWN_REFERENCES, OWN["bad"])]
    write("good.json", rows)
    second = capella(*own, "--system", "good.json", "--format", "json")
    assert "note: entailment" in second.err and "note: networks of images" not in second.err
    means = [r["verification"]["systems"][0]["per_atom_mean"] for r in (first, second.json())]
    assert means[0] > means[1]


def test_a_run_that_fails_leaves_no_report(capella, own, write, tmp_path):
    assert capella(*own, "--system", "absent.json").failed(1, "absent.json")
    assert not (tmp_path / "run" / "report.md").exists()
    write("train.json", '{"1": ["a man"],\n "2": [}')
    assert capella(*own, "--system", "good.json").failed(1, "train.json:2")
