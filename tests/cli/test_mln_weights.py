"""`capella mln weights`: weights against known optima, worlds of .db files and of triplets, what goes wrong."""

import json
import math
import re

import pytest

LEARN = "rider = {Man, Woman}\nthing = {Bike}\nOn(rider,thing)\nRide(rider,thing)\n"
LEARN += "On(x,y) ^ Ride(x,y)\nRide(x,y)\nRide(x,y) ^ Ride(z,y) ^ x != z\n"
WORLD = "On(Man,Bike)\nRide(Man,Bike)\nOn(Woman,Bike)\n"


def weights_of(path):
    return [float(line.split()[0]) for line in path.read_text().splitlines() if re.match(r"-?[0-9.]", line)]


@pytest.mark.parametrize("optimiser", ["lbfgs", "newton", "gradient"])
def test_weights_of_the_worked_example(capella, write, tmp_path, optimiser):
    call = ["mln", "weights", write("l.mln", LEARN), write("w.db", WORLD), "--prior-sd", "1", "-o", "out.mln"]
    run = capella(*call, "--optimiser", optimiser, "--format", "json")
    want = [0.448129303869, 0.058323671106, -0.635403454567]
    near = {"rel": 1e-6} if optimiser != "gradient" else {"abs": 1e-4}
    assert weights_of(tmp_path / "out.mln") == pytest.approx(want, **near)
    got = run.json()
    assert [one["weight"] for one in got["formulas"]] == weights_of(tmp_path / "out.mln")
    assert got["objective"] == pytest.approx(-2.345038435862, rel=1e-8)
    assert got["worlds"] == 1 and got["atoms"] == 4
    assert all(0 < one["standard_error"] < 1.0001 for one in got["formulas"])
    # What was learned can be asked.
    assert capella("mln", "infer", "out.mln", "--format", "json").json()["method"] == "exact"


def test_weights_by_exact_likelihood(capella, write, tmp_path):
    """One coin per world, 3 of 4 heads: the weight is the log odds."""
    net = write("coin.mln", "coin = {A}\nHeads(coin)\nHeads(x)\n")
    heads, tails = write("heads.db", "Heads(A)\n"), write("tails.db", "!Heads(A)\n")
    call = ["mln", "weights", net, heads, heads, heads, tails, "--prior-sd", "inf", "-o", "out.mln"]
    for objective in ("exact", "pseudo"):
        got = capella(*call, "--objective", objective, "--format", "json").json()
        assert weights_of(tmp_path / "out.mln") == pytest.approx([math.log(3)], rel=1e-6)
        assert got["formulas"][0]["standard_error"] == pytest.approx(1 / math.sqrt(4 * 0.75 * 0.25), rel=0.35)


def test_worlds_have_their_own_constants(capella, write, tmp_path):
    """P has 1 of 2 true in the first world and 1 of 3 in the second: 2 of 5."""
    net = write("n.mln", "P(thing)\nAt(thing)\nP(x)\n")
    one = write("one.db", "P(A)\nAt(A)\nAt(B)\n")
    two = write("two.db", "P(C)\nAt(C)\nAt(D)\nAt(E)\n")
    run = capella("mln", "weights", net, one, two, "--prior-sd", "inf", "-o", "out.mln", "--format", "json")
    assert run.json()["formulas"][0]["weight"] == pytest.approx(math.log(2 / 3), rel=1e-6)
    assert run.json()["worlds"] == 2


LABELLED = """//@mlnver 1
//@pred Ride "ride"
//@const Man "man"
//@const Bike "bike"
//@const Dog "dog"
obj = {Man, Bike, Dog}
Ride(obj,obj)
Ride(x,y)
"""
TRIPLETS = [
    {"image_id": "1", "triplets": [["man", "ride", "bike"]]},
    {
        "image_id": "2",
        "split": "train",
        "caption_id": 1,
        "triplets": [["dog", "ride", "bike"], ["cat", "eat", "fish"]],
    },
    {"image_id": "2", "split": "train", "caption_id": 2, "triplets": [["man", "ride", "bike"]]},
    {"image_id": "3", "split": "test", "triplets": [["bike", "ride", "bike"]]},
]


@pytest.mark.parametrize(
    ("options", "true", "false"),
    [
        ([], 1 + 2, 3 + 7),  # 2 things and 3 things: 4 and 9 atoms
        (["--objective", "exact"], 1 + 2, 3 + 7),
        (["--merged"], 2, 7),
        (["--split", "train,test"], 1 + 2 + 1, 3 + 7 + 0),
        (["--split", "test"], 1, 0),
    ],
)
def test_weights_from_triplets(capella, write, options, true, false):
    rows = write("t.jsonl", "".join(json.dumps(row) + "\n" for row in TRIPLETS))
    call = ["mln", "weights", write("n.mln", LABELLED), rows, "-o", "out.mln", "--format", "json", *options]
    got = capella(*call, "--prior-sd", "1000").json()
    if false:
        assert got["formulas"][0]["weight"] == pytest.approx(math.log(true / false), rel=1e-4)
    else:  # nothing but the prior holds it back
        assert got["formulas"][0]["weight"] > 5
    assert got["atoms"] == true + false


def test_what_goes_wrong_with_triplets(capella, write):
    net, world = write("n.mln", LABELLED), write("w.db", "Ride(Man,Bike)\n")
    rows = write("t.jsonl", "".join(json.dumps(row) + "\n" for row in TRIPLETS))
    assert capella("mln", "weights", net, rows, "-o", "o.mln", "--split", "val").failed(
        1, "t.jsonl", "val", "test, train"
    )
    assert capella("mln", "weights", net, rows, world, "-o", "o.mln").failed(2, "not both")
    assert capella("mln", "weights", net, world, "--merged", "-o", "o.mln").failed(2, "merged")
    other = write("u.jsonl", '{"image_id": "1", "triplets": [["a", "b", "c"]]}\n')
    assert capella("mln", "weights", net, other, "-o", "o.mln").failed(1)


def test_hard_formulas_stay_and_idle_ones_are_told(capella, write, tmp_path):
    net = write(
        "n.mln", "thing = {A, B}\nother = {C}\nP(thing)\nR(other)\nP(x)\nP(A) v P(B).\n2.5 R(x) v !R(x)\n"
    )
    run = capella("mln", "weights", net, write("w.db", "P(A)\n"), "-o", "out.mln")
    assert run.code == 0, run.err
    text = (tmp_path / "out.mln").read_text()
    assert "P(A) v P(B)." in text
    assert "the data says nothing" in run.out and "hard" in run.out
    assert "the worlds say nothing about 1 of 3 formulas" in run.err


def test_what_goes_wrong_with_weights(capella, write):
    net, world = write("n.mln", LEARN), write("w.db", WORLD)
    hard = write("h.mln", LEARN + "!Ride(x,y).\n")
    assert capella("mln", "weights", hard, world, "-o", "o.mln").failed(1, "w.db", "Ride")
    assert capella("mln", "weights", net, write("s.db", "0.5 On(Man,Bike)\n"), "-o", "o.mln").failed(
        1, "s.db:1", "0.5"
    )
    assert capella("mln", "weights", net, write("u.db", "Gone(Man)\n"), "-o", "o.mln").failed(
        1, "u.db:1", "Gone"
    )
    assert capella("mln", "weights", net, "none.db", "-o", "o.mln").failed(1, "none.db")
    assert capella("mln", "weights", net, world).failed(2, "--output")
    assert capella("mln", "weights", net, world, "-o", net).failed(2, "n.mln")
    assert capella("mln", "weights", net, world, "-o", "o.mln", "--prior-sd", "0").failed(2, "prior")
    assert capella("mln", "weights", net, world, "-o", "o.mln", "--l1", "1", "--optimiser", "newton").failed(
        2, "lbfgs"
    )
    assert capella("mln", "weights", net, world, "-o", "o.mln", "--objective", "best").failed(2, "best")
    assert capella("mln", "weights", write("e.mln", "P(thing)\n"), world, "-o", "o.mln").failed(
        1, "e.mln", "no formula"
    )
