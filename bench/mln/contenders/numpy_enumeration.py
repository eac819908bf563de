"""Log Z and all marginals of the published networks: every connected part by all its worlds, in numpy.

Parameters come in place of references. Only rules whose first weight is not 0 count.
"""

import json
from pathlib import Path

import numpy as np

from harness.contender import peak_megabytes, time_each, write_answer
from mln.published import Parts, Rules, connected_parts, read_job_file, rules_of

Solved = tuple[float, dict[str, float]]


def solve_part(atoms: list[str], rules: Rules) -> Solved:
    places = {atom: k for k, atom in enumerate(atoms)}
    worlds = np.arange(1 << len(atoms), dtype=np.uint32)
    logs = np.zeros(len(worlds))
    for names, weight in rules:
        mask = np.uint32(sum(1 << places[name] for name in names))
        logs[(worlds & mask) == mask] += weight
    weights = np.exp(logs - logs.max())
    z = weights.sum()
    marginals = {atom: float(weights[(worlds >> k & 1) == 1].sum() / z) for atom, k in places.items()}
    return float(np.log(z) + logs.max()), marginals


def solve(parts: Parts) -> Solved:
    log_z, marginals = 0.0, dict[str, float]()
    for atoms, rules in parts:
        part_z, found = solve_part(atoms, rules)
        log_z += part_z
        marginals |= found
    return log_z, marginals


def solve_all(networks: dict[str, Rules]) -> dict[str, Solved]:
    return {image: solve(connected_parts(rules)) for image, rules in networks.items()}


def main() -> None:
    path, job = read_job_file()
    networks = rules_of(json.loads(Path(path).read_text(encoding="utf-8")))
    seconds, found = time_each(job.repetitions, lambda _: solve_all(networks))
    values = {image: {"log_z": log_z, **marginals} for image, (log_z, marginals) in found.items()}
    write_answer(job, seconds, peak_megabytes(), values=values)


if __name__ == "__main__":
    main()
