"""README prints the figures that are recorded: the checker passes on ours and fails on every way to break it."""

import csv
import shutil
import subprocess
import sys

import pytest

from program import ROOT

CHECKER = ROOT / "tools" / "check_claims.py"


def check(root, *words):
    return subprocess.run([sys.executable, CHECKER, "--root", root, *words], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    """README and its claims, outside of the repository's history."""
    root = tmp_path / "copy"
    (root / "docs/evidence").mkdir(parents=True)
    shutil.copy(ROOT / "README.md", root)
    shutil.copy(ROOT / "docs/evidence/claims.csv", root / "docs/evidence")
    return root


@pytest.fixture
def small(tmp_path):
    """One claim with the value 12, and a function that writes the README beside it and checks."""
    claims = tmp_path / "docs/evidence/claims.csv"
    claims.parent.mkdir(parents=True)
    claims.write_text("id,sentence,command,value,tolerance,data,commit\none,It is twelve.,echo 12,12,0,,0000000\n")

    def checked(text):
        (tmp_path / "README.md").write_text(text)
        return check(tmp_path).returncode

    return checked


def edited(copy, old, new):
    readme = copy / "README.md"
    text = readme.read_text(encoding="utf-8")
    assert old in text
    readme.write_text(text.replace(old, new, 1), encoding="utf-8")
    return check(copy).returncode


def claims():
    with (ROOT / "docs/evidence/claims.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_readme_prints_what_is_recorded(copy):
    assert check(ROOT).returncode == 0
    assert check(copy).returncode == 0


@pytest.mark.parametrize("name", [row["id"] for row in claims()])
def test_every_recorded_value_guards_the_printed_one(copy, name):
    path = copy / "docs/evidence/claims.csv"
    rows = claims()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "value": 2 * float(row["value"])} if row["id"] == name else row for row in rows)
    assert check(copy).returncode == 1


@pytest.mark.parametrize("name", [row["id"] for row in claims()])
def test_every_claim_has_to_be_beside_its_figure(copy, name):
    assert edited(copy, f"<!-- claim: {name} -->", "") == 1


@pytest.mark.parametrize("name", [row["id"] for row in claims()])
def test_a_claim_without_a_row_fails(copy, name):
    assert edited(copy, f"<!-- claim: {name} -->", "<!-- claim: no-such-claim -->") == 1


@pytest.mark.parametrize(
    "figure",
    ["12 times faster", "12x", "12-fold", "12 %", "12 s", "12 MB", "12 captions", "12 captions per second", "tau-c .12"]
    + ["Pearson 12", "a correlation of 12", "12 language pairs", "12\ncaptions", "1,200 images", "it is .12", "it is 0.12", "12 GiB"],
)
def test_a_figure_needs_a_claim(copy, small, figure):
    assert small(f"Capella: {figure}.\n") == 1
    assert edited(copy, "## Install", f"Capella: {figure}.\n\n## Install") == 1


@pytest.mark.parametrize(
    "text",
    ["Python 3.12", "METEOR 1.5", "BLEU-4", "C++20", "in 2018", "p < .05"]
    + ["`12 MB`", "    12 MB", "```\n12 MB\n```", "[a](12x.md)"],
)
def test_what_is_not_a_figure_needs_no_claim(small, text):
    assert small(f"{text}\n") == 0


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("12<!-- claim: one --> captions", 0),
        ("**12**<!-- claim: one --> captions", 0),
        ("12.0<!-- claim: one --> captions", 0),
        ("13<!-- claim: one --> captions", 1),
        ("12.1<!-- claim: one --> captions", 1),
        ("12 captions\n<!-- claim: one -->", 1),
        ("12 captions, 12 MB<!-- claim: one -->", 1),
        ("12 captions<!-- claim: one -->, 12 MB<!-- claim: one -->", 0),
        ("captions<!-- claim: one -->", 1),
    ],
)
def test_a_claim_covers_the_figure_before_it(small, text, status):
    assert small(f"{text}\n") == status


@pytest.mark.parametrize(("value", "tolerance", "status"), [(12, 0, 0), (10, 2, 0), (10, 1, 1)])
def test_measuring_again_compares_within_the_tolerance(tmp_path, value, tolerance, status):
    (tmp_path / "docs/evidence").mkdir(parents=True)
    (tmp_path / "build").mkdir()
    (tmp_path / "build/capella").touch()
    row = f"one,It is twelve.,echo from 7 to 12,{value},{tolerance},,0000000"
    text = f"id,sentence,command,value,tolerance,data,commit\n{row}\n"
    (tmp_path / "docs/evidence/claims.csv").write_text(text)
    assert check(tmp_path, "--measure", "one").returncode == status


def test_measuring_without_the_data_is_one_clear_error(tmp_path):
    (tmp_path / "docs/evidence").mkdir(parents=True)
    (tmp_path / "build").mkdir()
    (tmp_path / "build/capella").touch()
    row = "one,It is twelve.,echo 12,12,0,shared:no/such/file.json,0000000"
    text = f"id,sentence,command,value,tolerance,data,commit\n{row}\n"
    (tmp_path / "docs/evidence/claims.csv").write_text(text)
    done = check(tmp_path, "--measure", "one")
    assert done.returncode == 1 and done.stdout == ""
    assert "no/such/file.json" in done.stderr and "docs/evidence/README.md" in done.stderr


def test_a_commit_outside_of_the_history_fails(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], cwd=tmp_path, check=True)

    (tmp_path / "docs/evidence").mkdir(parents=True)
    (tmp_path / "README.md").write_text("12<!-- claim: one --> captions\n")
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "x")
    words = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    for name, status in ((commit, 0), ("0" * 40, 1), ("", 1)):
        text = f"id,sentence,command,value,tolerance,data,commit\none,Twelve.,echo 12,12,0,,{name}\n"
        (tmp_path / "docs/evidence/claims.csv").write_text(text)
        assert check(tmp_path).returncode == status
