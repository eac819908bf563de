"""Runs the task's sections one after the other and prints each as soon as it is done."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np
import torch
from encoders.networks import NETWORKS, Network, write_all
from harness import inputs
from harness.answers import Agreement
from harness.bout import Contender, Work, hold
from harness.launch import Answer
from harness.programs import capella, on_one_core, peer
from harness.report import Section, Table
from harness.task import run_task

PARTS = ("networks", "pictures")
PACKAGES = ["transformers", "torch", "numpy", "pillow"]
NEAR = 1e-4  # of two programs' vectors, as a share of the greatest number
SIZE = 2048


def compare(found: Answer, wanted: Answer) -> Agreement:
    ours, theirs = (np.array(answer.values["vectors"]["items"]) for answer in (found, wanted))
    worst = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
    return Agreement(worst <= NEAR, f"{len(ours):,} numbers within {worst:.1g}")


def product_rates() -> dict[str, float]:
    """Thousand million operations per second of a product of two matrices, by numpy and by PyTorch."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    a, b = (np.random.default_rng(seed).standard_normal((SIZE, SIZE), dtype=np.float32) for seed in (1, 2))
    jobs = {"numpy (OpenBLAS)": lambda: a @ b, "PyTorch": lambda: torch.from_numpy(a) @ torch.from_numpy(b)}
    rates = {}
    for name, job in jobs.items():
        times = []
        for _ in range(12):
            begin = time.perf_counter()
            job()
            times.append(time.perf_counter() - begin)
        rates[name] = 2 * SIZE**3 / median(times[2:]) / 1e9
    return rates


def one_network(number: int, network: Network, folder: Path, threads: int) -> tuple[Section, float]:
    section = Section(network.title, f"from vectors and ids in memory, {threads} threads, drawn weights", "PyTorch")
    work = Work(folder / network.folder, folder / f"{network.folder}.inputs.safetensors", network.count, network.unit)
    theirs = Contender("transformers, PyTorch", [*peer("encoders.contenders.pytorch"), str(number)], 3)
    ours = Contender("capella", capella("networks", network.part, threads=threads), 5)
    answers = hold(section, work, theirs, [ours], compare)
    return section, network.count * network.gigaflops / median(answers["capella"].seconds)


def pictures(photos: Path) -> Section:
    what = "from files in memory to 224 x 224 pixels: decoded, resized, cropped; photographs of COCO, one core"
    section = Section("Pictures", what, "Pillow")
    work = Work(photos, None, len(list(photos.iterdir())), "pictures")
    theirs = Contender("Pillow", on_one_core(peer("encoders.contenders.pillow")), 5)
    hold(section, work, theirs, [Contender("capella", on_one_core(capella("pictures")), 5)])
    return section


def networks(folder: Path) -> Iterator[Section | Table]:
    threads = len(os.sched_getaffinity(0))
    write_all(folder)
    rates = product_rates()
    product = f"a product of two {SIZE} x {SIZE} matrices"
    shares = Table(
        "Share of a product's rate",
        f"operations that are needed, per second, beside those of {product}; {threads} threads",
        ["network", "GFLOP", "GFLOP/s", *(f"{name}: {rate:.0f}" for name, rate in rates.items())],
    )
    for number, network in enumerate(NETWORKS):
        section, rate = one_network(number, network, folder, threads)
        yield section
        of = [f"{100 * rate / other:.0f} %" for other in rates.values()]
        shares.rows.append([network.title, f"{network.gigaflops:.3f}", f"{rate:.0f}", *of])
    yield shares


def run_parts(parts: list[str], folder: Path) -> Iterator[Section | Table]:
    photos = inputs.SHARED / "data/images/photos"
    if "pictures" in parts and photos.is_dir():
        yield pictures(photos)
    if "networks" in parts:
        yield from networks(folder)


if __name__ == "__main__":
    run_task("encoders", __doc__, PARTS, PACKAGES, run_parts, needs_captions=False)
