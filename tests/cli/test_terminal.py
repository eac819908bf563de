"""What a terminal shows: tables and help as wide as it is, and the right word for a slip."""

import fcntl
import functools
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from program import PROGRAM, ROOT, call

SYSTEMS = sorted((ROOT / "examples/systems").glob("*.json"))
SCORE = ["score", ROOT / "examples/scenes.json", *SYSTEMS, "-m", "available", "--ci", "--resamples", "40"]
COMPARE = ["compare", ROOT / "examples/scenes.json", *SYSTEMS, "-m", "bleu,rouge-l,cider-d"]


def in_terminal(columns, *words, env=None, folder=None):
    """What the program prints on a terminal of that width."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    modes = termios.tcgetattr(follower)
    modes[1] &= ~termios.OPOST  # or lines end in \r\n
    termios.tcsetattr(follower, termios.TCSANOW, modes)
    whole = {**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, **(env or {})}
    command = [PROGRAM, *map(str, words)]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL, env=whole, cwd=folder) as running:
        os.close(follower)
        pieces = []
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the program has ended
                piece = b""
            if not piece:
                break
            pieces.append(piece)
    os.close(leader)
    return b"".join(pieces).decode()


@functools.cache
def redirected(*words):
    return call(*words).out


@functools.cache
def folded(*words):
    return in_terminal(80, *words)


def every_command():
    script = call("completion", "bash").out
    names = re.findall(r'^    "?([\w-]+(?: [\w-]+)?)"?\) words="-h', script, re.MULTILINE)
    assert len(names) > 40 and "score" in names and "mln infer" in names
    return [[], *(name.split() for name in names)]


def widest(text):
    return max(map(len, text.splitlines()))


@pytest.fixture(scope="module")
def helps():
    return {" ".join(words): call(*words, "--help") for words in every_command()}


def test_no_help_is_wider_than_80_columns(helps):
    for command, run in helps.items():
        assert run.code == 0 and run.err == "", command
        assert widest(run.out) <= 80, command


def test_every_help_has_an_example(helps):
    for command, run in helps.items():
        assert re.search(rf"^  capella {command}\b", run.out, re.MULTILINE), command


def test_help_is_as_wide_as_the_terminal():
    narrow, wide = in_terminal(60, "meta", "--help"), in_terminal(100, "meta", "--help")
    prose = [text[: text.index("Examples:")] for text in (narrow, wide)]
    assert widest(prose[0]) <= 60 and 80 < widest(prose[1]) <= 100
    assert prose[0].split() == prose[1].split()


def test_the_bare_program_lists_its_commands(capella, helps):
    run = capella()
    assert run.failed(2) and run.err == helps[""].out
    listed = re.findall(r"^  ([a-z]+)  ", run.err, re.MULTILINE)
    assert sorted(set(listed)) == sorted({command.split()[0] for command in helps if command})
    assert capella("mln").failed(2) and capella("mln").err == helps["mln"].out


@pytest.mark.parametrize("words", [SCORE, COMPARE, ["metrics"]], ids=["score", "compare", "metrics"])
def test_no_table_is_wider_than_the_terminal(words):
    assert widest(redirected(*words)) > 80
    assert widest(folded(*words)) <= 80


@pytest.mark.parametrize("words", [SCORE, COMPARE], ids=["score", "compare"])
def test_a_folded_report_has_every_value(words):
    whole, narrow = redirected(*words), folded(*words)
    table = whole[: whole.index("\n\n")]
    for word in table.split():
        if not word.startswith("--"):
            assert narrow.split().count(word) >= table.split().count(word), word
    without_spaces = re.sub(r"\s", "", narrow)
    for line in whole[len(table) :].splitlines():
        if "|" in line and not line.startswith(" "):  # a signature
            assert re.sub(r"\s", "", line) in without_spaces


def test_a_terminal_that_is_wide_enough_shows_what_a_file_gets():
    words = ["score", ROOT / "examples/scenes.json", SYSTEMS[0], "-m", "bleu,rouge-l,cider-d,chrf", "--short-signatures"]
    assert widest(redirected(*words)) > 60
    assert in_terminal(200, *words) == redirected(*words)
    assert in_terminal(60, *words) != redirected(*words)
    assert in_terminal(60, *words, env={"COLUMNS": "200"}) == redirected(*words)


@pytest.mark.parametrize("format", ["json", "csv", "md", "latex", "plain"])
def test_other_formats_know_no_terminal(format):
    words = ["score", ROOT / "examples/scenes.json", *SYSTEMS, "-m", "bleu,cider-d", "--format", format]
    assert in_terminal(40, *words) == call(*words).out


def test_a_file_knows_no_terminal(tmp_path):
    assert in_terminal(40, *COMPARE, "-o", tmp_path / "out.txt") == ""
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == redirected(*COMPARE)


SCORED = ["score", "refs.json", "hyps.json"]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["scor"], "score"),
        (["mln", "infr"], "infer"),
        (["composite", "featurs"], "features"),
        ([*SCORED, "--treads", "1"], "--threads"),
        ([*SCORED, "-m", "blue"], "bleu"),
        ([*SCORED, "-m", "METEORR"], "meteor"),
        ([*SCORED, "-m", "sentence"], "sentence-cosine"),
        ([*SCORED, "--df", "coco-vall"], "coco-val"),
        ([*SCORED, "--set", "cider-d.df=coco-vall"], "coco-val"),
        ([*SCORED, "--set", "cider-d.sgima=6"], "sigma"),
        ([*SCORED, "--set", "cidre-d.sigma=6"], "cider-d"),
        ([*SCORED, "-m", "hwcm", "--set", "hwcm.chains=valus"], "values"),
        ([*SCORED, "--format", "jsn"], "json"),
        ([*SCORED, "--format", "JSON"], "json"),
        ([*SCORED, "--tokenizer", "ptbb"], "ptb"),
        ([*SCORED, "--missing", "skp"], "skip"),
        ([*SCORED, "--ci", "--ci-method", "percentil"], "percentile"),
        ([*SCORED, "-m", "bleu", "--device", "cdua"], "cuda"),
        (["compare", "refs.json", "a=hyps.json", "b=hyps.json", "--test", "bootstra"], "bootstrap"),
        (["compare", "refs.json", "one=hyps.json", "two=hyps.json", "--baseline", "tow"], "two"),
        (["explain", "refs.json", "hyps.json", "--id", "1", "--format", "svgg"], "svg"),
        (["meta", "flickr8k", "x"], "flickr8k-cf"),
        (["meta", "nebulla", "x"], "nebula"),
        (["meta", "prepar", "x"], "prepare"),
        (["meta", "challenge-set", "refs.json", "--kinds", "negatoin"], "negation"),
        (["data", "gte", "meteor"], "get"),
        (["data", "get", "metoer"], "meteor"),
        (["completion", "bsh"], "bash"),
        (["parse", "refs.json", "--format", "grph"], "graph"),
        (["pregen", "metrics", "x", "--filter0", "cod"], "code"),
        (["mln", "infer", "x", "--method", "gibs"], "gibbs"),
        (["mln", "weights", "x", "y", "--objective", "pseud", "-o", "z"], "pseudo"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_slip_gets_the_right_word(capella, small, words, meant):
    assert capella(*words).failed(2, f"'{meant}'")


def test_nothing_is_suggested_for_a_name_that_is_far_from_all(capella, small):
    run = capella(*SCORED, "-m", "perplexity")
    assert run.failed(2) and re.findall("'(.*?)'", run.err) == ["perplexity"]


@pytest.mark.parametrize("spaced", ["bleu, cider-d", " bleu ,cider-d ", "bleu ,  cider-d,"])
def test_lists_may_have_spaces(capella, small, spaced):
    assert capella(*SCORED, "-m", spaced).raw == capella(*SCORED, "-m", "bleu,cider-d").raw


def test_every_kind_of_list_may_have_spaces(capella, small):
    kinds = ["meta", "challenge-set", "refs.json", "--kinds"]
    assert capella(*kinds, "truncated, repeated").raw == capella(*kinds, "truncated,repeated").raw
    strata = ["pregen", "strata", ROOT / "examples/scenes.json", SYSTEMS[0], "--scores"]
    spaced = capella(*strata, "CIDEr, BLEU-4")
    assert spaced.code == 0 and spaced.raw == capella(*strata, "CIDEr,BLEU-4").raw
