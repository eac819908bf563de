"""The networks of images that the authors of Markov logic verification published, as Python sees them."""

import argparse
from pathlib import Path
from typing import Any

from harness.contender import Job
from harness.inputs import SHARED
from mln.ground import Ground

RULES = SHARED / "data/mln/allrules_cmnsense.txt"
PARAMETERS = SHARED / "data/mln/rule_parameters_CS_val.txt"

Rules = list[tuple[tuple[str, ...], float]]  # atoms that hold together, and what that weighs
Parts = list[tuple[list[str], Rules]]


def rules_of(parameters: dict[str, Any]) -> dict[str, Rules]:
    """By image, those that are not empty."""
    found = {}
    for image, weights in parameters.items():
        rules = [(tuple(dict.fromkeys(rule.split(","))), w[0]) for rule, w in weights.items() if w[0] != 0]
        if rules:
            found[image] = rules
    return found


def connected_parts(rules: Rules) -> Parts:
    """Atoms and rules that have nothing to do with each other, apart."""
    leader: dict[str, str] = {}

    def find(atom: str) -> str:
        while leader.setdefault(atom, atom) != atom:
            leader[atom] = atom = leader[leader[atom]]
        return atom

    for names, _ in rules:
        for name in names[1:]:
            leader[find(name)] = find(names[0])
        find(names[0])
    atoms: dict[str, list[str]] = {}
    for atom in leader:
        atoms.setdefault(find(atom), []).append(atom)
    together: dict[str, Rules] = {}
    for names, weight in rules:
        together.setdefault(find(names[0]), []).append((names, weight))
    return [(atoms[key], together[key]) for key in atoms]


def ground_of(rules: Rules) -> Ground:
    """The same with atoms that every program can read."""
    places = {name: k for k, name in enumerate(dict.fromkeys(name for names, _ in rules for name in names))}
    conjunctions = [(tuple((places[name], True) for name in names), weight) for names, weight in rules]
    return Ground([f"X(A{k})" for k in range(len(places))], conjunctions)


def read_job_file() -> tuple[Path, Job]:
    """What a contender is given: the file of parameters in place of references."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--references", type=Path, required=True)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    return given.references, Job({}, None, given.repetitions, given.out, "none")
