"""Sections about weights: a gradient in memory, and learning as a whole command."""

from pathlib import Path
from statistics import median

import numpy as np

from harness.answers import Agreement, compare_values
from harness.launch import CAPELLA, CommandRun, run_command, run_contender
from harness.programs import Program, capella, on_one_core, peer
from harness.report import Row, Section, format_rate, format_seconds
from mln import peers, worlds
from mln.peers import ALCHEMY, PRIOR_SD
from mln.rows import ATOMS, write_rows

GOAL = 100e6  # non-zeros of a gradient a second, on one core
PEOPLE = 400
SAME_WEIGHT = 1e-6  # of ours, relative
ALCHEMY_STOPS = 1e-5  # relative change of its pseudo-likelihood


def gradient_section(folder: Path) -> Section:
    """By processor time."""
    path, nonzeros = write_rows(folder / "rows.json")
    what = (
        f"log pseudo-likelihood and gradient of {ATOMS:,} atoms, {nonzeros:,} non-zeros, in memory; one core"
    )
    section = Section("Gradient", what, "scipy")
    programs = {"scipy.sparse": peer("mln.contenders.scipy_gradient"), "capella": capella("mln-gradient")}
    answers = {
        name: run_contender(on_one_core(program), path, None, 25) for name, program in programs.items()
    }
    wanted = answers["scipy.sparse"]
    for name, found in answers.items():
        seconds = median(found.cpu_seconds)
        agreement = compare_values(found, wanted)
        text = "the reference" if found is wanted else agreement.text
        ratio = median(wanted.cpu_seconds) / seconds if agreement.same else None
        rate = format_rate(nonzeros / seconds / 1e6, "M non-zeros")
        section.rows.append(Row(name, text, seconds, rate, ratio, len(found.seconds), found.peak_mb))
    met = "met" if nonzeros / section.rows[-1].seconds >= GOAL else "missed"
    section.rows[-1].notes = f"goal {GOAL / 1e6:.0f} M/s {met}"
    return section


def _learn(network: Path, world: Path, learned: Path) -> tuple[list[float], CommandRun]:
    command: Program = [CAPELLA, "mln", "weights", network, world, "--prior-sd", str(PRIOR_SD), "-o", learned]
    runs = [run_command(on_one_core(command)) for _ in range(5)]
    run = sorted(runs, key=lambda one: one.wall)[len(runs) // 2]
    return peers.weights_in(learned), run


def learning_section(folder: Path) -> Section:
    world = worlds.World.draw(PEOPLE)
    rows = world.rows()
    network, facts = folder / "learn.mln", folder / "world.db"
    network.write_text(worlds.NETWORK, encoding="utf-8")
    facts.write_text(world.facts(), encoding="utf-8")
    best = rows.optimum(PRIOR_SD)
    height = rows.likelihood(best)
    what = f"two weights by pseudo-likelihood from {len(rows.truth):,} atoms, whole commands; one core"
    section = Section("Learning", what, ALCHEMY)

    def below(weights: list[float]) -> float:
        return (height - rows.likelihood(np.array(weights))) / abs(height)

    def add(name: str, agreement: Agreement, run: CommandRun, peer_wall: float | None, runs: int) -> None:
        ratio = peer_wall / run.wall if peer_wall and agreement.same else None
        rate = format_rate(len(rows.truth) / run.wall, "atoms")
        notes = f"processor time {format_seconds(run.cpu)}"
        section.rows.append(Row(name, agreement.text, run.wall, rate, ratio, runs, run.peak_mb, notes))

    theirs = [peers.alchemy_weights(network, facts, folder / "alchemy.mln") for _ in range(3)]
    done = [one for one in theirs if one is not None]
    wall = median(run.wall for _, run in done) if done else None
    if done:
        weights, run = sorted(done, key=lambda one: one[1].wall)[1]
        text = f"likelihood {below(weights):.1g} below the optimum's"
        add("Alchemy 2 learnwts -g", Agreement(below(weights) <= ALCHEMY_STOPS, text), run, wall, len(done))
    weights, run = _learn(network, facts, folder / "learned.mln")
    off = float(np.max(np.abs(np.array(weights) / best - 1)))
    text = f"weights within {off:.1g} of the optimum's"
    add("capella mln weights", Agreement(off <= SAME_WEIGHT, text), run, wall, 5)
    return section
