"""fastchrf (Rust): chrF of each caption against each of its references, of which the best counts."""

from fastchrf import pairwise_chrf

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer


def best_scores(texts: list[list[str]], references: list[list[str]]) -> list[float]:
    return [max(scores[0]) for scores in pairwise_chrf(texts, references)]


def main() -> None:
    job = read_job()
    captions = job.captions()
    texts = [[text] for text in captions.values()]
    references = [job.references[key] for key in captions]
    seconds, items = time_each(job.repetitions, lambda _: best_scores(texts, references))
    write_answer(job, seconds, peak_megabytes(), values={"chrF": score(items)})


if __name__ == "__main__":
    main()
