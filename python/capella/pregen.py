"""Pre-gen metrics: judge a caption generator by the probabilities it gives to captions that people wrote.

>>> from capella import pregen
>>> pregen.metrics("merge_1.bin")["mean_max_normcount_prefix0"]
>>> pregen.metrics([[[(0.7, 0), (0.4, 2)], [(0.7, 0), (0.6, 0)]]])     # images, their captions, (probability, rank)
>>> rows = pregen.strata("refs.json", systems=["init_1.json"], probs=["init_1.bin"], dataset="flickr8k")
>>> print(pregen.correlate("data.txt", "CIDEr").table())

Networks of your own are asked by you: a word's probability and rank are all that :func:`metrics` wants. Those of the
paper are trained and asked by :func:`train`, :func:`probabilities` and :func:`generate`, for which Capella's torch
plug-in must be built (:func:`plugin`).
"""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from . import _core
from ._errors import CapellaError
from ._generators import (
    Epoch,
    Generation,
    Probabilities,
    Tell,
    TrainedGenerator,
    generate,
    plugin,
    probabilities,
    train,
)
from ._inputs import (
    Captions,
    Settings,
    cache_folder,
    make_dataset,
    seed_number,
    setting_words,
    string_list,
    system_words,
    whole_number,
)
from ._result import warn

__all__ = [
    "Correlation",
    "Correlations",
    "Epoch",
    "Generation",
    "Probabilities",
    "Strata",
    "StudiedGenerator",
    "Study",
    "TrainedGenerator",
    "correlate",
    "generate",
    "metric_names",
    "metrics",
    "plugin",
    "probabilities",
    "strata",
    "study",
    "train",
]

#: A file, or lists: of images, in these of captions, in these of (probability, rank). Arrays will do for any of them.
WordProbabilities: TypeAlias = "str | os.PathLike[str] | Iterable[Any]"
#: By the systems' names, or the paths of files that are named like the systems.
ProbabilityFiles: TypeAlias = (
    "str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]] | Iterable[str | os.PathLike[str]]"
)

_MOST = 2**53
_KEYS = ("dataset", "architecture", "run", "num_strata", "stratum")


def metric_names() -> list[str]:
    """The 504 metrics, TIER4_TIER3_TIER2_TIER1, in the order of the published files."""
    return _core.pregen_metric_names()


def metrics(probabilities: WordProbabilities, *, filter0: str = "code") -> dict[str, float]:
    """All metrics of one generator, by name.

    >>> found = metrics("init_1.json")
    >>> found["mean_max_normcount_prefix0"], found["geomean_join_pplx_none"]     # the paper's best, and perplexity

    Args:
        probabilities: A file as :func:`probabilities` or the metrics' authors write it, or what that function returned;
            or lists in memory: of images, in these of captions, in these of (probability, rank). The rank is how many
            words are more probable, and the end of a caption counts as a word. A caption may be an array of two columns.
        filter0: What the tier filter0 keeps: "code", the words that are not the most probable, as every published
            figure has it; "paper", those that are.

    Raises:
        CapellaError: (a ValueError) Something is no probability or no rank; the message names image, caption and word.
    """
    return dict(zip(metric_names(), _core.pregen_metrics(probabilities, _as_paper(filter0))))


class Strata:
    """The data file of a study: one row per stratum of a generator's images, with post-gen scores and pre-gen metrics.

    ``text`` is the file, tab-separated; :meth:`save` writes it, and :func:`correlate` takes either.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def columns(self) -> list[str]:
        return self.text.split("\n", 1)[0].split("\t")

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """By column: names are str, ``num_strata`` and ``stratum`` int, all others float."""
        kinds = [_kind(column) for column in self.columns]
        lines = self.text.splitlines()[1:]
        return [
            {column: kind(word) for column, kind, word in zip(self.columns, kinds, line.split("\t"))}
            for line in lines
        ]

    def to_pandas(self) -> Any:
        """A DataFrame with one row per stratum (needs pandas)."""
        return importlib.import_module("pandas").DataFrame(self.rows, columns=self.columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        Path(path).write_text(self.text, encoding="utf-8", newline="")

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<capella.pregen.Strata: {len(self)} rows of {len(self.columns)} columns>"


def strata(
    refs: Captions,
    hyps: Captions | None = None,
    *,
    systems: Mapping[str, Captions] | Iterable[str | os.PathLike[str]] | None = None,
    probs: ProbabilityFiles | None = None,
    dataset: str | None = None,
    most_strata: int = 5,
    scores: str | Iterable[str] = ("METEOR", "CIDEr", "SPICE", "WMD"),
    tokenizer: str = "karpathy",
    settings: Settings = None,
    filter0: str = "code",
    split: str | None = None,
    missing: str = "error",
    threads: int = 0,
    cache: str | os.PathLike[str] | None = None,
) -> Strata:
    """Sorts each generator's images by the CIDEr of its captions and cuts them into strata, a row each.

    >>> strata("refs.json", systems={"init_1": captions}, probs={"init_1": "init_1.bin"}).save("data.txt")

    Args:
        refs: Human captions; ``hyps`` or ``systems`` are those of one generator or more. As of :func:`capella.score`. A
            system named ARCHITECTURE_RUN or DATASET_ARCHITECTURE_RUN gives these columns; any other name is an
            architecture's, of run 1.
        probs: Files of the probabilities of the references' words, by the systems' names: a dict, or paths of files
            that are named like the systems. Without them there are post-gen scores alone. What :func:`generate` and
            :func:`probabilities` returned may stand for the files that they wrote.
        dataset: The rows' data set, where names do not tell it.
        most_strata: Images are cut into 1, 2 ... so many strata.
        scores: Post-gen scores. "CIDEr" is CIDEr-D.
        tokenizer: "karpathy": the tokens of Karpathy's data sets, from raw captions or from such
            tokens; "none": captions as they are; or another of
            :func:`capella.score`.
        filter0: As of :func:`metrics`.

    The other arguments are those of :func:`capella.score`.
    """
    options = _core.StrataOptions()
    options.data_set = dataset or ""
    options.probabilities = [] if probs is None else system_words(probs)
    options.most_strata = whole_number("most_strata", most_strata, 0, _MOST)
    options.scores = string_list("scores", scores)
    options.tokenizer = tokenizer
    options.settings = setting_words(settings)
    options.cache = cache_folder(cache)
    options.paper_filter0 = _as_paper(filter0)
    options.threads = whole_number("threads", threads, 0, _MOST)
    text, warnings = _core.pregen_strata(make_dataset(refs, hyps, systems, split, missing), options)
    warn(warnings)
    return Strata(text)


class Correlation(NamedTuple):
    """Of a post-gen score with a pre-gen metric."""

    r_squared: float
    r: float
    p: float  # two-sided; takes rows as independent, which strata are not
    rank: int  # by R^2; 1: the best
    low: float  # 95 % interval of R^2, by bootstrap of systems; NaN if there is none
    high: float


class Correlations(Mapping[str, dict[str, Correlation]]):
    """Which pre-gen metrics foretell post-gen scores; ``found["mean_max_normcount_prefix0"]["all"]`` is one number.

    By metric and by selection of rows: each data set, and "all". Metrics that are not finite or are constant in a data
    set are left out (``infinite``, ``constant``). With several post-gen scores :meth:`of` chooses one.
    """

    def __init__(self, core: _core.PregenCorrelations, post: int = 0) -> None:
        self._core = core
        self._post = post

    @property
    def posts(self) -> list[str]:
        """The post-gen scores that were asked for."""
        return self._core.posts

    @property
    def post(self) -> str:
        """The one that entries are of."""
        return self.posts[self._post]

    def of(self, post: str) -> Correlations:
        """The same with the entries of another post-gen score."""
        if post not in self.posts:
            raise KeyError(f"no post-gen score '{post}'; there are {', '.join(self.posts)}")
        return Correlations(self._core, self.posts.index(post))

    @cached_property
    def _entries(self) -> dict[str, dict[str, Correlation]]:
        selections = self.selections
        return {
            metric: {selection: Correlation(*one) for selection, one in zip(selections, found)}
            for metric, found in self._core.metrics(self._post)
        }

    @property
    def selections(self) -> list[str]:
        """Data sets, the last of the files first, then "all"."""
        return self._core.selections

    @property
    def row_counts(self) -> dict[str, int]:
        return dict(zip(self.selections, self._core.row_counts))

    @property
    def systems(self) -> dict[str, int]:
        """How many generators each selection has; these are drawn anew for the intervals."""
        return dict(zip(self.selections, self._core.systems))

    @property
    def infinite(self) -> list[str]:
        """Metrics left out, since they are not finite somewhere."""
        return self._core.infinite

    @property
    def constant(self) -> list[str]:
        """Metrics left out, since they are the same in all rows of a data set."""
        return self._core.constant

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    def best(self, selection: str = "all") -> str:
        """The metric with the largest R^2."""
        if selection not in self.selections:
            raise KeyError(f"no selection '{selection}'; there are {', '.join(self.selections)}")
        return min(self._entries, key=lambda metric: self._entries[metric][selection].rank)

    def table(self, format: str = "table", *, top: int = 5) -> str:
        """The best metrics and perplexity, of all post-gen scores, as "table", "md", "latex", "csv", "json" or "plain";
        the last three have all metrics."""
        return self._core.format(format, whole_number("top", top, 0, _MOST))

    def to_dict(self) -> dict[str, Any]:
        """What ``capella pregen correlate --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json", 0))
        return whole

    def to_pandas(self) -> Any:
        """A DataFrame with one row per metric and selection (needs pandas)."""
        rows = [
            {"metric": metric, "selection": selection, **one._asdict()}
            for metric, found in self._entries.items()
            for selection, one in found.items()
        ]
        return importlib.import_module("pandas").DataFrame(rows)

    def text(self) -> str:
        """R^2, R and p of all metrics in the layout of the published files, ``correlations_CIDEr.txt``."""
        return self._core.file_text(self._post)

    def pictures(self, *, top: int = 10) -> dict[str, str]:
        """Pictures (SVG) by the names of their files: bars, metrics by tiers, and scatter plots."""
        return dict(self._core.pictures(whole_number("top", top, 0, _MOST)))

    def plots(self, folder: str | os.PathLike[str], *, top: int = 10) -> list[Path]:
        """Writes the pictures into a folder, which is made if need be, and returns their paths."""
        return [Path(path) for path in self._core.write_pictures(os.fspath(folder), whole_number("top", top, 0, _MOST))]

    def __getitem__(self, metric: str) -> dict[str, Correlation]:
        try:
            return self._entries[metric]
        except KeyError:
            left_out = metric in self.infinite or metric in self.constant
            raise KeyError(f"the metric '{metric}' {'was left out' if left_out else 'is not there'}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return self.table().split("\n\n")[0].rstrip()

    def _repr_markdown_(self) -> str:
        return self.table("md")


def correlate(
    data: str | os.PathLike[str] | Strata | Iterable[str | os.PathLike[str] | Strata],
    post: str | Iterable[str] | None = None,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    scatter: str | Iterable[str] = (),
    threads: int = 0,
) -> Correlations:
    """Which pre-gen metric foretells a post-gen score?

    >>> found = correlate("data.txt", "CIDEr")
    >>> found.best(), found["mean_max_normcount_prefix0"]["all"].r_squared

    Args:
        data: A data file or what :func:`strata` returned; several are taken together.
        post: A post-gen score or several, e.g. "CIDEr". Default: all of the data.
        resamples: How often systems are drawn anew for intervals and tests; 0: neither.
        scatter: Metrics whose rows :meth:`Correlations.pictures` shows; default: the best.
    """
    given = [data] if isinstance(data, (str, os.PathLike, Strata)) else list(data)
    posts = [] if post is None else string_list("post", post)
    with tempfile.TemporaryDirectory(prefix="capella") as folder:
        core = _core.correlate_pregen(
            [_data_path(one, Path(folder) / f"strata-{k}.txt") for k, one in enumerate(given, 1)],
            posts,
            string_list("scatter", scatter),
            whole_number("resamples", resamples, 0, 10_000_000),
            seed_number(seed),
            whole_number("threads", threads, 0, _MOST),
        )
    warn(core.warnings)
    return Correlations(core)


class StudiedGenerator(NamedTuple):
    """A generator of a study."""

    architecture: str
    run: int
    share: float  # of the training images that it learnt from
    parameters: int
    epochs: int
    best_epoch: int
    validation_perplexity: float
    post: dict[str, float]  # post-gen scores of all test images
    perplexity: float  # of all test captions
    best_metric: float  # mean_max_normcount_prefix0, the paper's best
    metric_seconds: float
    generation_seconds: float
    scoring_seconds: float  # of the generated captions, by all post-gen scores


class Study:
    """What :func:`study` found."""

    def __init__(self, core: _core.PregenStudyResult) -> None:
        self._core = core

    @cached_property
    def generators(self) -> list[StudiedGenerator]:
        posts = self._core.posts
        return [
            StudiedGenerator(*made[:7], dict(zip(posts, made[7])), *made[8:]) for made in self._core.generators
        ]

    @cached_property
    def correlations(self) -> Correlations:
        return Correlations(self._core.correlations())

    @property
    def findings(self) -> list[str]:
        """Sentences."""
        return self._core.findings

    @property
    def warnings(self) -> list[str]:
        """Why to read the figures with care."""
        return self._core.warnings

    @property
    def data_file(self) -> str:
        return self._core.data_file

    def table(self, format: str = "table") -> str:
        """Generators, and what foretells their scores: "table", "md", "latex", "csv", "json" or "plain". What it costs
        is in the fields ``metric_seconds``, ``generation_seconds`` and ``scoring_seconds`` of ``generators``."""
        return self._core.format(format)

    def to_dict(self) -> dict[str, Any]:
        """What ``capella pregen study --format json`` prints."""
        whole: dict[str, Any] = json.loads(self._core.format("json"))
        return whole

    def __repr__(self) -> str:
        return f"<capella.pregen.Study of {len(self.generators)} generators: {self.data_file}>"

    def _repr_markdown_(self) -> str:
        return self.table("md")


def study(
    world: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    images: int = 2000,
    size: int = 64,
    shares: Sequence[float] | None = None,
    epochs: int = 30,
    resamples: int = 1000,
    seed: int = 12345,
    device: str = "cpu",
    threads: int = 0,
    tell: Tell | None = None,
) -> Study:
    """The whole protocol on a generated world: trains generators, scores their captions, correlates. Needs the plug-in.

    Args:
        world: Folder of a generated world; made with so many ``images`` if it is not there.
        folder: For models, captions and the data file. A study that was cut off goes on where it stopped.
        size: Of the networks.
        shares: Of the training images, e.g. (1, 0.2, 0.05); each gives one generator per architecture. Default: as
            ``capella pregen study``.
        epochs: At most so many.
        tell: Is called with a sentence about what is done next.
    """
    asked = _core.PregenStudyOptions()
    asked.world = os.fspath(world)
    asked.folder = os.fspath(folder)
    asked.images = whole_number("images", images, 1, _MOST)
    asked.size = whole_number("size", size, 1, _MOST)
    if shares is not None:
        asked.shares = list(shares)
    asked.most_epochs = whole_number("epochs", epochs, 0, _MOST)
    asked.resamples = whole_number("resamples", resamples, 0, 10_000_000)
    asked.seed = seed_number(seed)
    asked.device = device
    asked.threads = whole_number("threads", threads, 0, _MOST)
    asked.set_tell(tell)
    core = _core.study_pregen(asked)
    warn(core.warnings)
    return Study(core)


def _as_paper(filter0: str) -> bool:
    if filter0 not in ("code", "paper"):
        raise CapellaError(f"filter0: found '{filter0}', expected 'code' or 'paper'")
    return filter0 == "paper"


def _kind(column: str) -> type:
    """Of the column's values."""
    if column in ("num_strata", "stratum"):
        return int
    return str if column in _KEYS else float


def _data_path(data: Any, place: Path) -> str:
    """The path of a data file; rows in memory are written to `place`."""
    if isinstance(data, Strata):
        data.save(place)
        return os.fspath(place)
    if not isinstance(data, (str, os.PathLike)):
        raise TypeError(f"data: found {type(data).__name__}, expected paths or Strata")
    return os.fspath(data)
