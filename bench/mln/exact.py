"""Sections about exact inference: the published networks, and a model counter."""

import json
import math
from pathlib import Path
from statistics import median
from typing import Any

from harness.answers import Agreement
from harness.launch import CAPELLA, CommandRun, run_command, run_contender
from harness.programs import Program, capella, on_one_core, peer
from harness.report import Row, Section, format_rate, format_seconds
from mln import peers
from mln.ground import Ground, random_pairs, write_network, write_wmc
from mln.peers import SHARPSAT
from mln.published import PARAMETERS, RULES, ground_of, rules_of

GOAL = 50_000  # published networks a second, on one core
SAME, SAME_COUNT = 1e-10, 1e-10  # relative
COUNTED = 20  # published networks that a model counter is given

Values = dict[str, dict[str, Any]]  # by image: log_z, and each atom's probability


def _compare(found: Values, wanted: Values) -> Agreement:
    if found.keys() != wanted.keys():
        return Agreement(False, f"differs: {len(found):,} networks, not {len(wanted):,}")
    pairs = [(found[image].get(name, math.nan), p) for image in wanted for name, p in wanted[image].items()]
    worst = max(abs(a - b) / abs(b) if not math.isnan(a) else math.inf for a, b in pairs)
    text = f"{len(pairs):,} values within {worst:.1g}"
    return Agreement(worst <= SAME, text if worst <= SAME else f"differs: {text}")


def _command() -> Program:
    given: Program = ["--authors-rules", RULES, "--authors-parameters", PARAMETERS]
    return on_one_core([CAPELLA, "mln", "infer", *given, "--method", "exact", "--format", "json"])


def published_section(folder: Path) -> Section:
    theirs = run_contender(on_one_core(peer("mln.contenders.numpy_enumeration")), PARAMETERS, None, 1)
    count, enumerated = len(theirs.values), median(theirs.seconds)
    what = f"log Z and all marginals of the authors' {count:,} networks that are not empty; one core"
    section = Section("Exact", what, "numpy")

    def add(name: str, agreement: Agreement, seconds: list[float], peak_mb: float, notes: str) -> None:
        ratio = enumerated / median(seconds) if agreement.same else None
        rate = format_rate(count / median(seconds), "networks")
        section.rows.append(
            Row(name, agreement.text, median(seconds), rate, ratio, len(seconds), peak_mb, notes)
        )

    add(
        "numpy, all worlds of each part", Agreement(True, "the reference"), theirs.seconds, theirs.peak_mb, ""
    )
    output = folder / "published.json"
    runs = [run_command(_command(), output) for _ in range(5)]
    images = json.loads(output.read_text(encoding="utf-8"))["images"]
    found = {image: {"log_z": one["log_z"], **one["marginals"]} for image, one in images.items()}
    found = {image: values for image, values in found.items() if image in theirs.values or len(values) > 1}
    walls, peak = [run.wall for run in runs], max(run.peak_mb for run in runs)
    notes = f"whole command with its files; processor time {format_seconds(median(run.cpu for run in runs))}"
    add("capella mln infer", _compare(found, theirs.values), walls, peak, notes)
    _add_in_memory(add, sum(values["log_z"] for values in theirs.values.values()))
    return section


def _add_in_memory(add: Any, sum_log_z: float) -> None:
    """The library alone; a repetition goes through all networks several times."""
    answer = run_contender(on_one_core(capella("exact-networks")), PARAMETERS, None, 5)
    values: Any = answer.values
    off = abs(values["sum_log_z"] / sum_log_z - 1)
    rounds = values["networks_per_second"] * min(answer.cpu_seconds) / values["networks"]
    seconds = [one / rounds for one in answer.seconds]
    rate = values["networks"] / median(seconds)
    text = f"sum of log Z within {off:.1g}; {values['compared_with_enumeration']:,} networks enumerated"
    notes = f"in memory; goal {GOAL:,} networks/s {'met' if rate >= GOAL else 'missed'}"
    add("capella", Agreement(off <= SAME, text), seconds, answer.peak_mb, notes)


def _count_both(name: str, network: Ground, folder: Path) -> tuple[float, CommandRun, CommandRun] | None:
    """How far the two logarithms of Z are apart, and both runs."""
    counted = peers.sharpsat(write_wmc(folder / f"{name}.cnf", network), folder)
    if counted is None:
        return None
    output, file = folder / "counted.json", write_network(folder / f"{name}.mln", network)
    command: Program = [CAPELLA, "mln", "infer", file, "--method", "exact", "--format", "json"]
    run = run_command(on_one_core(command), output)
    ours = json.loads(output.read_text(encoding="utf-8"))["log_z"]
    return abs(ours - counted[0]) / abs(counted[0]), counted[1], run


def counted_section(folder: Path) -> Section | None:
    """Nothing without SharpSAT-TD."""
    networks = {"pairs35": random_pairs(35)}
    if PARAMETERS.exists():
        rules = rules_of(json.loads(PARAMETERS.read_text(encoding="utf-8")))
        largest = sorted(rules, key=lambda image: -len(rules[image]))[:COUNTED]
        networks |= {image: ground_of(rules[image]) for image in largest}
    found = [_count_both(name, network, folder) for name, network in networks.items()]
    done = [one for one in found if one is not None]
    if not done:
        return None
    what = (
        f"log Z of {len(done)} networks (published ones with most rules, and 35 drawn atoms), whole commands"
    )
    section = Section("Weighted counting", what, SHARPSAT)
    worst = max(off for off, _, _ in done)
    theirs, ours = [run for _, run, _ in done], [run for _, _, run in done]
    agreement = Agreement(worst <= SAME_COUNT, f"{len(done)} values within {worst:.1g}")
    peer_wall = sum(run.wall for run in theirs)
    notes = f"log Z alone; {peers.DECOMPOSING} s of each go into its search for a decomposition"
    for name, runs, text, more in (
        ("SharpSAT-TD -WE", theirs, "the reference", notes),
        ("capella mln infer", ours, agreement.text, "all marginals as well"),
    ):
        wall = sum(run.wall for run in runs)
        ratio = peer_wall / wall if agreement.same else None
        peak = max(run.peak_mb for run in runs)
        more = f"processor time {format_seconds(sum(run.cpu for run in runs))}; {more}"
        rate = format_rate(len(runs) / wall, "networks")
        section.rows.append(Row(name, text, wall, rate, ratio, 1, peak, more))
    return section
