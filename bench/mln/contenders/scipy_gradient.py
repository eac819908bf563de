"""The log pseudo-likelihood and its gradient from rows in memory, with scipy's sparse matrices."""

import time

import numpy as np
from scipy.sparse import csr_matrix

from harness.contender import peak_megabytes, score, time_each, write_answer
from mln.rows import Numbers
from stats.numbers import read_numbers


def main() -> None:
    given, job = read_numbers()
    lengths = [len(row) for row in given["rows"]]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns, values = np.concatenate(given["rows"]), np.concatenate(given["changes"])
    weights = np.array(given["weights"])
    matrix = csr_matrix((values, columns, starts), shape=(len(lengths), len(weights)))
    turned = matrix.T.tocsr()
    truth = np.array(given["truth"], dtype=float)

    used = [time.process_time()]

    def evaluate(_: int) -> tuple[float, Numbers]:
        log_odds = matrix @ weights
        growth = np.exp(-np.abs(log_odds))
        lacking = np.where(log_odds > 0, growth, 1.0) / (1 + growth)  # 1 - P(true)
        likelihood = np.sum(np.minimum((2 * truth - 1) * log_odds, 0) - np.log1p(growth))
        gradient = turned @ (truth - 1 + lacking)
        used.append(time.process_time())
        return float(likelihood), gradient

    seconds, (likelihood, gradient) = time_each(job.repetitions, evaluate)
    values_found = {"likelihood": score(gradient, likelihood)}
    cpu_seconds = np.diff(used).tolist()
    write_answer(job, seconds, peak_megabytes(), values=values_found, cpu_seconds=cpu_seconds)


if __name__ == "__main__":
    main()
