"""Markov logic from Python: probabilities in networks, weights from worlds, the authors' networks."""

from __future__ import annotations

import itertools
import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from meanwhile import others_run_during

import capella
from capella import mln

SMOKERS = """
person = {A, B}
Smokes(person)
Cancer(person)
Friends(person,person)
1.5 !Smokes(x) v Cancer(x)
1.1 !Smokes(x) v !Friends(x,y) v Smokes(y)
"""

# The worked example: Z and probabilities by enumeration, and with fifty digits.
RIDERS = """
rider = {Man, Woman}
thing = {Bike}
On(rider,thing)
Ride(rider,thing)
0.8 On(x,y) ^ Ride(x,y)
-0.4 Ride(x,y)
-0.3 Ride(x,y) ^ Ride(z,y) ^ x != z
"""
TOLD = {"On(Man,Bike)": 0.9, "Ride(Man,Bike)": 0.7, "On(Woman,Bike)": 0.4, "Ride(Woman,Bike)": 0.2}
QUERY = "Ride(Man,Bike) ^ !Ride(Woman,Bike)"

# 30 people, 960 atoms; the probabilities have a closed form in the number of smokers.
LARGE = f"""
person = {{{", ".join(f"P{k}" for k in range(30))}}}
S(person)
C(person)
F(person,person)
0.5 !S(x) v C(x)
0.3 !S(x) v !F(x,y) v S(y)
-0.7 F(x,y)
-0.2 S(x)
"""


@pytest.mark.parametrize("method", ["exact", "ptp"])
@pytest.mark.parametrize(
    "text, want",
    [
        ("obj = {A, C}\nH(obj)\nS(obj)\nH(A) v S(C).\n", {"H(A)": 2 / 3, "S(C)": 2 / 3}),
        ("obj = {A}\nH(obj)\nS(obj)\nH(A) => S(A).\n", {"H(A)": 1 / 3, "S(A)": 2 / 3}),
        ("obj = {A}\nH(obj)\nS(obj)\nH(A) ^ S(A).\n", {"H(A)": 1, "S(A)": 1}),
        ("coin = {A, B}\nHeads(coin)\n1 Heads(x)\n", {"Heads(A)": 1 / (1 + math.exp(-1))}),
    ],
)
def test_known_answers(text, want, method):
    found = mln.infer(text, method=method)
    assert found.method == method and found.mcse == {} and math.isnan(found.rhat_max)
    for atom, p in want.items():
        assert found.p(atom) == pytest.approx(p, rel=1e-12)
    assert found.query is None and found.most_probable is None


def test_smokers():
    found = mln.infer(SMOKERS)
    assert len(found) == len(found.marginals) == 2 + 2 + 4
    assert found.log_z == pytest.approx(math.log(229210.50248619413), rel=1e-13)
    want = {"Smokes(A)": 0.3570247893, "Cancer(B)": 0.6133819605, "Friends(A,B)": 0.4534073856}
    for atom, p in {**want, "Friends(A,A)": 0.5}.items():
        assert found.p(atom) == pytest.approx(p, abs=5e-11)
    assert found.p("Friends(A, B)") == found.marginals["Friends(A,B)"]
    with pytest.raises(KeyError, match=r"no atom 'Friends\(A\)'; there are Smokes\(A\)"):
        found.p("Friends(A)")
    assert found.to_dict()["marginals"] == found.marginals
    assert "Smokes(A)" in found.table() and "|" in found.table("md") and "exact" in repr(found)


def test_worked_example():
    plain = mln.infer(RIDERS, query=QUERY)
    assert plain.log_z == pytest.approx(2.722229331694, abs=1e-12)
    assert plain.query.p == pytest.approx(0.284227164604, abs=1e-12)
    told = mln.infer(RIDERS, evidence=TOLD, query=QUERY)
    assert told.log_z == pytest.approx(0.180274882909, abs=1e-12)
    want = [0.939312407912, 0.749541822667, 0.427710208941, 0.140394491860]
    assert [told.p(atom) for atom in TOLD] == pytest.approx(want, abs=1e-12)
    assert told.query.p == pytest.approx(0.659195754190, abs=1e-12)
    assert told.query.log_p == pytest.approx(-0.416734741260, abs=1e-12)
    assert told.query.mcse == 0 and not told.query.unseen


def test_files_text_and_dicts_are_the_same(tmp_path):
    (tmp_path / "riders.mln").write_text(RIDERS)
    (tmp_path / "told.db").write_text("".join(f"{p} {atom}\n" for atom, p in TOLD.items()))
    in_memory = mln.infer(RIDERS, evidence=TOLD)
    for network in (tmp_path / "riders.mln", str(tmp_path / "riders.mln")):
        for evidence in (tmp_path / "told.db", (tmp_path / "told.db").read_text()):
            assert mln.infer(network, evidence=evidence).marginals == in_memory.marginals
    (tmp_path / "known.db").write_text("On(Man,Bike)\n!Ride(Woman,Bike)\n")
    from_file = mln.infer(RIDERS, evidence=tmp_path / "known.db")
    known = mln.infer(RIDERS, evidence={"On(Man,Bike)": True, "Ride(Woman,Bike)": False})
    assert known.marginals == from_file.marginals
    assert known.p("On(Man,Bike)") == 1 and known.p("Ride(Woman,Bike)") == 0


def test_most_probable_world_and_all_worlds():
    atoms = list(TOLD)

    def log_weight(true):
        a, b, c, d = (atom in true for atom in atoms)
        return 0.8 * (a * b + c * d) - 0.4 * (b + d) - 0.3 * 2 * b * d

    subsets = [set(some) for n in range(5) for some in itertools.combinations(atoms, n)]
    z = sum(math.exp(log_weight(true)) for true in subsets)
    found = mln.worlds(RIDERS)
    assert len(found) == 16 and [world.p for world in found] == sorted((w.p for w in found), reverse=True)
    for world in found:
        assert world.p == pytest.approx(math.exp(log_weight(world.true)) / z, rel=1e-12)
    assert {frozenset(world.true) for world in found} == {frozenset(true) for true in subsets}
    best = mln.infer(RIDERS, mpe=True).most_probable
    assert best.log_p == pytest.approx(math.log(found[0].p), rel=1e-12)
    assert log_weight(best.true) == pytest.approx(max(map(log_weight, subsets)), abs=1e-12)
    assert len(found[:3]) == 3 and found.svg().startswith("<svg")


def test_pictures_and_export():
    found = mln.infer(RIDERS, query=QUERY, draw=True, tree=6)
    assert found.svg().startswith("<svg") and "Ride(Man,Bike)" in found.svg()
    assert found.tree().startswith("<svg") and found.tree("dot").startswith("digraph")
    assert json.loads(found.tree("json"))["log_z"] == pytest.approx(found.log_z, rel=1e-12)
    with pytest.raises(capella.CapellaError, match="format: found 'png'"):
        found.tree("png")
    text = mln.export_wmc(RIDERS, query=QUERY)
    assert any(line.startswith("p cnf ") for line in text.splitlines()) and QUERY in text


def test_sampling_is_right_and_threads_change_nothing():
    one, two = (mln.infer(LARGE, method="gibbs", seed=7, threads=threads) for threads in (1, 2))
    assert one.marginals == two.marginals and one.mcse == two.mcse and one.rhat_max == two.rhat_max
    assert one.method == "gibbs" and math.isnan(one.log_z) and 0.9 < one.rhat_max <= 1.1 and one.converged
    assert one.chains >= 16 and one.sweeps > 0 and one.ess_min > 0
    want = {"S(P0)": 0.0671606419, "C(P0)": 0.5082244473, "F(P0,P1)": 0.3279624797, "F(P3,P3)": 0.3318122278}
    for atom, p in want.items():
        assert 0 < one.mcse[atom] < 0.02 and abs(one.p(atom) - p) < 5 * one.mcse[atom] + 1e-4
    other = mln.infer(LARGE, method="gibbs", seed=8)
    assert other.marginals != one.marginals


def test_notes_are_warnings():
    with pytest.warns(capella.CapellaWarning, match="for comparison only") as warned:
        found = mln.infer(RIDERS, sum_exp=True)
    assert found.notes and warned[0].filename == __file__
    with pytest.warns(capella.CapellaWarning, match="have not converged after 1 sweeps"):
        assert not mln.infer(LARGE, method="gibbs", burn_in=0, sweeps=1).converged


# The world of the worked example, and the optimum for a prior of deviation 1.
RULES = RIDERS.replace("0.8 ", "").replace("-0.4 ", "").replace("-0.3 ", "")
OPTIMUM = [0.448129303869, 0.058323671106, -0.635403454567]


@pytest.mark.parametrize("optimiser", ["lbfgs", "newton"])
def test_learning(tmp_path, optimiser):
    world = {"On(Man,Bike)": True, "Ride(Man,Bike)": True, "On(Woman,Bike)": True}
    learned = mln.learn_weights(RULES, world, prior_sd=1, optimiser=optimiser)
    assert [one.weight for one in learned] == pytest.approx(OPTIMUM, rel=1e-7)
    assert learned.objective == pytest.approx(-2.345038435862, abs=1e-10)
    assert learned.converged and learned.worlds == 1 and learned.atoms == 4
    assert learned.measure == "log pseudo-likelihood" and not any(one.hard or one.idle for one in learned)
    assert learned[0].standard_error > 0 and "Ride(" in learned[0].formula
    (tmp_path / "rules.mln").write_text(RULES)
    (tmp_path / "world.db").write_text("\n".join(world) + "\n")
    written = mln.learn_weights(
        tmp_path / "rules.mln",
        [tmp_path / "world.db"],
        output=tmp_path / "learned.mln",
        prior_sd=1,
        optimiser=optimiser,
    )
    assert list(written) == list(learned) and Path(written).read_text() == written.text == learned.text
    by_path, in_memory = mln.infer(written.path), mln.infer(learned)
    assert by_path.marginals == in_memory.marginals == mln.infer(written).marginals
    assert len(learned.to_dict()["formulas"]) == 3 and "Ride(" in learned.table()


def test_learning_from_several_worlds_and_hard_formulas():
    text = "coin = {A}\nHeads(coin)\nLucky(coin)\nHeads(x)\nLucky(x) => Heads(x).\n"
    worlds = [{"Heads(A)": True}, "Heads(A)\n", {"Heads(A)": True}, {"Heads(A)": False}]
    learned = mln.learn_weights(text, worlds, prior_sd=math.inf, objective="exact")
    # Three worlds; P(heads) = 2 e^w / (2 e^w + 1), since luck is free under heads.
    assert learned.worlds == 4 and learned.measure == "log likelihood"
    assert learned[0].weight == pytest.approx(math.log(3 / 2), rel=1e-6)
    assert learned[1].hard and math.isinf(learned[1].weight)
    with pytest.raises(capella.CapellaError, match=r"<world 2>: the world breaks the hard formula"):
        mln.learn_weights(text, [{"Heads(A)": True}, {"Lucky(A)": True}])


def test_idle_formulas_are_told():
    text = "coin = {A}\nHeads(coin)\nHeads(x)\n2 Heads(x) v !Heads(x)\n"
    with pytest.warns(capella.CapellaWarning, match="say nothing about 1 of 2 formulas"):
        learned = mln.learn_weights(text, {"Heads(A)": True})
    assert [one.idle for one in learned] == [False, True] and learned[1].weight == 0


def test_learning_from_triplets(tmp_path):
    rows = [
        {
            "image_id": str(k),
            "split": "train",
            "triplets": [["man", "ride", "bike"], ["man", "on", "bike"]][: k % 3],
        }
        for k in range(30)
    ]
    path = tmp_path / "triplets.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rules = mln.structure(path, output=tmp_path / "rules.mln")
    assert rules.images == 30 and rules.predicates == 2 and rules.by_length[0] == 2
    assert rules.formulas == sum(rules.by_length) and "2" in rules.table()
    one, two = (mln.learn_weights(rules, path, threads=threads) for threads in (1, 2))
    assert one.text == two.text and one.worlds == two.worlds > 1
    with pytest.raises(capella.CapellaError, match="no row of split val"):
        mln.learn_weights(rules, path, split="val")


@pytest.mark.parametrize(
    "text, message",
    [
        ("obj = {A}\nH(obj)\n1.0 H(x ^\n", r"<network>:3"),
        ("obj = {A}\nH(obj)\n1.0 Gone(x)\n", r"<network>:3.*Gone"),
        ("obj = {A}\nH(obj)\nH(A).\n!H(A).\n", r"<network>.*contradict"),
    ],
)
def test_errors_name_the_place(tmp_path, text, message):
    with pytest.raises(capella.CapellaError, match=message):
        mln.infer(text)
    path = tmp_path / "net.mln"
    path.write_text(text)
    with pytest.raises(ValueError, match=message.replace("<network>", str(path))):
        mln.infer(path)


def test_errors_of_calls(tmp_path):
    with pytest.raises(capella.FileError, match="absent.mln"):
        mln.infer(tmp_path / "absent.mln")
    with pytest.raises(OSError, match="absent.db"):
        mln.infer(RIDERS, evidence=tmp_path / "absent.db")
    with pytest.raises(capella.CapellaError, match="unknown method 'gibs'.*'gibbs'"):
        mln.infer(RIDERS, method="gibs")
    with pytest.raises(capella.CapellaError, match=r"<evidence>:1.*Fly"):
        mln.infer(RIDERS, evidence={"Fly(Man)": True})
    with pytest.raises(capella.CapellaError, match="evidence: found 1.5 for 'On"):
        mln.infer(RIDERS, evidence={"On(Man,Bike)": 1.5})
    with pytest.raises(TypeError, match="evidence: found str for 'On"):
        mln.infer(RIDERS, evidence={"On(Man,Bike)": "yes"})
    with pytest.raises(TypeError, match="evidence: found int, expected a path"):
        mln.infer(RIDERS, evidence=3)
    with pytest.raises(TypeError, match="network: found dict, expected a path"):
        mln.infer({"On(Man,Bike)": True})
    with pytest.raises(capella.CapellaError, match="Swim"):
        mln.infer(RIDERS, query="Swim(Man)")
    with pytest.raises(capella.CapellaError, match="chains: found 0"):
        mln.infer(RIDERS, chains=0)
    with pytest.raises(capella.CapellaError, match='method="exact"'):
        mln.infer(RIDERS, method="gibbs", mpe=True)
    with pytest.raises(capella.CapellaError, match="atoms are open, too many to list all worlds"):
        mln.worlds(LARGE)


def test_errors_of_learning(tmp_path):
    path = tmp_path / "rules.mln"
    path.write_text(RULES)
    with pytest.raises(capella.CapellaError, match="is an input of this call too"):
        mln.learn_weights(path, {"On(Man,Bike)": True}, output=path)
    with pytest.raises(capella.CapellaError, match="no world to learn from"):
        mln.learn_weights(RULES, [])
    with pytest.raises(capella.CapellaError, match="<world 1>:1: found the probability 0.5"):
        mln.learn_weights(RULES, {"On(Man,Bike)": 0.5})
    with pytest.raises(capella.CapellaError, match="unknown optimiser 'sgd'"):
        mln.learn_weights(RULES, {"On(Man,Bike)": True}, optimiser="sgd")
    with pytest.raises(capella.CapellaError, match="standard deviation -1"):
        mln.learn_weights(RULES, {"On(Man,Bike)": True}, prior_sd=-1)
    with pytest.raises(capella.CapellaError, match="was not written; give learn_weights an output"):
        os.fspath(mln.learn_weights(RULES, {"Ride(Man,Bike)": True}))


def test_progress_is_told_and_may_end_the_work():
    told = []
    mln.infer(LARGE, method="gibbs", progress=lambda *step: told.append(step))
    assert told and all(isinstance(stage, str) and done <= total for stage, done, total in told)

    def stop(stage, done, total):
        raise LookupError(stage)

    with pytest.raises(LookupError, match=told[0][0]):
        mln.infer(LARGE, method="gibbs", progress=stop)


def test_other_threads_run_meanwhile():
    assert others_run_during(lambda: mln.infer(LARGE, method="gibbs", threads=1, sweeps=5_000_000))


# Ctrl-C half a second after the work began.
INTERRUPTED = """
import os, signal, sys, threading, time
from capella import mln
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
people = ", ".join(f"P{k}" for k in range(60))
text = "person = {" + people + "}\\nF(person,person)\\n0.01 F(x,y) ^ F(y,z)\\n"
threading.Timer(0.5, send).start()
try:
    for _ in range(1000):
        mln.infer(text, method="gibbs", sweeps=10**9, burn_in=10**9, threads=int(sys.argv[1]))
finally:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupts_end_sampling(threads):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", INTERRUPTED, str(threads)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGINT and "KeyboardInterrupt" in done.stderr, done.stderr
    assert float(done.stdout) < 5


@pytest.fixture
def authors(shared):
    folder = shared / "data/mln"
    if not (folder / "allrules_cmnsense.txt").is_file():
        pytest.skip(f"no rules in {folder}")
    return folder / "allrules_cmnsense.txt", folder / "rule_parameters_CS_val.txt"


def test_published_networks(authors):
    found = mln.published_networks(*authors, sum_exp=True)
    assert found.networks == 5000 and len(found) == 2788 and found.methods == {"exact": 2788}
    parameters = json.loads(authors[1].read_text())
    compared = 0
    for image, rules in parameters.items():
        weights = [(key.split(","), w[0]) for key, w in rules.items() if w[0] != 0]
        atoms = sorted({atom for rule, _ in weights for atom in rule})
        if not 2 <= len(atoms) <= 8 or compared == 20:
            continue
        compared += 1
        z, true = 0.0, dict.fromkeys(atoms, 0.0)
        for some in itertools.chain.from_iterable(itertools.combinations(atoms, n) for n in range(9)):
            weight = math.exp(sum(w for rule, w in weights if set(some).issuperset(rule)))
            z += weight
            for atom in some:
                true[atom] += weight
        assert found[image].log_z == pytest.approx(math.log(z), rel=1e-9)
        assert found[image].marginals == pytest.approx({atom: p / z for atom, p in true.items()}, rel=1e-9)
        assert set(found[image].sum_exp) == set(atoms) and found[image].mcse == {}
    assert compared == 20
    differences = [abs(p - one.sum_exp[atom]) for one in found.values() for atom, p in one.marginals.items()]
    assert found.mean_difference == pytest.approx(sum(differences) / len(differences), rel=1e-9)
    assert found.most_difference == max(differences) and 0.072 < found.mean_difference < 0.073


def test_published_ranking():
    # The paper's table: WVRD-rl has the highest log-probability of both halves.
    for split in ("validation", "test"):
        found = mln.published_ranking(split)
        assert len(found.systems) == 8 and len(found.metrics) == 6 and found.ranks.shape == (6, 8)
        assert found.systems[found.log_prob.argmax()] == "WVRD-rl"
        assert (found.ranks.sum(axis=1) == 36).all() and found.average_rank.mean() == pytest.approx(4.5)
        assert found.pearson < 0 and found.spearman < 0 and found.kendall < 0
        assert found.svg().startswith("<svg") and "WVRD-rl" in found.table()
    values = dict(
        zip(mln.published_ranking("validation").systems, mln.published_ranking("validation").log_prob)
    )
    assert values["SGAE-mle"] == -0.295 and values["WVRD-rl"] == -0.244
    with pytest.raises(capella.CapellaError, match="split: found 'val'"):
        mln.published_ranking("val")
