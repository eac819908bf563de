"""pycocoevalcap's CIDEr-D as a reward, the way training loops in Python use it.

The document frequencies of all references are counted once; each call then cooks the references and captions
of its batch and scores them. The scorer would take the number of items from the batch, so that one attribute
is held fixed.
"""

import math
from collections import defaultdict

from pycocoevalcap.cider.cider_scorer import CiderScorer

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer


class CorpusCider(CiderScorer):
    """CIDEr-D with the document frequencies of a corpus."""

    log_items = 0.0
    ref_len = property(lambda self: self.log_items, lambda self, value: None)


class Reward:
    def __init__(self, references: dict[str, list[str]]) -> None:
        self.references = references
        corpus = CiderScorer()
        for captions in references.values():
            corpus += (None, captions)
        corpus.compute_doc_freq()
        self.frequencies: defaultdict[tuple[str, ...], float] = corpus.document_frequency

    def __call__(self, ids: list[str], captions: list[str]) -> list[float]:
        scorer = CorpusCider()
        scorer.log_items = math.log(len(self.references))
        scorer.document_frequency = self.frequencies
        for key, caption in zip(ids, captions, strict=True):
            scorer += (caption, self.references[key])
        return scorer.compute_cider()


def main() -> None:
    job = read_job()
    batches = job.batches()
    reward = Reward(job.references)
    items = [value for ids, captions in batches for value in reward(ids, captions)]
    seconds, _ = time_each(job.repetitions, lambda k: reward(*batches[k % len(batches)]))
    write_answer(job, seconds, peak_megabytes(), values={"CIDEr-D": score(items)})


if __name__ == "__main__":
    main()
