"""capella explain --format svg: a picture that any XML parser reads."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawn(capella, meteor_data, write):
    """Explains the caption against the references; returns the picture's root."""

    def draw(caption, references, *options):
        write("refs.json", {"1": references})
        write("hyps.json", {"1": caption})
        run = capella(
            "explain", "refs.json", "hyps.json", "--id", "1", "-m", "meteor", "--format", "svg", *options
        )
        assert run.code == 0, run.err
        return ElementTree.fromstring(run.raw)

    return draw


def texts(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def links(root):
    """What the lines' tips say."""
    return {element.find(f"{SVG}title").text for element in root.iter(f"{SVG}path") if len(element)}


def test_the_picture_has_every_word_and_link(drawn):
    root = drawn("the car is big", ["two cats", "the automobile is red"])
    assert root.tag == f"{SVG}svg" and float(root.get("width")) > 100 and float(root.get("height")) > 100
    words = texts(root)
    for word in ["the", "car", "is", "big", "automobile", "red", "caption", "reference"]:
        assert word in words
    assert links(root) == {"exact: the - the", "synonym: car - automobile", "exact: is - is"}
    assert root.find(f"{SVG}title").text.startswith("METEOR")
    assert "car - automobile" in root.find(f"{SVG}desc").text


def test_the_ground_is_white(drawn):
    [ground, *_] = drawn("a dog", ["a dog"]).iter(f"{SVG}rect")
    assert (ground.get("width"), ground.get("height"), ground.get("fill")) == ("100%", "100%", "#ffffff")


def test_phrases_are_one_link(drawn):
    root = drawn("the choice is wide .", ["the selection is broad ."], "--tokenizer", "none")
    assert "paraphrase: choice is - selection is" in links(root)


@pytest.mark.parametrize(
    "caption", ["", '<script>alert(1)</script> & "R&B"', "犬 🐶 it's", "a\u0001b\ufffe\u0000c"]
)
def test_odd_captions(drawn, caption):
    drawn(caption, ["a dog & a <b> cat"], "--tokenizer", "none")


def test_two_hundred_words(drawn):
    words = " ".join(f"word{k}" for k in range(200))
    root = drawn(words, [" ".join(reversed(words.split()))])
    assert texts(root).count("word7") == 2
    assert len(links(root)) == 200


def test_json_has_the_alignment(capella, meteor_data, small):
    run = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "meteor,bleu", "--format", "json")
    meteor, bleu = json.loads(run.out)
    assert bleu["alignments"] == []
    [alignment] = meteor["alignments"]
    first = alignment["links"][0]
    start, length = first["upper"]
    assert alignment["upper"][start : start + length] and first["kind"] in (
        "exact",
        "stem",
        "synonym",
        "paraphrase",
    )


def test_the_picture_goes_to_a_file(capella, meteor_data, small, tmp_path):
    run = capella(
        "explain", "refs.json", "hyps.json", "--id", "2", "-m", "meteor", "--format", "svg", "-o", "a.svg"
    )
    assert (run.code, run.out) == (0, "")
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag == f"{SVG}svg"


def test_metrics_without_a_picture(capella, small):
    run = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "bleu,rouge-l", "--format", "svg")
    assert run.failed(2, "bleu, rouge-l", "meteor")


def test_some_metrics_without_a_picture(capella, meteor_data, small):
    run = capella("explain", "refs.json", "hyps.json", "--id", "1", "-m", "bleu,meteor", "--format", "svg")
    assert run.code == 0 and "note: no figure of bleu" in run.err
    assert ElementTree.fromstring(run.raw).find(f"{SVG}title").text.startswith("METEOR")


@pytest.mark.parametrize("command", [["score", "refs.json", "hyps.json"], ["metrics"], ["verify"]])
def test_other_commands_do_not_draw(capella, small, command):
    assert capella(*command, "--format", "svg").failed(2, "unknown format 'svg'")


def test_explain_names_its_formats(capella, small):
    assert "svg" in capella("explain", "--help").out
    run = capella("explain", "refs.json", "hyps.json", "--id", "1", "--format", "latex")
    assert run.failed(2, "latex", "table, json, svg")
