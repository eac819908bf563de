"""Networks, evidence and options of inference, from the arguments of ``capella.mln`` to those of the extension."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import _core
from ._errors import CapellaError
from ._inputs import seed_number, whole_number

if TYPE_CHECKING:
    from ._logic_weights import Weights

#: Is called with a stage's name, how many of its steps are done, and of how many.
Progress: TypeAlias = Callable[[str, int, int], object]
#: A file; a str with line breaks is the text itself; or what :func:`learn_weights` returned.
Network: TypeAlias = "str | os.PathLike[str] | Weights"
#: A file; a str with line breaks is the text itself; or atoms with what is known of them.
Evidence: TypeAlias = "str | os.PathLike[str] | Mapping[str, bool | float]"

MOST = 2**53


def inference_options(
    method: str,
    seed: int,
    threads: int,
    max_nodes: int | None = None,
    chains: int | None = None,
    burn_in: int | None = None,
    sweeps: int | None = None,
    progress: Progress | None = None,
) -> _core.InferenceOptions:
    """None: as it is by default."""
    asked = _core.InferenceOptions()
    asked.method = method
    asked.seed = seed_number(seed)
    asked.threads = whole_number("threads", threads, 0, MOST)
    if max_nodes is not None:
        asked.most_nodes = whole_number("max_nodes", max_nodes, 0, MOST)
    if chains is not None:
        asked.chains = whole_number("chains", chains, 1, 2**16)
    if burn_in is not None:
        asked.burn_in = whole_number("burn_in", burn_in, 0, MOST)
    if sweeps is not None:
        asked.most_sweeps = whole_number("sweeps", sweeps, 1, 2**40)
    asked.set_progress(progress)
    return asked


def logic_run(network: Network, evidence: Evidence | None, query: str | None) -> _core.LogicRun:
    run = _core.LogicRun()
    texts: dict[str, str] = {}
    run.network = given_text("network", "<network>", network, texts)
    if evidence is not None:
        run.evidence = given_text("evidence", "<evidence>", evidence, texts)
    if query is not None:
        run.query = query
    run.texts = texts
    return run


def given_text(argument: str, name: str, given: Any, texts: dict[str, str]) -> str:
    """A path, or the name under which the text is kept."""
    text = getattr(given, "text", None)
    if isinstance(text, str):
        texts[name] = text
    elif isinstance(given, Mapping) and argument != "network":
        texts[name] = "".join(_fact(argument, atom, known) for atom, known in given.items())
    elif isinstance(given, str) and "\n" in given:
        texts[name] = given
    elif isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    else:
        raise TypeError(f"{argument}: found {type(given).__name__}, expected a path or text with line breaks")
    return name


def _fact(argument: str, atom: Any, known: Any) -> str:
    """A line of a .db file."""
    if not isinstance(atom, str):
        raise TypeError(f"{argument}: found {type(atom).__name__}, expected atoms as str")
    if isinstance(known, (bool, np.bool_)):
        return f"{'' if known else '!'}{atom}\n"
    try:
        p = float(known)
    except (TypeError, ValueError):
        raise TypeError(
            f"{argument}: found {type(known).__name__} for '{atom}', expected True, False or a probability"
        ) from None
    if not 0 <= p <= 1:
        raise CapellaError(f"{argument}: found {p} for '{atom}', expected a probability in 0 ... 1")
    return f"{p!r} {atom}\n"


def several(worlds: Any) -> Iterable[Any]:
    one = isinstance(worlds, (str, os.PathLike, Mapping))
    return [worlds] if one else worlds
