"""A corpus as pycocoevalcap tokenises it: the common input of all scorers."""

from pathlib import Path

from harness import inputs
from harness.inputs import Corpus
from harness.launch import run_contender
from harness.programs import peer


class Tokens:
    """Tokens of references and systems; `references` and `captions` (the first system's) are files."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self.references = inputs.write_references(
            folder / "tokens.json", self._tokenise(corpus.references, folder)
        )
        self.systems = []
        for system in corpus.systems:
            single = self._tokenise({key: [text] for key, text in system.items()}, folder)
            self.systems.append({key: texts[0] for key, texts in single.items()})
        self.captions = inputs.write_captions(folder / "caption-tokens.json", self.systems[0])

    @staticmethod
    def _tokenise(captions: inputs.References, folder: Path) -> inputs.References:
        raw = inputs.write_references(folder / "raw.json", captions)
        lines = run_contender(peer("harness.peer_tokenizer"), raw, None, 1).lines
        return inputs.regroup(captions, lines)
