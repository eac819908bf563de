"""Scores and explanations of captions in files or in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from . import _core
from ._inputs import (
    Captions,
    Images,
    Metrics,
    Settings,
    add_functions,
    make_dataset,
    make_options,
    metric_names,
    set_intervals,
    split_metrics,
)
from ._result import Result, warn, warned


def score(
    refs: Captions,
    hyps: Captions | None = None,
    metrics: Metrics = None,
    *,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    tokenizer: str = "ptb",
    df: str | os.PathLike[str] = "refs",
    settings: Settings = None,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    id_column: str | None = None,
    caption_column: str | None = None,
    ids: str = "exact",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
    images: Images = None,
    device: str = "cpu",
    detail: bool = False,
    ci: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    ci_method: str = "percentile",
) -> Result:
    """Scores captions against references.

    >>> capella.score("refs.json", "ours.json")
    >>> capella.score({7: ["a dog runs", "the dog"]}, {7: "a dog"}, metrics=["bleu", "cider-d"])
    >>> capella.score([["a dog runs", "the dog"]], ["a dog"], metrics="rouge-l")
    >>> capella.score("refs.json", systems={"ours": hyps, "theirs": "theirs.json"}).table("latex")

    Args:
        refs: References, and ``hyps`` the captions of one system. Each is a file (a str is always a path; any shape
            ``capella score`` reads), a dict id -> caption or captions, a list of rows such as ``{"image_id": 7,
            "caption": "a dog"}``, or a list without ids that is joined by position. Ids are compared as strings. Rows
            ``{"image_id", "test", "refs"}`` hold both sides and stand alone.
        metrics: Names as ``capella.metrics()`` lists them, paths of models that ``capella.composite`` trained
            (NAME.safetensors), or functions of your own: each is called with a list of items (``.id``, ``.caption``,
            ``.references``, ``.image``) and returns a dict id -> float or one float per item; its score is named after
            the function. Default: the same list as the command line.
        systems: Instead of ``hyps``, several systems: a dict name -> captions, or a list of files.
        tokenizer: "ptb" (as pycocoevalcap), "ptb-iso" (each caption alone), "13a", "none" or "karpathy".
        df: CIDEr's document frequencies: "refs", "coco-val", or a file made by ``capella.write_df``.
        settings: Settings of metrics, e.g. ``{"cider-d.sigma": 5}``.
        split: The split of a Karpathy dataset.json.
        missing: "error", or "skip" to score only the items that every system has.
        skip_bad: Leave malformed rows out and list them in ``Result.skipped`` instead of stopping.
        id_column: The column or key of ids in files and rows that name it otherwise than ``image_id``, ``id``, ``image``
            or ``file_name``. A file that lacks it is read by these names.
        caption_column: The same for captions: ``caption``, ``captions``, ``text`` or ``references``.
        ids: "exact", or "coco" to compare ids as COCO's numbers: 42 is ``COCO_val2014_000000000042.jpg``.
        threads: 0 means one per core. Never changes a number.
        cache: A folder that keeps parsed captions and vectors of texts and pictures, so that later runs are quick. Never
            changes a number.
        images: The pictures, for metrics that look at them (``clip-s`` ...): a folder with files named by ids, a file of
            ids and paths, or a dict id -> path.
        device: Where encoders of texts and pictures run: "cpu", or "cuda", which takes the torch plug-in; signatures
            tell.
        detail: Finer scores too: SPICE's categories (``SPICE-Object`` ...) and what they are made of
            (``SPICE-Object-precision``, ``-recall``, ``-tp``, ``-fp``, ``-fn``).
        ci: 95 % confidence intervals too, by bootstrap: items are drawn anew ``resamples`` times, as
            ``numpy.random.default_rng(seed)`` draws. ``Result.interval("CIDEr-D")`` is (low, high).
        ci_method: "percentile" (as sacreBLEU), or "bca": corrected for bias and skew.

    Raises:
        CapellaError: (a ValueError) The data or the call is wrong.
        FileError: (an OSError too) A file cannot be read.
        TypeError: A caption is not a str; the message names its id.
    """
    names, functions = split_metrics(metrics, tokenizer, settings)
    dataset = make_dataset(
        refs, hyps, systems, split, missing, skip_bad, images, id_column=id_column, caption_column=caption_column, ids=ids
    )
    options = make_options(names, tokenizer, df, settings, threads, cache, detail, device)
    set_intervals(options, ci, resamples, seed, ci_method)
    add_functions(options, dataset, functions)
    return warned(_core.score(dataset, options))


def explain(
    refs: Captions,
    hyps: Captions | None,
    id: str | int,
    metrics: Metrics = None,
    *,
    tokenizer: str = "ptb",
    df: str | os.PathLike[str] = "refs",
    settings: Settings = None,
    split: str | None = None,
    missing: str = "error",
    skip_bad: bool = False,
    id_column: str | None = None,
    caption_column: str | None = None,
    ids: str = "exact",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
    images: Images = None,
    device: str = "cpu",
) -> list[_core.Explanation]:
    """Says why the caption of item ``id`` got its scores, one explanation per metric.

    >>> for why in capella.explain(refs, hyps, 391895, metrics="cider-d"):
    ...     print(why)
    """
    names = metric_names(metrics, "explain", tokenizer, settings)
    dataset = make_dataset(
        refs, hyps, None, split, missing, skip_bad, images, id_column=id_column, caption_column=caption_column, ids=ids
    )
    options = make_options(names, tokenizer, df, settings, threads, cache, device=device)
    explanations, warnings = _core.explain(dataset, str(id), options)
    warn(warnings)
    return explanations
