"""The sections that compare parts: scorers, tokenizer, sacreBLEU, chrF, reward."""

import json
from pathlib import Path
from statistics import quantiles

from harness.answers import compare_lines
from harness.launch import CAPELLA_PYTHON, run_contender
from harness.report import Section, format_seconds
from ngram import inputs
from ngram.bout import Contender, Work, hold
from ngram.inputs import Corpus
from ngram.programs import capella, capella_python, peer

NGRAM = "bleu,rouge-l,cider-d"
REWARD_TARGET = 2e-3


class Tokens:
    """The test corpus as pycocoevalcap tokenises it: the common input of all scorers."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self.references = inputs.write_references(folder / "tokens.json", self._tokenise(corpus.references, folder))
        self.systems = []
        for system in corpus.systems:
            single = self._tokenise({key: [text] for key, text in system.items()}, folder)
            self.systems.append({key: texts[0] for key, texts in single.items()})
        self.captions = inputs.write_captions(folder / "caption-tokens.json", self.systems[0])

    @staticmethod
    def _tokenise(captions: inputs.References, folder: Path) -> inputs.References:
        raw = inputs.write_references(folder / "raw.json", captions)
        lines = run_contender(peer("pycocoevalcap_tokenizer"), raw, None, 1).lines
        return inputs.regroup(captions, lines)


def scorers(corpus: Corpus, tokens: Tokens) -> Section:
    section = Section("Scorers", f"BLEU-1..4, ROUGE-L, CIDEr-D, corpus and every caption, from tokens in memory; {corpus.name}",
                      "pycocoevalcap")
    work = Work(tokens.references, tokens.captions, len(corpus.references), "captions")
    hold(section, work, Contender("pycocoevalcap", peer("pycocoevalcap_scorers"), 5),
         [Contender("capella, 1 thread", capella("scorers", NGRAM), 25),
          Contender("capella, 2 threads", capella("scorers", NGRAM, threads=2), 25)])
    return section


def tokenizer(corpus: Corpus, folder: Path) -> Section:
    section = Section("Tokenizer", f"raw captions in memory to tokens, 1 thread; all references of {corpus.name}",
                      "pycocoevalcap")
    texts = [text for captions in corpus.references.values() for text in captions]
    megabytes = sum(len(text.encode()) + 1 for text in texts) / 1e6
    work = Work(inputs.write_references(folder / "all.json", corpus.references), None, megabytes, "MB")
    hold(section, work, Contender("pycocoevalcap", peer("pycocoevalcap_tokenizer"), 3, "memory without Java's"),
         [Contender("capella, ptb", capella("tokenizer", tokenizer="ptb"), 9),
          Contender("capella, ptb-iso", capella("tokenizer", tokenizer="ptb-iso"), 9, "each caption alone, by design")],
         compare_lines)
    return section


def sacrebleu(corpus: Corpus, folder: Path) -> list[Section]:
    work = Work(inputs.write_references(folder / "references.json", corpus.references),
                inputs.write_captions(folder / "captions.json", corpus.systems[0]), len(corpus.references), "captions")
    bleu = Section("sacreBLEU", f"from raw captions in memory; {corpus.name}", "sacrebleu")
    hold(bleu, work, Contender("sacrebleu", peer("sacrebleu_bleu"), 5, "corpus only"),
         [Contender("capella, 1 thread", capella("scorers", "sacrebleu"), 15, "corpus and every caption")])
    chrf = Section("chrF", f"from raw captions in memory; {corpus.name}", "sacrebleu")
    hold(chrf, work, Contender("sacrebleu", peer("sacrebleu_chrf"), 3, "corpus only"),
         [Contender("fastchrf", peer("fastchrf_captions"), 5, "every caption only"),
          Contender("capella, 1 thread", capella("scorers", "chrf"), 15, "corpus and every caption")])
    return [bleu, chrf]


def reward(corpus: Corpus, tokens: Tokens, folder: Path) -> Section:
    section = Section("Reward", "CIDEr-D, one call with 5 x 64 captions against 5 references each, after set-up, 1 thread; "
                      f"{corpus.name}", "pycocoevalcap")
    path = folder / "batches.json"
    batches = inputs.reward_batches(Corpus(corpus.name, corpus.references, tokens.systems))
    path.write_text(json.dumps(batches), encoding="utf-8")
    work = Work(tokens.references, path, len(batches[0]["ids"]), "captions")
    others = [Contender("capella, C++", capella("reward", "cider-d"), 2000),
              Contender("capella, C++, ptb-iso", capella("reward", "cider-d", "ptb-iso"), 2000, "tokenises as well")]
    if CAPELLA_PYTHON.exists():
        others += [Contender("capella, Python", capella_python("capella_reward", "none"), 2000),
                   Contender("capella, Python, ptb-iso", capella_python("capella_reward", "ptb-iso"), 2000, "tokenises as well")]
    else:
        print("reward: the Python package is not built (./run build); only the C++ reward is measured")
    answers = hold(section, work, Contender("pycocoevalcap", peer("pycocoevalcap_reward"), 2 * len(batches)), others)
    for row in section.rows:
        p99 = quantiles(answers[row.contender].seconds, n=100)[98]
        verdict = f"; target {format_seconds(REWARD_TARGET)} {'met' if row.seconds < REWARD_TARGET else 'missed'}"
        row.notes = f"p99 {format_seconds(p99)}{verdict if 'capella' in row.contender else ''}" + (row.notes and f"; {row.notes}")
    return section
