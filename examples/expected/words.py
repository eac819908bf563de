"""Metrics of word vectors (models/captions.vectors): gensim's wmdistance, pyemd as gensim 3 called it, MOWE's formula."""

import struct
from collections import Counter

import numpy as np
from gensim.models import KeyedVectors
from numpy.typing import NDArray
from pyemd import emd

from .captions import mean, one
from .common import EXAMPLES, Check, caption_tokens, package, reference_tokens, scores

Vectors = dict[str, NDArray[np.float32]]

# NLTK's English stop words of 2017.
STOP_WORDS = frozenset(
    """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is are
    was were be been being have has had having do does did doing a an the and but if or because as until while of
    at by for with about against between into through during before after above below to from up down in out on
    off over under again further then once here there when where why how all any both each few more most other
    some such no nor not only own same so than too very s t can will just don should now d ll m o re ve y ain aren
    couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn""".split()
)


def read_vectors() -> Vectors:
    """The sections that src/resource/word_vectors_layout.h describes: 8-bit steps and a scale per word."""
    data = (EXAMPLES.parent / "models/captions.vectors").read_bytes()
    (count,) = struct.unpack_from("<I", data, 28)
    parts = {}
    for k in range(count):
        name, offset, size = struct.unpack_from("<24sQQ", data, 64 + 40 * k)
        parts[name.rstrip(b"\0").decode()] = data[offset : offset + size]
    words, dimensions, bits, _ = struct.unpack("<4Q", parts["shape"])
    assert bits == 8
    steps = np.frombuffer(parts["numbers"], np.int8).reshape(words, dimensions).astype(np.float32)
    rows = steps * np.frombuffer(parts["scales"], np.float32)[:, None]
    vectors = {}
    for offset in struct.unpack(f"<{words}I", parts["offsets"]):
        number, length = struct.unpack_from("<IH", parts["records"], offset)
        vectors[parts["records"][offset + 6 : offset + 6 + length].decode()] = rows[number]
    return vectors


def words_of(text: str, vectors: Vectors) -> list[str]:
    return [word for word in text.split(" ") if word in vectors and word not in STOP_WORDS]


def gensim3_distance(a: list[str], b: list[str], vectors: Vectors) -> float:
    """What gensim 1 to 3 compute: distances in 32 bits, transport by pyemd."""
    if not a or not b:
        return np.inf
    vocabulary = list(dict.fromkeys(a + b))
    shares = [np.array([Counter(text)[word] / len(text) for word in vocabulary]) for text in (a, b)]
    costs = np.zeros((len(vocabulary), len(vocabulary)))
    for i, one_word in enumerate(vocabulary):
        for j, other in enumerate(vocabulary):
            if one_word in a and other in b:
                costs[i, j] = np.sqrt(np.sum((vectors[one_word] - vectors[other]) ** 2))
    return float(emd(*shares, costs)) if len(vocabulary) > 1 else 0.0


def mowe(caption: list[str], reference: list[str], vectors: Vectors) -> float:
    means = [sum(vectors[w].astype(float) for w in text) / max(len(text), 1) for text in (caption, reference)]
    lengths = [float(np.linalg.norm(m)) for m in means]
    return float(means[0] @ means[1]) / (lengths[0] * lengths[1]) if min(lengths) > 0 else -1.0


def checks() -> list[Check]:
    vectors = read_vectors()
    gensim = KeyedVectors(vector_size=len(vectors["a"]))
    gensim.add_vectors(list(vectors), np.array(list(vectors.values())))
    images = {key: [words_of(r, vectors) for r in own] for key, own in reference_tokens().items()}

    def nearest(system, similarity):
        texts = {key: words_of(caption, vectors) for key, (caption,) in caption_tokens(system).items()}
        return mean([max(similarity(text, r) for r in images[key]) for key, text in texts.items()])

    methods = [
        ("WMD", f"{package('gensim')} (POT)", "wmd", [], lambda a, b: np.exp(-gensim.wmdistance(a, b))),
        (
            "WMD (gensim 3)",
            package("pyemd"),
            "wmd",
            ["wmd.norm=raw", "wmd.solver=gensim3"],
            lambda a, b: np.exp(-gensim3_distance(a, b, vectors)),
        ),
        ("MOWE", f"formula, {package('numpy')}", "mowe", [], lambda a, b: mowe(a, b, vectors)),
    ]
    return [
        scores(name, reference, 1e-12, one(name.split()[0], lambda s, f=f: nearest(s, f)), run, *settings)
        for name, reference, run, settings, f in methods
    ]
