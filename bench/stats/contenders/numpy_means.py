"""Means of resamples with numpy alone, as fast as it gets: how often each row was drawn, times the rows."""

import numpy as np

from harness.contender import peak_megabytes, score, time_each, write_answer
from stats.numbers import SEED, matrix_of, read_numbers

BATCH = 100


def main() -> None:
    numbers, job = read_numbers()
    rows = matrix_of(numbers)
    count = len(rows)

    def resample(_: int) -> np.ndarray:
        random = np.random.default_rng(SEED)
        means = []
        for begin in range(0, numbers["resamples"], BATCH):
            size = min(BATCH, numbers["resamples"] - begin)
            drawn = random.choice(count, size=(size, count)) + np.arange(size)[:, None] * count
            counts = np.bincount(drawn.ravel(), minlength=size * count).reshape(size, count)
            means.append(counts.astype(float) @ rows / count)
        return np.concatenate(means)

    seconds, means = time_each(job.repetitions, resample)
    write_answer(job, seconds, peak_megabytes(), values={"means": score(means.ravel())})


if __name__ == "__main__":
    main()
