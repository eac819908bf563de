"""Ground networks of conjunctions, and the files in which each program reads them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

AND = 2  # DimmWitted's FUNC_AND, which is 1 or -1: half of a weight stands for the whole
Literals = tuple[tuple[int, bool], ...]  # atom, and whether it is wanted true


@dataclass(frozen=True)
class Ground:
    """The log weight of a world is the sum of the weights of the conjunctions that hold in it."""

    atoms: list[str]
    conjunctions: list[tuple[Literals, float]]

    def formulas(self) -> Iterator[str]:
        for literals, weight in self.conjunctions:
            body = " ^ ".join(f"{'' if wanted else '!'}{self.atoms[atom]}" for atom, wanted in literals)
            yield f"{weight!r} {body}"


def random_pairs(atoms: int) -> Ground:
    """Every atom stands in three conjunctions of two literals, but for a few whose draws meet themselves."""
    random = np.random.default_rng(atoms)
    ends = random.permutation(np.repeat(np.arange(atoms), 3))
    pairs = ends[: len(ends) // 2 * 2].reshape(-1, 2)
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    wanted = random.integers(0, 2, pairs.shape).astype(bool).tolist()
    weights = random.uniform(-1, 1, len(pairs)).tolist()
    conjunctions: list[tuple[Literals, float]] = [
        (((a, first), (b, second)), weight)
        for (a, b), (first, second), weight in zip(pairs.tolist(), wanted, weights, strict=True)
    ]
    return Ground([f"X(A{k})" for k in range(atoms)], conjunctions)


def write_network(path: Path, ground: Ground) -> Path:
    """For Capella and Alchemy; all atoms are X(...)."""
    constants = ", ".join(atom[2:-1] for atom in ground.atoms)
    lines = [f"thing = {{{constants}}}", "X(thing)", *ground.formulas()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_wmc(path: Path, ground: Ground, asserted: int | None = None) -> Path:
    """For model counters. A further atom stands for each conjunction; `asserted` must be true."""
    odds = [0.0] * len(ground.atoms)
    clauses: list[list[int]] = [] if asserted is None else [[asserted + 1]]
    for literals, weight in ground.conjunctions:
        signed = [atom + 1 if wanted else -atom - 1 for atom, wanted in literals]
        if len(signed) == 1 and signed[0] > 0:
            odds[signed[0] - 1] += weight
            continue
        odds.append(weight)
        holds = len(odds)
        clauses += [[-holds, one] for one in signed] + [[holds, *(-one for one in signed)]]
    lines = ["c t wmc", f"p cnf {len(odds)} {len(clauses)}"]
    for variable, weight in enumerate(odds, 1):
        lines += [f"c p weight {variable} {math.exp(weight)!r} 0", f"c p weight {-variable} 1.0 0"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _records(count: int, fields: str, **columns: NDArray[np.generic] | float) -> NDArray[np.void]:
    """Big-endian records without gaps; `fields` are names with their types."""
    table = np.zeros(count, dtype=[(name, kind) for name, kind in map(str.split, fields.split(", "))])
    for name, values in columns.items():
        table[name] = values
    return table


def write_factor_graph(folder: Path, ground: Ground) -> Path:
    """The binary files of DimmWitted; all conjunctions must have two literals."""
    atoms, factors = len(ground.atoms), len(ground.conjunctions)
    ends = np.array([literals for literals, _ in ground.conjunctions], dtype=np.uint64)
    halves = np.array([weight for _, weight in ground.conjunctions]) / 2
    meta = f"{factors},{atoms},{factors},{2 * factors}\n"
    (folder / "graph.meta").write_text(meta, encoding="ascii")
    numbers = np.arange(factors)
    weights = _records(factors, "id >u8, fixed u1, value >f8", id=numbers, fixed=1, value=halves)
    fields = "id >u8, evidence u1, value >u8, kind >u2, values >u8"
    variables = _records(atoms, fields, id=np.arange(atoms), values=2)
    fields = "function >u2, arity >u8, a >u8, a_is >u8, b >u8, b_is >u8, weight >u8, feature >f8"
    pairs = _records(factors, fields, function=AND, arity=2, weight=numbers, feature=1)
    pairs["a"], pairs["a_is"] = ends[:, 0, 0], ends[:, 0, 1]
    pairs["b"], pairs["b_is"] = ends[:, 1, 0], ends[:, 1, 1]
    for name, table in (("weights", weights), ("variables", variables), ("factors", pairs)):
        (folder / name).write_bytes(table.tobytes())
    return folder
