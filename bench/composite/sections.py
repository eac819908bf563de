"""The sections: training from files of features, and scoring with a network beside scoring without."""

import json
import os
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from composite.features import REFERENCES, SYSTEMS, Files
from composite.network import Model
from harness.answers import Agreement
from harness.launch import CAPELLA, ROOT, CommandRun, run_command
from harness.programs import Program, peer
from harness.report import Row, Section, Table, format_rate, format_seconds

PRESET, TRAINING_TARGET = "eval-mwcs", 60.0
NEAR = 0.02  # accuracy on held-out captions and tau-b with ratings, of each network
SCORED, SCORED_ALONE = "eval-mcs", "meteor,cider-d,spice"
SCORING_TARGET, SAME_SCORE = 0.05, 1e-9
SCORING_RUNS = 15

Trained = list[tuple[float, float]]  # of each network: accuracy and tau-b


def _compare(found: Trained, wanted: Trained) -> Agreement:
    accuracy, tau = np.abs(np.array(found) - np.array(wanted)).max(axis=0)
    same = max(accuracy, tau) <= NEAR
    text = f"accuracy within {accuracy:.1g}, tau-b within {tau:.1g}"
    return Agreement(same, text if same else f"differs: {text}")


def _train_peer(
    files: Files, models: list[Model], threads: int, small: str, answer: Path
) -> tuple[float, Trained, CommandRun]:
    """The seconds of training alone, and what came out. The captions must be those Capella trained on."""
    program = [*peer("composite.contenders.torch_training"), files.training, files.validation]
    epochs = ",".join(str(model.origin["epochs"]) for model in models)
    run = run_command([*program, epochs, str(threads), small, answer])
    found = json.loads(answer.read_text(encoding="utf-8"))
    if not np.allclose(found["means"], models[0].means * models[0].scales, rtol=1e-9):
        raise SystemExit("bench: the peer did not train on the captions that Capella trained on")
    return found["seconds"], [(seed["accuracy"], seed["tau_b"]) for seed in found["seeds"]], run


def training(files: Files, seeds: int, folder: Path) -> Section:
    """Capella's time is that of the whole command, the peer's that of training alone."""
    kept = folder / f"{seeds} seeds"
    kept.mkdir()
    command = [CAPELLA, "composite", "train", files.training, "--validate", files.validation]
    command += ["--preset", PRESET, "--seeds", str(seeds), "--keep-all", "-o", kept / "model.safetensors"]
    runs = [run_command(command) for _ in range(3)]
    models = sorted(map(Model, kept.glob("*.safetensors")), key=lambda model: model.origin["seed"])
    ours = [(model.origin["held_out_accuracy"], model.origin["validation_tau_b"]) for model in models]
    epochs = sum(model.origin["epochs"] for model in models)
    what = f"{PRESET}, networks: {seeds}, epochs: {epochs}; {models[0].origin['data']}"
    section = Section("Training", what, "PyTorch")

    def add(name: str, agreement: Agreement, seconds: float, of: list[CommandRun], notes: str) -> None:
        first = section.rows[0].seconds if section.rows else seconds
        ratio = first / seconds if agreement.same else None
        rate, peak = format_rate(epochs / seconds, "epochs"), max(run.peak_mb for run in of)
        notes += f"; processor time of all {format_seconds(median(run.cpu for run in of))}"
        section.rows.append(Row(name, agreement.text, seconds, rate, ratio, len(of), peak, notes))

    wanted: Trained | None = None
    peers = [("PyTorch, 1 thread, tiny floats as 0", 1, "flush"), ("PyTorch, 1 thread", 1, "keep")]
    if seeds == 1:  # so small a network gains nothing by more threads, and waits for them on a busy machine
        peers.append(("PyTorch, all cores", os.cpu_count() or 1, "flush"))
    for name, threads, small in peers:
        seconds, theirs, run = _train_peer(files, models, threads, small, folder / "peer.json")
        agreement = _compare(theirs, wanted) if wanted else Agreement(True, "the reference")
        wanted = wanted or theirs
        add(name, agreement, seconds, [run], "training alone")
    seconds = median(run.wall for run in runs)
    met = "met" if seconds < TRAINING_TARGET else "missed"
    notes = f"whole command, target {format_seconds(TRAINING_TARGET)} {met}"
    add("capella, all cores", _compare(ours, wanted or []), seconds, runs, notes)
    return section


def _item_scores(command: Program, names: list[str], folder: Path) -> NDArray[np.float64]:
    """captions x names"""
    items = folder / "items.jsonl"
    run_command([*command, "--per-item", items])
    rows = [json.loads(line)["scores"] for line in items.read_text(encoding="utf-8").splitlines()]
    return np.array([[row[name] for name in names] for row in rows])


def _check_scores(alone: Program, fused: Program, folder: Path) -> str:
    """Every score of the composite metric must be what its network makes of the single scores."""
    model = Model(ROOT / f"models/{SCORED}.safetensors")
    wanted = model.probabilities(_item_scores(alone, model.inputs, folder))
    found = _item_scores(fused, [model.name], folder)[:, 0]
    worst = float(np.abs(found - wanted).max())
    if worst > SAME_SCORE:
        raise SystemExit(f"bench: {SCORED} differs from its network by up to {worst:.3g}")
    return f"{len(found):,} scores of {SCORED} within {worst:.1g} of its network in numpy"


def scoring(folder: Path) -> Table:
    base = [CAPELLA, "score", REFERENCES, SYSTEMS[0], "--df", "coco-val"]
    alone, fused = [*base, "-m", SCORED_ALONE], [*base, "-m", SCORED]
    agreement = _check_scores(alone, fused, folder)
    what = f"{SCORED} beside {SCORED_ALONE}, commands that take turns, medians; Karpathy test; {agreement}"
    target = f"target {SCORING_TARGET:.0%}"
    heads = ["captions parsed", "measure", SCORED_ALONE, SCORED, "more", target, "runs"]
    table = Table("Scoring", what, heads)
    kept = ["--cache", folder / "cache"]
    for name, options, repetitions in (("before", kept, SCORING_RUNS), ("in the run", [], SCORING_RUNS // 2)):
        run_command([*alone, *options])
        runs: list[list[CommandRun]] = [[], []]
        for _ in range(repetitions):
            for command, done in zip((alone, fused), runs, strict=True):
                done.append(run_command([*command, *options]))
        for measure in ("cpu", "wall"):
            before, after = (median(getattr(run, measure) for run in done) for done in runs)
            more = after / before - 1
            times = [format_seconds(before), format_seconds(after)]
            met = "met" if more < SCORING_TARGET else "missed"
            label = "processor time" if measure == "cpu" else "clock"
            table.rows.append([name, label, *times, f"{more:+.1%}", met, str(repetitions)])
    return table
