"""From the arguments of the public functions to those of the extension; nothing is computed here."""

from __future__ import annotations

import numbers
import operator
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError, CapellaWarning

#: A file, captions by id, rows with ids, or captions in the order of the references; see :func:`capella.score`.
Captions: TypeAlias = "str | os.PathLike[str] | Mapping[Any, Any] | Iterable[Any]"
#: A folder with files named by ids, a file of ids and paths, or paths by id; see :func:`capella.score`.
Images: TypeAlias = "str | os.PathLike[str] | Mapping[Any, str | os.PathLike[str]] | None"
Settings: TypeAlias = "Mapping[str, Any] | Iterable[str] | None"
Numbers: TypeAlias = "Sequence[float] | npt.NDArray[Any]"


@dataclass(frozen=True, slots=True)
class Item:
    """What a function of one's own is given for each caption."""

    id: str
    caption: str
    references: list[str]
    image: str | None = None  #: the path of its picture, if pictures were named


#: Returns one float per item: by id, or in the order of the items.
MetricFunction: TypeAlias = Callable[[list[Item]], "Mapping[Any, float] | Sequence[float]"]
#: Names as ``capella.metrics()`` lists them, paths of trained models (NAME.safetensors), functions.
Metrics: TypeAlias = (
    "str | os.PathLike[str] | MetricFunction | Iterable[str | os.PathLike[str] | MetricFunction] | None"
)


def listed(ids: Sequence[Any]) -> str:
    """The first ten: ``a, b, c and 4 more``, as messages of the engine list names."""
    return ", ".join(map(str, ids[:10])) + (f" and {len(ids) - 10} more" if len(ids) > 10 else "")


def make_dataset(
    refs: Captions,
    hyps: Captions | None,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    images: Images = None,
    *,
    id_column: str | None = None,
    caption_column: str | None = None,
    ids: str = "exact",
) -> _core.Dataset:
    if hyps is not None and systems is not None:
        raise CapellaError("give either hyps, the captions of one system, or systems, not both")
    named: list[tuple[str | None, Any]] = []
    if hyps is not None:
        named = [(None, hyps)]
    elif isinstance(systems, Mapping):
        named = [(str(name), captions) for name, captions in systems.items()]
    elif systems is not None:
        if isinstance(systems, (str, os.PathLike)):
            raise TypeError("systems: found a path, expected a dict name -> captions or a list of paths")
        named = [(None, os.fspath(path)) for path in systems]
    dataset = _core.Dataset(
        refs, named, split or "", missing, skip_bad, id_column or "", caption_column or "", ids
    )
    if images is None:
        return dataset
    if not isinstance(images, (str, os.PathLike, Mapping)):
        raise TypeError(f"images: found {type(images).__name__}, expected a path or a dict id -> path")
    return dataset.with_images(dict(images) if isinstance(images, Mapping) else images, missing)


def split_metrics(
    metrics: Metrics, tokenizer: str = "ptb", settings: Settings = None
) -> tuple[list[str], list[MetricFunction]]:
    """The names and the functions among what a caller asked for."""
    if metrics is None:
        return _core.default_metrics(), []
    if isinstance(metrics, str):
        metrics = [name.strip() for name in metrics.split(",") if name.strip()]
    elif callable(metrics) or isinstance(metrics, os.PathLike):
        metrics = [metrics]
    names: list[str] = []
    functions: list[MetricFunction] = []
    for metric in metrics:
        if isinstance(metric, (str, os.PathLike)):
            names.append(os.fspath(metric))
        elif callable(metric):
            functions.append(metric)
        else:
            raise TypeError(
                f"metrics: found {type(metric).__name__}, expected names, paths of models and functions"
            )
    if names == ["all"]:
        names = _core.every_metric(setting_words(settings))
    elif names == ["available"]:
        names = _core.available_metrics(tokenizer)
    if not names and not functions:
        raise CapellaError("metrics is empty, expected at least one name or function")
    return names, functions


def metric_names(metrics: Metrics, job: str, tokenizer: str = "ptb", settings: Settings = None) -> list[str]:
    """The same for jobs that take no functions."""
    names, functions = split_metrics(metrics, tokenizer, settings)
    if functions:
        raise CapellaError(f"{job} takes names of metrics only; use functions with capella.score")
    return names


def setting_words(settings: Settings) -> list[str]:
    """``{"cider-d": {"sigma": 5}}``, ``{"cider-d.sigma": 5}`` and ``["cider-d.sigma=5"]`` mean the same."""
    if settings is None:
        return []
    if isinstance(settings, str):
        return [settings]
    if not isinstance(settings, Mapping):
        return list(settings)
    words = []
    for key, value in settings.items():
        if isinstance(value, Mapping):
            words += [f"{key}.{inner}={_setting(given)}" for inner, given in value.items()]
        else:
            words.append(f"{key}={_setting(value)}")
    return words


def _setting(value: Any) -> str:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def make_options(
    names: Sequence[str],
    tokenizer: str,
    df: str | os.PathLike[str],
    settings: Settings,
    threads: int,
    cache: str | os.PathLike[str] | None = None,
    detail: bool = False,
    device: str = "cpu",
) -> _core.Options:
    for notice in filter(None, map(_core.alias_notice, names)):
        warnings.warn(notice, CapellaWarning, stacklevel=3)
    return _core.Options(
        names, tokenizer, os.fspath(df), setting_words(settings), threads, cache_folder(cache), detail, device
    )


def cache_folder(cache: str | os.PathLike[str] | None) -> str:
    if cache is not None and not os.fspath(cache):
        raise CapellaError("cache: found an empty path, expected a folder, or None to keep nothing")
    return "" if cache is None else os.fspath(cache)


def set_intervals(options: _core.Options, ci: bool, resamples: int, seed: int, method: str) -> None:
    """Asks for confidence intervals, if the caller does."""
    if ci:
        options.set_intervals(resample_count(resamples), seed_number(seed), method)


def resample_count(resamples: int) -> int:
    return whole_number("resamples", resamples, 40, 10_000_000)


def seed_number(seed: int) -> int:
    return whole_number("seed", seed, 0, 2**64 - 1)


def whole_number(name: str, value: int, least: int, most: int) -> int:
    """A whole number (of numpy too) within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: found {type(value).__name__}, expected a whole number") from None
    if not least <= number <= most:
        raise CapellaError(f"{name}: found {number}, expected a whole number from {least} to {most}")
    return number


def real_number(name: str, value: float) -> float:
    """A number (of numpy too)."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: found {type(value).__name__}, expected a number")
    return float(value)


def string_list(name: str, strings: str | Iterable[str]) -> list[str]:
    """``"a, b"`` and ``["a", "b"]`` mean the same."""
    if isinstance(strings, str):
        return [part.strip() for part in strings.split(",") if part.strip()]
    found = list(strings)
    for one in found:
        if not isinstance(one, str):
            raise TypeError(f"{name}: found {type(one).__name__}, expected str")
    return found


def output_path(output: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]]) -> str:
    """What is read must not be written over; empty paths are none."""
    written = os.fspath(output)
    if not written:
        raise CapellaError("output: found an empty path, expected the file to write")
    for path in inputs:
        if path and os.path.realpath(path) == os.path.realpath(written):
            raise CapellaError(f"output: {written} is an input of this call too; name another file")
    return written


def optional_path(path: str | os.PathLike[str] | None) -> str:
    """Empty for None."""
    return "" if path is None else os.fspath(path)


def system_words(files: Any) -> list[str]:
    """FILE or NAME=FILE for each system: of one path, of several, or of a dict of them by name."""
    if isinstance(files, Mapping):
        return [f"{name}={os.fspath(path)}" for name, path in files.items()]
    return [os.fspath(path) for path in ([files] if isinstance(files, (str, os.PathLike)) else files)]


def number_array(name: str, values: Numbers) -> npt.NDArray[np.float64]:
    """One number after the other, from any sequence or array."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name}: found {type(values).__name__}, expected a sequence or an array of numbers"
        ) from None
    if array.ndim != 1:
        raise CapellaError(f"{name}: found {array.ndim} dimensions, expected one number after the other")
    return np.ascontiguousarray(array)


def add_functions(
    options: _core.Options, dataset: _core.Dataset, functions: Sequence[MetricFunction]
) -> None:
    """Runs the functions on every system and puts their values beside the metrics."""
    if not functions:
        return
    options.check()
    systems = items_of(dataset)
    taken = score_names()
    for function in functions:
        name = name_function(function, taken)
        options.add_given(name, [function_values(name, function, items) for items in systems])


def items_of(dataset: _core.Dataset) -> list[list[Item]]:
    """What functions are given for each system."""
    ids, references = dataset.ids(), dataset.references()
    images: Sequence[str | None] = dataset.images() or [None] * len(ids)
    return [
        [Item(*parts) for parts in zip(ids, dataset.captions(k), references, images)]
        for k in range(len(dataset.systems()))
    ]


def score_names() -> set[str]:
    """The names of all scores of all metrics."""
    return {score for metric in _core.metrics() for score in metric[2]}


def name_function(function: MetricFunction, taken: set[str]) -> str:
    """The name of the function's score, which becomes one of those taken."""
    name: str = getattr(function, "__name__", type(function).__name__)
    if name in taken:
        raise CapellaError(f"metrics: two scores are named '{name}'; give the function another __name__")
    taken.add(name)
    return name


def function_values(name: str, function: MetricFunction, items: list[Item]) -> list[float]:
    """One value per item; the function may do to its list what it likes."""
    return _values_of(name, function(list(items)), [item.id for item in items])


def _values_of(name: str, found: Any, ids: list[str]) -> list[float]:
    if isinstance(found, Mapping):
        by_id = {str(key): value for key, value in found.items()}
        lacking = [id for id in ids if id not in by_id]
        if lacking:
            raise CapellaError(
                f"{name}() returned no value for {len(lacking)} of {len(ids)} ids: {listed(lacking)}"
            )
        found = [by_id[id] for id in ids]
    elif isinstance(found, (str, bytes)) or not hasattr(found, "__len__"):
        raise TypeError(
            f"{name}() returned {type(found).__name__}, expected a dict id -> float or a sequence of floats"
        )
    if len(found) != len(ids):
        raise CapellaError(f"{name}() returned {len(found)} values, expected {len(ids)}, one per item")
    values = []
    for id, value in zip(ids, found):
        try:
            values.append(float(value))
        except (TypeError, ValueError):
            raise TypeError(
                f"{name}() returned {type(value).__name__} for id '{id}', expected a float"
            ) from None
    return values
