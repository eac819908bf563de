"""scipy.stats.bootstrap of means, in batches of 5 resamples, the quickest of 1, 5, 20, 100 and 500."""

import numpy as np
from scipy.stats import bootstrap

from harness.contender import peak_megabytes, score, time_each, write_answer
from stats.numbers import SEED, matrix_of, read_numbers


def main() -> None:
    numbers, job = read_numbers()
    rows = matrix_of(numbers)

    def resample(_: int) -> np.ndarray:
        found = bootstrap(
            (rows,),
            np.mean,
            axis=0,
            n_resamples=numbers["resamples"],
            batch=5,
            method="percentile",
            rng=np.random.default_rng(SEED),
        )
        return found.bootstrap_distribution

    seconds, means = time_each(job.repetitions, resample)
    write_answer(job, seconds, peak_megabytes(), values={"means": score(means.T.ravel())})


if __name__ == "__main__":
    main()
