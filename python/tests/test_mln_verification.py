"""Verification by Markov logic from Python: its stages, verdicts and their reasons, and a small world end to end."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

import capella
from capella import mln

# Small worlds and few resamples decide nothing, and that is told.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* pairs share fewer than 20 images"),
    pytest.mark.filterwarnings("ignore:Pairs. .* resamples are too few"),
]

NETWORK = """
obj = {Man, Bike, Dog}
On(obj,obj)
Ride(obj,obj)
//@pred On "on"
//@pred Ride "ride"
//@const Man "man"
//@const Bike "bike"
//@const Dog "dog"
0.8 On(x,y) ^ Ride(x,y)
-0.4 Ride(x,y)
"""
# The two atoms of a pair have four worlds.
Z = 2 + math.exp(-0.4) + math.exp(0.4)
RIDE = (math.exp(-0.4) + math.exp(0.4)) / Z
ON = (1 + math.exp(0.4)) / Z
BOTH = math.exp(0.4) / Z


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Two images with a man and a bike, and what two systems say of them."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "network.mln").write_text(NETWORK)
    boxes = [
        {"label": name, "box": [k, k, k + 5, k + 5], "score": 0.9} for k, name in enumerate(["man", "bike"])
    ]
    images = [{"image_id": id, "width": 9, "height": 9, "objects": boxes} for id in ("7", "9")]
    objects = lines(folder / "objects.jsonl", images)
    ground = mln.ground(folder / "network.mln", objects, output=folder / "ground.jsonl")
    ride, on = ["man", "ride", "bike"], ["man", "on", "bike"]
    said = [
        ("good", "7", ride, [0, 0, 1]),
        ("good", "7", on, [0, 0, 1]),
        ("good", "9", on, [0, 0, 1]),
        ("bad", "7", ride, [1, 0, 0]),
        ("bad", "9", ["man", "ride", "dog"], [0, 0, 1]),
    ]
    rows = [{"system": a, "image_id": b, "atom": c, "p": p} for a, b, c, p in said]
    return ground, lines(folder / "nli.jsonl", rows)


def test_networks_of_images(judged):
    ground, _ = judged
    assert (ground.images, ground.empty, ground.path) == (2, 0, os.fspath(ground))
    assert ground.atoms == 2 * ground.most_atoms and "2" in ground.table()


def test_verdicts(judged, tmp_path):
    found = mln.verify(*judged, output=tmp_path / "results.json", resamples=50)
    assert list(found) == ["good", "bad"] and found.images == ["7", "9"] and len(found.captions) == 4
    good, other = found.of("good")
    assert good.method == "exact" and good.skipped == "" and good.mcse == 0
    assert good.log_p == pytest.approx(math.log(BOTH), rel=1e-12)
    assert good.log_prob == pytest.approx((math.log(RIDE) + math.log(ON)) / 2, rel=1e-12)
    assert good.dominant == max((ON, ("man", "on", "bike")), (RIDE, ("man", "ride", "bike")))[1]
    assert {str(one.claim): one.entailed for one in good.claims} == {
        "ride(man, bike)": True,
        "on(man, bike)": True,
    }
    assert other.log_p == other.log_prob == pytest.approx(math.log(ON), rel=1e-12)
    bad, empty = found.of("bad")
    assert not bad.claims[0].entailed and bad.claims[0].p == pytest.approx(1 - RIDE, rel=1e-12)
    assert empty.skipped == "empty_query" and math.isnan(empty.log_prob) and empty.dominant is None
    assert empty.unseen == [("man", "ride", "dog")]
    values = found.array("good")
    assert values.tolist() == [good.log_prob, other.log_prob] and not values.flags.writeable
    assert found["good"].log_prob == pytest.approx(values.mean(), rel=1e-12)
    assert found["good"].variance == pytest.approx(values.var(), rel=1e-12)
    assert np.isnan(found.array("bad", "log_p")).tolist() == [False, True]
    assert (found["bad"].captions, found["bad"].scored, found["bad"].empty_query) == (2, 1, 1)
    assert (found["bad"].contradicted, found["bad"].unseen) == (1, 1)
    assert math.isnan(found["bad"].log_prob_unseen) and found.unseen_p == 0
    assert found.methods == {"exact": 3}
    assert "good" in found.table() and found.svg().startswith("<svg") and found.to_dict()
    again = mln.read_verification(found)
    assert again.table() == found.table() and repr(again.systems) == repr(found.systems)  # some are NaN
    assert [caption.log_p for caption in again.of("good")] == [caption.log_p for caption in found.of("good")]


def test_verdicts_as_a_frame(judged):
    pytest.importorskip("pandas")
    frame = mln.verify(*judged, resamples=0).to_pandas()
    assert len(frame) == 4 and frame["log_prob"].isna().sum() == 1 and list(frame["image"]) == ["7", "9"] * 2


def test_undetected_things_may_count(judged):
    found = mln.verify(*judged, unseen=0.25, resamples=0)
    assert found.unseen_p == 0.25 and found.of("bad")[1].log_prob_unseen < 0
    assert found["bad"].log_prob_unseen == pytest.approx(
        found.array("bad", "log_prob_unseen").mean(), rel=1e-12
    )
    assert math.isnan(found["bad"].interval[0])


def test_explanations(judged):
    why = mln.explain(*judged, "good", 7)
    assert why.caption.log_p == pytest.approx(math.log(BOTH), rel=1e-12)
    assert [one.judged.p for one in why.claims] == pytest.approx(sorted([RIDE, ON]), rel=1e-12)
    ride = next(one for one in why.claims if one.judged.claim.predicate == "ride")
    assert {reason.weight for reason in ride.reasons} == {0.8, -0.4}
    pair = next(reason for reason in ride.reasons if reason.weight == 0.8)
    assert pair.holds == pytest.approx(ON, rel=1e-12) and "on(man, bike)" in pair.grounding
    assert ride.without == pytest.approx(
        math.log(ON) - math.log(BOTH), rel=1e-9
    )  # its log_p without the claim
    assert "ride" in str(why) and why.to_dict()["image_id"] == "7"
    assert "bad" in why.against(mln.explain(*judged, "bad", "7"))
    with pytest.raises(capella.CapellaError, match="unknown system 'godo'.*'good'"):
        mln.explain(*judged, "godo", "7")
    with pytest.raises(capella.CapellaError, match="there is no image '8'"):
        mln.explain(*judged, "good", 8)


def test_ranks_beside_other_metrics(judged):
    found = mln.verify(*judged, resamples=0)
    ranking = mln.rank(found, {"bad": {"BLEU": 0.1, "CIDEr": 0.2}, "good": {"BLEU": 0.3, "CIDEr": 0.1}})
    assert ranking.systems == ["good", "bad"] and ranking.metrics == ["BLEU", "CIDEr"]
    assert ranking.values.tolist() == [[0.3, 0.1], [0.1, 0.2]] and ranking.ranks.tolist() == [[2, 1], [1, 2]]
    assert ranking.average_rank.tolist() == [1.5, 1.5]
    refs = {7: ["a man rides a bike"], 9: ["a man on a bike"]}
    scored = capella.score(
        refs, systems={"good": refs_first(refs), "bad": {7: "a dog", 9: "a man"}}, metrics=["rouge-l", "bleu"]
    )
    beside = mln.rank(found, scored)
    assert beside.metrics == list(scored.systems["good"]) and "ROUGE-L" in beside.table()
    assert beside.average_rank[0] > beside.average_rank[1]
    with pytest.raises(capella.CapellaError, match="scores: none of bad"):
        mln.rank(found, {"good": {"BLEU": 0.3}})
    with pytest.raises(capella.CapellaError, match="other metrics of bad"):
        mln.rank(found, {"good": {"BLEU": 0.3}, "bad": {"CIDEr": 0.3}})


def refs_first(refs):
    return {id: texts[0] for id, texts in refs.items()}


def test_people_and_concepts(judged, tmp_path):
    task = mln.ranking_task(judged[0], claims=3)
    assert [row["image_id"] for row in task] == ["7", "9"]
    assert all(len(row["atoms"]) == len(row["sentences"]) == 3 for row in task)
    found = mln.verify(*judged, resamples=0)
    labels = [
        {"image_id": "7", "labels": ["Ride", "Ride", "Sit"]},
        {"image_id": "9", "labels": ["On", "Sit", "Ride"]},
    ]
    about = mln.concepts(found, lines(tmp_path / "concepts.jsonl", labels), resamples=20)
    assert about.ties == ["9"] and about.labelled == 1
    row = next(row for row in about.rows if row.system == "good")
    assert (row.concept, row.images, row.few) == ("Ride", 1, True)
    assert row.uncertainty == pytest.approx(-found.of("good")[0].log_prob, rel=1e-12)
    atoms = [["man", "ride", "bike"], ["man", "on", "bike"]]
    order = [1, 2] if RIDE < ON else [2, 1]
    ranks = [{"image_id": "7", "atoms": atoms, "ranks": [order, order]}]
    people = mln.people(judged[0], lines(tmp_path / "ranks.jsonl", ranks), resamples=20)
    assert [image.image for image in people.images] == ["7"] and abs(people.mean) == pytest.approx(
        1, abs=1e-12
    )
    assert people.histogram.sum() == 1 and people.svg().startswith("<svg") and people.table()


def test_errors_of_stages(judged, tmp_path):
    ground, nli = judged
    with pytest.raises(capella.FileError, match="absent.jsonl"):
        mln.verify(tmp_path / "absent.jsonl", nli)
    with pytest.raises(capella.CapellaError, match=r"expected a file that capella\.mln\.ground wrote"):
        mln.verify(nli, nli)
    with pytest.raises(capella.CapellaError, match="is an input of this call too"):
        mln.verify(ground, nli, output=nli)
    with pytest.raises(capella.CapellaError, match="margin: found 2, expected a number from 0 to 1"):
        mln.verify(ground, nli, margin=2)
    with pytest.raises(KeyError, match="no system 'godo'; there are good, bad"):
        mln.verify(ground, nli, resamples=0)["godo"]
    with pytest.raises(KeyError, match="no value 'p'"):
        mln.verify(ground, nli, resamples=0).array("good", "p")
    with pytest.raises(capella.CapellaError, match="expected either objects or references"):
        mln.ground(tmp_path / "network.mln", output=tmp_path / "x.jsonl")
    with pytest.raises(capella.CapellaError, match="mode: found 'lift'"):
        mln.structure(tmp_path / "t.jsonl", output=tmp_path / "x.mln", mode="lift")
    with pytest.raises(capella.CapellaError, match="were not written; give verify an output"):
        mln.read_verification(mln.verify(ground, nli, resamples=0))
    with pytest.raises(capella.CapellaError, match="expected either a generated world, or captions"):
        mln.run(tmp_path / "run")
    with pytest.raises(capella.CapellaError, match=r"captions to learn from \(training\)"):
        mln.run(tmp_path / "run", systems=[tmp_path / "a.json"])


def test_entailment(meteor_data, judged, tmp_path):
    captions = {
        "ours": lines_of_captions(tmp_path / "a.json", {7: "a man is riding a bike", 9: "a man near a tree"})
    }
    made = mln.nli(judged[0], captions, output=tmp_path / "nli.jsonl")
    assert (
        made.captions == 2 and made.questions == judged[0].atoms and made.entailed >= 1 and made.unseen == 1
    )
    rows = [json.loads(line) for line in (tmp_path / "nli.jsonl").read_text().splitlines()]
    entailed = [tuple(row["atom"]) for row in rows if row["p"][2] > 0.5 and row["image_id"] == "7"]
    assert ("man", "ride", "bike") in entailed and ("bike", "ride", "man") not in entailed
    assert {row["system"] for row in rows} == {"ours"}
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        "ENTAILMENT\tA man is riding a bike.\tA man is riding a bike.\nNEUTRAL\tA dog runs.\tA cat sleeps.\n"
    )
    found = mln.nli_accuracy(pairs)
    assert (
        found.pairs == 2
        and found.accuracy == 1
        and found.confusion.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    )


def lines_of_captions(path, captions):
    path.write_text(json.dumps([{"image_id": id, "caption": text} for id, text in captions.items()]))
    return path


@pytest.fixture(scope="module")
def world(meteor_data, tmp_path_factory):
    """A small world, and what was found on it."""
    folder = tmp_path_factory.mktemp("world")
    told, steps = [], []
    study = mln.run(
        folder / "run",
        world=folder / "world",
        images=60,
        resamples=50,
        tell=told.append,
        progress=lambda *step: steps.append(step),
    )
    return folder, study, told, steps


def test_a_world_end_to_end(world, tmp_path):
    folder, study, told, steps = world
    assert study.generated and study.test_images > 0 and not any(stage.reused for stage in study.stages)
    assert any("world" in sentence for sentence in told) and {stage.name for stage in study.stages} <= set(
        told
    )
    assert steps and all(done <= total for _, done, total in steps)
    found = study.verification
    assert "wrong-relation-0.00" in found and "wrong-relation-1.00" in found
    for system in found.systems:
        values = found.array(system.name)
        assert len(values) == study.test_images and np.isfinite(values).sum() == system.scored
        if system.scored == 0:
            continue
        assert system.log_prob == pytest.approx(np.nanmean(values), rel=1e-9)
        low, high = system.interval
        assert low <= system.log_prob <= high <= 0
    assert found["wrong-relation-0.00"].log_prob > found["wrong-relation-1.00"].log_prob
    kind = next(kind for kind in study.kinds if kind.kind == "wrong-relation")
    assert (
        kind.rates == [0, 0.1, 0.25, 0.5, 1]
        and [one.name for one in kind.systems][0] == "wrong-relation-0.00"
    )
    assert kind.ends.first == "wrong-relation-0.00" and study.returned and study.concepts.rows
    for weight in study.returned:
        assert abs(weight.learned - weight.truth) < 5 * weight.standard_error
    assert study.explanations and str(study.explanations[0])
    assert study.ranking.systems == list(found) and "CIDEr-D" in study.ranking.metrics
    assert len(study.people.images) == study.people.histogram.sum()
    paths = study.plots(tmp_path / "pictures")
    assert {path.name for path in paths} == set(study.pictures()) and all(path.is_file() for path in paths)
    assert "| wrong-relation-0.00 |" in study.table("md")
    assert study.to_dict() and "wrong-relation-0.00" in study.table()


def test_what_lies_there_is_used_again(world):
    folder, study, _, _ = world
    again = mln.run(folder / "run", world=folder / "world", images=60, resamples=50, threads=1)
    assert all(stage.reused for stage in again.stages)
    assert again.verification.table() == study.verification.table()


def test_threads_do_not_change_a_run(world, tmp_path):
    folder, study, _, _ = world
    other = mln.run(tmp_path / "run", world=folder / "world", resamples=50, threads=1)
    for name in ("triplets.jsonl", "rules.mln", "network.mln", "ground.jsonl", "nli.jsonl", "results.json"):
        assert (tmp_path / "run" / name).read_bytes() == (folder / "run" / name).read_bytes(), name
    assert other.verification.table() == study.verification.table() and repr(other.kinds) == repr(study.kinds)


def test_stages_one_by_one(world, tmp_path):
    """What the run did, called by hand."""
    folder, study, _, _ = world
    dataset, objects = folder / "world/dataset.json", folder / "world/objects.jsonl"
    claims = mln.triplets(
        dataset, splits=["train", "val"], objects=objects, output=tmp_path / "triplets.jsonl"
    )
    assert claims.images > 0 and claims.triplets > 0 and len(claims.common) > 0
    rules = mln.structure(claims, output=tmp_path / "rules.mln")
    network = mln.learn_weights(rules, claims, output=tmp_path / "network.mln")
    assert len(network) == rules.formulas
    for made, name in ((claims, "triplets.jsonl"), (rules, "rules.mln"), (network, "network.mln")):
        assert Path(made).read_bytes() == (folder / "run" / name).read_bytes(), name
    ground, nli = folder / "run/ground.jsonl", folder / "run/nli.jsonl"
    found = mln.verify(ground, nli, unseen=study.verification.unseen_p, resamples=50)
    assert repr(found.systems) == repr(study.verification.systems)
    system = study.explanations[0].caption.system
    why = mln.explain(ground, nli, system, study.explanations[0].caption.image)
    assert why.claims == study.explanations[0].claims


@pytest.mark.parametrize(
    "option, kind",
    [("preset", "preset"), ("negatives", "kind of negative bags"), ("attention", "kind of attention")],
)
def test_unknown_names_of_attention_networks(tmp_path, option, kind):
    with pytest.raises(capella.CapellaError, match=f"unknown {kind} 'foo'"):
        mln.mil(tmp_path / "no.jsonl", tmp_path / "no.jsonl", output=tmp_path / "mil.npz", **{option: "foo"})
    assert not (tmp_path / "mil.npz").exists()


def test_attention(world, tmp_path):
    folder, _, _, _ = world
    objects = folder / "world/objects.jsonl"
    made = mln.mil(objects, folder / "run/triplets.jsonl", output=tmp_path / "mil.npz", epochs=1, hidden=8)
    assert made.attention == "gated" and made.predicates and math.isnan(made.other_mean_auc)
    predicate = next(iter(made.predicates))
    assert made.predicates[predicate].training_bags > 0
    row = next(row for row in map(json.loads, objects.read_text().splitlines()) if len(row["objects"]) > 1)
    subject, thing = (one["label"] for one in row["objects"][:2])
    looked = mln.attention(made, objects, row["image_id"], (subject, predicate, thing))
    assert 0 < looked.probability < 1 and looked.weights.sum() == pytest.approx(1, abs=1e-6)
    assert looked.boxes.shape == (len(looked.labels), 4) and looked.pairs.max() < len(looked.labels)
    assert looked.svg().startswith("<svg")
    with pytest.raises(TypeError, match="claim: expected"):
        mln.attention(made, objects, row["image_id"], "man:ride:bike")


def test_what_tell_raises_ends_the_run(meteor_data, tmp_path):
    def stop(sentence):
        raise LookupError(sentence)

    with pytest.raises(LookupError, match="making the world"):
        mln.run(tmp_path / "run", world=tmp_path / "world", images=50, tell=stop)
    assert not (tmp_path / "world").exists()
