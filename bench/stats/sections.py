"""The sections: Kendall's tau, resampled correlations, means, paired tests, and the intervals of a whole run."""

from pathlib import Path
from statistics import median

from harness import inputs
from harness.bout import Contender, Work, hold
from harness.inputs import Corpus
from harness.launch import run_contender
from harness.programs import Program, capella, peer
from harness.report import Row, Section, Table, format_seconds
from stats import numbers

RESAMPLES = 10_000
INTERVALS_TARGET = 5.0
SCORES = "bleu,rouge-l,cider-d"  # six scores


def _both(part: str, repetitions: int, metrics: str = "", tail: Program | None = None) -> list[Contender]:
    return [
        Contender(
            f"capella, {threads} thread{'s' if threads > 1 else ''}",
            [*capella(part, metrics, threads=threads), *(tail or [])],
            repetitions,
        )
        for threads in (1, 2)
    ]


def kendall(folder: Path) -> list[Section]:
    sections = []
    for rows, shares, same, name in (
        (numbers.EXPERT_ROWS, numbers.EXPERT_SHARES, 3, "three rows share a score"),
        (numbers.CROWD_ROWS, numbers.CROWD_SHARES, 1, "no two scores the same"),
    ):
        what = f"tau-b and p of {rows:,} rows, {len(shares)} ratings, {name}"
        section = Section("Kendall's tau", what, "scipy")
        path = numbers.write_ratings(folder / f"ratings-{rows}.json", rows, shares, same)
        work = Work(path, None, rows, "rows")
        scipy = Contender("scipy.stats.kendalltau", peer("stats.contenders.scipy_kendall"), 25)
        hold(section, work, scipy, [Contender("capella, 1 thread", capella("kendall"), 25, "tau-c as well")])
        sections.append(section)
    return sections


def correlations(folder: Path) -> Section:
    rows, resamples = numbers.CROWD_ROWS, 50
    what = f"tau-b, Pearson, Spearman of {resamples} resamples of {rows:,} rows"
    section = Section("Resampled correlations", what, "scipy")
    path = numbers.write_ratings(folder / "resampled.json", rows, numbers.CROWD_SHARES, resamples=resamples)
    scipy = Contender("scipy.stats", peer("stats.contenders.scipy_correlations"), 1)
    hold(section, Work(path, None, resamples, "resamples"), scipy, _both("correlations", 9))
    return section


def _say_target(row: Row) -> None:
    if row.contender == "capella, 2 threads":
        met = "met" if row.seconds < INTERVALS_TARGET else "missed"
        row.notes = f"target {format_seconds(INTERVALS_TARGET)} {met}"


def means(folder: Path) -> Section:
    items, columns = 5_000, 18
    what = f"means of {items:,} items x 3 systems x 6 scores on {RESAMPLES:,} resamples"
    section = Section("Bootstrap of means", what, "scipy")
    path = numbers.write_matrix(folder / "matrix.json", items, columns, RESAMPLES)
    scipy = Contender("scipy.stats.bootstrap", peer("stats.contenders.scipy_means"), 1)
    numpy = Contender("numpy, counts x rows", peer("stats.contenders.numpy_means"), 3, "BLAS on all cores")
    hold(section, Work(path, None, RESAMPLES, "resamples"), scipy, [numpy, *_both("means", 9)])
    for row in section.rows:
        _say_target(row)
    return section


def _write_systems(corpus: Corpus, folder: Path) -> list[Path]:
    return [
        inputs.write_captions(folder / f"system{k}.json", captions)
        for k, captions in enumerate(corpus.systems)
    ]


def paired(corpus: Corpus, folder: Path) -> Section:
    what = f"BLEU of two systems, bootstrap and randomization, from raw captions in memory; {corpus.name}"
    section = Section("Paired tests", what, "sacrebleu")
    references = inputs.write_references(folder / "references.json", corpus.references)
    first, second, *_ = _write_systems(corpus, folder)
    work = Work(references, first, 11_000, "samples")
    sacrebleu = Contender("sacrebleu", [*peer("stats.contenders.sacrebleu_paired"), "--others", second], 1)
    hold(section, work, sacrebleu, _both("paired", 5, "sacrebleu", ["--others", str(second)]))
    return section


def intervals(corpus: Corpus, folder: Path) -> Table:
    """No peer resamples these scores from their statistics."""
    references = inputs.write_references(folder / "references.json", corpus.references)
    first, *others = _write_systems(corpus, folder)
    what = (
        f"BLEU-1..4, ROUGE-L, CIDEr-D of {len(corpus.systems)} systems on {RESAMPLES:,} resamples, from rows of "
        f"statistics to intervals; {corpus.name}, {len(corpus.references):,} items"
    )
    table = Table(
        "Intervals of a run", what, ["threads", "time", f"target {format_seconds(INTERVALS_TARGET)}"]
    )
    for threads in (1, 2):
        program = [*capella("intervals", SCORES, threads=threads), "--others", ",".join(map(str, others))]
        seconds = median(run_contender(program, references, first, 5).seconds)
        met = "met" if seconds < INTERVALS_TARGET else "missed"
        table.rows.append([str(threads), format_seconds(seconds), met])
    return table
