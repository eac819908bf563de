"""Thirty people who smoke, have friends and fall ill: 960 atoms whose probabilities have a closed form."""

import math

PEOPLE = 30
ATOMS = 2 * PEOPLE + PEOPLE**2
ILL, ALIKE, FRIENDS, SMOKES = 0.5, 0.3, -0.7, -0.2
KINDS = ("S", "C", "F", "F(x,x)")

NETWORK = f"""\
person = {{{", ".join(f"P{k}" for k in range(PEOPLE))}}}
S(person)
C(person)
F(person,person)
{ILL} !S(x) v C(x)
{ALIKE} !S(x) v !F(x,y) v S(y)
{FRIENDS} F(x,y)
{SMOKES} S(x)
"""


def kind_of(atom: str) -> str:
    """Atoms of one kind are equally probable."""
    name, _, rest = atom.partition("(")
    people = rest.rstrip(")").split(",")
    return "F(x,x)" if name == "F" and people[0] == people[1] else name


def mean_by_kind(marginals: dict[str, float]) -> dict[str, float]:
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for atom, p in marginals.items():
        found[kind_of(atom)].append(p)
    return {kind: sum(values) / len(values) for kind, values in found.items()}


def closed_form() -> tuple[float, dict[str, float]]:
    """Log Z, and how probable an atom of each kind is.

    Given who smokes, all other atoms are independent; so it is enough to know how many smoke. A smoker whose
    friend does not smoke breaks the second formula; every other pair keeps it.
    """
    kept, broken = math.exp(ALIKE) * (1 + math.exp(FRIENDS)), math.exp(ALIKE) + math.exp(FRIENDS)
    cancer_of_smoker = math.exp(ILL) + 1
    logs, per_person = [], 2 * math.exp(ILL)
    for smokers in range(PEOPLE + 1):
        mixed = smokers * (PEOPLE - smokers)
        logs.append(
            math.log(math.comb(PEOPLE, smokers))
            + SMOKES * smokers
            + smokers * math.log(cancer_of_smoker)
            + (PEOPLE - smokers) * math.log(per_person)
            + mixed * math.log(broken)
            + (PEOPLE**2 - mixed) * math.log(kept)
        )
    top = max(logs)
    log_z = top + math.log(sum(math.exp(one - top) for one in logs))
    weights = [math.exp(one - log_z) for one in logs]
    smoking = sum(w * k for k, w in enumerate(weights)) / PEOPLE
    mixed_share = sum(w * k * (PEOPLE - k) for k, w in enumerate(weights)) / (PEOPLE * (PEOPLE - 1))
    friend, odd_friend = math.exp(FRIENDS) / (1 + math.exp(FRIENDS)), math.exp(FRIENDS) / broken
    return log_z, {
        "S": smoking,
        "C": smoking * math.exp(ILL) / cancer_of_smoker + (1 - smoking) / 2,
        "F": mixed_share * odd_friend + (1 - mixed_share) * friend,
        "F(x,x)": friend,
    }
