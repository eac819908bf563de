"""Makes new captions out of parsed ones, for the official parser to label: more text of the same kind.

    python make_captions.py --silver train.conll.gz --ewt en_ewt-ud-train.conllu --count 500000 > captions.txt

A new caption is the beginning of one caption and the end of another that share the word where they meet; every fifth
one also has a noun, verb or adjective replaced by one of general English with the same tag.
"""

import argparse
import random
from collections import defaultdict

import treebank

OPEN_TAGS = {"NN", "NNS", "JJ", "VBG", "VBN", "VBZ", "VBP", "RB", "NNP"}


def places_by_word(sentences):
    places = defaultdict(list)
    for number, sentence in enumerate(sentences):
        for place, word in enumerate(sentence.words):
            places[word].append((number, place))
    return places


def spliced(sentences, places, chance):
    """Words and (old) tags of a new caption, or nothing where the two halves do not fit."""
    first = chance.choice(sentences)
    meet = chance.randrange(1, len(first.words))
    number, place = chance.choice(places[first.words[meet]])
    second = sentences[number]
    words = first.words[:meet] + second.words[place:]
    if second is first or not 5 <= len(words) <= 24:
        return None
    return words, first.tags[:meet] + second.tags[place:]


def with_a_new_word(words, tags, lexicon, chance):
    open_places = [i for i, tag in enumerate(tags) if tag in OPEN_TAGS and words[i].isalpha()]
    if open_places:
        place = chance.choice(open_places)
        word = chance.choice(lexicon[tags[place]])
        words[place] = word.capitalize() if words[place][0].isupper() else word
    return words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--silver", required=True)
    parser.add_argument("--ewt", required=True)
    parser.add_argument("--count", type=int, default=500000)
    parser.add_argument("--plain", type=float, default=0.6, help="share in lower case without punctuation")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    silver = [s for s in treebank.official_trees(options.silver) if len(s.words) > 3]
    kinds = {raw: [s for s in silver if s.raw == raw] for raw in (False, True)}
    places = {raw: places_by_word(sentences) for raw, sentences in kinds.items()}
    lexicon = defaultdict(list)
    for sentence in treebank.universal_trees(options.ewt, 0.0, 0):
        for word, tag in zip(sentence.words, sentence.tags):
            if tag in OPEN_TAGS and word.isalpha():
                lexicon[tag].append(word if tag == "NNP" else word.lower())
    seen = {tuple(s.words) for s in silver}
    made = 0
    while made < options.count:
        raw = chance.random() >= options.plain
        new = spliced(kinds[raw], places[raw], chance)
        if new is None or tuple(new[0]) in seen:
            continue
        words, tags = new
        if chance.random() < 0.2:
            words = with_a_new_word(words, tags, lexicon, chance)
            words = words if raw else [word.lower() for word in words]
        seen.add(tuple(words))
        print(f"m{made}{'r' if raw else ''}\t{' '.join(words)}")
        made += 1


if __name__ == "__main__":
    main()
