"""scipy.stats.kendalltau."""

from scipy.stats import kendalltau

from harness.contender import peak_megabytes, score, time_each, write_answer
from stats.numbers import ratings_of, read_numbers


def main() -> None:
    numbers, job = read_numbers()
    x, y = ratings_of(numbers)
    seconds, found = time_each(job.repetitions, lambda _: kendalltau(x, y))
    values = {"tau-b": score(corpus=found.statistic), "p": score(corpus=found.pvalue)}
    write_answer(job, seconds, peak_megabytes(), values=values)


if __name__ == "__main__":
    main()
