"""WMD on the command line: vectors in every format, values known by hand, settings, and what goes wrong."""

import gzip
import json
import math
import struct

import pytest

WORDS = {
    "man": (0, 0),
    "boy": (1, 0),
    "rides": (0, 3),
    "riding": (0.5, 3),
    "horse": (4, 0),
    "pony": (4, 1),
    "bike": (6, 2),
}

# The caption, its reference, and by mathematics how far they are apart.
PAIRS = [
    ("man rides horse", "boy riding pony", (1 + 0.5 + 1) / 3),  # each goes to its partner
    # "man" keeps 1/3 of its place; "bike" takes 1/6 of rides and 1/3 of horse; 1/6 of rides goes to "man".
    ("man rides horse", "man bike", 3 / 6 + math.hypot(6, 1) / 6 + math.hypot(2, 2) / 3),
    ("man man horse", "man horse horse", 4 / 3),  # a third of the mass moves by 4
    ("man", "boy pony", (1 + math.sqrt(17)) / 2),
]


def as_text(header):
    rows = "".join(f"{word} {x} {y}\n" for word, (x, y) in WORDS.items())
    return (f"{len(WORDS)} 2\n" if header else "") + rows


def as_binary(line_ends=True):
    rows = b"".join(
        word.encode() + b" " + struct.pack("<2f", *numbers) + (b"\n" if line_ends else b"")
        for word, numbers in WORDS.items()
    )
    return f"{len(WORDS)} 2\n".encode() + rows


FILES = {
    "glove.txt": as_text(header=False),
    "word2vec.txt": as_text(header=True),
    "word2vec.bin": as_binary(),
    "plain.bin": as_binary(line_ends=False),
    "glove.txt.gz": gzip.compress(as_text(header=False).encode()),
    "word2vec.bin.gz": gzip.compress(as_binary()),
}


@pytest.fixture
def pairs(write):
    """pairs.json: caption k against its one reference."""
    write("pairs.json", [{"image_id": k, "test": test, "refs": [ref]} for k, (test, ref, _) in enumerate(PAIRS)])


@pytest.fixture
def wmd(capella, pairs, home, tmp_path):
    """The scores of the pairs, and the signature, with some vectors."""

    def score(vectors, *settings):
        words = [word for setting in (f"vectors={vectors}", *settings) for word in ("--set", f"wmd.{setting}")]
        more = ["--format", "json", "--per-item", "items"]
        run = capella("score", "pairs.json", "-m", "wmd", "--tokenizer", "none", *words, *more, env=home)
        signature = run.json()["systems"][0]["scores"]["WMD"]["signature"]
        items = [json.loads(line) for line in (tmp_path / "items").read_text().splitlines()]
        return [item["scores"]["WMD"] for item in items], signature

    return score


@pytest.mark.parametrize("name", FILES)
def test_values_known_by_hand(capella, wmd, write, home, name):
    write(name, FILES[name])
    run = capella("data", "vectors", name, "-o", "own.vectors", env=home)
    assert run.code == 0 and "7 words in 2 dimensions" in run.err
    want = [math.exp(-distance) for _, _, distance in PAIRS]
    for vectors in (name, "own.vectors"):
        found, signature = wmd(vectors, "norm=raw")
        assert found == pytest.approx(want, rel=1e-14)
        assert "(7x2,#" in signature and "norm:raw" in signature and "solver:exact" in signature


def test_the_same_vectors_have_the_same_hash(capella, wmd, write, home):
    hashes = set()
    for name, content in FILES.items():
        write(name, content)
        hashes.add(wmd(name)[1].split("#")[1].split(")")[0])
    assert len(hashes) == 1


def test_vectors_of_unit_length(wmd, write):
    write("glove.txt", FILES["glove.txt"])
    found, signature = wmd("glove.txt")
    assert "norm:unit" in signature
    # Of length 1: horse (1, 0), boy (1, 0), pony (4, 1)/sqrt(17); man is (0, 0) and stays so: all 1 away.
    assert found[3] == pytest.approx(math.exp(-1), rel=1e-6)
    assert found[2] == pytest.approx(math.exp(-1 / 3), rel=1e-6)


def test_the_rounding_of_gensim_3(wmd, write):
    write("glove.txt", FILES["glove.txt"])
    found, signature = wmd("glove.txt", "norm=raw", "solver=gensim3")
    assert "solver:gensim3" in signature
    # {man} against {boy pony}: masses and costs become millionths; the cost of pony is the largest, a 32-bit float.
    (largest,) = struct.unpack("<f", struct.pack("<f", math.sqrt(17)))
    scale = 1e6 / largest
    units = 500_000 * math.floor(1 * scale + 0.5) + 500_000 * math.floor(largest * scale + 0.5)
    assert found[3] == math.exp(-(units / 1e6 / scale))
    exact = [math.exp(-distance) for _, _, distance in PAIRS]
    assert found != exact and found == pytest.approx(exact, rel=3e-5)


def test_the_nearest_reference_counts(capella, write, home):
    write("glove.txt", FILES["glove.txt"])
    write("refs.json", [{"image_id": 1, "test": "man", "refs": ["bike", "boy pony", "the boy", "zebra"]}])
    command = ["-m", "wmd", "--tokenizer", "none", "--set", "wmd.vectors=glove.txt", "--set", "wmd.norm=raw"]
    run = capella("score", "refs.json", *command, "--format", "json", env=home)
    assert run.scores()["WMD"] == pytest.approx(math.exp(-1), rel=1e-14)  # a stop word does not count
    [why] = capella("explain", "refs.json", "--id", 1, *command, "--format", "json", env=home).json()
    told = json.dumps(why)
    assert why["metric"] == "wmd" and "zebra" in told and "boy" in told


def test_texts_without_words_score_nothing(capella, write, home):
    write("glove.txt", FILES["glove.txt"])
    tests = ["", "zebra", "the of", "man"]
    write("odd.json", [{"image_id": k, "test": test, "refs": ["man"]} for k, test in enumerate(tests)])
    command = ["score", "odd.json", "-m", "wmd", "--tokenizer", "none", "--set", "wmd.vectors=glove.txt"]
    run = capella(*command, "--format", "json", env=home)
    assert run.scores()["WMD"] == 1 / 4


def test_vectors_are_converted_once_and_again_when_they_change(wmd, write, tmp_path):
    write("glove.txt", FILES["glove.txt"])
    first = wmd("glove.txt", "norm=raw")
    [kept] = (tmp_path / "home" / "vectors").glob("*.vectors")
    before = kept.stat().st_mtime_ns
    assert wmd("glove.txt", "norm=raw") == first and kept.stat().st_mtime_ns == before
    write("glove.txt", FILES["glove.txt"].replace("boy 1 0", "boy 2.5 0"))
    found, signature = wmd("glove.txt", "norm=raw")
    assert found[3] != first[0][3] and signature != first[1]


def test_eight_bits_and_fewer_words(capella, wmd, write, home, tmp_path):
    write("glove.txt", FILES["glove.txt"])
    assert capella("data", "vectors", "glove.txt", "--eight-bit", "-o", "eight.vectors", env=home).code == 0
    exact, _ = wmd("glove.txt", "norm=raw")
    # A number is off by at most 1/254 of the word's largest: here by less than 6/254 per coordinate and word.
    off = 2 * math.hypot(6 / 254, 6 / 254)
    for found, want in zip(wmd("eight.vectors", "norm=raw")[0], exact):
        assert abs(math.log(found) - math.log(want)) <= off
    run = capella("data", "vectors", "glove.txt", "--most-words", "3", "-o", "few.vectors", env=home)
    assert run.code == 0 and "3 words in 2 dimensions" in run.err
    assert "(3x2,#" in wmd("few.vectors")[1]


def test_results_do_not_depend_on_threads(capella, pairs, write, home):
    write("glove.txt", FILES["glove.txt"])
    command = ["score", "pairs.json", "-m", "wmd", "--set", "wmd.vectors=glove.txt", "--format", "json", "--threads"]
    assert capella(*command, 1, env=home).raw == capella(*command, 2, env=home).raw


def test_bad_files_name_their_line(capella, pairs, write, home, tmp_path):
    def failed(content, *parts):
        write("bad.txt", content)
        command = ["score", "pairs.json", "-m", "wmd", "--set", "wmd.vectors=bad.txt"]
        assert capella(*command, env=home).failed(1, "bad.txt", *parts)
        assert capella("data", "vectors", "bad.txt", "-o", "bad.vectors", env=home).failed(1, "bad.txt", *parts)
        assert not (tmp_path / "bad.vectors").exists()
        return True

    assert failed("man 0 0\nboy 1 nan\n", "bad.txt:2", "nan")
    assert failed("man 0 0\nboy inf 0\n", "bad.txt:2", "inf")
    assert failed("man 0 0\nboy 1\n", "bad.txt:2")
    assert failed("3 2\nman 0 0\nboy 1 0\n", "3")
    assert failed("")
    assert failed(as_binary()[:-6])
    assert failed(gzip.compress(as_binary())[:-12])


def test_missing_vectors_and_wrong_settings(capella, pairs, write, home):
    score = ["score", "pairs.json", "-m", "wmd", "--set"]
    assert capella(*score, "wmd.vectors=none.txt", env=home).failed(1, "none.txt", "captions")
    assert capella(*score, "wmd.norm=long", env=home).failed(2, "wmd.norm", "unit")
    assert capella(*score, "wmd.solver=gensim4", env=home).failed(2, "wmd.solver", "gensim3")
    assert capella(*score, "wmd.vector=x", env=home).failed(2, "'vectors'")
    write("glove.txt", FILES["glove.txt"])
    assert capella("data", "vectors", "glove.txt", env=home).failed(2, "-o")
    assert capella("data", "vectors", "-o", "x.vectors", env=home).failed(2)
    assert capella("data", "vectors", "none.txt", "-o", "x.vectors", env=home).failed(1, "none.txt")
    assert capella("data", "vectors", "glove.txt", "-o", "glove.txt", env=home).failed(2, "glove.txt")
    assert capella("data", "vectors", "glove.txt", "--most-words", "-1", "-o", "x.vectors", env=home).failed(2)


def test_the_vectors_that_are_shipped_need_no_data(capella, write, home):
    write("refs.json", {"1": ["a man rides a horse on the beach"]})
    for caption, name in [("a man rides a horse on the beach", "same"), ("a person riding a pony", "near")]:
        write(f"{name}.json", {"1": caption})
    write("far.json", {"1": "a plate of pizza in a kitchen"})
    score = {
        name: capella("score", "refs.json", f"{name}.json", "-m", "wmd", "--format", "json", env=home).scores()["WMD"]
        for name in ("same", "near", "far")
    }
    assert score["same"] == 1 > score["near"] > score["far"] > 0
