"""Prints which metric sees which kind of error in a generated world, as a Markdown table.

Makes a world with `capella world`, scores its systems with `capella score`, and tells for every score how much of it is
lost when every caption has the error (rate 1 against rate 0). A score is blind to a kind of error if it loses less than
1 %. Marks tell where it does not fall with every step of the rate, and where the 95 % intervals of both ends overlap.

    tools/world_matrix.py --capella build/capella --images 1000 --seed 7
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ["wrong-attribute", "wrong-relation", "missing-object", "hallucinated-object", "unrelated", "shuffled"]
RATES = ["0.00", "0.10", "0.25", "0.50", "1.00"]
BLIND = 0.01


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def scores_of(capella: str, world: Path, kind: str, metrics: str) -> list[dict[str, dict]]:
    """One dictionary of scores per rate, each with its value and interval."""
    systems = [str(world / "systems" / f"{kind}-{rate}.json") for rate in RATES]
    command = [capella, "score", str(world / "references.json"), *systems, "-m", metrics, "--ci", "--format", "json", "-q"]
    return [row["scores"] for row in json.loads(run(*command))["systems"]]


def cell(scores: list[dict]) -> str:
    values = [score["value"] for score in scores]
    loss = (values[0] - values[-1]) / values[0]
    if abs(loss) < BLIND:
        return "blind"
    falls = all(later <= earlier for earlier, later in zip(values, values[1:], strict=False))
    apart = scores[-1]["high"] < scores[0]["low"]
    return f"{100 * loss:.0f} %" + ("" if falls else " (not at every step)") + ("" if apart else " (intervals overlap)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--capella", default="build/capella")
    parser.add_argument("--images", default="1000")
    parser.add_argument("--seed", default="7")
    parser.add_argument("-m", "--metrics", default="available")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        run(options.capella, "world", "--images", options.images, "--seed", options.seed, "-o", str(world))
        table = {kind: scores_of(options.capella, world, kind, options.metrics) for kind in KINDS}
    print("| score | at rate 0 | " + " | ".join(KINDS) + " |")
    print("|---|---:" + "|---:" * len(KINDS) + "|")
    for name in table[KINDS[0]][0]:
        cells = [cell([row[name] for row in table[kind]]) for kind in KINDS]
        print(f"| {name} | {table[KINDS[0]][0][name]['value']:.3f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
