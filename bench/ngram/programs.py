"""How each contender is started."""

from pathlib import Path

from harness.launch import BUILD, CAPELLA_PYTHON, PEER_PYTHON

Program = list[str | Path]


def capella(part: str, metrics: str = "", tokenizer: str = "none", threads: int = 1) -> Program:
    options = ["--tokenizer", tokenizer, "--threads", str(threads)]
    return [BUILD / "bench_ngram", part, *options, *(["--metrics", metrics] if metrics else [])]


def peer(module: str) -> Program:
    return [PEER_PYTHON, "-m", f"ngram.contenders.{module}"]


def capella_python(module: str, tokenizer: str) -> Program:
    return [CAPELLA_PYTHON, "-m", f"ngram.contenders.{module}", "--tokenizer", tokenizer]
