"""The sections: the 504 metrics in memory and as a command, correlations, and generators."""

import json
import math
import subprocess
from itertools import starmap
from pathlib import Path
from typing import Any

from harness.answers import Agreement
from harness.bout import Contender, Work, hold
from harness.commands import Command, hold_commands, peer_answer
from harness.inputs import SHARED
from harness.launch import BUILD, CAPELLA, Answer, run_contender
from harness.programs import Program, capella, on_one_core, peer
from harness.report import Section, Table, format_rate, format_seconds
from pregen.probabilities import CAPTIONS_EACH, IMAGES

DATA = SHARED / "data/pregen/data.txt"
GENERATORS = BUILD / "torch/bench/bench_generator"
PYTHON = peer("pregen.contenders.python_metrics")
CAPTIONS = IMAGES * CAPTIONS_EACH
METRICS, GOAL = 504, 0.02
SAME_METRIC, SAME_R, SAME_P = 1e-12, 1e-12, 1e-9  # relative, absolute, relative
ROUNDING = "geomean_sum_normcount_none"  # constant but for rounding: the authors keep it, Capella does not


def _printed(command: Program) -> dict[str, Any]:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: `{' '.join(done.args)}` ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def _relative(found: float, wanted: float) -> float:
    if found == wanted:
        return 0.0
    finite = math.isfinite(found) and math.isfinite(wanted) and wanted != 0
    return abs(found - wanted) / abs(wanted) if finite else math.inf


def compare_metrics(found: Answer, wanted: Answer) -> Agreement:
    """All values; what is infinite is null in the JSON of bench_capella and "inf" in that of capella."""
    ours = [math.inf if one is None else float(one) for one in found.values["metrics"]["items"]]
    worst = max(starmap(_relative, zip(ours, wanted.values["metrics"]["items"], strict=True)))
    same = len(ours) == METRICS and worst <= SAME_METRIC
    return Agreement(same, ("" if same else "differs: ") + f"{len(ours)} values within {worst:.1g}")


def metrics_in_memory(probabilities: Path) -> Section:
    section = Section("Metrics", f"all {METRICS} from probabilities in memory, one core", "Python")
    others = [
        Contender("Python, all anew", on_one_core([*PYTHON, "--anew"]), 1, "as the authors' program does"),
        Contender("capella", on_one_core(capella("pregen-metrics")), 25),
    ]
    work = Work(probabilities, None, CAPTIONS, "captions")
    hold(section, work, Contender("Python", on_one_core(PYTHON), 3, "lists kept"), others, compare_metrics)
    met = "met" if section.rows[-1].seconds < GOAL else "missed"
    section.rows[-1].notes = f"goal {format_seconds(GOAL)} {met}"
    return section


def metrics_command(probabilities: Path, folder: Path) -> Section:
    what = f"from the authors' JSON, {probabilities.stat().st_size / 1e6:.1f} MB, start included, one core"
    section = Section("Whole command, metrics", what, "Python")
    script = on_one_core([*PYTHON, "--references", probabilities, "--out", folder / "peer.json"])
    ours = on_one_core([CAPELLA, "pregen", "metrics", probabilities, "--format", "json"])
    answer = Answer([], 0, {"metrics": {"items": list(_printed(ours).values())}}, [])
    theirs = Command("Python", script, 3, run_contender(PYTHON, probabilities, None, 1), "lists kept")
    mine = Command("capella pregen metrics", ours, 15, answer)
    hold_commands(section, CAPTIONS, theirs, [mine], compare_metrics)
    return section


def _correlations(command: Program) -> Answer:
    values: dict[str, dict[str, Any]] = {}
    for post, result in _printed(command)["posts"].items():
        values[post] = {
            f"{key} {name}": [one["R^2"], one["R"], one["p"]]
            for key, selection in result["selections"].items()
            for name, one in selection["metrics"].items()
        }
    return Answer([], 0, values, [])


def compare_correlations(found: Answer, wanted: Answer) -> Agreement:
    """The same metrics, but for the one column, and all their figures."""
    worst_r, worst_p = [0.0], [0.0]
    for post, theirs in wanted.values.items():
        ours = found.values.get(post, {})
        if set(ours) != {name for name in theirs if not name.endswith(f" {ROUNDING}")}:
            return Agreement(False, f"differs: other metrics for {post}")
        for name, (square, r, p) in ours.items():
            worst_r += [abs(square - theirs[name][0]), abs(r - theirs[name][1])]
            worst_p.append(_relative(p, theirs[name][2]))
    same = max(worst_r) <= SAME_R and max(worst_p) <= SAME_P
    count = len(worst_r) + len(worst_p) - 2
    text = f"{count:,} values, R within {max(worst_r):.1g}, p within {max(worst_p):.1g}"
    return Agreement(same, text if same else f"differs: {text}")


def correlate(folder: Path) -> Section:
    script = on_one_core([*peer("pregen.contenders.scipy_correlate"), DATA])
    answer = peer_answer(script, folder)
    count = sum(map(len, answer.values.values()))
    what = f"{count:,} correlations from the published data file, whole commands on one core"
    section = Section("Correlate", what, "scipy")
    others = []
    for resamples, notes in (("1000", "intervals and tests as well"), ("40", "the fewest resamples")):
        ours = [CAPELLA, "pregen", "correlate", DATA, "--resamples", resamples, "--format", "json"]
        name = f"capella, {resamples} resamples"
        others.append(Command(name, on_one_core(ours), 9, _correlations(ours), notes))
    theirs = Command("scipy", [*script, folder / "peer.json"], 3, answer)
    hold_commands(section, count, theirs, others, compare_correlations)
    for row in section.rows:
        row.throughput = format_rate(count / row.seconds, "correlations")
    return section


def generators() -> Table:
    """The plug-in's own benchmark; it compares answers itself and says by its status whether they agree."""
    done = subprocess.run([GENERATORS], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: {GENERATORS} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    rows = [[line] for line in done.stdout.splitlines()]
    return Table("Generators", "networks of the authors' sizes, on the CPU", ["figures"], rows)
