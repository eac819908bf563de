"""Trains word vectors on image captions and writes them as a text file of word2vec.

    python train.py --coco val2014_refs.json --flickr8k Flickr8k.token.txt --without karpathy_test_refs.json \\
        ExpertAnnotations.txt CrowdFlowerAnnotations.txt composite.jsonl -o captions.txt

Images that the files behind --without name are left out. Words are Capella's ptb tokens. The same command gives
the same file: one thread, a fixed seed. Needs capella and gensim 4.

What counts as near is the choice that matters most (--near). The captions of one image say the same thing in
other words, so with "image" the words of all its captions are neighbours, in a random order: "man" and "guy"
become near, where within captions they hardly ever meet.
"""

import argparse
import random
import time

import capella
import captions as sources
import gensim
import numpy as np


def read_images(options):
    """Per image: its captions as lists of words."""
    coco, flickr = sources.test_images(options.without)
    print(f"left out: {len(coco)} images of COCO, {len(flickr)} of Flickr")
    kept = []
    for path in options.coco:
        kept += sources.without(sources.coco_captions(path), coco).values()
    for path in options.flickr8k:
        kept += sources.without(
            sources.flickr8k_captions(path), flickr, key=lambda name: name.split("_")[0]
        ).values()
    for path in options.factual:
        kept += sources.factual_captions(path).values()
    texts = capella.tokenize([text for image in kept for text in image])
    print(f"read: {len(kept)} images, {len(texts)} captions")
    words = iter([text.split() for text in texts])
    return [[next(words) for _ in image] for image in kept]


def training_texts(images, options):
    """Lists of words; those in one list are near each other."""
    if options.near == "caption":
        return [caption for image in images for caption in image]
    chance = random.Random(options.seed)
    texts = []
    for image in images:
        words = [word for caption in image for word in caption]
        chance.shuffle(words)
        texts.append(words)
    return texts


def train(texts, options):
    settings = dict(
        sentences=texts,
        vector_size=options.dimensions,
        window=options.window,
        min_count=options.min_count,
        epochs=options.epochs,
        negative=options.negative,
        sample=options.sample,
        sg=int(options.model != "cbow"),
        workers=1,
        seed=options.seed,
    )
    if options.model == "fasttext":
        return gensim.models.FastText(min_n=3, max_n=6, bucket=200_000, **settings).wv
    return gensim.models.Word2Vec(**settings).wv


def unit(matrix):
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def without_common_part(matrix, directions):
    """Vectors without their mean and the directions they share most (Mu and Viswanath, ICLR 2018)."""
    matrix = matrix - matrix.mean(axis=0)
    shared = np.linalg.svd(matrix, full_matrices=False)[2][:directions]
    return matrix - matrix @ shared.T @ shared


def write(path, words, matrix):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{len(words)} {matrix.shape[1]}\n")
        for word, row in zip(words, matrix):
            out.write(word + " " + " ".join(f"{number:.5f}" for number in row) + "\n")


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--coco", nargs="*", default=[], help="JSON objects: image id -> captions")
    parser.add_argument("--flickr8k", nargs="*", default=[], help="files like Flickr8k.token.txt")
    parser.add_argument("--factual", nargs="*", default=[], help="FACTUAL's train.csv")
    parser.add_argument("--without", nargs="*", default=[], help="files that name images to leave out")
    parser.add_argument("--model", choices=["skipgram", "cbow", "fasttext"], default="fasttext")
    parser.add_argument(
        "--near", choices=["caption", "image"], default="image", help="words of what are near each other"
    )
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--window", type=int, default=5, help="how many words to each side are near at most")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--negative", type=int, default=5, help="how many words are drawn as not near")
    parser.add_argument("--sample", type=float, default=1e-4, help="thins out words more frequent than this")
    parser.add_argument("--min-count", type=int, default=5, help="leaves out rarer words")
    parser.add_argument("--remove", type=int, help="removes the mean and so many directions that all share")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    return parser.parse_args()


def main():
    options = arguments()
    texts = training_texts(read_images(options), options)
    begin = time.process_time()
    vectors = train(texts, options)
    print(f"trained: {time.process_time() - begin:.0f} s")
    matrix = unit(vectors.vectors.astype(np.float64))
    if options.remove is not None:
        matrix = unit(without_common_part(matrix, options.remove))
    write(options.output, vectors.index_to_key, matrix)
    print(f"{options.output}: {len(matrix)} words x {options.dimensions}")


if __name__ == "__main__":
    main()
