"""The programs that others wrote: how they are started, and what they say."""

import math
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.launch import CommandRun, run_command
from harness.outside import Outside, OutsidePrograms
from harness.programs import Program, on_one_core

ALCHEMY, DIMMWITTED, SHARPSAT = "Alchemy 2", "DimmWitted", "SharpSAT-TD"
PEERS = OutsidePrograms(
    Outside(
        ALCHEMY, "--alchemy", "CAPELLA_ALCHEMY", ("infer", "learnwts"), "the GitHub repository PhDP/alchemy2"
    ),
    Outside(
        DIMMWITTED,
        "--dimmwitted",
        "CAPELLA_DIMMWITTED",
        ("dw",),
        "the GitHub repository HazyResearch/sampler",
    ),
    Outside(
        SHARPSAT,
        "--sharpsat",
        "CAPELLA_SHARPSAT",
        ("sharpSAT", "flow_cutter_pace17"),
        "the GitHub repository Laakeri/sharpsat-td",
    ),
)
CHAINS, BURN_IN, SWEEPS = 10, 100, 1_000  # Alchemy's own numbers
PRIOR_SD = 100  # of a Gaussian on weights; Alchemy's own number
DECOMPOSING = 0.1  # seconds, all of which SharpSAT-TD takes, however small the formula


@dataclass(frozen=True)
class Sampled:
    seconds: float  # of sampling, as the program itself says, or all its processor time if that is less
    peak_mb: float
    updates: float
    marginals: dict[str, float]


def _run(command: Program, folder: Path) -> tuple[str, CommandRun]:
    """On one core, in a folder; what it printed, and its time."""
    with tempfile.NamedTemporaryFile() as output:
        run = run_command(on_one_core(command), output.name, folder)
        return Path(output.name).read_text(encoding="utf-8"), run


def _number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if not found:
        raise SystemExit(f"bench: a peer did not print {pattern!r}:\n{text[-2000:]}")
    return float(found[1])


def _marginals(path: Path) -> dict[str, float]:
    """Lines that begin with an atom and end with its probability."""
    rows = map(str.split, path.read_text(encoding="utf-8").splitlines())
    return {row[0]: float(row[-1]) for row in rows}


def alchemy_gibbs(network: Path, predicates: str, atoms: int, folder: Path) -> Sampled | None:
    home = PEERS.folder(ALCHEMY)
    if not home:
        return None
    result, evidence = folder / "alchemy.result", folder / "empty.db"
    evidence.write_text("", encoding="utf-8")
    command: Program = [home / "infer", "-p", "-i", network, "-e", evidence, "-r", result, "-q", predicates]
    command += ["-numChains", str(CHAINS), "-maxSteps", str(SWEEPS)]
    command += ["-burnMinSteps", str(BURN_IN), "-burnMaxSteps", str(BURN_IN)]
    text, run = _run(command, folder)
    seconds = _number(r"Time taken for Gibbs sampling = ([\d.e+-]+)", text)
    updates = CHAINS * (BURN_IN + SWEEPS) * atoms
    return Sampled(min(seconds, run.cpu), run.peak_mb, updates, _marginals(result))


def dimmwitted_gibbs(graph: Path, atoms: list[str], sweeps: int) -> Sampled | None:
    """One thread, one copy of the graph. It has no burning in, whatever its options say."""
    home = PEERS.folder(DIMMWITTED)
    if not home:
        return None
    command: Program = [home / "dw", "gibbs", "-m", graph / "graph.meta", "-w", graph / "weights"]
    command += ["-v", graph / "variables", "-f", graph / "factors", "-o", graph]
    command += ["-l", "0", "-i", str(sweeps), "-t", "1", "-c", "1", "-q"]
    text, run = _run(command, graph)
    numbers = _marginals(graph / "inference_result.out.text")
    marginals = {atom: numbers.get(str(k), 0.0) for k, atom in enumerate(atoms)}
    seconds = _number(r"TOTAL INFERENCE TIME: ([\d.e+-]+)", text)
    return Sampled(min(seconds, run.cpu), run.peak_mb, sweeps * len(atoms), marginals)


def sharpsat(formula: Path, folder: Path) -> tuple[float, CommandRun] | None:
    """Log Z, with numbers of many digits. It starts its helper from the folder it runs in."""
    home = PEERS.folder(SHARPSAT)
    if not home:
        return None
    command: Program = [home / "sharpSAT", "-WE", "-decot", str(DECOMPOSING), "-decow", "100"]
    command += ["-tmpdir", folder, "-cs", "500", "-prec", "20", formula]
    text, run = _run(command, home)
    return math.log(_number(r"c s exact arb float (\S+)", text)), run


def alchemy_weights(network: Path, world: Path, learned: Path) -> tuple[list[float], CommandRun] | None:
    """Pseudo-likelihood as it is written, without unit clauses and predicates' weights of its own."""
    home = PEERS.folder(ALCHEMY)
    if not home:
        return None
    command: Program = [home / "learnwts", "-g", "-i", network, "-t", world, "-o", learned]
    command += ["-noAddUnitClauses", "-gNoEqualPredWt", "-priorStdDev", str(PRIOR_SD)]
    _, run = _run(command, learned.parent)
    return weights_in(learned), run


def weights_in(learned: Path) -> list[float]:
    """Of the formulas in the order of an .mln file."""
    lines = learned.read_text(encoding="utf-8").splitlines()
    return [float(line.split()[0]) for line in lines if re.match(r"-?[\d.]", line)]
