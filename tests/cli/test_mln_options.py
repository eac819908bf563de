"""`capella mln`: options that would do nothing are refused, and damaged or changed folders are noticed."""

import json
import os
import shutil
from pathlib import Path

import pytest

from program import ROOT, call
from program import json_lines as lines

NET = "thing = {A, B}\nOn(thing,thing)\nRide(thing,thing)\n1.5 On(x,y) ^ Ride(x,y)\n-0.5 On(x,y)\n"

REFUSED = [
    ("infer n.mln --results x.json", ["--results is not compatible with NET, only with --ground and --nli"]),
    ("infer n.mln --margin .2", ["--margin is not compatible with NET"]),
    ("infer n.mln --unseen .3", ["--unseen is not compatible with NET"]),
    ("infer n.mln --resamples 50", ["--resamples is not compatible with NET"]),
    ("infer n.mln --tree-depth 3", ["--tree-depth", "--tree"]),
    ("infer --ground g --nli n --query On(A,B)", ["--query is not compatible with --ground and --nli, only with NET;"]),
    ("infer n.mln --ground g --nli n", ["NET is not compatible with --ground and --nli; leave it out"]),
    ("infer --ground g --nli n --top 3", ["--top is not compatible with --ground and --nli"]),
    ("infer --authors-rules a --authors-parameters b --results x.json", ["--results is not compatible with --authors-rules"]),
    (
        "infer --authors-rules a --authors-parameters b --ground g --nli n",
        ["--authors-rules is not compatible with --ground"],
    ),
    ("report --published test --concepts /nonexist", ["--concepts is not compatible with --published; leave it out"]),
    ("report --published test --system zz", ["--system is not compatible with --published, only with --explain"]),
    ("report --published test --ground /x", ["--ground is not compatible with --published, only with --explain, --ranks"]),
    ("report --published test --resamples 100", ["--resamples is not compatible with --published"]),
    ("report r.json --system zz", ["--system is not compatible with RESULTS, only with --explain"]),
    ("report r.json --ground /none", ["--ground is not compatible with RESULTS"]),
    ("report r.json --nli /none", ["--nli is not compatible with RESULTS, only with --explain"]),
    ("report r.json --resamples 100", ["--resamples is not compatible with RESULTS, only with --concepts, --ranks"]),
    ("report r.json --scores s --resamples 100", ["--resamples is not compatible with --scores"]),
    ("report r.json --ranks r --ground g", ["expected one of RESULTS"]),
    ("report --ranks r --ground g --margin .1", ["--margin is not compatible with --ranks, only with --explain"]),
    ("report --ranks r --ground g --claims 3", ["--claims is not compatible with --ranks, only with --task"]),
    ("report --task --ground g --pictures p", ["--pictures is not compatible with --task"]),
    ("report --task --ground g --format csv", ["--format csv", "lines of JSON"]),
    ("report --explain 1 --system a --ground g --nli n --pictures p", ["--pictures is not compatible with --explain"]),
    ("report --explain 1 --system a --ground g --nli n --against-captions c", ["--against"]),
    ("report --explain 1 --system a --ground g --nli n --method best", ["--method"]),
    *(
        (
            f"report --explain 1 --system a --ground g --nli n --format {format}",
            [f"--format {format}", "table, md or json"],
        )
        for format in ("latex", "csv", "plain")
    ),
    ("weights n.mln w.db --split val -o out.mln", ["found the split 'val'", "only rows of triplets"]),
    ("mil o.jsonl t.jsonl --image 3 -o out", ["--image is not compatible with training networks, only with --model"]),
    ("mil o.jsonl t.jsonl --model m.npz --image 3 --claim a:b:c -o out", ["TRIPLETS is not compatible with --model"]),
    ("mil o.jsonl --model m.npz --both --image 3 --claim a:b:c -o out", ["--both is not compatible with --model"]),
    ("mil o.jsonl --model m.npz --image 3 --claim a:b:c --format csv -o out", ["--format csv"]),
    ("ground n.mln o.jsonl --mil-tau 2 -o out", ["--mil-tau", "--mil"]),
    ("run --train a --references b --system c --images 60 -o out", ["--images"]),
]


@pytest.mark.parametrize("arguments, parts", REFUSED, ids=[arguments for arguments, _ in REFUSED])
def test_options_of_another_job_are_refused(capella, write, tmp_path, arguments, parts):
    write("n.mln", NET)
    write("w.db", "On(A,B)\n")
    before = sorted(tmp_path.rglob("*"))
    assert capella("mln", *arguments.split()).failed(2, *parts)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_split_of_triplets_by_default_is_no_option(capella, write):
    write("n.mln", NET)
    write("w.db", "On(A,B)\n")
    assert capella("mln", "weights", "n.mln", "w.db", "--split", "train", "-o", "out.mln").code == 0


@pytest.mark.parametrize("text", ["", "\n", "// nothing\n", "thing = {A, B}\n"])
def test_a_network_without_anything_is_told(capella, write, text):
    write("empty.mln", text)
    assert capella("mln", "infer", "empty.mln").failed(1, "empty.mln: the file has neither a predicate nor a formula")


RULES = [
    {"text": "!Ride(x,y) v On(x,y)", "weight": "inf"},
    {"text": "!On(x,y)", "weight": 2.0},
    {"text": "Ride(x,y)", "weight": -1.5},
]
FACTORS = [
    {"atoms": [0, 1], "signs": [0, 1], "kind": "clause", "weight": "inf", "formula_id": 0},
    {"atoms": [1], "signs": [0], "kind": "clause", "weight": 2.0, "formula_id": 1},
    {"atoms": [0], "signs": [1], "kind": "conj", "weight": -1.5, "formula_id": 2},
]
ATOMS = [["man", "ride", "bike"], ["man", "on", "bike"]]


def test_reasons_go_by_what_they_do_and_hard_rules_have_words(capella, write):
    """Who rides is on it; being on something is rare. Of image 7 nothing is known; on image 8 he is not on the bike."""
    rows = [{"formulas": RULES}]
    for image, odds in (("7", [None, None]), ("8", [None, "-inf"])):
        rows.append(
            {
                "image_id": image,
                "things": ["man", "bike"],
                "atoms": ATOMS,
                "log_odds": odds,
                "factors": FACTORS,
                "offset": 0,
            }
        )
    write("ground.jsonl", "\n".join(map(json.dumps, rows)) + "\n")
    answers = [
        {"system": system, "image_id": image, "atom": atom, "p": [0.01, 0.01, 0.98] if said else [0.98, 0.01, 0.01]}
        for system, image, atom, said in [
            ("on", "7", ATOMS[1], True),
            ("off", "7", ATOMS[0], False),
            ("on", "8", ATOMS[0], True),
            ("off", "8", ATOMS[0], False),
        ]
    ]
    write("nli.jsonl", "\n".join(map(json.dumps, answers)) + "\n")
    files = ["--ground", "ground.jsonl", "--nli", "nli.jsonl"]

    def told(image, system, *options):
        return capella("mln", "report", "--explain", image, "--system", system, *files, *options)

    # A clause of one negated atom with a positive weight speaks against the atom ...
    assert "-2.00  such a claim is made seldom: !On(x,y)" in told("7", "on").out
    # ... and a negative weight of an atom for its denial: it is seldom claimed, and that is what is said.
    assert "+1.50  such a claim is made seldom: Ride(x,y)" in told("7", "off").out
    forbidden = told("8", "on").out
    assert "forbidden by rule !Ride(x,y) v On(x,y) (hard): " in forbidden and "inf" not in forbidden
    assert "required by rule !Ride(x,y) v On(x,y) (hard): " in told("8", "off").out
    [claim] = told("8", "on", "--format", "json").json()["claims"]
    hard = next(reason for reason in claim["reasons"] if reason["hard"])
    assert (hard["weight"], hard["contribution"]) == ("inf", "-inf")


def results_of(folder):
    return json.loads((folder / "results.json").read_text())


def explain(capella, folder, *options):
    files = ["--ground", folder / "ground.jsonl", "--nli", folder / "nli.jsonl"]
    return capella("mln", "report", *options, *files)


def a_caption(folder, system, least=2):
    return next(
        c
        for c in results_of(folder)["captions"]
        if c["system"] == system and len(c["query"]) >= least and "skipped" not in c
    )


def test_results_tell_how_a_caption_stands(capella, mln_stages):
    folder, _ = mln_stages
    caption = a_caption(folder, "wrong-relation-1.00")
    own = [
        c["per_atom"] for c in results_of(folder)["captions"] if c["system"] == caption["system"] and "skipped" not in c
    ]
    own.sort()
    median = (own[(len(own) - 1) // 2] + own[len(own) // 2]) / 2
    what = [folder / "results.json", "--explain", caption["image_id"], "--system", caption["system"]]
    run = explain(capella, folder, *what, "--format", "json")
    assert run.json()["median"] == pytest.approx(median, rel=1e-12)
    assert run.json()["per_atom_unseen"] == pytest.approx(caption["per_atom_unseen"], rel=1e-12)
    assert run.err == ""  # as probable as the results say
    words = "less certain" if caption["per_atom"] < median else "no less certain"
    assert f"; {words} than the system's median, {median:.3f}" in explain(capella, folder, *what).out
    alone = explain(capella, folder, *what[1:], "--format", "json").json()
    assert alone["median"] == "nan" and "per_atom_unseen" not in alone


def test_an_explanation_has_the_options_of_inference(capella, mln_stages, write, tmp_path):
    """With answers of .6 the margin decides which claims there are: .5 needs a lead of .5, and .1 does not."""
    folder, _ = mln_stages
    caption = a_caption(folder, "wrong-relation-1.00")
    rows = lines(folder / "nli.jsonl")
    for row in rows:
        row["p"] = [0.6 if p > 0.5 else 0.2 for p in row["p"]]
    nli = write("nli.jsonl", "\n".join(map(json.dumps, rows)) + "\n")
    files = ["--ground", folder / "ground.jsonl", "--nli", nli]
    inferred = capella("mln", "infer", *files, "--margin", 0.1, "--results", "weak.json")
    assert inferred.code == 0, inferred.err
    expected = next(
        c
        for c in json.loads((tmp_path / "weak.json").read_text())["captions"]
        if (c["system"], c["image_id"]) == (caption["system"], caption["image_id"])
    )
    what = ["--explain", caption["image_id"], "--system", caption["system"], *files, "--format", "json"]
    with_margin = capella("mln", "report", "weak.json", *what, "--margin", 0.1)
    assert with_margin.json()["lnP"] == pytest.approx(expected["lnP"], rel=1e-12)
    assert with_margin.err == ""
    without = capella("mln", "report", "weak.json", *what)
    assert without.json()["claims"] == []
    assert "has another probability there" in without.err
    sampled = capella("mln", "report", *what, "--margin", 0.1, "--method", "gibbs").json()
    assert sampled["method"] == "gibbs"
    assert sampled["lnP"] == pytest.approx(expected["lnP"], abs=0.5)
    few = capella("mln", "report", *what, "--margin", 0.1, "--method", "ptp", "--max-nodes", 1)
    assert few.code == 1 and "nodes" in few.err


def test_results_of_other_files_are_told(capella, mln_stages, write):
    folder, _ = mln_stages
    caption = a_caption(folder, "wrong-relation-1.00")
    results = results_of(folder)
    results["captions"] = [c for c in results["captions"] if c["image_id"] != caption["image_id"]]
    other = write("other.json", results)
    what = [other, "--explain", caption["image_id"], "--system", caption["system"]]
    assert explain(capella, folder, *what).failed(1, "other.json: no verdict on the caption of")


def test_workers_of_one_image_may_have_rows_of_their_own(capella, mln_stages, write):
    """Two rows of an image are the same two workers in one row, also with the claims in another order."""
    folder, _ = mln_stages
    images = [row for row in lines(folder / "ground.jsonl")[1:] if len(row["atoms"]) >= 3][:5]
    ranks = [[1, 2, 3], [3, 1, 2]]
    joined, apart = [], []
    for row in images:
        atoms = row["atoms"][:3]
        joined.append({"image_id": row["image_id"], "atoms": atoms, "ranks": ranks})
        apart.append({"image_id": row["image_id"], "atoms": atoms, "ranks": ranks[:1]})
    for row in images:
        backwards = {"atoms": row["atoms"][2::-1], "ranks": [ranks[1][::-1]]}
        apart.append({"image_id": row["image_id"], **backwards})
    found = []
    for name, rows in (("joined.jsonl", joined), ("apart.jsonl", apart)):
        write(name, "\n".join(map(json.dumps, rows)))
        call_ = ["mln", "report", "--ranks", name, "--ground", folder / "ground.jsonl", "--format", "json"]
        found.append(capella(*call_).json())
    assert found[0] == found[1]
    assert len(found[0]["images"]) + found[0]["constant"] == len(images)
    apart[-1]["atoms"] = [["somebody", "ride", "something"], *apart[-1]["atoms"][1:]]
    write("bad.jsonl", "\n".join(map(json.dumps, apart)))
    bad = capella("mln", "report", "--ranks", "bad.jsonl", "--ground", folder / "ground.jsonl")
    assert bad.failed(1, f"bad.jsonl:{len(apart)}: ", "other atoms here than in an earlier row")


def test_images_with_too_few_known_claims_are_counted_apart(capella, mln_stages, write):
    folder, _ = mln_stages
    rows = [row for row in lines(folder / "ground.jsonl")[1:] if len(row["atoms"]) >= 2][:3]
    unknown = ["somebody", "ride", "something"]
    given = [
        {"image_id": rows[0]["image_id"], "atoms": [rows[0]["atoms"][0], unknown], "ranks": [[1, 2]]},
        {"image_id": rows[1]["image_id"], "atoms": [unknown], "ranks": [[1]]},
        {"image_id": rows[2]["image_id"], "atoms": rows[2]["atoms"][:2], "ranks": [[1, 1]]},
    ]
    write("ranks.jsonl", "\n".join(map(json.dumps, given)))
    call_ = ["mln", "report", "--ranks", "ranks.jsonl", "--ground", folder / "ground.jsonl"]
    got = capella(*call_, "--format", "json").json()
    assert (got["few_claims"], got["constant"], got["images"]) == (2, 1, [])
    assert "2 whose network knows less than two of the claims" in capella(*call_).out


def test_what_is_no_world_is_told(capella, mln_world, tmp_path):
    for lacking in ("systems", "dataset.json", "logic", "concepts.jsonl"):
        world = tmp_path / f"without-{lacking}"
        world.mkdir()
        for path in mln_world.iterdir():
            if path.name != lacking:
                (world / path.name).symlink_to(path)
        run = capella("mln", "run", "--world", world, "-o", tmp_path / f"out-{lacking}")
        assert run.failed(1, f"without-{lacking}: is no generated world: it has no {lacking}; expected a folder with")
    (tmp_path / "without-systems" / "systems").mkdir()
    run = capella("mln", "run", "--world", tmp_path / "without-systems", "-o", tmp_path / "out")
    assert run.failed(1, "it has no captions (.json) in systems")
    (tmp_path / "file").write_text("no folder")
    assert capella("mln", "run", "--world", "file", "-o", "out2").failed(1, "file: is no generated world")


@pytest.fixture
def copies(mln_world, mln_study, tmp_path):
    """The world and the run's folder, to be changed."""
    world, folder = tmp_path / "world", tmp_path / "run"
    shutil.copytree(mln_world, world)
    shutil.copytree(mln_study[0], folder)
    return world, folder


def run_again(world, folder, *options):
    again = call("mln", "run", "--world", world, "-o", folder, "--resamples", 100, *options)
    assert again.code == 0, again.err
    return [line.removeprefix("capella: note: ") for line in again.err.splitlines()]


def test_a_changed_feature_file_is_noticed(copies):
    world, folder = copies
    assert run_again(world, folder) == []  # a copy with its times is the same
    features = world / json.loads((world / "objects.jsonl").read_text().splitlines()[0])["features"]
    os.utime(features, (1_000_000_000, 1_000_000_000))
    told = run_again(world, folder)
    assert "attention networks of predicates" in told and "networks of images" in told
    assert "triplets of captions" not in told


def test_other_words_make_the_reading_stages_anew(copies, capella, tmp_path):
    """A table of words of one's own, first on the search path."""
    world, folder = copies
    assert run_again(world, folder) == []
    own = tmp_path / "home" / "models"
    own.mkdir(parents=True)
    packed = (ROOT / "models" / "word-relations.gz").read_bytes()
    data = Path(capella("data", "path", "meteor").out.strip())
    (tmp_path / "home" / data.name).symlink_to(data)
    # Another time in the head of the packed file: the same words, another file.
    (own / "word-relations.gz").write_bytes(packed[:4] + bytes([packed[4] ^ 1]) + packed[5:])
    command = ["mln", "run", "--world", world, "-o", folder, "--resamples", 100]
    again = capella(*command, env={"CAPELLA_HOME": str(tmp_path / "home")})
    assert again.code == 0, again.err
    assert "triplets of captions" in again.err and "entailment" in again.err


def test_strays_beside_systems_are_no_systems(copies):
    world, folder = copies
    (world / "systems" / "README.md").write_text("notes")
    (world / "systems" / ".swp").write_bytes(b"\0")
    assert run_again(world, folder) == []


def test_a_damaged_note_of_a_stage_is_made_anew(copies, mln_study):
    world, folder = copies
    for words in ("much", "", "0.1 or so", "7"):
        stages = json.loads((folder / "stages.json").read_text())
        stages["stages"]["missed.txt"]["words"] = words
        (folder / "stages.json").write_text(json.dumps(stages))
        assert run_again(world, folder) == []
        assert (folder / "missed.txt").read_text() == (mln_study[0] / "missed.txt").read_text()
    assert json.loads((folder / "report.json").read_text()) == mln_study[1]


def test_images_of_a_world_that_is_there(copies):
    world, folder = copies
    told = run_again(world, folder, "--images", 500)
    assert len(told) == 1 and "is there already" in told[0] and "--images 500 does nothing" in told[0]
