"""The sections: the whole command beside the official program's, and parsing alone."""

import json
import math
from pathlib import Path
from statistics import fmean

from harness.answers import Agreement
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA, Answer, run_contender
from harness.programs import capella, on_one_core, peer
from harness.report import Section, Table, format_rate, format_seconds
from harness.tokens import Tokens

SCORES = ("SPICE",)
JAR = "spice-1.0.jar, 2 threads"
LOWEST_CORRELATION, HIGHEST_BIAS = 0.98, 0.002


def _correlation(a: list[float], b: list[float]) -> float:
    mean_a, mean_b = fmean(a), fmean(b)
    top = math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    below = math.fsum((x - mean_a) ** 2 for x in a) * math.fsum((y - mean_b) ** 2 for y in b)
    return top / math.sqrt(below) if below else float(a == b)


def compare_spice(found: Answer, wanted: Answer) -> Agreement:
    """Our parser is not the official one, so scores agree rather than being equal: the text says how well."""
    ours, theirs = found.values["SPICE"]["items"], wanted.values["SPICE"]["items"]
    correlation, bias = _correlation(ours, theirs), fmean(ours) - fmean(theirs)
    same = fmean(abs(a - b) < 1e-9 for a, b in zip(ours, theirs, strict=True))
    text = f"Pearson {correlation:.4f}, bias {bias:+.4f}, {same:.0%} the same"
    return Agreement(correlation >= LOWEST_CORRELATION and abs(bias) <= HIGHEST_BIAS, text)


def write_rows(corpus: Corpus, tokens: Tokens, folder: Path) -> Path:
    """The captions as pycocoevalcap gives them to SPICE."""
    references = {row["image_id"]: row["captions"] for row in json.loads(tokens.references.read_text("utf-8"))}
    captions = {row["image_id"]: row["caption"] for row in json.loads(tokens.captions.read_text("utf-8"))}
    rows = [{"image_id": key, "test": captions[key], "refs": references[key][:5]} for key in corpus.references]
    path = folder / "spice-rows.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def commands(corpus: Corpus, tokens: Tokens, folder: Path) -> Section:
    count = len(corpus.references)
    what = f"from a file of tokens to the printed score, start included; {corpus.name}, {count:,} images x 5 references"
    section = Section("Whole command", what, "jar")
    rows = write_rows(corpus, tokens, folder)
    jar = [*peer("spice.contenders.jar_command"), rows]
    theirs = Command(JAR, jar, 1, peer_answer(jar, folder))
    others = []
    for threads in (2, 1):
        options = ["-m", "spice", "--tokenizer", "none", "--format", "json", "--threads", str(threads)]
        ours = [CAPELLA, "score", rows, *options]
        plural = "s" if threads > 1 else ""
        name = f"capella score, {threads} thread{plural}"
        others.append(Command(name, ours, 7, capella_answer(ours, SCORES, folder)))
    hold_commands(section, count, theirs, others, compare_spice)
    return section


def parsing(corpus: Corpus, tokens: Tokens) -> Table:
    """The trees of all captions and references, one thread on one core, after the model is loaded."""
    answer = run_contender(on_one_core(capella("parser")), tokens.references, tokens.captions, 5)
    count = len(corpus.references) + sum(len(captions) for captions in corpus.references.values())
    seconds = min(answer.seconds)
    what = f"tokens to trees, one thread; {corpus.name}, {count:,} captions"
    rows = [[format_rate(count / seconds, "captions"), format_seconds(seconds / count), f"{answer.peak_mb:.0f} MB"]]
    return Table("Parsing alone", what, ["throughput", "a caption", "memory"], rows)
