"""A world of smokers to learn weights from, and the pseudo-likelihood that weights should make largest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

NETWORK = """\
Smokes(person)
Cancer(person)
Friends(person,person)
!Smokes(x) v Cancer(x)
!Smokes(x) v !Friends(x,y) v Smokes(y)
"""


@dataclass(frozen=True)
class Rows:
    """Of every atom: whether it is true, and how many more groundings of each formula are true if it is."""

    changes: Numbers  # atoms x formulas
    truth: Numbers

    def likelihood(self, weights: Numbers) -> float:
        margins = (2 * self.truth - 1) * (self.changes @ weights)
        return float(-np.logaddexp(0, -margins).sum())

    def gradient(self, weights: Numbers) -> Numbers:
        return self.changes.T @ (self.truth - self._probabilities(weights))

    def optimum(self, prior_sd: float) -> Numbers:
        """With a Gaussian prior, by Newton's method, whose steps are halved until they lead upwards."""
        weights = np.zeros(self.changes.shape[1])
        for _ in range(200):
            p = self._probabilities(weights)
            slope = self.gradient(weights) - weights / prior_sd**2
            curvature = self.changes.T * (p * (1 - p)) @ self.changes + np.eye(len(weights)) / prior_sd**2
            step = np.linalg.solve(curvature, slope)
            height = self._with_prior(weights, prior_sd)
            while np.abs(step).max() > 1e-13 and self._with_prior(weights + step, prior_sd) < height:
                step /= 2
            if np.abs(step).max() <= 1e-13:
                break
            weights = weights + step
        return weights

    def _with_prior(self, weights: Numbers, prior_sd: float) -> float:
        return self.likelihood(weights) - float(weights @ weights) / (2 * prior_sd**2)

    def _probabilities(self, weights: Numbers) -> Numbers:
        return np.exp(-np.logaddexp(0, -(self.changes @ weights)))


@dataclass(frozen=True)
class World:
    smokes: Numbers
    cancer: Numbers
    friends: Numbers

    @staticmethod
    def draw(people: int) -> "World":
        random = np.random.default_rng(people)
        smokes = random.random(people) < 0.3
        cancer = random.random(people) < np.where(smokes, 0.6, 0.2)
        alike = smokes[:, None] == smokes[None, :]
        friends = random.random((people, people)) < np.where(alike, 0.2, 0.08)
        return World(smokes.astype(float), cancer.astype(float), friends.astype(float))

    def facts(self) -> str:
        lines = [f"Smokes(P{k})" for k in np.flatnonzero(self.smokes)]
        lines += [f"Cancer(P{k})" for k in np.flatnonzero(self.cancer)]
        lines += [f"Friends(P{a},P{b})" for a, b in np.argwhere(self.friends)]
        return "\n".join(lines) + "\n"

    def rows(self) -> Rows:
        s, c, others = self.smokes, self.cancer, self.friends * (1 - np.eye(len(self.smokes)))
        of_smokes = np.stack([-(1 - c), others.T @ s - others @ (1 - s)], axis=1)
        of_cancer = np.stack([s, np.zeros_like(s)], axis=1)
        broken = np.outer(s, 1 - s).ravel()
        of_friends = np.stack([np.zeros_like(broken), -broken], axis=1)
        truth = np.concatenate([s, c, self.friends.ravel()])
        return Rows(np.concatenate([of_smokes, of_cancer, of_friends]), truth)
