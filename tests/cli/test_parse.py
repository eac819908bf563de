"""capella parse: captions and trees in, grammar and scenes out."""

import gzip
import json
import xml.etree.ElementTree as ElementTree

import pytest

from program import REFERENCES

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


@pytest.mark.parametrize("text", ["", "\n", ".\n", "!!!\n", "🐶🐶\n", "犬が走る\n", "a " * 1000, "x" * 5000, "\u200b\n"])
@pytest.mark.parametrize("format", ["graph", "conll", "dot", "svg"])
def test_anything_goes(capella, text, format):
    run = capella("parse", "-", "--format", format, stdin=text.encode())
    assert run.code == 0 or "empty" in run.err or "no " in run.err, run.err


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
