"""Captions taken apart: grammar, and what they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from . import _core


class Token(NamedTuple):
    """A word in its sentence."""

    word: str
    lemma: str
    tag: str  # of the Penn Treebank
    head: int  # the word it depends on, counted from 1; 0 for the root, -1 for none
    relation: str  # of Universal Dependencies 1


@dataclass(frozen=True, slots=True)
class Parse:
    """A caption's grammar and what it says. Notebooks show it as a picture."""

    text: str
    sentences: list[list[Token]]
    #: (object,), (object, attribute) or (subject, relation, object), in alphabetical order.
    tuples: list[tuple[str, ...]]

    @property
    def tokens(self) -> list[Token]:
        """The words of all sentences."""
        return [token for sentence in self.sentences for token in sentence]

    def svg(self) -> str:
        """A picture: objects in a row, their attributes below, relations as arrows above."""
        return _core.draw_parse(self.text, self.sentences, self.tuples)

    def _repr_svg_(self) -> str:
        return self.svg()


def parse(
    captions: Iterable[str], *, tokenizer: str = "none", synsets: bool = True, threads: int = 0
) -> list[Parse]:
    """Parses captions and reads from them objects, attributes and relations, as SPICE does.

    >>> [caption] = capella.parse(["A young girl is standing on a tennis court."])
    >>> caption.tuples
    [('court',), ('court', 'tennis'), ('girl',), ('girl', 'stand on', 'court'), ('girl', 'young')]

    Args:
        captions: A list of str.
        tokenizer: What captions go through first: "none", or "ptb-iso" or "ptb" to see what SPICE sees in
            :func:`capella.score` unless told otherwise: lower case without punctuation.
        synsets: Whether words of a caption that have a meaning in common are one. Needs ``get_data("meteor")`` once.
        threads: 0 means one per core. Never changes an answer.

    Raises:
        FileError: (an OSError too) The data that joins words is not there; the message says how to get it.
        TypeError: A caption is not a str.
    """
    return [
        Parse(text, [[Token(*word) for word in sentence] for sentence in sentences], list(map(tuple, tuples)))
        for text, sentences, tuples in _core.parse(captions, tokenizer, synsets, threads)
    ]
