"""`capella mln infer` and `weights`: what is told of queries that are sampled, of files that hold more than the network
knows, and of options that would do nothing."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from test_mln_logic import SMALL, SMALL_ATOMS, dense, enumerate_worlds, probability, small_weight
from test_mln_weights import weights_of


def test_files_that_need_no_solving_are_written_although_it_fails(capella, write, tmp_path):
    wmc, picture = tmp_path / "net.wcnf", tmp_path / "net.svg"
    options = ["--method", "exact", "--export-wmc", wmc, "--picture", picture]
    assert capella("mln", "infer", dense(write), *options).failed(1, "elimination needs")
    assert "p cnf" in wmc.read_text()
    ElementTree.parse(picture)


SAMPLING_OPTIONS = [["--chains", "32"], ["--burn-in", "5"], ["--sweeps", "9"], ["--blocks"], ["--random-scan"],
                    ["--temperatures", "2"], ["--start-from-evidence"], ["--sum-exp"]]


@pytest.mark.parametrize("method", ["exact", "ptp"])
@pytest.mark.parametrize("option", SAMPLING_OPTIONS, ids=lambda option: option[0])
def test_sampling_options_are_refused_where_nothing_is_sampled(capella, write, method, option):
    net = write("small.mln", SMALL)
    assert capella("mln", "infer", net, "--method", method, *option).failed(2, option[0], method)


def test_sampled_query_of_one_atom_is_its_marginal(capella, write):
    net = write("small.mln", SMALL)
    got = capella("mln", "infer", net, "--method", "gibbs", "--query", "Q(A)", "--format", "json").json()
    assert got["log_z"] is None
    assert got["query"]["p"] == got["marginals"]["Q(A)"] and got["query"]["mcse"] == got["mcse"]["Q(A)"]
    assert got["query"]["method"] == "gibbs" and got["query"]["converged"] is True
    _, worlds = enumerate_worlds(SMALL_ATOMS, small_weight)
    assert got["query"]["p"] == pytest.approx(probability(worlds, lambda w: w["Q(A)"]), abs=5 * got["query"]["mcse"])


def test_a_query_that_was_never_sampled_is_computed_and_told(capella, write):
    net = write("rare.mln", "t = {A}\nP(t)\nQ(t)\n-60 P(x) ^ Q(x)\n")
    options = ["--method", "gibbs", "--query", "P(A) ^ Q(A)", "--format", "json"]
    got = capella("mln", "infer", net, *options).json()
    assert got["query"]["log_p"] == pytest.approx(-60 - math.log(3 + math.exp(-60)), abs=1e-9)
    assert got["query"]["method"] == "exact" and "computed exactly" in " ".join(got["notes"])


def test_few_sweeps_are_told_of_the_query_too(capella, write):
    options = ["--method", "gibbs", "--sweeps", "4", "--query", "Q(A) ^ P(B)", "--format", "json"]
    got = capella("mln", "infer", write("small.mln", SMALL), *options).json()
    assert got["query"]["converged"] is False and "not converged" in " ".join(got["notes"])


def test_tempering_tells_how_often_states_were_swapped(capella, write):
    options = ["--method", "gibbs", "--temperatures", "3", "--format", "json"]
    assert "swapped" in " ".join(capella("mln", "infer", write("small.mln", SMALL), *options).json()["notes"])


def test_constants_that_the_network_does_not_list_are_told(capella, write, tmp_path):
    net = write("small.mln", SMALL)
    known = write("known.db", "P(A)\nP(Ab)\n!Q(Cd)\n")
    got = capella("mln", "infer", net, "--db", known, "--format", "json").json()
    assert "P(Ab)" in got["marginals"]
    assert any(note.startswith("added 2 constants that") and note.endswith("Ab, Cd") for note in got["notes"])
    world = write("world.db", "P(A)\nQ(A)\nP(Ab)\n")
    learned = capella("mln", "weights", net, world, "--format", "json", "-o", tmp_path / "learned.mln")
    assert "added 1 constant that" in learned.err
    unlisted = write("open.mln", "P(thing)\n0.5 P(x)\n")
    assert "notes" not in capella("mln", "infer", unlisted, "--db", write("a.db", "P(Ab)\n"), "--format", "json").json()


def test_facts_outside_a_domain_are_told(capella, write, tmp_path):
    net = write("domain.mln", "thing = {A, B, C}\nP(thing)\n//@domain P 1 A B\n0 P(x)\n")
    world = write("world.db", "P(A)\nP(C)\n")
    learned = capella("mln", "weights", net, world, "-o", tmp_path / "learned.mln")
    assert "1 fact is outside" in learned.err and f"{world}:2" in learned.err


def test_atoms_that_nothing_mentions_do_not_stop_learning(capella, write, tmp_path):
    net = write("many.mln", "t = {1,...,2000}\nP(t,t,t,t)\nQ(t)\n0 Q(x)\n")
    world = write("world.db", "".join(f"Q({k})\n" for k in range(1, 401)))
    output = tmp_path / "learned.mln"
    capella("mln", "weights", net, world, "-o", output)
    assert weights_of(output)[0] == pytest.approx(-1.38625, abs=1e-5)  # 400 - 2000 s(w) - w / 100 = 0


def test_steps_and_iterations(capella, write, tmp_path):
    net, world = write("coin.mln", "t = {A, B, C, D}\nP(t)\n0 P(x)\n"), write("w.db", "P(A)\nP(B)\nP(C)\n")
    output = tmp_path / "learned.mln"
    options = ["--optimiser", "gradient", "--step", "0.1", "--iterations", "1", "--prior-sd", "inf", "-o", output]
    learned = capella("mln", "weights", net, world, *options)
    assert weights_of(output)[0] == pytest.approx(0.1, abs=1e-12)  # the gradient at 0 is 3 - 4/2
    assert "not converged after 1 iteration" in learned.err
    assert capella("mln", "weights", net, world, "--step", "0.1", "-o", output).failed(2, "gradient")


@pytest.mark.parametrize(("line", "part"), [("1.2.3 P(A)", "'1.2.3'"), ("-inf P(A)", "'-inf'")])
def test_weights_that_are_no_numbers(capella, write, line, part):
    net = write("bad.mln", f"t = {{A}}\nP(t)\n{line}\n")
    assert capella("mln", "infer", net).failed(1, f"{net}:3: found {part}")


def test_a_probability_may_have_a_plus(capella, write):
    net, known = write("p.mln", "t = {A}\nP(t)\n0 P(x)\n"), write("p.db", "+0.75 P(A)\n")
    got = capella("mln", "infer", net, "--db", known, "--format", "json").json()
    assert got["marginals"]["P(A)"] == pytest.approx(0.75)
