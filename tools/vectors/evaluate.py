"""How well Word Mover's Distance on some vectors agrees with the experts of Flickr8k: Kendall's tau.

    python evaluate.py --flickr8k Flickr8k.token.txt --experts ExpertAnnotations.txt captions.txt other.txt

Per rated pair: exp(-d), d the least distance between the caption and one of the image's captions; unit vectors,
stop words left out, words without a vector too; no distance at all counts as 0. Pairs whose caption is one of the
image's own are dropped. Kendall's tau-b against the mean of the three ratings. Needs capella, POT and scipy;
vectors are files of text. With --eight-bit their numbers are rounded as `capella data vectors --eight-bit` does.
"""

import argparse
import math
from collections import Counter

import capella
import captions as sources
import numpy as np
import ot
import scipy.stats

STOP_WORDS = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves what which who whom this that these those
    am is are was were be been being have has had having do does did doing a an the and but if or because
    as until while of at by for with about against between into through during before after above below to
    from up down in out on off over under again further then once here there when where why how all any
    both each few more most other some such no nor not only own same so than too very s t can will just
    don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma mightn mustn needn
    shan shouldn wasn weren won wouldn
    """.split()
)


def in_eight_bits(vector):
    step = np.abs(vector).max() / 127
    return np.rint(vector / step) * step


def read_vectors(path, eight_bit):
    vectors = {}
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            fields = line.rstrip().split(" ")
            if number == 0 and len(fields) == 2:
                continue
            vector = np.array(fields[1:], dtype=np.float64)
            if eight_bit:
                vector = in_eight_bits(vector)
            vectors.setdefault(fields[0], vector / np.linalg.norm(vector))
    return vectors


def distance(left, right, vectors):
    """Word Mover's Distance between two bags of words; infinite if one is empty."""
    if not left or not right:
        return math.inf
    left_words, right_words = list(left), list(right)
    one = np.array([vectors[word] for word in left_words])
    other = np.array([vectors[word] for word in right_words])
    costs = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * one @ other.T))
    weights = [np.array(list(bag.values()), dtype=np.float64) for bag in (left, right)]
    return ot.emd2(weights[0] / weights[0].sum(), weights[1] / weights[1].sum(), costs)


def rated_pairs(tokens_path, experts_path):
    """(words of the caption, words of each of the image's captions, mean rating)."""
    captions = sources.flickr8k_captions(tokens_path)
    flat = [text for texts in captions.values() for text in texts]
    words = iter([text.split() for text in capella.tokenize(flat)])
    tokens = {image: [next(words) for _ in texts] for image, texts in captions.items()}
    pairs = []
    with open(experts_path, encoding="utf-8") as lines:
        for line in lines:
            image, place, *ratings = line.split()
            other, number = place.split("#")
            if other != image:
                rating = np.mean([int(rating) for rating in ratings])
                pairs.append((tokens[other][int(number)], tokens[image], rating))
    return pairs


def tau(pairs, vectors):
    def bag(words):
        return Counter(word for word in words if word not in STOP_WORDS and word in vectors)

    def score(words, references):
        return math.exp(-min(distance(bag(words), bag(own), vectors) for own in references))

    scores = [score(words, references) for words, references, _ in pairs]
    return scipy.stats.kendalltau(scores, [rating for _, _, rating in pairs]).statistic


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--flickr8k", required=True, help="Flickr8k.token.txt")
    parser.add_argument("--experts", required=True, help="ExpertAnnotations.txt")
    parser.add_argument("--eight-bit", action="store_true")
    parser.add_argument("vectors", nargs="+")
    options = parser.parse_args()
    pairs = rated_pairs(options.flickr8k, options.experts)
    print(f"{len(pairs)} pairs")
    for path in options.vectors:
        vectors = read_vectors(path, options.eight_bit)
        print(f"{path}: {len(vectors)} words, tau {tau(pairs, vectors):.4f}", flush=True)


if __name__ == "__main__":
    main()
