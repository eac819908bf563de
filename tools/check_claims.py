#!/usr/bin/env python3
"""Checks that README prints the figures that docs/evidence/claims.csv records, and measures them again.

    tools/check_claims.py                 check README against the recorded values
    tools/check_claims.py --list          list the claims
    tools/check_claims.py --measure ID    run a claim's command and compare what it prints with the recorded value

A figure is a number with a unit of measurement behind it (`UNIT`) or the name of a measure before it (`MEASURE`), or a
fraction such as .98, unless it is the level of a test (p < .05); all outside code. The comment `<!-- claim: ID -->`
follows it on the same line, before any other figure. What is printed is the recorded value, rounded to the digits that
are printed.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ["id", "sentence", "command", "value", "tolerance", "data", "commit"]

NUMBER = r"(?<![\w.,-])(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e-?\d+)?(?!\w*\d)"
COUNTED = "captions|images|segments|sentences|pairs|networks|correlations|scores|values|ratings|items|trials"
WORDS = rf"per ?cent|times|fold|points?|milliseconds|seconds|minutes|(?:[\w-]+ )?(?:{COUNTED})"
UNIT = rf"\s*(?:%|×|[MGk]i?B\b|m?s\b|x\b)|[\s-](?:{WORDS})\b"
NAME = r"Pearson|Kendall|Spearman|tau(?:-[abc])?|correlation|accuracy|R²"
MEASURE = rf"\b(?:{NAME})(?:'s r)?(?: (?:of|is|with))?\s*[=<]?\s*"
TOKEN = re.compile(
    rf"<!-- claim: (?P<claim>[\w-]+) -->|(?P<measure>{MEASURE})?(?P<number>{NUMBER})(?P<unit>{UNIT})?", re.IGNORECASE
)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`|\]\([^)]*\)|^ {4}.*$", re.MULTILINE)
LAST_NUMBER = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    id: str
    sentence: str
    command: str
    value: float
    tolerance: float
    data: list[str]  # shared:PATH, a path beside the repository, or package:NAME, as in `capella data get NAME`
    commit: str


@dataclass(frozen=True)
class Printed:
    """A figure in README and the claim beside it; either may be missing."""

    line: int
    number: str
    claim: str


def read_claims(path: Path) -> dict[str, Claim]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise SystemExit(f"{path}: found columns {reader.fieldnames}, expected {COLUMNS}")
        claims: dict[str, Claim] = {}
        for row in reader:
            where = f"{path}:{reader.line_num}"
            if row["id"] in claims:
                raise SystemExit(f"{where}: found the id '{row['id']}' twice, expected it once; rename one")
            try:
                value, tolerance = float(row["value"]), float(row["tolerance"])
            except ValueError as error:
                raise SystemExit(f"{where}: {error}; value and tolerance are numbers") from None
            claims[row["id"]] = Claim(
                row["id"], row["sentence"], row["command"], value, tolerance, row["data"].split(), row["commit"]
            )
    return claims


def blank(match: re.Match[str]) -> str:
    """Code becomes blanks, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", match[0])


def printed_figures(text: str) -> list[Printed]:
    prose = CODE.sub(blank, FENCE.sub(blank, text)).replace("*", "")
    found = []
    last: re.Match[str] | None = None  # the number that a claim may follow

    def end_of_figure(claim: str = "") -> None:
        fraction = last and last["number"].lstrip("0").startswith(".") and not prose[: last.start("number")].endswith("p < ")
        if last and (claim or fraction or last["unit"] or last["measure"]):
            found.append(Printed(prose.count("\n", 0, last.start("number")) + 1, last["number"], claim))

    for token in TOKEN.finditer(prose):
        if not token["claim"]:
            end_of_figure()
            last = token
        elif last and "\n" not in prose[last.end("number") : token.start()]:
            end_of_figure(token["claim"])
            last = None
        else:
            found.append(Printed(prose.count("\n", 0, token.start()) + 1, "", token["claim"]))
    end_of_figure()
    return found


def shown_as(value: float, number: str) -> str:
    """The value with as many decimals as the printed number has."""
    digits = number.replace(",", "")
    if "e" in digits.lower():
        return digits if float(digits) == value else repr(value)
    decimals = len(digits.partition(".")[2])
    text = f"{value:,.{decimals}f}" if "," in number else f"{value:.{decimals}f}"
    return text.removeprefix("0") if number.startswith(".") else text


def problems_of(printed: list[Printed], claims: dict[str, Claim]) -> list[str]:
    problems = []
    for one in printed:
        where = f"README.md:{one.line}"
        if not one.claim:
            problems.append(f"{where}: found the figure {one.number} without a claim; add <!-- claim: ID --> behind it")
        elif one.claim not in claims:
            problems.append(f"{where}: found the claim '{one.claim}', expected an id of docs/evidence/claims.csv")
        elif not one.number:
            problems.append(f"{where}: found the claim '{one.claim}' without a figure before it")
        elif (shown := shown_as(claims[one.claim].value, one.number)) != one.number:
            problems.append(f"{where}: found {one.number}, expected {shown}, the value recorded as '{one.claim}'")
    return problems


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def unknown_commits(root: Path, claims: dict[str, Claim]) -> list[str]:
    """Needs the whole history: nothing is said of an archive or a shallow clone."""
    if not (root / ".git").exists() or git(root, "rev-parse", "--is-shallow-repository") != "false":
        return []
    return [
        f"claims.csv: '{claim.id}' was measured at commit '{claim.commit}', which is not in this repository"
        for claim in claims.values()
        if not re.fullmatch(r"[0-9a-f]{7,40}", claim.commit) or git(root, "cat-file", "-t", claim.commit) != "commit"
    ]


def check(root: Path) -> int:
    claims = read_claims(root / "docs/evidence/claims.csv")
    printed = printed_figures((root / "README.md").read_text(encoding="utf-8"))
    problems = problems_of(printed, claims) + unknown_commits(root, claims)
    for idle in sorted(claims.keys() - {one.claim for one in printed}):
        print(f"warning: README.md does not cite '{idle}'", file=sys.stderr)
    print("\n".join(problems) or f"claims: README prints {len(printed)} figures as recorded")
    return 1 if problems else 0


def missing_data(root: Path, claim: Claim) -> str:
    """What the claim's command lacks on this machine, and how to get it; nothing if it can run."""
    shared = Path(os.environ.get("CAPELLA_TEST_DATA", root.parent / "shared"))
    if not (root / "build/capella").exists():
        return "build/capella does not exist; run ./run build"
    for need in claim.data:
        kind, _, name = need.partition(":")
        if kind == "shared" and not (shared / name).exists():
            return f"{shared / name} does not exist; its license keeps us from distributing it (docs/evidence/README.md)"
        if kind == "package":
            found = subprocess.run(["build/capella", "data", "path", name], cwd=root, capture_output=True)
            if found.returncode != 0:
                return f"the data package {name} is not installed; run build/capella data get {name}"
    return ""


def measure(root: Path, name: str) -> int:
    claims = read_claims(root / "docs/evidence/claims.csv")
    if name not in claims:
        raise SystemExit(f"claims: found the id '{name}', expected one of {', '.join(claims)}")
    claim = claims[name]
    if missing := missing_data(root, claim):
        raise SystemExit(f"claims: {name}: {missing}")
    print(f"{claim.sentence}\n$ {claim.command}", flush=True)
    done = subprocess.run(["bash", "-c", claim.command], cwd=root, stdout=subprocess.PIPE, text=True)
    numbers = LAST_NUMBER.findall(done.stdout)
    if done.returncode != 0 or not numbers:
        raise SystemExit(f"claims: {name}: the command ended with status {done.returncode} and printed {done.stdout!r}")
    value = float(numbers[-1].replace(",", ""))
    agrees = abs(value - claim.value) <= claim.tolerance
    verdict = "agrees with" if agrees else "differs from"
    print(f"{value:g} {verdict} the recorded {claim.value:g} (tolerance {claim.tolerance:g}, commit {claim.commit})")
    return 0 if agrees else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="Folder with README.md and docs/evidence")
    jobs = parser.add_mutually_exclusive_group()
    jobs.add_argument("--list", action="store_true", help="List the claims")
    jobs.add_argument("--measure", metavar="ID", help="Run a claim's command and compare")
    given = parser.parse_args()
    if given.list:
        for claim in read_claims(given.root / "docs/evidence/claims.csv").values():
            print(f"{claim.id:<20} {claim.value:>10g}  {claim.sentence}")
        return 0
    return measure(given.root, given.measure) if given.measure else check(given.root)


if __name__ == "__main__":
    sys.exit(main())
