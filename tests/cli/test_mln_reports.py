"""`capella mln report` on the stages' files, and what each stage says of files and options that are wrong."""

import json
import math

import pytest

from program import json_lines as lines

RATES = ["0.00", "0.10", "0.25", "0.50", "1.00"]


@pytest.fixture
def world(mln_world):
    return mln_world


@pytest.fixture
def stages(mln_stages):
    return mln_stages


def test_report_of_systems(capella, stages, tmp_path):
    folder, printed = stages
    got = capella("mln", "report", folder / "results.json", "--format", "json", "--pictures", "p").json()
    assert got == printed["infer"]
    assert "wrong-relation-1.00" in (tmp_path / "p" / "systems.svg").read_text()
    table = capella("mln", "report", folder / "results.json").out
    assert "Log-Prob" in table and " of 24" in table


def test_report_beside_scores(capella, stages, world, tmp_path):
    folder, printed = stages
    files = [world / "systems" / f"wrong-relation-{rate}.json" for rate in RATES]
    nli = [line for line in (folder / "nli.jsonl").read_text().splitlines() if '"wrong-relation-' in line]
    (tmp_path / "nli.jsonl").write_text("\n".join(nli) + "\n")
    done = capella("mln", "infer", "--ground", folder / "ground.jsonl", "--nli", "nli.jsonl", "--results", "r.json")
    assert done.code == 0, done.err
    metrics = ["-m", "cider-d,rouge-l", "--missing", "skip", "--format", "json"]
    scored = capella("score", folder / "references.json", *files, *metrics)
    assert scored.code == 0, scored.err
    (tmp_path / "s.json").write_text(scored.out)
    got = capella("mln", "report", "r.json", "--scores", "s.json", "--format", "json", "--pictures", "p").json()
    scores = {s["system"]: {k: v["value"] for k, v in s["scores"].items()} for s in scored.json()["systems"]}
    assert {s["system"]: s["scores"] for s in got["systems"]} == scores
    assert [s["average_rank"] for s in got["systems"]] == [5, 4, 3, 2, 1]
    assert got["spearman"] <= 1 and (tmp_path / "p" / "ranks.svg").exists()


def test_report_of_concepts(capella, stages, world):
    folder, _ = stages
    got = capella("mln", "report", folder / "results.json", "--concepts", world / "concepts.jsonl", "--format", "json")
    majority, ties = {}, []
    for row in lines(world / "concepts.jsonl"):
        best = max(set(row["labels"]), key=row["labels"].count)
        if 2 * row["labels"].count(best) > len(row["labels"]):
            majority[row["image_id"]] = best
        else:
            ties.append(row["image_id"])
    assert got.json()["ties"] == ties and got.json()["labelled"] == len(majority)
    values = {}
    for caption in json.loads((folder / "results.json").read_text())["captions"]:
        if "skipped" not in caption and caption["image_id"] in majority:
            values.setdefault((majority[caption["image_id"]], caption["system"]), []).append(-caption["per_atom"])
    rows = {(row["concept"], row["system"]): row for row in got.json()["rows"]}
    assert set(rows) == set(values)
    for key, list_ in values.items():
        assert rows[key]["uncertainty"] == pytest.approx(math.fsum(list_) / len(list_), rel=1e-12)
        assert rows[key]["images"] == len(list_) and rows[key]["few"]


def test_report_of_peoples_ranks(capella, stages, write, tmp_path):
    """Ranks made from the verdicts themselves agree with them, and turned round they do not."""
    folder, _ = stages
    captions = [
        c
        for c in json.loads((folder / "results.json").read_text())["captions"]
        if c["system"] == "wrong-relation-0.00" and len({claim["p"] for claim in c["query"]}) > 2
    ]
    for sign, share in ((1, 1), (-1, 0)):
        rows = []
        for caption in captions:
            p = [claim["p"] if claim["entailed"] else 1 - claim["p"] for claim in caption["query"]]
            ranks = [1 + sum(other < own for other in p) for own in p]
            atoms = [claim["atom"] for claim in caption["query"]]
            rows.append({"image_id": caption["image_id"], "atoms": atoms, "ranks": [[sign * r for r in ranks]] * 2})
        rows.append({"image_id": "nobody", "atoms": [["a", "b", "c"]], "ranks": [[1]]})
        write("ranks.jsonl", "\n".join(map(json.dumps, rows)))
        call_ = ["mln", "report", "--ranks", "ranks.jsonl", "--ground", folder / "ground.jsonl", "--pictures", "p"]
        got = capella(*call_, "--format", "json").json()
        assert len(got["images"]) == len(captions) > 3
        assert got["share_positive"] == share
        assert got["without_network"] == 1
    assert (tmp_path / "p" / "people.svg").exists()


def test_task_for_people(capella, stages):
    folder, _ = stages
    got = capella("mln", "report", "--task", "--ground", folder / "ground.jsonl", "--claims", 3)
    networks = {row["image_id"]: row["atoms"] for row in lines(folder / "ground.jsonl")[1:]}
    rows = [json.loads(line) for line in got.out.splitlines()]
    assert [row["image_id"] for row in rows] == [image for image, atoms in networks.items() if atoms]
    for row in rows:
        assert len(row["atoms"]) == len(row["sentences"]) == min(3, len(networks[row["image_id"]]))
        assert all(atom in networks[row["image_id"]] for atom in row["atoms"])
        assert all(atom[0] in sentence for atom, sentence in zip(row["atoms"], row["sentences"]))
    assert got.out == capella("mln", "report", "--task", "--ground", folder / "ground.jsonl", "--claims", 3).out


def explain(capella, folder, image, *options):
    files = ["--ground", folder / "ground.jsonl", "--nli", folder / "nli.jsonl"]
    return capella("mln", "report", "--explain", image, *files, *options)


def test_explanation(capella, stages, world):
    folder, _ = stages
    caption = next(
        c
        for c in json.loads((folder / "results.json").read_text())["captions"]
        if c["system"] == "wrong-relation-1.00" and len(c["query"]) > 1 and "skipped" not in c
    )
    file = world / "systems" / "wrong-relation-1.00.json"
    options = ["--system", "wrong-relation-1.00", "--captions", file]
    got = explain(capella, folder, caption["image_id"], *options, "--format", "json").json()
    text = next(r["caption"] for r in json.loads(file.read_text()) if str(r["image_id"]) == caption["image_id"])
    assert got["caption"] == text
    assert got["lnP"] == pytest.approx(caption["lnP"], rel=1e-12)
    assert sorted(c["p"] for c in got["claims"]) == [c["p"] for c in got["claims"]]  # the least probable first
    expected = {tuple(c["atom"]): c["p"] for c in caption["query"]}
    assert {tuple(c["atom"]): c["p"] for c in got["claims"]} == pytest.approx(expected, rel=1e-12)
    for claim in got["claims"]:
        assert claim["without"] >= -1e-12
        strengths = [abs(reason["contribution"]) for reason in claim["reasons"]]
        assert strengths == sorted(strengths, reverse=True)
    words = explain(capella, folder, caption["image_id"], *options).out
    assert words.startswith(f'"{text}"\nwrong-relation-1.00, image {caption["image_id"]}: log-probability ')


def test_contrast_of_two_captions(capella, stages):
    folder, _ = stages
    results = json.loads((folder / "results.json").read_text())["captions"]
    first, second = (
        {c["image_id"]: c for c in results if c["system"] == f"wrong-relation-{rate}" and "skipped" not in c}
        for rate in ("0.00", "1.00")
    )
    image = next(i for i in first if i in second and first[i]["lnP"] != second[i]["lnP"])
    options = ["--system", "wrong-relation-0.00", "--against", "wrong-relation-1.00"]
    difference = second[image]["lnP"] - first[image]["lnP"]
    words = explain(capella, folder, image, *options).out
    verb = "loses" if difference < 0 else "gains"
    assert f"The second {verb} {abs(difference):.2f} nats against the first." in words
    assert "says" in words


def test_published_table(capella, tmp_path):
    """The correlations were computed with scipy from the paper's table."""
    for half, pearson in (("validation", -0.7676606640489909), ("test", -0.5233154305494112)):
        got = capella("mln", "report", "--published", half, "--format", "json", "--pictures", "p").json()
        assert got["pearson"] == pytest.approx(pearson, rel=1e-12)
        assert len(got["systems"]) == 8
        assert f"{half} images" in (tmp_path / "p" / "published.svg").read_text()


@pytest.fixture
def inputs(stages, world, tmp_path, write):
    """Links to good files of every kind, and broken ones."""
    folder, _ = stages
    for name in ["triplets.jsonl", "rules.mln", "network.mln", "mil.npz", "ground.jsonl", "nli.jsonl", "results.json"]:
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "objects.jsonl").symlink_to(world / "objects.jsonl")
    (tmp_path / "captions.json").symlink_to(world / "systems" / "wrong-relation-0.00.json")
    write("other.json", {"nobody": "a man is riding a bike"})

    def damaged(name, line, text):
        rows = (tmp_path / name).read_text().splitlines()
        rows[line - 1] = text
        write(f"bad-{name}", "\n".join(rows) + "\n")

    damaged("triplets.jsonl", 3, '{"image_id": 1, "triplets": [["a", "b"]]}')
    damaged("ground.jsonl", 2, '{"image_id": "7", "things": []}')
    damaged("nli.jsonl", 4, '{"image_id": "7", "atom": ["a", "b", "c"], "p": [0.5, 0.5, 0.5]}')
    damaged("objects.jsonl", 5, '{"image_id": "7"}')
    write("bad.mln", "thing = {A, B}\nP(thing)\n0.5 P(x) ^ Q(x)\n")
    write("bad-captions.json", '[{"image_id": 1, "caption": "a"},\n {"image_id": 2]')
    write("bad-concepts.jsonl", '{"image_id": "1", "concept": "Ride"}\n{"image_id": "2", "labels": []}\n')
    write("bad-ranks.jsonl", '{"image_id": "1", "atoms": [["a", "b", "c"]], "ranks": [[1, 2]]}\n')
    write("bad-pairs.tsv", "neutral\ta man\ta dog\nperhaps\ta man\ta dog\n")
    write("val.jsonl", '{"image_id": "1", "split": "val", "triplets": []}\n')
    write("full/letter.txt", "mine")


BAD_DATA = [
    # triplets
    ("triplets absent.json", ["absent.json"]),
    ("triplets bad-captions.json", ["bad-captions.json:2"]),
    ("triplets captions.json --objects bad-objects.jsonl", ["bad-objects.jsonl:5", "no objects"]),
    ("triplets captions.json --exclude absent.json", ["absent.json"]),
    # structure
    ("structure absent.jsonl", ["absent.jsonl"]),
    ("structure bad-triplets.jsonl", ["bad-triplets.jsonl:3: triplet 1 is a list of 2"]),
    ("structure captions.json", ["captions.json:1: "]),
    ("structure val.jsonl", ["val.jsonl: no row of split train or restval"]),
    # weights
    ("weights bad.mln triplets.jsonl", ["bad.mln:3"]),
    ("weights rules.mln bad-triplets.jsonl", ["bad-triplets.jsonl:3"]),
    # mil
    ("mil absent.jsonl triplets.jsonl", ["absent.jsonl"]),
    ("mil bad-objects.jsonl triplets.jsonl", ["bad-objects.jsonl:5: the row has no objects, expected {"]),
    ("mil objects.jsonl bad-triplets.jsonl", ["bad-triplets.jsonl:3"]),
    ("mil triplets.jsonl triplets.jsonl", ["triplets.jsonl:1: the row has no objects"]),
    ("mil objects.jsonl --model network.mln --image 1 --claim a:b:c", ["network.mln"]),
    # ground
    ("ground absent.mln objects.jsonl", ["absent.mln"]),
    ("ground bad.mln objects.jsonl", ["bad.mln:3"]),
    ("ground network.mln bad-objects.jsonl", ["bad-objects.jsonl:5"]),
    ("ground network.mln objects.jsonl --mil triplets.jsonl", ["triplets.jsonl"]),
    ("ground network.mln --references bad-captions.json", ["bad-captions.json:2"]),
    # nli
    ("nli absent.jsonl captions.json", ["absent.jsonl"]),
    ("nli triplets.jsonl captions.json", ["triplets.jsonl:1: ", "expected a file that capella mln ground wrote"]),
    ("nli bad-ground.jsonl captions.json", ["bad-ground.jsonl:2: "]),
    ("nli ground.jsonl bad-captions.json", ["bad-captions.json:2"]),
    ("nli ground.jsonl other.json", ["ground.jsonl: none of its images has a caption"]),
    ("nli --pairs bad-pairs.tsv", ["bad-pairs.tsv:2: found the label 'perhaps'"]),
    # infer
    ("infer --ground ground.jsonl --nli absent.jsonl", ["absent.jsonl"]),
    ("infer --ground ground.jsonl --nli bad-nli.jsonl", ["bad-nli.jsonl:4: p sums to 1.5"]),
    ("infer --ground bad-ground.jsonl --nli nli.jsonl", ["bad-ground.jsonl:2: "]),
    ("infer --ground ground.jsonl --nli triplets.jsonl", ["triplets.jsonl:1: the row has no atom"]),
    # report
    ("report absent.json", ["absent.json"]),
    ("report captions.json", ["captions.json: ", "expected a file that capella mln infer wrote"]),
    ("report results.json --scores captions.json", ["captions.json: expected what capella score --format json prints"]),
    ("report results.json --concepts bad-concepts.jsonl", ["bad-concepts.jsonl:2: labels is an empty list"]),
    ("report --ranks bad-ranks.jsonl --ground ground.jsonl", ["bad-ranks.jsonl:1: a worker gave 2 ranks, expected 1"]),
    ("report --task --ground bad-ground.jsonl", ["bad-ground.jsonl:2: "]),
]


@pytest.mark.parametrize("arguments, parts", BAD_DATA, ids=[arguments for arguments, _ in BAD_DATA])
def test_bad_data_is_named_and_nothing_is_written(capella, inputs, tmp_path, arguments, parts):
    before = sorted(tmp_path.rglob("*"))
    assert capella("mln", *arguments.split(), "-o", "out").failed(1, *parts)
    assert sorted(tmp_path.rglob("*")) == before


BAD_USE = [
    ("triplets captions.json", ["--output"]),
    ("triplets captions.json -o captions.json", ["captions.json: is read or written already"]),
    ("structure triplets.jsonl -o out --literals 9", ["--literals"]),
    ("structure triplets.jsonl -o out --mode deep", ["--mode"]),
    ("mil objects.jsonl triplets.jsonl", ["-o"]),
    ("mil objects.jsonl -o out", ["TRIPLETS"]),
    ("mil objects.jsonl triplets.jsonl -o out --attention sharp", ["--attention"]),
    ("mil objects.jsonl --model mil.npz -o out", ["--image"]),
    ("mil objects.jsonl --model mil.npz --image 1 --claim man:ride -o out", ["man:ride", "SUBJECT:PREDICATE:OBJECT"]),
    ("ground network.mln -o out", ["OBJECTS", "--references"]),
    ("ground network.mln objects.jsonl --references captions.json -o out", ["OBJECTS", "--references"]),
    ("nli -o out", ["GROUND"]),
    ("nli ground.jsonl captions.json", ["-o FILE.jsonl is missing"]),
    ("nli ground.jsonl captions.json --pairs bad-pairs.tsv -o out", ["--pairs"]),
    ("nli ground.jsonl a=captions.json -o captions.json", ["captions.json: is read or written already"]),
    ("infer --ground ground.jsonl", ["--ground and --nli go together"]),
    ("infer network.mln --ground ground.jsonl --nli nli.jsonl", ["NET is not compatible with --ground and --nli; leave it out"]),
    ("infer --ground ground.jsonl --nli nli.jsonl --margin 2", ["--margin"]),
    ("infer --ground ground.jsonl --nli nli.jsonl --results nli.jsonl", ["nli.jsonl: is read or written already"]),
    ("report", ["expected one of RESULTS, --published, --explain, --ranks and --task"]),
    ("report results.json --published test", ["expected one of"]),
    ("report results.json --scores a --concepts b", ["ask for one at a time"]),
    ("report --published both", ["--published"]),
    ("report --explain 1 --ground ground.jsonl", ["--explain needs"]),
    ("report --explain 1 --system nobody --ground ground.jsonl --nli nli.jsonl", ["unknown system 'nobody'"]),
    ("report --explain none --system wrong-relation-0.00 --ground ground.jsonl --nli nli.jsonl", ["no image 'none'"]),
    ("report --ranks bad-ranks.jsonl", ["--ranks needs --ground"]),
    ("report --task", ["--task needs --ground"]),
    ("run -o out", ["either a generated world, or captions"]),
    ("run --world new --train captions.json -o out", ["either a generated world, or captions"]),
    ("run --train captions.json -o out", ["--references"]),
    ("run --world new --images 10 -o out", ["a world of 10 images, expected 50 or more"]),
    ("run --train captions.json --references other.json --system other.json -o full", ["full: holds files that no"]),
    ("run --world new --rules loose -o out", ["--rules"]),
    ("stroll", ["stroll"]),
]


@pytest.mark.parametrize("arguments, parts", BAD_USE, ids=[arguments for arguments, _ in BAD_USE])
def test_wrong_use_is_told(capella, inputs, tmp_path, arguments, parts):
    before = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert capella("mln", *arguments.split()).failed(2, *parts)
    after = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert [path for path in after if path not in before and path.name != "stages.json"] == []
