"""What processes hold in memory once they have scored everything."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from harness import inputs
from harness.contender import read_rows
from harness.inputs import Captions, Corpus
from harness.memory import Footprint, footprint
from harness.programs import Program, capella
from harness.report import Table
from harness.tokens import Tokens
from meteor.contenders.jar import Jar


@contextmanager
def _reward(references: Path, batches: Path) -> Iterator[int]:
    """A reward of Capella's that has scored all captions and waits; yields its process id."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        files: Program = ["--references", references, "--captions", batches, "--out", out.name]
        command = [*capella("reward", "meteor"), *files, "--wait"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout
                if process.stdout.readline() != "done\n":
                    raise SystemExit(f"bench: the reward ended with {process.wait()}")
                yield process.pid
            finally:
                process.kill()


def _rewards(references: Path, batches: Path, count: int) -> list[Footprint]:
    """Of `count` processes that live at the same time."""
    with ExitStack() as living:
        pids = [living.enter_context(_reward(references, batches)) for _ in range(count)]
        return [footprint(pid) for pid in pids]


def _jar(tokens: Tokens) -> Footprint:
    with closing(Jar()) as jar:
        jar.score(read_rows(tokens.references, "captions"), tokens.systems[0])
        return footprint(jar.pid)


def _one_batch(path: Path, captions: Captions) -> Path:
    path.write_text(json.dumps([{"ids": list(captions), "captions": list(captions.values())}]), "utf-8")
    return path


def _row(name: str, found: Footprint, notes: str) -> list[str]:
    figures = (found.private_dirty, found.anonymous, found.resident, found.proportional)
    return [name, notes, *(f"{value:,.1f} MB" for value in figures), ""]


def memory(corpus: Corpus, tokens: Tokens, folder: Path) -> Table:
    what = f"processes that have scored all captions; {corpus.name}; Capella holds the references as a reward does"
    heads = ["process", "", "private dirty", "RssAnon", "Rss", "Pss", ""]
    captions = tokens.systems[0]
    everything = (tokens.references, _one_batch(folder / "all-captions.json", captions))
    key = next(iter(captions))
    single = (
        inputs.write_references(folder / "one-image.json", {key: corpus.references[key]}),
        _one_batch(folder / "one-caption.json", {key: captions[key]}),
    )
    rows = [_row("meteor-1.5.jar", _jar(tokens), "")]
    rows += [_row("capella", found, "alone") for found in _rewards(*everything, 1)]
    rows += [_row("capella", found, "one of two") for found in _rewards(*everything, 2)]
    rows += [_row("capella", found, "one image only") for found in _rewards(*single, 1)]
    return Table("Memory", what, heads, rows)
