"""capella parse: captions and trees in, grammar and scenes out."""

import gzip
import json
import random
import xml.etree.ElementTree as ElementTree

import pytest

from program import REFERENCES, ROOT

TREES = """# text = A big dog runs on grass.
1\tA\ta\tDT\t3\tdet
2\tbig\tbig\tJJ\t3\tamod
3\tdog\tdog\tNN\t4\tnsubj
4\truns\trun\tVBZ\t0\troot
5\ton\ton\tIN\t6\tcase
6\tgrass\tgrass\tNN\t4\tnmod
7\t.\t.\t.\t4\tpunct

"""
TUPLES = [["dog"], ["dog", "big"], ["dog", "run on", "grass"], ["grass"]]

pytestmark = pytest.mark.usefixtures("meteor_data")


def lines(run):
    assert run.code == 0, run.err
    return [json.loads(line) for line in run.out.splitlines()]


@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
def test_trees_to_tuples(capella, write, pack):
    write("trees.conll", pack(TREES))
    [line] = lines(capella("parse", "--trees", "trees.conll"))
    assert line == {"text": "A big dog runs on grass.", "tuples": TUPLES}


def test_trees_come_back_as_they_were(capella, write):
    write("trees.conll", TREES * 2)
    assert capella("parse", "--trees", "trees.conll", "--format", "conll").out == TREES * 2


def test_trees_from_standard_input(capella):
    [line] = lines(capella("parse", "--trees", "-", stdin=TREES.encode()))
    assert line["tuples"] == TUPLES


def test_words_that_mean_the_same_are_one(capella, write):
    trees = "1\tbikes\tbike\tNNS\t0\troot\n2\tand\tand\tCC\t1\tcc\n3\tbicycles\tbicycle\tNNS\t1\tconj\n\n"
    write("trees.conll", trees)
    [joined] = lines(capella("parse", "--trees", "trees.conll"))
    assert joined["tuples"] in ([["bike/bicycle"]], [["bicycle/bike"]])
    [apart] = lines(capella("parse", "--trees", "trees.conll", "--no-synsets"))
    assert apart["tuples"] == [["bicycle"], ["bike"]]


def test_dot(capella, write):
    write("trees.conll", TREES)
    out = capella("parse", "--trees", "trees.conll", "--format", "dot").out
    assert out.startswith("digraph") and out.count("->") == 3 and 'label="run on"' in out


def test_svg_into_a_file(capella, write, tmp_path):
    write("trees.conll", TREES)
    run = capella("parse", "--trees", "trees.conll", "--format", "svg", "-o", "scene.svg")
    assert run.code == 0 and run.out == ""
    texts = [e.text for e in ElementTree.parse(tmp_path / "scene.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert {"dog", "big", "run on", "grass", "A big dog runs on grass."} <= set(texts)


def test_captions_of_every_shape(capella, write):
    texts = [caption for captions in REFERENCES.values() for caption in captions]
    write("refs.json", REFERENCES)
    write("rows.csv", "image_id,caption\n" + "".join(f"{k},{text}\n" for k, text in enumerate(texts)))
    write("lines.txt", "".join(text + "\n" for text in texts))
    write("joint.json", [{"image_id": 1, "test": texts[0], "refs": texts[1:]}])
    by_id = lines(capella("parse", "refs.json"))
    assert [line["text"] for line in by_id] == texts
    assert [line["id"] for line in by_id] == [id for id, captions in REFERENCES.items() for _ in captions]
    plain = lines(capella("parse", "lines.txt"))
    assert all(list(line) == ["text", "tuples"] for line in plain)
    for name in ["rows.csv", "lines.txt", "joint.json"]:
        found = lines(capella("parse", name, "--threads", "3"))
        assert [line["tuples"] for line in found] == [line["tuples"] for line in by_id], name
    stdin = lines(capella("parse", "-", stdin="\n".join(texts).encode()))
    assert stdin == plain


def test_a_caption_is_taken_apart(capella):
    [line] = lines(capella("parse", "-", stdin=b"A young girl is standing on a tennis court.\n"))
    assert line["tuples"] == [
        ["court"], ["court", "tennis"], ["girl"], ["girl", "stand on", "court"], ["girl", "young"]
    ]  # fmt: skip
    out = capella("parse", "-", "--format", "conll", stdin=b"two men\n").out
    assert out == "# text = two men\n1\ttwo\ttwo\tCD\t2\tnummod\n2\tmen\tman\tNNS\t0\troot\n\n"


def test_the_tokenizer_is_a_choice(capella):
    words = capella("parse", "-", "--tokenizer", "ptb-iso", "--format", "conll", stdin=b"A DOG!\n").out
    assert [line.split("\t")[1] for line in words.splitlines() if "\t" in line] == ["a", "dog"]


def thousand_words():
    """Words of the example captions, in a random order."""
    captions = json.loads((ROOT / "examples/systems/careful.json").read_text())
    words = sorted({word for row in captions for word in row["caption"].split()})
    return " ".join(random.Random(7).choices(words, k=1000))


ODD = [".\n", "!!!\n", "🐶🐶\n", "犬が走る\n", "a " * 1000, thousand_words(), "x" * 5000, "\u200b\n"]


@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:8])
@pytest.mark.parametrize("format", ["graph", "conll", "dot", "svg"])
def test_anything_goes(capella, text, format):
    run = capella("parse", "-", "--format", format, stdin=text.encode())
    assert run.code == 0 and run.err == "" and run.out != "", run.err


@pytest.mark.parametrize("text", ["", "\n"])
def test_nothing_is_an_error(capella, text):
    assert capella("parse", "-", stdin=text.encode()).failed(1, "standard input", "empty", "captions")
    assert capella("parse", "--trees", "-", stdin=text.encode()).failed(1, "standard input", "empty", "trees")


def test_rows_that_are_left_out_are_counted_and_listed(capella, write):
    rows = [{"image_id": 1, "caption": "a dog"}, {"image_id": 2}, {"image_id": 3, "caption": 5}]
    write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert capella("parse", "rows.jsonl").failed(1, "rows.jsonl:2", "--skip-bad")
    run = capella("parse", "rows.jsonl", "--skip-bad")
    assert [line["id"] for line in lines(run)] == ["1"]
    assert "2 rows left out, 1 caption remains" in run.err
    assert "rows.jsonl:2" in run.err and "rows.jsonl:3" in run.err
    assert capella("parse", "rows.jsonl", "--skip-bad", "-q").err == ""


def test_joint_rows_that_are_left_out_are_listed(capella, write):
    write("joint.json", [{"image_id": 1, "test": "a dog", "refs": ["a cat"]}, {"image_id": 2, "test": "a man"}])
    run = capella("parse", "joint.json", "--skip-bad")
    assert [line["text"] for line in lines(run)] == ["a dog", "a cat"]
    assert "1 row left out, 2 captions remain" in run.err and run.err.count("joint.json:") == 1


@pytest.mark.parametrize("option", [["--tokenizer", "none"], ["--split", "test"], ["--skip-bad"]])
def test_options_for_captions_do_not_go_with_trees(capella, write, option):
    write("trees.conll", TREES)
    assert capella("parse", "--trees", "trees.conll", *option).failed(2, option[0], "--trees")


def test_trees_that_are_taken_for_captions_are_told(capella, write):
    write("trees.conll", TREES)
    run = capella("parse", "trees.conll")
    assert run.code == 0 and "did you mean --trees trees.conll?" in run.err
    assert "did you mean" not in capella("parse", "-", stdin=b"a dog\n1\tdog\tdog\tNN\t0\troot\n").err


def test_what_is_wrong_is_told(capella, write):
    write("trees.conll", "1\tdog\n\n")
    assert capella("parse", "--trees", "trees.conll").failed(1, "trees.conll:1")
    assert capella("parse").failed(2, "--trees")
    assert capella("parse", "a.txt", "--trees", "b.conll").failed(2, "--trees")
    assert capella("parse", "absent.txt").failed(1, "absent.txt")
    assert capella("parse", "--trees", "trees.conll", "--format", "table").failed(2, "graph", "svg")
    assert capella("parse", "--trees", "trees.conll", "-o", "trees.conll").failed(2, "trees.conll")


def test_the_grammar_alone_needs_no_data(capella, write, tmp_path):
    empty = {"CAPELLA_HOME": str(tmp_path / "empty")}
    write("trees.conll", TREES)
    assert capella("parse", "--trees", "trees.conll", "--format", "conll", env=empty).out == TREES
    assert capella("parse", "--trees", "trees.conll", env=empty).failed(1, "capella data get meteor")
