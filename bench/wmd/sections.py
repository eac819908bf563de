"""The sections: distances of captions and references in memory, and the whole command."""

from pathlib import Path

from harness.answers import Agreement
from harness.bout import Contender, Work, hold
from harness.commands import Command, capella_answer, hold_commands, peer_answer
from harness.inputs import Corpus
from harness.launch import CAPELLA, Answer, run_contender
from harness.programs import capella, on_one_core, peer
from harness.report import Section
from harness.tokens import Tokens

SCORES = ("WMD",)
GENSIM = "gensim wmdistance"
RELATIVE = 1e-12  # both solvers are exact up to rounding; they were seen to agree within 1e-15
SMALLEST = 1e-3  # of smaller values, such as the distance of equal captions, the difference itself counts


def write_vectors(folder: Path, tokens: Tokens) -> Path:
    """The vectors that come with Capella, in gensim's own format, which it loads fastest."""
    from gensim.models import KeyedVectors

    lines = run_contender(capella("vectors"), tokens.references, None, 1).lines
    text, path = folder / "captions.txt", folder / "captions.kv"
    text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    KeyedVectors.load_word2vec_format(str(text), binary=False).save(str(path))
    return path


def compare_wmd(found: Answer, wanted: Answer) -> Agreement:
    """Every value of `found`; the text says how near they are."""
    pairs = []
    for name, value in found.values.items():
        pairs += zip(value["items"], wanted.values[name]["items"], strict=True)
    worst = max(abs(a - b) / max(abs(b), SMALLEST) for a, b in pairs)
    return Agreement(worst <= RELATIVE, f"{len(pairs):,} values within {worst:.1g}")


def distances(corpus: Corpus, tokens: Tokens, vectors: Path) -> Section:
    count = sum(map(len, corpus.references.values()))
    what = f"from tokens in memory, one core; {corpus.name}, {count:,} pairs of caption and reference"
    section = Section("Distances", what, "gensim")
    gensim = on_one_core([*peer("wmd.contenders.gensim_distances"), "--others", vectors])
    ours = [
        Contender("capella, every pair", on_one_core(capella("wmd")), 9, "words read and vectors found included"),
        Contender("capella, scores", on_one_core(capella("scorers", "wmd")), 9, "nearest reference only"),
    ]
    work = Work(tokens.references, tokens.captions, count, "pairs")
    hold(section, work, Contender(GENSIM, gensim, 3), ours, compare_wmd)
    for row in section.rows:
        row.notes = "; ".join(filter(None, [f"{row.seconds / count * 1e6:.1f} us a pair", row.notes]))
    return section


def commands(corpus: Corpus, tokens: Tokens, vectors: Path, folder: Path) -> Section:
    count = len(corpus.references)
    what = f"from files of tokens to the printed score, start included; {corpus.name}, {count:,} images"
    section = Section("Whole command", what, "gensim")
    files = [tokens.references, tokens.captions]
    loop = on_one_core([*peer("wmd.contenders.gensim_command"), *files, vectors])
    options = ["-m", "wmd", "--tokenizer", "none", "--format", "json", "--threads", "1"]
    ours = on_one_core([CAPELLA, "score", *files, *options])
    theirs = Command(GENSIM, loop, 3, peer_answer(loop, folder))
    mine = Command("capella score, one core", ours, 9, capella_answer(ours, SCORES, folder))
    hold_commands(section, count, theirs, [mine], compare_wmd)
    return section
