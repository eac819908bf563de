"""scipy's three correlations, computed anew for every resample of the rows."""

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from harness.contender import peak_megabytes, score, time_each, write_answer
from stats.numbers import SEED, ratings_of, read_numbers


def main() -> None:
    numbers, job = read_numbers()
    x, y = ratings_of(numbers)

    def resample(_: int) -> list[tuple[float, float, float]]:
        random = np.random.default_rng(SEED)
        found = []
        for _ in range(numbers["resamples"]):
            drawn = random.choice(len(x), size=len(x))
            a, b = x[drawn], y[drawn]
            found.append((kendalltau(a, b).statistic, pearsonr(a, b).statistic, spearmanr(a, b).statistic))
        return found

    seconds, found = time_each(job.repetitions, resample)
    names = ("tau-b", "Pearson", "Spearman")
    values = {name: score(items) for name, items in zip(names, zip(*found, strict=True), strict=True)}
    write_answer(job, seconds, peak_megabytes(), values=values)


if __name__ == "__main__":
    main()
