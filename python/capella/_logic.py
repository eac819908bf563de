"""Probabilities in networks of Markov logic. ``capella.mln`` has all of this."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, overload

from . import _core
from ._errors import CapellaError
from ._inputs import whole_number
from ._logic_inputs import MOST, Evidence, Network, Progress, inference_options, logic_run
from ._result import warn


class Query(NamedTuple):
    """How probable the query is."""

    p: float
    log_p: float
    mcse: float  # standard error of p by sampling; 0 if exact
    unseen: bool  # the sampler never saw it: log_p is an upper bound (95 %)


class World(NamedTuple):
    """A world of a network, by what is true in it."""

    p: float
    true: list[str]


class MostProbable(NamedTuple):
    """The most probable world."""

    log_p: float
    true: list[str]


class Answer:
    """Probabilities in a network; ``answer.p("Ride(Man,Bike)")`` is one of them."""

    def __init__(self, core: _core.LogicAnswer, title: str) -> None:
        self._core = core
        self._title = title

    @cached_property
    def marginals(self) -> dict[str, float]:
        """The probability of every atom, in the network's order."""
        return dict(self._core.marginals)

    def p(self, atom: str) -> float:
        """The probability of an atom."""
        found = self.marginals.get(atom)
        if found is None and '"' not in atom:
            found = self.marginals.get("".join(atom.split()))
        if found is None:
            raise KeyError(f"no atom '{atom}'; there are {', '.join(list(self.marginals)[:4])} ...")
        return found

    @property
    def method(self) -> str:
        """That was used: "exact", "ptp" or "gibbs"."""
        return self._core.method

    @property
    def why(self) -> str:
        """Why that method, in words."""
        return self._core.why

    @property
    def log_z(self) -> float:
        """NaN by sampling."""
        return self._core.log_z

    @property
    def query(self) -> Query | None:
        """None if nothing was asked."""
        return Query(*self._core.query) if self._core.has_query else None

    @property
    def most_probable(self) -> MostProbable | None:
        """None unless ``mpe=True``."""
        log_p = self._core.most_probable_log_p
        return None if math.isnan(log_p) else MostProbable(log_p, self._core.true_atoms)

    @cached_property
    def mcse(self) -> dict[str, float]:
        """Standard errors of the probabilities, by sampling; empty if they are exact."""
        return dict(zip(self.marginals, self._core.mcse))

    @property
    def rhat_max(self) -> float:
        """Gelman and Rubin's, the largest of all atoms; NaN if nothing was sampled."""
        return self._core.rhat_max if self._core.chains else math.nan

    @property
    def ess_min(self) -> float:
        """The smallest effective sample size of all atoms; NaN if nothing was sampled."""
        return self._core.ess_min if self._core.chains else math.nan

    @property
    def sweeps(self) -> int:
        return self._core.sweeps

    @property
    def chains(self) -> int:
        """0 if nothing was sampled."""
        return self._core.chains

    @property
    def converged(self) -> bool:
        return self._core.converged

    @property
    def groundings(self) -> int:
        """Ground formulas."""
        return self._core.groundings

    @property
    def unmentioned_atoms(self) -> float:
        """Atoms that are not listed, since they are too many and nothing is said of them: each has probability 1/2."""
        return self._core.unmentioned_atoms

    @property
    def notes(self) -> list[str]:
        """What went through Python's warnings, too."""
        return self._core.notes

    def table(self, format: str = "table", *, top: int = 20) -> str:
        """As "table", "md", "latex", "csv", "json" or "plain". Tables for people show ``top`` atoms, half of them the
        most and half the least probable; 0: all."""
        return self._core.format(format, whole_number("top", top, 0, MOST))

    def to_dict(self) -> dict[str, Any]:
        """What ``capella mln infer --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json", 0))
        return whole

    def svg(self, *, most_atoms: int = 40) -> str:
        """A picture of the ground network. ``infer`` keeps what it takes if it is called with ``draw=True``."""
        return self._core.picture(self._title, whole_number("most_atoms", most_atoms, 1, MOST))

    def tree(self, format: str = "svg") -> str:
        """The search tree of weighted counting as "svg", "dot" or "json", for calls with ``tree=DEPTH``."""
        if format not in ("svg", "dot", "json"):
            raise CapellaError(f"format: found '{format}', expected 'svg', 'dot' or 'json'")
        return self._core.tree(format)

    def __len__(self) -> int:
        """Atoms."""
        return self._core.atoms

    def __repr__(self) -> str:
        return f"<capella.mln.Answer of {len(self)} atoms by {self.method}>"

    def _repr_markdown_(self) -> str:
        return self.table("md")


def infer(
    network: Network,
    *,
    evidence: Evidence | None = None,
    query: str | None = None,
    method: str = "auto",
    mpe: bool = False,
    draw: bool = False,
    tree: int = 0,
    seed: int = 12345,
    threads: int = 0,
    max_entries: float = 2**24,
    max_nodes: int = 5_000_000,
    cache_mb: int = 256,
    chains: int = 16,
    burn_in: int = 500,
    sweeps: int = 20_000,
    random_scan: bool = False,
    blocks: bool = False,
    temperatures: int = 1,
    sum_exp: bool = False,
    progress: Progress | None = None,
) -> Answer:
    """How probable is each atom of a network, and a query?

    >>> found = infer("rules.mln", evidence={"On(Man,Bike)": True, "Ride(Man,Bike)": 0.7}, query="On(Man,Bike) ^ !On(Dog,Bike)")
    >>> found.p("Ride(Man,Bike)"), found.query.p, found.log_z, found.method

    Args:
        network: An .mln file. A str with line breaks is the text itself.
        evidence: A .db file, such text, or a dict: True, False, or how likely an atom is.
        query: A formula without variables.
        method: "exact" (elimination), "ptp" (weighted counting), "gibbs" (sampling); "auto" takes the first that can.
        mpe: The most probable world, too.
        draw: Keeps what :meth:`Answer.svg` draws.
        tree: Keeps the search tree of weighted counting, so deep, for :meth:`Answer.tree`.
        threads: 0 means one per core. Never changes a number.
        max_entries: The most numbers that elimination's tables may have for "auto".
        max_nodes: Of the search of weighted counting, and ``cache_mb`` megabytes for what it has counted.
        chains: Of sampling, rounded up to a multiple of 16; ``burn_in`` sweeps do not count, and there are so many
            ``sweeps`` at most.
        random_scan: Samples atoms in random order; ``blocks``: small sets of them at once; ``temperatures``: by
            parallel tempering with so many.
        sum_exp: Samples with the conditional of the published text, which is not the network's: for comparison only.
        progress: Is called with a stage, steps done and of how many; what it raises ends the work.

    Raises:
        CapellaError: (a ValueError) What is no network, hard formulas that contradict each other, a method that cannot
            do it. Text in memory is named ``<network>`` and ``<evidence>``.
    """
    run = logic_run(network, evidence, query)
    run.most_probable = mpe
    run.grounded = draw
    run.tree_depth = whole_number("tree", tree, 0, 64)
    asked = inference_options(method, seed, threads, max_nodes, chains, burn_in, sweeps, progress)
    asked.most_entries = float(max_entries)
    asked.cache_megabytes = whole_number("cache_mb", cache_mb, 1, 2**20)
    asked.random_scan = random_scan
    asked.blocks = blocks
    asked.temperatures = whole_number("temperatures", temperatures, 1, 64)
    asked.sum_exp = sum_exp
    run.inference = asked
    core = _core.infer_logic(run)
    warn(core.notes)
    return Answer(core, run.network if query is None else f"{run.network}: P({query}) = {core.query[0]:.4f}")


class Worlds(Sequence[World]):
    """All possible worlds of a network, the most probable first."""

    def __init__(self, worlds: Iterable[World], title: str) -> None:
        self._worlds = list(worlds)
        self._title = title

    @overload
    def __getitem__(self, place: int) -> World: ...
    @overload
    def __getitem__(self, place: slice) -> Worlds: ...
    def __getitem__(self, place: int | slice) -> World | Worlds:
        if isinstance(place, slice):
            return Worlds(self._worlds[place], self._title)
        return self._worlds[place]

    def __len__(self) -> int:
        return len(self._worlds)

    def svg(self, *, most: int = 32) -> str:
        """A picture: bars of the most probable worlds."""
        return _core.draw_worlds(self._worlds, self._title, whole_number("most", most, 1, MOST))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<capella.mln.Worlds: {len(self)} worlds>"


def worlds(network: Network, *, evidence: Evidence | None = None) -> Worlds:
    """All worlds of a small network (16 open atoms at most) with their probabilities.

    >>> worlds("coin = {A}\\nHeads(coin)\\n1 Heads(x)\\n")[0]
    World(p=0.7310585786300049, true=['Heads(A)'])
    """
    run = logic_run(network, evidence, None)
    return Worlds((World(*world) for world in _core.list_worlds(run)), f"Worlds of {run.network}")


def export_wmc(network: Network, *, evidence: Evidence | None = None, query: str | None = None) -> str:
    """The network as a weighted counting problem (DIMACS) for other programs, whose answer is Z; with a query, Z times its
    probability."""
    return _core.export_counting(logic_run(network, evidence, query))
