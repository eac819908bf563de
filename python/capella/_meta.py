"""Does a metric agree with people?"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import (
    MetricFunction,
    Metrics,
    Numbers,
    Settings,
    function_values,
    items_of,
    make_options,
    name_function,
    number_array,
    resample_count,
    score_names,
    seed_number,
    split_metrics,
    string_list,
    whole_number,
)
from ._result import warn


class MetaResult(Mapping[str, dict[str, Any]]):
    """How metrics agree with people on one benchmark; ``result["CIDEr-D"]`` holds a score's numbers.

    >>> m = capella.meta("flickr8k-expert", "Flickr8k", ["cider-d", my_function])
    >>> m["my_function"]["kendall_c"]     # {"value": 0.51, "low": 0.49, "high": 0.53, "p_rows": 0.0}
    >>> print(m.table("latex"))

    Of a benchmark of ratings an entry has ``kendall_b``, ``kendall_c``, ``pearson`` and ``spearman``, each with value,
    95 % interval and p-value; of pairs ``accuracy`` (by category, and ``mean``) and ``ties``. What is undefined, such as
    the agreement of a score that is always the same, is NaN.
    """

    def __init__(self, core: _core.MetaResult, published: bool, milliseconds: Mapping[str, float]) -> None:
        self._core = core
        self._published = published
        self._names = [agreement[0] for agreement in core.agreements]
        self._milliseconds = dict(milliseconds)

    def __getitem__(self, metric: str) -> dict[str, Any]:
        _, _, estimates, p_values, ties, _ = self._core.agreements[self._place(metric)]
        measures = self._core.measures
        found: dict[str, Any] = {
            measure: dict(zip(("value", "low", "high"), estimate))
            for measure, estimate in zip(measures, estimates)
        }
        if self._core.pairs:
            return {"accuracy": found, "ties": dict(zip(measures, ties))}
        for measure, p in zip(measures, p_values):
            found[measure]["p_rows"] = p
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _place(self, metric: str) -> int:
        try:
            return self._names.index(metric)
        except ValueError:
            raise KeyError(f"no score '{metric}'; there are {', '.join(self._names)}") from None

    @property
    def benchmark(self) -> str:
        return self._core.benchmark

    @property
    def version(self) -> str:
        """Which labels or ratings the file holds."""
        return self._core.version

    @property
    def rows(self) -> int:
        """How many captions were scored; pair k is made of rows 2k and 2k + 1."""
        return self._core.rows

    @property
    def notes(self) -> list[str]:
        """What the benchmark's protocol did."""
        return self._core.notes

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    @property
    def sentences(self) -> list[str]:
        """Which metrics are really better than which, one sentence per metric, the best first."""
        return self._core.sentences

    @property
    def signatures(self) -> dict[str, str]:
        """For each score of ours the choices that change the number."""
        return {name: signature for name, signature, *_ in self._core.agreements if signature}

    @property
    def milliseconds(self) -> dict[str, float]:
        """The time per row of every score that was computed here."""
        taken = {agreement[0]: agreement[5] for agreement in self._core.agreements}
        return {name: time for name, time in taken.items() if time is not None} | self._milliseconds

    @property
    def ratings(self) -> npt.NDArray[np.float64]:
        """People's ratings, row by row; empty for pairs. Read-only."""
        return self._core.ratings

    def array(self, metric: str) -> npt.NDArray[np.float64]:
        """A score of every row; read-only."""
        return self._core.values(self._place(metric))

    def table(self, format: str = "table", *, published: bool | None = None, width: int = 0) -> str:
        """Metrics by coefficients or accuracies as "table", "md", "latex", "csv", "json" or "plain". With ``published``,
        published values are listed below. A "table" that is wider than ``width`` columns is folded; 0: any width."""
        return self._core.format(format, self._with_published(published), width)

    def to_dict(self, *, published: bool | None = None) -> dict[str, Any]:
        """What ``capella meta --format json`` prints."""
        whole: dict[str, Any] = json.loads(self.table("json", published=published))
        return whole

    def pictures(self, *, published: bool | None = None) -> dict[str, str]:
        """Pictures (SVG) by the names of their files: bars, of pairs a map of the categories, of ratings a scatter plot
        per metric."""
        return dict(self._core.pictures(self._with_published(published)))

    def plots(self, folder: str | os.PathLike[str], *, published: bool | None = None) -> list[Path]:
        """Writes the pictures into a folder, which is made if need be, and returns their paths."""
        paths = self._core.write_pictures(os.fspath(folder), self._with_published(published))
        return [Path(path) for path in paths]

    def _with_published(self, published: bool | None) -> bool:
        return self._published if published is None else published

    def __repr__(self) -> str:
        return self.table().split("\n\n")[0].rstrip()

    def _repr_markdown_(self) -> str:
        return self.table("md")


def meta(
    benchmark: str,
    path: str | os.PathLike[str],
    metrics: Metrics = None,
    *,
    scores: Mapping[str, str | os.PathLike[str] | Numbers] | None = None,
    references: str | os.PathLike[str] | None = None,
    without: str | Iterable[str] = (),
    resamples: int | None = None,
    seed: int = 12345,
    cases: int = 0,
    published: bool = False,
    as_published: bool = False,
    tokenizer: str = "ptb",
    df: str | os.PathLike[str] = "refs",
    settings: Settings = None,
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
    images: str | os.PathLike[str] | None = None,
    device: str = "cpu",
) -> MetaResult:
    """Holds metrics against human judgement, on a public benchmark that lies on this machine.

    >>> print(capella.meta("flickr8k-expert", "Flickr8k", ["cider-d", my_function]).table())
    >>> capella.meta("pascal50s", "pascal_50s.json", scores={"mine": values})["mine"]["accuracy"]["mean"]

    Args:
        benchmark: "flickr8k-expert", "flickr8k-cf", "composite", "pascal50s", "foil", "challenge",
            "nebula" or "polaris".
        path: The benchmark's folder (Flickr8k) or file.
        metrics: Names, or functions of your own: each is called once with all rows as items (``.id`` is the row's
            number, ``.caption``, ``.references``) and returns a dict id -> float or one float per row. Default: the same
            list as the command line, or none if there are ``scores``.
        scores: Scores from elsewhere, by name: one number per row in a sequence or an array (of pairs: two for each,
            one after the other), or a file as ``capella meta --scores`` reads it.
        references: Captions for a benchmark's file that has none.
        without: Parts of a benchmark made of several data sets that are left out, e.g. "flickr8k" of Composite. Scores
            in ``scores`` files still have one number for each row of the whole file.
        resamples: How often images are drawn anew. None: 1000, or more where many metrics are compared.
        seed: Of what is drawn; the draws are those of ``numpy.random.default_rng(seed)``.
        cases: So many captions that each metric rates too high, and as many too low; they stand in the result's tables.
        published: Tables show figures that others have printed, too.
        as_published: Do as the program behind published figures where it differs from the protocol's words
            (Flickr8k-CF).
        images: The pictures, for metrics that look at them: a folder with files named as the benchmark names its images,
            or a file of ids and paths.

    The other arguments are those of :func:`score`. FOIL is scored with one reference and with all; what a function or
    ``scores`` say counts for both, and a function sees all references.
    """
    given = _given_scores(scores)
    names, functions = ([], []) if metrics is None and given else split_metrics(metrics, tokenizer, settings)
    asked = _core.MetaOptions(
        benchmark,
        os.fspath(path),
        "" if references is None else os.fspath(references),
        None if resamples is None else resample_count(resamples),
        seed_number(seed),
        whole_number("cases", cases, 0, 1_000_000),
        as_published,
        string_list("without", without),
    )
    asked.images = "" if images is None else os.fspath(images)
    asked.score = make_options(names, tokenizer, df, settings, threads, cache, device=device)
    milliseconds = _add_functions(asked, functions, score_names() | set(given))
    for name, values in given.items():
        if isinstance(values, str):
            asked.add_file(name, values)
        else:
            asked.add_given(name, values)
    core = _core.evaluate_metrics(asked)
    warn(core.warnings)
    return MetaResult(core, published, milliseconds)


def _given_scores(
    scores: Mapping[str, str | os.PathLike[str] | Numbers] | None,
) -> dict[str, str | npt.NDArray[np.float64]]:
    """Paths and arrays by name."""
    if scores is None:
        return {}
    if not isinstance(scores, Mapping):
        raise TypeError(
            f"scores: found {type(scores).__name__}, expected a dict name -> path or one number per row"
        )
    given: dict[str, str | npt.NDArray[np.float64]] = {}
    for name, values in scores.items():
        if not isinstance(name, str):
            raise TypeError(f"scores: a name is {type(name).__name__}, expected str")
        if not name or "=" in name:
            raise CapellaError(f"scores: found the name '{name}', expected one without '='")
        if isinstance(values, (str, os.PathLike)):
            given[name] = os.fspath(values)
        else:
            given[name] = number_array(f"scores['{name}']", values)
    return given


def _add_functions(
    asked: _core.MetaOptions, functions: Sequence[MetricFunction], taken: set[str]
) -> dict[str, float]:
    """Runs the functions on the benchmark's rows; returns the milliseconds per row of each."""
    if not functions:
        return {}
    asked.score.check()
    (items,) = items_of(_core.benchmark_dataset(asked))
    milliseconds = {}
    for function in functions:
        name = name_function(function, taken)
        begin = time.perf_counter()
        values = function_values(name, function, items)
        milliseconds[name] = 1000 * (time.perf_counter() - begin) / len(items)
        asked.add_given(name, np.array(values, dtype=np.float64))
    return milliseconds
