"""sacrebleu's BLEU. Timed is the corpus score alone; single captions are scored for the comparison."""

import logging

from sacrebleu.metrics import BLEU

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer
from ngram.contenders.sacrebleu_streams import streams_of


def main() -> None:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises another setting for single captions
    job = read_job()
    captions = job.captions()
    texts, streams = list(captions.values()), streams_of(job.references)
    seconds, corpus = time_each(job.repetitions, lambda _: BLEU().corpus_score(texts, streams))
    peak = peak_megabytes()
    single = BLEU()
    items = [single.sentence_score(text, job.references[key]).score for key, text in captions.items()]
    write_answer(job, seconds, peak, values={"sacreBLEU": score(items, corpus.score)})


if __name__ == "__main__":
    main()
