"""DENEB as released on a GPU, with CLIP ViT-B/32 and RoBERTa-base, beside Hugging Face's networks and PyTorch.

Needs a GPU, PyTorch for it, transformers and a C++ compiler; not Capella's other libraries. Where these are not there
the task says so and is left out:
    PYTHONPATH=bench python3 -m deneb
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

NO_DATA = 3  # as bench/harness/task.py has it
LIMITS = {"cold": 25_000, "cached": 171_000}  # samples/s: the arithmetic in bfloat16 at 790 TFLOP/s, an H200's
COMPARED = 64
BATCHES = (64, 256, 1024, 4096)
PEERS = {"padded": "transformers, CLIP's texts padded to 77", "plain": "transformers, nothing padded"}
Rates = dict[str, dict[str, dict[str, float]]]  # by type, by contender, by part



def leave_out(found: object) -> NoReturn:
    needs = "a GPU and, in python3 or the Python that GPU_PYTHON names, PyTorch for that GPU and transformers"
    print(f"task deneb: {found}; it needs {needs}, and a C++ compiler", file=sys.stderr)
    raise SystemExit(NO_DATA)


try:
    import torch

    if torch.__file__ is None:  # the repository's own folder of that name
        raise ImportError("No module named 'torch'")
    from deneb.build import built_program
    from deneb.pipeline import CAPTIONS, PICTURES, Pipeline, drawn_captions, drawn_pictures
except ImportError as missing:
    leave_out(missing)


def median_seconds(runs: int, job: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        job()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return sorted(times)[runs // 2]


def best_rate(job: Callable[[int, int], object], samples: int) -> float:
    """Samples per second with the batch that suits the pipeline best; one that does not fit into memory does not."""
    rates = []
    for batch in BATCHES:
        try:
            job(batch, batch)
            rates.append(samples / median_seconds(1, lambda batch=batch: job(samples, batch)))
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
    return max(rates)


def peer_rates(pipeline: Pipeline, samples: int, padded: bool) -> dict[str, float]:
    pictures = drawn_pictures(PICTURES)
    captions = drawn_captions(samples * CAPTIONS, padded)
    candidates, known = drawn_captions(samples, padded), pipeline.known(samples)
    one, picture = drawn_captions(CAPTIONS, padded), pictures[:1]
    for _ in range(5):
        pipeline.score(one, picture, 1)
    return {
        "cold": best_rate(
            lambda count, batch: pipeline.score([ids[: count * CAPTIONS] for ids in captions], pictures, batch), samples
        ),
        "cached": best_rate(
            lambda count, batch: pipeline.score_candidates([ids[:count] for ids in candidates], known, batch), samples
        ),
        "one": 1e3 * median_seconds(50, lambda: pipeline.score(one, picture, 1)),
    }


def write_peer_file(pipeline: Pipeline, path: Path) -> None:
    """What both programs are asked, and what the peer answers in float."""
    clip, roberta = drawn_captions(COMPARED * CAPTIONS)
    pictures = drawn_pictures(COMPARED)
    scores = pipeline.on_gpu(torch.float32).score((clip, roberta), pictures, COMPARED)
    asked = {"ids.clip": clip, "ids.roberta": roberta, "pictures": pictures, "scores": scores}
    torch.save(pipeline.arrays() | asked, path)


def our_rates(output: str, name: str) -> dict[str, float]:
    found = {}
    for part in LIMITS:
        if match := re.search(rf"^{part}, {name} +([0-9]+) samples/s", output, re.M):
            found[part] = float(match[1])
    for key, how in (("one", "encoders at the same time"), ("graph", "as a graph")):
        if match := re.search(rf"^one sample, {name} +([0-9.]+) ms, {how}", output, re.M):
            found[key] = float(match[1])
    return found


def table(rates: Rates) -> str:
    lines = ["| | " + " | ".join(PEERS.values()) + " | Capella | share of the arithmetic |", "|---|---|---|---|---|"]
    for name, found in rates.items():
        ours = found["capella"]
        for part, limit in LIMITS.items():
            share = f"{100 * ours[part] / limit:.0f} %" if name == "bfloat16" else "-"
            peers = [f"{found[peer][part]:,.0f}/s (x {ours[part] / found[peer][part]:.1f})" for peer in PEERS]
            lines.append(f"| {part}, {name} | {' | '.join(peers)} | {ours[part]:,.0f}/s | {share} |")
        peers = [f"{found[peer]['one']:.1f} ms (x {found[peer]['one'] / ours['one']:.1f})" for peer in PEERS]
        own = f"{ours['one']:.2f} ms, as a graph {ours['graph']:.2f} ms"
        lines.append(f"| one sample, {name} | {' | '.join(peers)} | {own} | - |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m deneb", description=__doc__)
    parser.add_argument("--samples", type=int, default=8192, help="how many are scored (8192)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file as well")
    given = parser.parse_args()
    if not torch.cuda.is_available():
        leave_out("this machine has no GPU that PyTorch can use")
    torch.backends.cuda.matmul.allow_tf32 = False
    program = built_program()
    pipeline = Pipeline()
    rates: Rates = {}
    with tempfile.TemporaryDirectory(prefix="capella-bench-") as folder:
        asked = Path(folder) / "peer.pt"
        write_peer_file(pipeline, asked)
        for name, dtype in (("bfloat16", torch.bfloat16), ("float", torch.float32)):
            moved = pipeline.on_gpu(dtype)
            samples = given.samples // (1 if name == "bfloat16" else 4)
            rates[name] = {peer: peer_rates(moved, samples, peer == "padded") for peer in PEERS}
            torch.cuda.empty_cache()
        words = ["samples", str(given.samples), "peer", str(asked), "compare", "cold", "cached", "latency"]
        output = subprocess.run([program, "cuda", *words], check=True, text=True, stdout=subprocess.PIPE).stdout
    print(output)
    for name, found in rates.items():
        found["capella"] = our_rates(output, name)
    print(table(rates))
    if given.json:
        given.json.write_text(json.dumps(rates, indent=1))


if __name__ == "__main__":
    main()
