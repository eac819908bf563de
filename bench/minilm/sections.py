"""The sections: vectors of captions in memory, whole commands, and both with vectors that were kept."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from harness.answers import Agreement
from harness.bout import Contender, Work, hold
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA, Answer, run_command
from harness.programs import Program, capella, on_one_core, peer
from harness.report import Section, Table, format_rate, format_seconds

WIDTH = 384
COSINE_DISTANCE = 1e-4  # of two programs' vectors of one caption
NEAR = 1e-4  # of two programs' scores
METRICS = {
    "sentence-cosine": ("sentence_transformers", ("Sentence-cosine-max", "Sentence-cosine-mean"), []),
    "bertscore": ("bert_score", ("BERTScore-P", "BERTScore-R", "BERTScore"), []),
    "bertscore, idf": ("bert_score", ("BERTScore-P", "BERTScore-R", "BERTScore"), ["--set", "bertscore.idf=yes"]),
}

KEPT_METRICS = {
    "capella-s": ("capella-s", []),
    "capella-s, int8": ("capella-s", ["--set", "capella-s.precision=int8"]),
    "sentence-cosine": ("sentence-cosine", []),
    "bertscore": ("bertscore", []),
    "moverscore": ("moverscore", []),
}
KEPT_RUNS = 5


def compare_vectors(found: Answer, wanted: Answer) -> Agreement:
    """By the cosine distance of each caption's two vectors."""
    ours, theirs = (np.array(answer.values["vectors"]["items"]).reshape(-1, WIDTH) for answer in (found, wanted))
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    worst = float((1 - (ours * theirs).sum(axis=1) / lengths).max())
    return Agreement(worst <= COSINE_DISTANCE, f"{len(ours):,} vectors within a cosine distance of {worst:.1g}")


def compare_scores(found: Answer, wanted: Answer) -> Agreement:
    """Every caption's scores."""
    pairs = []
    for name, value in found.values.items():
        pairs += zip(value["items"], wanted.values[name]["items"], strict=True)
    worst = max(abs(a - b) for a, b in pairs)
    return Agreement(worst <= NEAR, f"{len(pairs):,} values within {worst:.1g}")


def sentences(corpus: Corpus, references: Path, captions: Path) -> Section:
    """The peer takes batches of 32, as it does unless told otherwise."""
    count = len(corpus.references)
    what = f"from captions in memory, model loaded; {corpus.name}, {count:,} captions, one core"
    section = Section("Sentence vectors", what, "sentence-transformers")
    theirs = on_one_core(peer("minilm.contenders.sentence_transformers_vectors"))
    ours = on_one_core(capella("sentences"))
    work = Work(references, captions, count, "captions")
    peers = Contender("sentence-transformers, PyTorch", theirs, 3)
    hold(section, work, peers, [Contender("capella", ours, 5)], compare_vectors)
    return section


def _peer_command(module: str, metric: str, files: list[Path]) -> Program:
    weights = ["idf" if metric.endswith("idf") else "plain"] if module == "bert_score" else []
    return on_one_core([*peer(f"minilm.contenders.{module}_command"), *files, *weights])


def commands(corpus: Corpus, references: Path, captions: Path, folder: Path) -> Iterator[Section]:
    count = len(corpus.references)
    files = [references, captions]
    for metric, (module, scores, options) in METRICS.items():
        what = f"from files to the printed score, start and model included; {corpus.name}, {count:,} images, one core"
        section = Section(f"Whole command, {metric}", what, module)
        theirs = _peer_command(module, metric, files)
        name = metric.partition(",")[0]
        score = [CAPELLA, "score", *files, "-m", name, "--detail", "--format", "json", "--threads", "1"]
        ours = on_one_core([*score, *options])
        hold_commands(
            section,
            count,
            Command(f"{module}, PyTorch", theirs, 2, peer_answer(theirs, folder)),
            [Command("capella score", ours, 5, capella_answer(ours, scores, folder))],
            compare_scores,
        )
        yield section


def kept_references(corpus: Corpus, references: Path, captions: Path) -> Iterator[Section]:
    count = sum(map(len, corpus.references.values()))
    threads = os.cpu_count() or 1
    for part in ("sentences", "tokens"):
        what = f"{count:,} references of {corpus.name} from texts in memory to vectors, model loaded; {threads} threads"
        section = Section(f"References that were kept, {part}", what, "capella, encoded")
        encoded = Contender("capella, encoded", capella(f"reference-{part}", threads=threads), 1)
        kept = Contender("capella, kept", capella(f"kept-{part}", threads=threads), KEPT_RUNS)
        hold(section, Work(references, captions, count, "references"), encoded, [kept])
        yield section


def _scores(command: Program, folder: Path) -> bytes:
    items = folder / "items.jsonl"
    run_command([*command, "--per-item", items])
    return items.read_bytes()


def kept_commands(corpus: Corpus, references: Path, captions: Path, others: Path, folder: Path) -> Table:
    """`others` are the captions of the run that kept the references."""
    count = len(corpus.references)
    what = f"from files to the printed score, start and model included; {corpus.name}, {count:,} images, all cores"
    heads = ["metric", "vectors that were kept", "scores", "time", "captions", "processor time", "runs"]
    table = Table("Whole commands with kept vectors", what, heads)
    source, working = folder / "kept", folder / "kept-copy"
    for metric, (asked, settings) in KEPT_METRICS.items():
        score = [CAPELLA, "score", references, captions, "-m", asked, *settings]
        run_command([CAPELLA, "score", references, others, "-m", asked, *settings, "--cache", source])
        expected = _scores(score, folder)
        for name, options, before in (
            ("none", [], None),
            ("of the references", ["--cache", working], source),
            ("all", ["--cache", working], None),
        ):
            runs = []
            for _ in range(KEPT_RUNS if options else 1):
                if before:
                    shutil.rmtree(working, ignore_errors=True)
                    shutil.copytree(before, working)
                runs.append(run_command([*score, *options]))
            if _scores([*score, *options], folder) != expected:
                raise SystemExit(f"bench: {metric} with kept vectors has other scores")
            wall, cpu = median(run.wall for run in runs), median(run.cpu for run in runs)
            rate = format_rate(count / wall, "captions")
            table.rows.append([metric, name, "same", format_seconds(wall), rate, format_seconds(cpu), str(len(runs))])
    return table
