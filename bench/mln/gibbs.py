"""Sections about sampling, by processor time: other work on the machine lengthens it least.

An update draws one atom of one chain anew; those of burning in count, too.
"""

import json
from pathlib import Path
from statistics import median

import numpy as np

from harness.answers import Agreement
from harness.launch import CAPELLA, Answer, run_command, run_contender
from harness.programs import capella, on_one_core
from harness.report import Row, Section, format_rate
from mln import ground, peers, smokers
from mln.peers import ALCHEMY, DIMMWITTED, Sampled

GOAL_RATE, GOAL_ALCHEMY, GOAL_DIMMWITTED = 500e6, 400, 40  # of one core with AVX-512
NEAR_KIND = 0.005  # of Alchemy's mean over the atoms of a kind
ERRORS, ROUNDING = 5, 1e-4  # |estimate - exact| <= 5 errors + this
DIMMWITTED_UPDATES = 20_000_000
SAME_SPREAD = (0.8, 1.5)  # of standardised differences; draws that follow each other are alike, so above 1

Marginals = dict[str, float]


def _row(name: str, agreement: Agreement, seconds: list[float], updates: float, peer: float | None) -> Row:
    """`peer`: the rate to compare with."""
    rate = updates / median(seconds)
    ratio = rate / peer if peer and agreement.same else None
    throughput = format_rate(rate / 1e6, "M updates")
    return Row(name, agreement.text, median(seconds), throughput, ratio, len(seconds), 0.0)


def _peer_row(name: str, found: Sampled, agreement: Agreement) -> Row:
    row = _row(name, agreement, [found.seconds], found.updates, found.updates / found.seconds)
    row.peak_mb = found.peak_mb
    return row


def _say_goals(row: Row, rate: float, ratio_goal: float) -> None:
    parts = [f"goal {GOAL_RATE / 1e6:.0f} M/s {'met' if rate >= GOAL_RATE else 'missed'}"]
    if row.ratio:
        parts.append(f"goal {ratio_goal:.0f}x {'met' if row.ratio >= ratio_goal else 'missed'}")
    row.notes = "; ".join(parts)


def _sampled(network: Path, repetitions: int) -> tuple[Answer, Marginals, Marginals]:
    """The library in memory on one core: the answer, marginals and their errors."""
    answer = run_contender(on_one_core(capella("mln-gibbs")), network, None, repetitions)
    items = [answer.values[name]["items"] for name in ("marginals", "mcse")]
    marginals, errors = (dict(zip(answer.lines, values, strict=True)) for values in items)
    return answer, marginals, errors


def _within_errors(found: Marginals, errors: Marginals, exact: Marginals) -> Agreement:
    far = sum(abs(found[atom] - p) > ERRORS * errors[atom] + ROUNDING for atom, p in exact.items())
    worst = max(abs(found[atom] - p) for atom, p in exact.items())
    text = f"{len(exact)} atoms within {worst:.1g}, and within {ERRORS} of their errors"
    return Agreement(
        not far, f"differs: {far} of {len(exact)} atoms by more than their errors" if far else text
    )


def _alchemy_agreement(found: Sampled, exact: Marginals) -> Agreement:
    kinds = smokers.mean_by_kind(found.marginals)
    worst = max(abs(kinds[kind] - p) for kind, p in exact.items())
    text = f"means of the kinds of atoms within {worst:.1g}"
    return Agreement(worst <= NEAR_KIND, text if worst <= NEAR_KIND else f"differs: {text}")


def _command_row(network: Path, exact: Marginals, folder: Path) -> Row:
    """From the file to probabilities that have converged, by the program's own rules for stopping."""
    output = folder / "gibbs.json"
    command = on_one_core([CAPELLA, "mln", "infer", network, "--method", "gibbs", "--format", "json"])
    run = run_command(command, output)
    found = json.loads(output.read_text(encoding="utf-8"))
    agreement = _within_errors(found["marginals"], found["mcse"], exact)
    notes = f"whole command; R-hat {found['rhat_max']:.3f}"
    return Row("capella mln infer", agreement.text, run.wall, "", None, 1, run.peak_mb, notes)


def smokers_section(folder: Path) -> Section:
    log_z, kinds = smokers.closed_form()
    what = f"{smokers.ATOMS} atoms of 30 smokers, with a closed form (ln Z {log_z:.10f}); one core"
    section = Section("Gibbs", what, ALCHEMY)
    network = folder / "smokers.mln"
    network.write_text(smokers.NETWORK, encoding="utf-8")
    theirs = peers.alchemy_gibbs(network, "S,C,F", smokers.ATOMS, folder)
    if theirs:
        section.rows.append(_peer_row("Alchemy 2 infer -p", theirs, _alchemy_agreement(theirs, kinds)))
        section.rows[0].notes = f"{peers.CHAINS} chains, {peers.BURN_IN} + {peers.SWEEPS:,} sweeps"
    answer, marginals, errors = _sampled(network, 5)
    exact = {atom: kinds[smokers.kind_of(atom)] for atom in marginals}
    _add_ours(section, answer, _within_errors(marginals, errors, exact), theirs, GOAL_ALCHEMY)
    section.rows.append(_command_row(network, exact, folder))
    return section


def _add_ours(
    section: Section, answer: Answer, agreement: Agreement, peer: Sampled | None, ratio_goal: float
) -> None:
    updates = answer.values["updates"]["corpus"]
    rate = peer.updates / peer.seconds if peer else None
    row = _row("capella", agreement, answer.cpu_seconds, updates, rate)
    row.peak_mb = answer.peak_mb
    _say_goals(row, updates / median(answer.cpu_seconds), ratio_goal)
    ess = answer.values["ess_min"]["corpus"] / median(answer.cpu_seconds)
    row.notes += f"; slowest atom {format_rate(ess, 'effective draws')}"
    section.rows.append(row)


def _dimmwitted_agreement(found: Sampled, sweeps: int, marginals: Marginals, errors: Marginals) -> Agreement:
    """Its estimates scatter around ours as draws do."""
    ours, theirs, own = (
        np.array([table[atom] for atom in marginals]) for table in (marginals, found.marginals, errors)
    )
    scatter = (theirs - ours) / np.sqrt(ours * (1 - ours) / sweeps + own**2)
    spread, shift = float(np.sqrt(np.mean(scatter**2))), abs(float(np.mean(theirs - ours)))
    same = SAME_SPREAD[0] <= spread <= SAME_SPREAD[1] and shift <= ERRORS / np.sqrt(sweeps * len(ours))
    text = f"{len(ours):,} atoms: spread {spread:.2f} of independent draws', mean within {shift:.1g}"
    return Agreement(same, text if same else f"differs: {text}")


def pairs_section(atoms: int, folder: Path) -> Section:
    what = f"{atoms:,} atoms, each in three conjunctions of two literals, drawn; one core"
    section = Section("Gibbs", what, DIMMWITTED)
    network = ground.random_pairs(atoms)
    answer, marginals, errors = _sampled(ground.write_network(folder / f"pairs-{atoms}.mln", network), 5)
    agreement, theirs = Agreement(True, "no reference"), None
    if (
        atoms >= 1_000
    ):  # it starts a thread for every sweep, which says nothing of sampling where sweeps are short
        graph = folder / f"graph-{atoms}"
        graph.mkdir()
        sweeps = DIMMWITTED_UPDATES // atoms
        theirs = peers.dimmwitted_gibbs(ground.write_factor_graph(graph, network), network.atoms, sweeps)
        if theirs:
            agreement = _dimmwitted_agreement(theirs, sweeps, marginals, errors)
            section.rows.append(_peer_row("DimmWitted, 1 thread", theirs, agreement))
            section.rows[0].notes = f"1 chain, {sweeps:,} sweeps"
    else:
        agreement = _exact_agreement(network, marginals, errors, folder)
    _add_ours(section, answer, agreement, theirs, GOAL_DIMMWITTED)
    return section


def _exact_agreement(network: ground.Ground, found: Marginals, errors: Marginals, folder: Path) -> Agreement:
    """Beside SharpSAT-TD: an atom's probability is what its worlds weigh, over what all weigh."""
    whole = peers.sharpsat(ground.write_wmc(folder / "whole.cnf", network), folder)
    if whole is None:
        return Agreement(True, "no reference")
    exact = {}
    for k, atom in enumerate(network.atoms):
        part = peers.sharpsat(ground.write_wmc(folder / "part.cnf", network, asserted=k), folder)
        exact[atom] = float(np.exp(part[0] - whole[0])) if part else 0.0
    return _within_errors(found, errors, exact)
