"""`capella mln infer`: probabilities against enumeration, files, pictures, what goes wrong."""

import itertools
import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree

import pytest

RIDE = """obj = {Man, Woman, Bike}
On(obj,obj)
Ride(obj,obj)
0.8 On(x,Bike) ^ Ride(x,Bike)
-0.4 Ride(x,Bike)
-0.3 Ride(x,Bike) ^ Ride(z,Bike) ^ x != z
"""
SOFT = """0.9 On(Man,Bike)
0.7 Ride(Man,Bike)
0.4 On(Woman,Bike)
0.2 Ride(Woman,Bike)
!On(Bike,Bike)
!Ride(Bike,Bike)
"""
SMALL = "thing = {A, B}\nP(thing)\nQ(thing)\n1.5 P(x) => Q(x)\n-0.5 P(x) ^ P(y)\nP(A) v Q(B).\n"


def small_weight(world):
    """The log weight of a world of SMALL, a dictionary; minus infinity if it is impossible."""
    if not (world["P(A)"] or world["Q(B)"]):
        return -math.inf
    total = 1.5 * sum(not world[f"P({x})"] or world[f"Q({x})"] for x in "AB")
    return total - 0.5 * sum(world[f"P({x})"] and world[f"P({y})"] for x in "AB" for y in "AB")


def enumerate_worlds(atoms, log_weight):
    """log Z and the possible worlds with their probabilities."""
    worlds = [dict(zip(atoms, values)) for values in itertools.product([False, True], repeat=len(atoms))]
    weights = [math.exp(log_weight(world)) for world in worlds]
    z = math.fsum(weights)
    return math.log(z), [(world, weight / z) for world, weight in zip(worlds, weights) if weight > 0]


def probability(worlds, holds):
    return math.fsum(p for world, p in worlds if holds(world))


SMALL_ATOMS = ["P(A)", "P(B)", "Q(A)", "Q(B)"]


@pytest.mark.parametrize("method", ["auto", "exact", "ptp"])
def test_small_network_is_exact(capella, write, method):
    log_z, worlds = enumerate_worlds(SMALL_ATOMS, small_weight)
    net = write("small.mln", SMALL)
    query = "Q(A) ^ (P(B) v !Q(B))"
    got = capella("mln", "infer", net, "--method", method, "--query", query, "--format", "json").json()
    assert got["log_z"] == pytest.approx(log_z, rel=1e-12)
    assert got["method"] in ("exact", "ptp") and (method == "auto" or got["method"] == method)
    assert set(got["marginals"]) == set(SMALL_ATOMS)
    for atom in SMALL_ATOMS:
        assert got["marginals"][atom] == pytest.approx(probability(worlds, lambda w: w[atom]), rel=1e-12)
    want = probability(worlds, lambda w: w["Q(A)"] and (w["P(B)"] or not w["Q(B)"]))
    assert got["query"]["p"] == pytest.approx(want, rel=1e-12)
    assert got["query"]["log_p"] == pytest.approx(math.log(want), rel=1e-12)
    assert "mcse" not in got and "rhat_max" not in got


def test_without_a_query_there_is_none(capella, write):
    assert "query" not in capella("mln", "infer", write("small.mln", SMALL), "--format", "json").json()


def test_worked_example_with_soft_evidence(capella, write):
    """The numbers were computed with 50 digits."""
    query = "Ride(Man,Bike) ^ !Ride(Woman,Bike)"
    call = ["mln", "infer", write("ride.mln", RIDE), "--db", write("e.db", SOFT), "--query", query]
    got = capella(*call, "--format", "json").json()
    assert got["query"]["p"] == pytest.approx(0.659195754190, rel=1e-10)
    assert got["marginals"]["On(Man,Bike)"] == pytest.approx(0.939312407912, rel=1e-10)
    assert got["marginals"]["On(Bike,Bike)"] == 0
    table = capella(*call)
    assert "P(query) = 0.659196, log P = -0.416735." in table.out
    assert "note: method exact" in table.err
    assert capella(*call, "--quiet").err == ""


def test_most_probable_world(capella, write):
    _, worlds = enumerate_worlds(SMALL_ATOMS, small_weight)
    best, p = max(worlds, key=lambda pair: pair[1])
    for method in ("exact", "ptp"):
        got = capella(
            "mln", "infer", write("s.mln", SMALL), "--mpe", "--method", method, "--format", "json"
        ).json()
        assert got["most_probable"]["log_p"] == pytest.approx(math.log(p), rel=1e-12)
        found = {atom: atom in got["most_probable"]["true"] for atom in SMALL_ATOMS}
        assert small_weight(found) == pytest.approx(small_weight(best), rel=1e-12)


def test_table_shows_few_atoms_and_csv_all(capella, write):
    things = ", ".join(f"T{i}" for i in range(30))
    net = write(
        "n.mln", f"thing = {{{things}}}\nP(thing)\n" + "".join(f"{i / 10} P(T{i})\n" for i in range(30))
    )
    table = capella("mln", "infer", net, "--top", "4").out
    assert [line.split()[0] for line in table.splitlines() if line.startswith("P(T")] == [
        "P(T29)",
        "P(T28)",
        "P(T1)",
        "P(T0)",
    ]
    assert "4 of 30 atoms" in table
    rows = capella("mln", "infer", net, "--top", "4", "--format", "csv").out.splitlines()
    assert rows[0] == "atom,p" and len(rows) == 31
    name, p = rows[11].split(",")
    assert name == "P(T10)" and float(p) == pytest.approx(1 / (1 + math.exp(-1)), rel=1e-12)
    assert len(capella("mln", "infer", net, "--top", "0", "--format", "md").out.splitlines()) > 30


PEOPLE = ", ".join(f"P{i}" for i in range(12))
SMOKERS = f"person = {{{PEOPLE}}}\nS(person)\nF(person,person)\n"
SMOKERS += "0.3 !S(x) v !F(x,y) v S(y)\n-0.7 F(x,y)\n-0.2 S(x)\n"


def smoker_marginals():
    """By the number of smokers: everyone is alike, and the friendships are independent given who smokes."""
    n = 12
    z = smoking = friends = 0.0
    plain, damped = math.exp(0.3) * (1 + math.exp(-0.7)), math.exp(0.3) + math.exp(-0.7)
    for k in range(n + 1):
        crossing = k * (n - k)  # ordered pairs of a smoker and someone else who does not smoke
        weight = math.comb(n, k) * math.exp(-0.2 * k) * plain ** (n * n - crossing) * damped**crossing
        z += weight
        smoking += weight * k / n
        share = (
            crossing * math.exp(-0.7) / damped + (n * (n - 1) - crossing) * math.exp(0.3 - 0.7) / plain
        ) / (n * (n - 1))
        friends += weight * share
    return smoking / z, friends / z


@pytest.mark.parametrize("options", [[], ["--blocks"], ["--temperatures", "3"], ["--random-scan"]])
def test_sampling_is_right_within_its_error_and_repeatable(capella, write, options):
    net = write("smokers.mln", SMOKERS)
    call = [
        "mln",
        "infer",
        net,
        "--method",
        "gibbs",
        "--seed",
        "3",
        "--sweeps",
        "3000",
        "--format",
        "json",
        *options,
    ]
    call += ["--query", "S(P0) ^ S(P1)"]
    first, second = capella(*call, "--threads", "1"), capella(*call, "--threads", "2")
    assert first.raw == second.raw
    got = first.json()
    assert got["method"] == "gibbs" and got["log_z"] is None
    smoking, friends = smoker_marginals()
    for atom, want in (("S(P0)", smoking), ("S(P7)", smoking), ("F(P0,P1)", friends)):
        assert 0 < got["mcse"][atom] < 0.05
        assert abs(got["marginals"][atom] - want) <= 5 * got["mcse"][atom] + 1e-4, atom
    assert 0.9 < got["rhat_max"] < 1.2
    assert got["query"]["mcse"] > 0
    exact = capella("mln", "infer", net, "--method", "exact", "--query", "S(P0) ^ S(P1)", "--format", "json")
    if exact.code == 0:
        assert abs(got["query"]["p"] - exact.json()["query"]["p"]) <= 5 * got["query"]["mcse"] + 1e-4


def sum_exp_chain(w1, w2):
    """P(X) and P(Y) where the chain of `w1 X ^ Y`, `w2 X ^ Z` settles if exponentials are added."""
    state = {values: 1 / 8 for values in itertools.product([0, 1], repeat=3)}
    for _ in range(500):
        for place in range(3):
            after = dict.fromkeys(state, 0.0)
            for (x, y, z), mass in state.items():
                terms = [[w1 * y, w2 * z], [w1 * x], [w2 * x]][place]
                yes = math.fsum(map(math.exp, terms))
                p = yes / (yes + len(terms))
                for value, share in ((1, p), (0, 1 - p)):
                    after[tuple(value if k == place else old for k, old in enumerate((x, y, z)))] += (
                        mass * share
                    )
            state = after
    return [math.fsum(mass for values, mass in state.items() if values[k]) for k in (0, 1)]


def test_the_published_conditional_comes_with_a_notice(capella, write):
    net = write("n.mln", "thing = {A}\nX(thing)\nY(thing)\nZ(thing)\n2 X(A) ^ Y(A)\n1 X(A) ^ Z(A)\n")
    run = capella("mln", "infer", net, "--sum-exp", "--format", "json")
    assert "for comparison only" in run.err and any("comparison" in note for note in run.json()["notes"])
    got = run.json()
    assert got["method"] == "gibbs"
    for atom, want in zip(("X(A)", "Y(A)"), sum_exp_chain(2, 1)):
        assert abs(got["marginals"][atom] - want) <= 5 * got["mcse"][atom] + 1e-4
    exact = capella("mln", "infer", net, "--format", "json").json()
    assert exact["marginals"]["X(A)"] - got["marginals"]["X(A)"] > 0.05


def count_models(clauses, free, weights):
    """Decides one variable after the other, those that stand alone in a clause first."""
    if not clauses:
        return math.prod(weights.get(v, 1) + weights.get(-v, 1) for v in free)
    if any(not clause for clause in clauses):
        return 0
    shortest = min(clauses, key=len)
    total = 0
    for literal in [shortest[0]] if len(shortest) == 1 else [shortest[0], -shortest[0]]:
        rest = [
            [other for other in clause if other != -literal] for clause in clauses if literal not in clause
        ]
        total += weights.get(literal, 1) * count_models(rest, free - {abs(literal)}, weights)
    return total


def weighted_count(text):
    weights, clauses, variables = {}, [], 0
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["p"]:
            variables, count = int(words[2]), int(words[3])
        elif words[:3] == ["c", "p", "weight"]:
            weights[int(words[3])] = float(words[4])
        elif words and words[0] != "c":
            clauses.append([int(word) for word in words[:-1]])
            assert words[-1] == "0"
    assert len(clauses) == count
    assert {abs(literal) for clause in clauses for literal in clause} <= set(range(1, variables + 1))
    return count_models(clauses, set(range(1, variables + 1)), weights)


def test_export_counts_to_z(capella, write, tmp_path):
    net = write("ride.mln", RIDE)
    known = "!On(Man,Man)\n!On(Man,Woman)\n!On(Woman,Woman)\n!On(Woman,Man)\n!On(Bike,Man)\n!On(Bike,Woman)\n"
    db = write("e.db", SOFT + known + known.replace("On", "Ride"))
    query = "Ride(Man,Bike) ^ !Ride(Woman,Bike)"
    got = capella("mln", "infer", net, "--db", db, "--export-wmc", "z.cnf", "--format", "json").json()
    z = weighted_count((tmp_path / "z.cnf").read_text())
    assert z == pytest.approx(1.197546502949, rel=1e-10)
    assert math.log(z) == pytest.approx(got["log_z"], rel=1e-12)
    capella("mln", "infer", net, "--db", db, "--query", query, "--export-wmc", "q.cnf")
    assert weighted_count((tmp_path / "q.cnf").read_text()) == pytest.approx(0.789417570189, rel=1e-10)
    text = (tmp_path / "q.cnf").read_text()
    assert text.startswith("c t wmc\n") and f"c query {query}" in text


def test_export_of_a_network_with_hard_formulas(capella, write, tmp_path):
    log_z, _ = enumerate_worlds(SMALL_ATOMS, small_weight)
    capella("mln", "infer", write("small.mln", SMALL), "--export-wmc", "z.cnf")
    assert math.log(weighted_count((tmp_path / "z.cnf").read_text())) == pytest.approx(log_z, rel=1e-12)


def test_worlds_tree_and_picture_are_drawn(capella, write, tmp_path):
    run = capella(
        "mln",
        "infer",
        write("small.mln", SMALL),
        "--worlds",
        "w.svg",
        "--picture",
        "n.svg",
        "--tree",
        "t.svg",
    )
    assert run.code == 0, run.err
    for name in ("w.svg", "n.svg", "t.svg"):
        assert ElementTree.parse(tmp_path / name).getroot().tag.endswith("svg")
    _, worlds = enumerate_worlds(SMALL_ATOMS, small_weight)
    text = (tmp_path / "w.svg").read_text()
    assert f"all {len(worlds)} possible worlds" in text
    best = max(p for _, p in worlds)
    assert f"{best:.4f}" in text
    assert "4 of 4 atoms" in (tmp_path / "n.svg").read_text()


def test_files_are_read_once(capella, write, tmp_path):
    """Standard input cannot be read again for the pictures."""
    log_z, worlds = enumerate_worlds(SMALL_ATOMS, small_weight)
    files = ["--worlds", "w.svg", "--picture", "n.svg", "--tree", "t.svg", "--export-wmc", "z.cnf"]
    got = capella("mln", "infer", "-", *files, "--format", "json", stdin=SMALL.encode()).json()
    assert got["log_z"] == pytest.approx(log_z, rel=1e-12)
    assert f"all {len(worlds)} possible worlds" in (tmp_path / "w.svg").read_text()
    assert math.log(weighted_count((tmp_path / "z.cnf").read_text())) == pytest.approx(log_z, rel=1e-12)


def check_tree(node):
    """The sum of a choice's branches and the value of each node; log Z of the root comes back."""
    below = [check_tree(child) for child in node.get("children", [])]
    if node["kind"] == "choice" and below and not node.get("cut"):
        total = math.log(math.fsum(math.exp(value) for value in below))
        assert node["log_z"] == pytest.approx(total, rel=1e-9)
    return node["log_z"]


def test_tree_adds_up(capella, write, tmp_path):
    rng = random.Random(5)
    lines = ["thing = {%s}" % ", ".join(f"T{i}" for i in range(12)), "P(thing)"]
    for i in range(12):
        for j in rng.sample(range(12), 3):
            lines.append(f"{rng.uniform(-1, 1):.3f} P(T{i}) ^ P(T{j})")
    net = write("n.mln", "\n".join(lines) + "\n")
    got = capella("mln", "infer", net, "--tree", "t.json", "--tree-depth", "20", "--format", "json").json()
    tree = json.loads((tmp_path / "t.json").read_text())
    check_tree(tree)
    assert re.search(r'"kind": "choice"', (tmp_path / "t.json").read_text())
    capella("mln", "infer", net, "--tree", "t.dot", "--tree-depth", "2")
    dot = (tmp_path / "t.dot").read_text()
    assert dot.startswith("digraph") and dot.count("{") - dot.count("\\{") >= 1 and "true" in dot
    assert got["log_z"] > 0


AUTHORS_RULES = "man:ride:bike,man:on:bike\nman:on:bike,dog:on:bike\na:b:c,d:e:f\n"
AUTHORS_WEIGHTS = {
    "11": {
        "man:ride:bike,man:on:bike": [0.75, 0.1],
        "man:on:bike,dog:on:bike": [1.25, 0],
        "a:b:c,d:e:f": [0, 0],
    },
    "12": {"a:b:c,d:e:f": [0, 0.5]},
    "13": {},
    "14": {"a:b:c,d:e:f": [1.5, 0.5]},
}


@pytest.fixture
def authors(write):
    return [
        "--authors-rules",
        write("rules.txt", AUTHORS_RULES),
        "--authors-parameters",
        write("weights.txt", AUTHORS_WEIGHTS),
    ]


@pytest.mark.parametrize("method", ["exact", "ptp", "auto"])
def test_authors_networks(capella, authors, method):
    got = capella("mln", "infer", *authors, "--method", method, "--format", "json").json()
    assert (got["networks"], got["non_empty"], got["rules"]) == (4, 2, 3)
    assert sum(got["methods"].values()) == 2
    assert set(got["images"]) == {"11", "14"}
    atoms = ["man:ride:bike", "man:on:bike", "dog:on:bike"]
    log_z, worlds = enumerate_worlds(
        atoms, lambda w: 0.75 * (w[atoms[0]] and w[atoms[1]]) + 1.25 * (w[atoms[1]] and w[atoms[2]])
    )
    image = got["images"]["11"]
    assert image["log_z"] == pytest.approx(log_z, rel=1e-12)
    assert set(image["marginals"]) == set(atoms)
    for atom in atoms:
        assert image["marginals"][atom] == pytest.approx(probability(worlds, lambda w: w[atom]), rel=1e-12)


def test_authors_networks_sampled(capella, authors):
    first = capella("mln", "infer", *authors, "--method", "gibbs", "--format", "json", "--threads", "1")
    assert (
        first.raw
        == capella("mln", "infer", *authors, "--method", "gibbs", "--format", "json", "--threads", "2").raw
    )
    image = first.json()["images"]["14"]
    want = (1 + math.exp(1.5)) / (3 + math.exp(1.5))
    assert abs(image["marginals"]["a:b:c"] - want) <= 5 * image["mcse"]["a:b:c"] + 1e-4


def test_authors_own_formula_beside_the_probabilities(capella, authors):
    run = capella("mln", "infer", *authors, "--sum-exp", "--format", "json")
    assert "comparison only" in run.err
    image = run.json()["images"]["11"]
    yes = math.exp(0.75) + 1 + math.exp(1.25) + 1
    assert image["sum_exp"]["man:on:bike"] == pytest.approx(yes / (yes + 4), rel=1e-12)
    differences = [
        abs(one["sum_exp"][atom] - one["marginals"][atom])
        for one in run.json()["images"].values()
        for atom in one["marginals"]
    ]
    assert run.json()["sum_exp"]["most_difference"] == pytest.approx(max(differences), rel=1e-12)
    assert run.json()["sum_exp"]["mean_difference"] == pytest.approx(
        sum(differences) / len(differences), rel=1e-12
    )
    assert "sum-exp" in capella("mln", "infer", *authors, "--sum-exp").out


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("syntax", "obj = {A}\nH(obj)\n1.0 H(x ^\n", ["bad.mln:3"]),
        ("unknown predicate", "obj = {A}\nH(obj)\n1.0 Gone(x)\n", ["bad.mln:3", "Gone"]),
        ("contradiction", "obj = {A}\nH(obj)\nH(A).\n!H(A).\n", ["bad.mln", "ontradict"]),
        ("empty type", "obj = {}\nH(obj)\n1.0 H(x)\n", ["bad.mln", "obj"]),
        ("no constants", "H(obj)\n1.0 H(x)\n", ["bad.mln", "obj"]),
        (
            "too many groundings",
            "obj = {1, ..., 1000}\nH(obj)\n1.0 H(a) ^ H(b) ^ H(c) ^ H(d)\n",
            ["bad.mln", "ground"],
        ),
    ],
)
def test_bad_networks(capella, write, name, text, parts):
    for method in ("auto", "exact"):
        run = capella("mln", "infer", write("bad.mln", text), "--method", method)
        assert run.failed(1, *parts), name


def test_contradictory_evidence_is_told(capella, write):
    net = write("n.mln", "obj = {A}\nH(obj)\nS(obj)\nH(x) => S(x).\n")
    assert capella("mln", "infer", net, "--db", write("e.db", "H(A)\n!S(A)\n")).failed(1, "ontradict")
    assert capella("mln", "infer", net, "--db", write("f.db", "H(A)\n!H(A)\n")).failed(1, "f.db:2")


def test_an_impossible_query_has_probability_0(capella, write):
    net = write("n.mln", "obj = {A}\nH(obj)\nS(obj)\nH(x) => S(x).\n")
    got = capella("mln", "infer", net, "--query", "H(A) ^ !S(A)", "--format", "json").json()
    assert got["query"]["p"] == 0 and got["query"]["log_p"] == "-inf"


def test_bad_queries(capella, write):
    net = write("n.mln", SMALL)
    assert capella("mln", "infer", net, "--query", "Gone(A)").failed(1, "Gone")
    assert capella("mln", "infer", net, "--query", "P(x)").failed(1, "x")
    assert capella("mln", "infer", net, "--query", "P(A) ^").failed(1)


def test_a_million_groundings(capella, write):
    """1,001,000 independent atoms."""
    net = write("n.mln", "person = {1, ..., 1000}\nS(person)\nF(person,person)\n0.5 F(x,y)\n-1 S(x)\n")
    got = capella("mln", "infer", net, "--format", "json", timeout=300).json()
    assert got["groundings"] == 1_001_000
    want = 1e6 * math.log1p(math.exp(0.5)) + 1000 * math.log1p(math.exp(-1))
    assert got["log_z"] == pytest.approx(want, rel=1e-12)


def dense(write, n=60):
    """Everyone with everyone: elimination would need 2^60 entries."""
    things = ", ".join(f"T{i}" for i in range(n))
    rng = random.Random(1)
    lines = [f"thing = {{{things}}}", "P(thing)"]
    for i in range(n):
        lines += [f"{rng.uniform(-0.2, 0.2):.4f} P(T{i}) ^ P(T{j})" for j in range(i)]
    return write("dense.mln", "\n".join(lines) + "\n")


def test_too_wide_for_exact_methods_is_an_error_when_they_were_asked_for(capella, write):
    net = dense(write)
    assert capella("mln", "infer", net, "--method", "exact").failed(1, "dense.mln", "gibbs")
    assert capella("mln", "infer", net, "--method", "ptp", "--max-nodes", "2000").failed(
        1, "dense.mln", "gibbs"
    )


def test_too_wide_for_exact_methods_falls_back_with_a_note(capella, write):
    run = capella("mln", "infer", dense(write), "--max-nodes", "2000", "--sweeps", "500", "--format", "json")
    assert run.json()["method"] == "gibbs"
    assert "note: method gibbs" in run.err and "elimination" in run.err


def test_wrong_calls(capella, write, authors):
    net = write("n.mln", SMALL)
    assert capella("mln").failed(2)
    assert capella("mln", "infer").failed(2, "no network")
    assert capella("mln", "infer", "gone.mln").failed(1, "gone.mln")
    assert capella("mln", "infer", net, "--method", "guess").failed(2, "guess")
    assert capella("mln", "infer", net, "--tree", "t.png").failed(2, "t.png", ".dot")
    assert capella("mln", "infer", net, "--picture", "p.png").failed(2, "p.png")
    assert capella("mln", "infer", net, "--sum-exp", "--method", "exact").failed(2, "gibbs")
    assert capella("mln", "infer", net, "--worlds", "w.svg", "-o", "w.svg").failed(2, "w.svg")
    assert capella("mln", "infer", net, "--format", "yaml").failed(2, "yaml")
    assert capella("mln", "infer", *authors[:2]).failed(2, "--authors-parameters")
    assert capella("mln", "infer", net, *authors).failed(2, "NET")
    assert capella("mln", "infer", *authors, "--query", "P(A)").failed(2, "--query")


def test_worlds_of_too_large_a_network_are_not_listed(capella, write):
    net = write("n.mln", "thing = {1, ..., 17}\nP(thing)\n1 P(x)\n")
    assert capella("mln", "infer", net, "--worlds", "w.svg").failed(1, "17", "16")


def test_broken_files_of_the_authors(capella, write, authors):
    bad = write("bad.txt", "a:b:c\nno rule\n")
    assert capella("mln", "infer", "--authors-rules", bad, *authors[2:]).failed(1, "bad.txt:2")
    assert capella("mln", "infer", *authors[:2], "--authors-parameters", write("b.txt", "{")).failed(
        1, "b.txt:1"
    )
