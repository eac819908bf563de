"""The sections that compare parts: scorers, tokenizer, sacreBLEU, chrF, reward."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles

from harness import inputs
from harness.answers import compare_lines
from harness.bout import Contender, Work, hold
from harness.inputs import Corpus
from harness.launch import have_python_package
from harness.programs import Program, capella, capella_python, peer
from harness.report import Row, Section, format_seconds
from harness.tokens import Tokens

NGRAM = "bleu,rouge-l,cider-d"
REWARD_TARGET = 2e-3
REWARD_CALLS = 2000


def scorers(corpus: Corpus, tokens: Tokens) -> Section:
    what = f"BLEU-1..4, ROUGE-L, CIDEr-D, corpus and every caption, from tokens in memory; {corpus.name}"
    section = Section("Scorers", what, "pycocoevalcap")
    work = Work(tokens.references, tokens.captions, len(corpus.references), "captions")
    hold(
        section,
        work,
        Contender("pycocoevalcap", peer("ngram.contenders.pycocoevalcap_scorers"), 5),
        [
            Contender("capella, 1 thread", capella("scorers", NGRAM), 25),
            Contender("capella, 2 threads", capella("scorers", NGRAM, threads=2), 25),
        ],
    )
    return section


def tokenizer(corpus: Corpus, folder: Path) -> Section:
    what = f"raw captions in memory to tokens, 1 thread; all references of {corpus.name}"
    section = Section("Tokenizer", what, "pycocoevalcap")
    texts = [text for captions in corpus.references.values() for text in captions]
    megabytes = sum(len(text.encode()) + 1 for text in texts) / 1e6
    work = Work(inputs.write_references(folder / "all.json", corpus.references), None, megabytes, "MB")
    hold(
        section,
        work,
        Contender("pycocoevalcap", peer("harness.peer_tokenizer"), 3, "memory without Java's"),
        [
            Contender("capella, ptb", capella("tokenizer", tokenizer="ptb"), 9),
            Contender(
                "capella, ptb-iso",
                capella("tokenizer", tokenizer="ptb-iso"),
                9,
                "each caption alone, by design",
            ),
        ],
        compare_lines,
    )
    return section


def sacrebleu(corpus: Corpus, folder: Path) -> list[Section]:
    work = Work(
        inputs.write_references(folder / "references.json", corpus.references),
        inputs.write_captions(folder / "captions.json", corpus.systems[0]),
        len(corpus.references),
        "captions",
    )
    bleu = Section("sacreBLEU", f"from raw captions in memory; {corpus.name}", "sacrebleu")
    hold(
        bleu,
        work,
        Contender("sacrebleu", peer("ngram.contenders.sacrebleu_bleu"), 5, "corpus only"),
        [Contender("capella, 1 thread", capella("scorers", "sacrebleu", "13a"), 15, "corpus and every caption")],
    )
    chrf = Section("chrF", f"from raw captions in memory; {corpus.name}", "sacrebleu")
    hold(
        chrf,
        work,
        Contender("sacrebleu", peer("ngram.contenders.sacrebleu_chrf"), 3, "corpus only"),
        [
            Contender("fastchrf", peer("ngram.contenders.fastchrf_captions"), 5, "every caption only"),
            Contender("capella, 1 thread", capella("scorers", "chrf"), 15, "corpus and every caption"),
        ],
    )
    return [bleu, chrf]


def _rewards() -> list[Contender]:
    """Capella's reward in both languages, with tokens as they are and with its own tokenizer."""
    programs: dict[str, Callable[[str], Program]] = {
        "C++": lambda tokenizer: capella("reward", "cider-d", tokenizer)
    }
    if have_python_package():
        programs["Python"] = lambda tokenizer: capella_python("ngram.contenders.capella_reward", tokenizer)
    else:
        print(
            "reward: the Python package is not built (./run build does it); only the C++ reward is measured"
        )
    notes = {"none": "", "ptb-iso": "tokenises as well"}
    return [
        Contender(f"capella, {language}, {tokenizer}", program(tokenizer), REWARD_CALLS, notes[tokenizer])
        for language, program in programs.items()
        for tokenizer in ("none", "ptb-iso")
    ]


def _reward_notes(row: Row, seconds: list[float]) -> Iterator[str]:
    yield f"p99 {format_seconds(quantiles(seconds, n=100)[98])}"
    if row.contender.startswith("capella"):
        yield f"target {format_seconds(REWARD_TARGET)} {'met' if row.seconds < REWARD_TARGET else 'missed'}"
    if row.notes:
        yield row.notes


def reward(corpus: Corpus, tokens: Tokens, folder: Path) -> Section:
    what = f"CIDEr-D, a call with 5 x 64 captions against 5 references each, after set-up, 1 thread; {corpus.name}"
    section = Section("Reward", what, "pycocoevalcap")
    path = folder / "batches.json"
    batches = inputs.reward_batches(Corpus(corpus.name, corpus.references, tokens.systems))
    path.write_text(json.dumps(batches), encoding="utf-8")
    work = Work(tokens.references, path, len(batches[0]["ids"]), "captions")
    pycocoevalcap = Contender("pycocoevalcap", peer("ngram.contenders.pycocoevalcap_reward"), 2 * len(batches))
    answers = hold(section, work, pycocoevalcap, _rewards())
    for row in section.rows:
        row.notes = "; ".join(_reward_notes(row, answers[row.contender].seconds))
    return section
