"""The sections that compare times: segments after warm-up, whole commands, the first score, the worst case."""

from pathlib import Path
from statistics import median

from harness import inputs
from harness.bout import Contender, Work, hold
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA
from harness.programs import capella, on_one_core, peer
from harness.report import Section, format_ratio, format_seconds
from harness.tokens import Tokens

SCORES = ("METEOR",)
JAR = "meteor-1.5.jar"
LONG = 200


def _hold_in_memory(section: Section, work: Work, jar_runs: int, own_runs: int) -> None:
    answers = hold(
        section,
        work,
        Contender(JAR, on_one_core(peer("meteor.contenders.jar_segments")), jar_runs),
        [Contender("capella, 1 thread", on_one_core(capella("scorers", "meteor")), own_runs)],
    )
    peer_cpu = median(answers[JAR].cpu_seconds)
    for row in section.rows:
        cpu = median(answers[row.contender].cpu_seconds)
        row.notes = f"processor time {format_seconds(cpu)}, {format_ratio(peer_cpu / cpu)}"


def segments(corpus: Corpus, tokens: Tokens) -> Section:
    what = f"every caption and the corpus, from tokens in memory, after warm-up, one core; {corpus.name}"
    section = Section("Segments", what, "jar")
    count = len(corpus.references)
    _hold_in_memory(section, Work(tokens.references, tokens.captions, count, "captions"), 5, 15)
    for row in section.rows:
        row.notes += f"; {format_seconds(row.seconds / count)} a segment"
    return section


def worst(folder: Path) -> Section:
    what = f"two captions of {LONG} times the same word, from tokens in memory, after warm-up, one core"
    section = Section("Worst case", what, "jar")
    text = " ".join(["dog"] * LONG)
    references = inputs.write_references(folder / "worst-references.json", {"1": [text]})
    captions = inputs.write_captions(folder / "worst-captions.json", {"1": text})
    _hold_in_memory(section, Work(references, captions, 1, "captions"), 5, 15)
    return section


def _hold_whole(section: Section, corpus: Corpus, tokens: tuple[Path, Path], folder: Path, runs: int) -> None:
    """The peers have all cores, as users run them, and are given tokens; Capella has one and tokenises itself."""
    references = inputs.write_references(folder / "meteor-references.json", corpus.references)
    captions = inputs.write_captions(folder / "meteor-captions.json", corpus.systems[0])
    options = ["-m", "meteor", "--threads", "1", "--format", "json"]
    ours = on_one_core([CAPELLA, "score", references, captions, *options])
    jar, package = (
        [*peer(f"meteor.contenders.{name}"), *tokens] for name in ("jar_command", "pycocoevalcap_command")
    )
    held = on_one_core(jar)
    others = [
        Command(f"{JAR}, one core", held, runs, peer_answer(held, folder), "given tokens"),
        Command("pycocoevalcap's Meteor", package, runs, peer_answer(package, folder), "given tokens"),
        Command("capella score, one core", ours, 3 * runs, capella_answer(ours, SCORES, folder)),
    ]
    all_cores = Command(JAR, jar, runs, peer_answer(jar, folder), "given tokens, all cores")
    hold_commands(section, len(corpus.references), all_cores, others)


def commands(corpus: Corpus, tokens: Tokens, folder: Path) -> Section:
    count = len(corpus.references)
    what = f"from files to the printed score, start included; {corpus.name}, {count:,} images"
    section = Section("Whole command", what, "jar")
    _hold_whole(section, corpus, (tokens.references, tokens.captions), folder, 3)
    return section


def first(corpus: Corpus, folder: Path) -> Section:
    section = Section("First score", "from the start of a command to the score of one caption", "jar")
    key = next(iter(corpus.references))
    one = Corpus("one image", {key: corpus.references[key]}, [{key: corpus.systems[0][key]}])
    (folder / "first").mkdir()
    few = Tokens(one, folder / "first")
    _hold_whole(section, one, (few.references, few.captions), folder, 5)
    return section
