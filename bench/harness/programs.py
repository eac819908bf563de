"""How each contender is started."""

import os
from pathlib import Path

from harness.launch import BUILD, CAPELLA_PYTHON, PEER_PYTHON

Program = list[str | Path]


def capella(part: str, metrics: str = "", tokenizer: str = "none", threads: int = 1) -> Program:
    options = ["--tokenizer", tokenizer, "--threads", str(threads)]
    return [BUILD / "bench_capella", part, *options, *(["--metrics", metrics] if metrics else [])]


def peer(module: str) -> Program:
    return [PEER_PYTHON, "-m", module]


def capella_python(module: str, tokenizer: str) -> Program:
    return [CAPELLA_PYTHON, "-m", module, "--tokenizer", tokenizer]


def on_one_core(program: Program) -> Program:
    """The program and all that it starts, held to one core."""
    return ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), *program]
