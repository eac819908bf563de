"""The sections: vectors of captions in memory, and whole commands."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness.answers import Agreement
from harness.bout import Contender, Work, hold
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA, Answer
from harness.programs import Program, capella, on_one_core, peer
from harness.report import Section

WIDTH = 384
COSINE_DISTANCE = 1e-4  # of two programs' vectors of one caption
NEAR = 1e-4  # of two programs' scores
METRICS = {
    "sentence-cosine": ("sentence_transformers", ("Sentence-cosine-max", "Sentence-cosine-mean"), []),
    "bertscore": ("bert_score", ("BERTScore-P", "BERTScore-R", "BERTScore"), []),
    "bertscore, idf": ("bert_score", ("BERTScore-P", "BERTScore-R", "BERTScore"), ["--set", "bertscore.idf=yes"]),
}


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
