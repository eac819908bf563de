"""sacrebleu's chrF. Timed is the corpus score alone; single captions are scored for the comparison."""

from sacrebleu.metrics import CHRF

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer
from ngram.contenders.sacrebleu_streams import streams_of


def main() -> None:
    job = read_job()
    captions = job.captions()
    texts, streams = list(captions.values()), streams_of(job.references)
    seconds, corpus = time_each(job.repetitions, lambda _: CHRF().corpus_score(texts, streams))
    peak = peak_megabytes()
    single = CHRF()
    items = [single.sentence_score(text, job.references[key]).score for key, text in captions.items()]
    write_answer(job, seconds, peak, values={"chrF": score(items, corpus.score)})


if __name__ == "__main__":
    main()
