"""Weights of Markov logic from worlds, and the networks of the paper's authors. ``capella.mln`` has all of this."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

from . import _core
from ._errors import CapellaError
from ._inputs import output_path, string_list, whole_number
from ._logic_inputs import MOST, Evidence, Network, Progress, given_text, inference_options, several
from ._result import warn


class Formula(NamedTuple):
    """A formula with its learned weight."""

    formula: str
    weight: float  # infinite: hard
    standard_error: float  # NaN: none
    hard: bool
    idle: bool  # the worlds say nothing about it


class Weights(Sequence[Formula]):
    """What :func:`learn_weights` learned: formulas. It may stand wherever a network may."""

    def __init__(self, core: _core.WeightsLearned, path: str) -> None:
        self._core = core
        self._formulas = [Formula(*formula) for formula in core.formulas]
        self.path = path  #: of the network with its weights; "" if it was not written

    @overload
    def __getitem__(self, place: int) -> Formula: ...
    @overload
    def __getitem__(self, place: slice) -> list[Formula]: ...
    def __getitem__(self, place: int | slice) -> Formula | list[Formula]:
        return self._formulas[place]

    def __len__(self) -> int:
        return len(self._formulas)

    @property
    def text(self) -> str:
        """The network with its weights."""
        return self._core.network

    def __fspath__(self) -> str:
        if not self.path:
            raise CapellaError("the learned network was not written; give learn_weights an output")
        return self.path

    @property
    def errors_from(self) -> str:
        """What the standard errors come from, in words."""
        return self._core.errors_from

    @property
    def worlds(self) -> int:
        return self._core.worlds

    @property
    def atoms(self) -> int:
        return self._core.atoms

    @property
    def iterations(self) -> int:
        return self._core.iterations

    @property
    def measure(self) -> str:
        """What was made as large as possible, in words."""
        return self._core.measure

    @property
    def log_likelihood(self) -> float:
        """Of that kind."""
        return self._core.log_likelihood

    @property
    def objective(self) -> float:
        """The same with the prior."""
        return self._core.objective

    @property
    def converged(self) -> bool:
        return self._core.converged

    @property
    def notes(self) -> list[str]:
        """What went through Python's warnings, too."""
        return self._core.notes

    def table(self, format: str = "table", *, top: int = 40) -> str:
        """As "table", "md", "latex", "csv", "json" or "plain". Tables for people show ``top`` formulas; 0: all."""
        return self._core.format(format, whole_number("top", top, 0, MOST))

    def to_dict(self) -> dict[str, Any]:
        """What ``capella mln weights --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json", 0))
        return whole

    def __repr__(self) -> str:
        return f"<capella.mln.Weights of {len(self)} formulas from {self.worlds} worlds>"

    def _repr_markdown_(self) -> str:
        return self.table("md")


def learn_weights(
    network: Network,
    worlds: Evidence | Iterable[Evidence],
    *,
    output: str | os.PathLike[str] | None = None,
    prior_sd: float = 10.0,
    objective: str = "pseudo",
    optimiser: str = "lbfgs",
    l1: float = 0.0,
    per_predicate: bool = False,
    merged: bool = False,
    split: str | Iterable[str] = "train",
    threads: int = 0,
    progress: Progress | None = None,
) -> Weights:
    """Learns the weights of a network's formulas from worlds.

    >>> learned = learn_weights("rules.mln", ["monday.db", "tuesday.db"], prior_sd=1)
    >>> [(one.formula, one.weight, one.standard_error) for one in learned]

    Args:
        network: An .mln file, or text as of :func:`infer`. Formulas without a weight start from 0; hard ones stay hard.
        worlds: A .db file per world, such text or a dict; what it does not list is false. Or .jsonl files of triplets
            (:func:`triplets`), in which each image is a world.
        output: The network with its weights, .mln. Default: not written, only ``Weights.text``.
        prior_sd: Standard deviation of weights before any data; ``math.inf``: no prior.
        objective: "pseudo": each atom given all others; "exact": the likelihood itself, where elimination can do it.
        optimiser: "lbfgs", "gradient" or "newton".
        l1: L1 penalty, which makes weights of useless formulas 0.
        per_predicate: Every predicate counts alike, however many atoms it has.
        merged: All images of triplets are one world.
        split: Which triplets to learn from.

    Raises:
        CapellaError: (a ValueError) Worlds that break hard formulas, among others.
    """
    asked = _core.WeightLearning()
    texts: dict[str, str] = {}
    asked.network = given_text("network", "<network>", network, texts)
    asked.worlds = [
        given_text("worlds", f"<world {k}>", world, texts) for k, world in enumerate(several(worlds), 1)
    ]
    asked.texts = texts
    if output is not None:
        asked.output = output_path(output, [asked.network, *asked.worlds])
    asked.prior_sd = prior_sd
    asked.objective = objective
    asked.optimiser = optimiser
    asked.l1 = l1
    asked.per_predicate = per_predicate
    asked.merged = merged
    asked.split = ",".join(string_list("split", split))
    asked.threads = whole_number("threads", threads, 0, MOST)
    asked.set_progress(progress)
    core = _core.learn_logic_weights(asked)
    warn(core.notes)
    return Weights(core, asked.output)


class PublishedImage(NamedTuple):
    """An image's network of the published files."""

    method: str
    log_z: float
    marginals: dict[str, float]  # "man:ride:bike"
    mcse: dict[str, float]  # by sampling; else empty
    sum_exp: dict[str, float]  # what the authors' own formula gives; empty if not asked for


class PublishedNetworks(Mapping[str, PublishedImage]):
    """The authors' networks by image; those without rules that count are left out."""

    def __init__(self, core: _core.PublishedNetworks) -> None:
        self._core = core

    @cached_property
    def _images(self) -> dict[str, PublishedImage]:
        return {
            id: PublishedImage(
                method, log_z, dict(marginals), *(_beside(marginals, some) for some in (mcse, sum_exp))
            )
            for id, method, log_z, marginals, mcse, sum_exp in self._core.images
        }

    @property
    def networks(self) -> int:
        """Images, with or without rules."""
        return self._core.networks

    @property
    def rules(self) -> int:
        return self._core.rules

    @property
    def methods(self) -> dict[str, int]:
        """How many images each method solved."""
        return dict(self._core.methods)

    @property
    def most_atoms(self) -> int:
        return self._core.most_atoms

    @property
    def mean_difference(self) -> float:
        """Of the authors' formula from the probabilities."""
        return self._core.mean_difference

    @property
    def most_difference(self) -> float:
        return self._core.most_difference

    @property
    def seconds(self) -> float:
        """Of inference alone."""
        return self._core.seconds

    def table(self, format: str = "table", *, top: int = 20) -> str:
        """As "table", "md", "latex", "csv", "json" or "plain"."""
        return self._core.format(format, whole_number("top", top, 0, MOST))

    def __getitem__(self, image: str) -> PublishedImage:
        return self._images[str(image)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._images)

    def __len__(self) -> int:
        return len(self._images)

    def __repr__(self) -> str:
        return f"<capella.mln.PublishedNetworks: {len(self)} of {self.networks} have rules>"


def published_networks(
    rules: str | os.PathLike[str],
    parameters: str | os.PathLike[str],
    *,
    method: str = "auto",
    sum_exp: bool = False,
    seed: int = 12345,
    threads: int = 0,
    progress: Progress | None = None,
) -> PublishedNetworks:
    """Probabilities in the networks that the paper's authors published.

    >>> found = published_networks("allrules_cmnsense.txt", "rule_parameters_CS_val.txt")
    >>> found["391895"].marginals["man:ride:bike"], found.methods

    Args:
        rules: The authors' rules, one per line.
        parameters: Each image's weights, JSON; the first of a rule's two is its weight.
        sum_exp: What the authors' own formula gives, too, which is no probability of the network.
    """
    asked = inference_options(method, seed, threads, progress=progress)
    asked.sum_exp = sum_exp
    core = _core.infer_published(os.fspath(rules), os.fspath(parameters), asked)
    if core.unknown_rules:
        warn([f"{core.unknown_rules} rules have weights but are not in {os.fspath(rules)}"])
    return PublishedNetworks(core)


def _beside(marginals: list[tuple[str, float]], values: list[float]) -> dict[str, float]:
    return {atom: value for (atom, _), value in zip(marginals, values)}
