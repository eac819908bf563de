"""Markov logic by enumerating the worlds of verify/rides.mln: the formulas are repeated here in Python."""

import itertools
import math

from .common import Check, Values, check

PEOPLE, THINGS = ("Ann", "Bob"), ("Bike", "Bus")
ATOMS = [
    *(
        f"{predicate}({person},{thing})"
        for predicate in ("On", "Ride")
        for person in PEOPLE
        for thing in THINGS
    ),
    *(f"Helmet({person})" for person in PEOPLE),
]
QUERY = "Ride(Bob,Bike) ^ !Helmet(Ann)"
World = dict[str, bool]


def log_weight(world: World) -> float:
    """The sum of the weights of the ground formulas that hold; -inf for a world that is impossible."""

    def on(x: str, y: str) -> bool:
        return world[f"On({x},{y})"]

    def ride(x: str, y: str) -> bool:
        return world[f"Ride({x},{y})"]

    def helmet(x: str) -> bool:
        return world[f"Helmet({x})"]

    if any(ride(x, "Bike") and not on(x, "Bike") for x in PEOPLE):
        return -math.inf
    if not on("Ann", "Bike") or ride("Bob", "Bus"):  # the evidence
        return -math.inf
    held = {
        1.3: [not ride(x, "Bike") or helmet(x) for x in PEOPLE],
        0.7: [ride(x, y) and on(x, y) for x in PEOPLE for y in THINGS],
        -0.9: [ride(x, y) and ride(z, y) and x != z for x in PEOPLE for z in PEOPLE for y in THINGS],
        -0.4: [ride(x, y) for x in PEOPLE for y in THINGS],
        0.25: [helmet(x) == helmet(z) for x in PEOPLE for z in PEOPLE],
        0.6: [any(on(x, y) for y in THINGS) for x in PEOPLE],
    }
    likely = math.log(0.83 if ride("Ann", "Bike") else 0.17)
    return math.fsum([weight * sum(holds) for weight, holds in held.items()] + [likely])


def values() -> Values:
    worlds = [
        dict(zip(ATOMS, truth, strict=True)) for truth in itertools.product((False, True), repeat=len(ATOMS))
    ]
    weights = [(world, math.exp(log_weight(world))) for world in worlds]
    total = math.fsum(weight for _, weight in weights)

    def asked(world: World) -> bool:
        return world["Ride(Bob,Bike)"] and not world["Helmet(Ann)"]

    found = {"network": {"log Z": math.log(total)}}
    found |= {
        atom: {"P": math.fsum(weight for world, weight in weights if world[atom]) / total} for atom in ATOMS
    }
    return found | {QUERY: {"P": math.fsum(weight for world, weight in weights if asked(world)) / total}}


def checks() -> list[Check]:
    files = {"network": "examples/verify/rides.mln", "evidence": "examples/verify/rides.db", "query": QUERY}
    return [
        check(f"MLN, {method}", "all worlds, in Python", 1e-12, "logic", values(), method=method, **files)
        for method in ("exact", "ptp")
    ]
