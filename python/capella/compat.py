"""pycocoevalcap's classes: the same calls, return types, keys and order, without Java, temporary files and pycocotools.

>>> from capella.compat import PTBTokenizer, Bleu, Cider
>>> gts = PTBTokenizer().tokenize({7: [{"caption": "A dog runs."}, {"caption": "The dog."}]})
>>> res = PTBTokenizer().tokenize({7: [{"caption": "A dog."}]})
>>> score, scores = Bleu(4).compute_score(gts, res)

Scorers take tokens joined by spaces: ``gts`` is id -> list of references, ``res`` id -> list of one caption. Where the
original asserts, these raise ValueError and name the ids; nothing is printed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._errors import CapellaError
from ._inputs import cache_folder, listed

__all__ = ["Bleu", "COCOEvalCap", "Cider", "CiderD", "Meteor", "PTBTokenizer", "Rouge", "Spice"]

Texts: TypeAlias = Mapping[Any, "list[str]"]
Scores: TypeAlias = "tuple[np.float64, npt.NDArray[np.float64]]"


def _check_lists(references: Iterable[tuple[Any, Any]], captions: Iterable[tuple[Any, Any]]) -> None:
    bad = [id for id, texts in references if not isinstance(texts, list) or not texts]
    if bad:
        raise CapellaError(
            f"gts: expected a list of at least one reference for each id; not so for {listed(bad)}"
        )
    bad = [id for id, texts in captions if not isinstance(texts, list) or len(texts) != 1]
    if bad:
        raise CapellaError(f"res: expected a list of one caption for each id; not so for {listed(bad)}")


def _check(gts: Texts, res: Texts) -> None:
    if gts.keys() != res.keys():
        lacking = [id for id in gts if id not in res]
        unknown = [id for id in res if id not in gts]
        parts = [f"no caption in res for {listed(lacking)}"] if lacking else []
        parts += [f"no references in gts for {listed(unknown)}"] if unknown else []
        raise CapellaError(f"gts and res have different ids: {'; '.join(parts)}")
    _check_lists(gts.items(), res.items())


def _run(
    references: Sequence[list[str]],
    captions: Sequence[str],
    metric: str,
    df: str = "refs",
    settings: Sequence[str] = (),
    cache: str = "",
    detail: bool = False,
) -> _core.Result:
    dataset = _core.Dataset(references, [(None, captions)])
    return _core.score(
        dataset, _core.Options([metric], "none", df, list(settings), cache=cache, detail=detail)
    )


def _score(gts: Texts, res: Texts, metric: str, settings: Sequence[str] = ()) -> _core.Result:
    _check(gts, res)
    return _run(list(gts.values()), [res[id][0] for id in gts], metric, settings=settings)


def _mean_and_items(result: _core.Result) -> Scores:
    return np.float64(result.values(0)[0]), result.item_values(0)[:, 0].copy()


def _check_order(n: int) -> None:
    if n != 4:
        raise CapellaError(f"n = {n}: only 4, the n of every published CIDEr, is there")


class PTBTokenizer:
    """Stanford's PTB tokenizer in lower case, punctuation removed."""

    def tokenize(self, captions_for_image: Mapping[Any, Sequence[Mapping[str, str]]]) -> dict[Any, list[str]]:
        owners = [id for id, captions in captions_for_image.items() for _ in captions]
        texts = [caption["caption"] for captions in captions_for_image.values() for caption in captions]
        tokens: dict[Any, list[str]] = {}
        for id, text in zip(owners, _core.tokenize(texts, "ptb", 0)):
            tokens.setdefault(id, []).append(text)
        return tokens


class Bleu:
    """BLEU-1 to BLEU-n."""

    def __init__(self, n: int = 4) -> None:
        if not 1 <= n <= 4:
            raise CapellaError(f"n = {n}: expected 1 to 4")
        self._n = n

    def compute_score(
        self, gts: Texts, res: Texts, verbose: int = 0
    ) -> tuple[list[float], list[list[float]]]:
        """``verbose`` is accepted and has no effect."""
        result = _score(gts, res, "bleu")
        items = result.item_values(0)
        return result.values(0)[: self._n], [items[:, k].tolist() for k in range(self._n)]

    def method(self) -> str:
        return "Bleu"


class Meteor:
    """METEOR 1.5 with METEOR's own normaliser on top of the tokens. Needs ``capella.get_data("meteor")`` once.

    The corpus score comes from the sums of all captions' statistics and is not the mean of their scores. There is
    no process behind an object: it costs nothing to make, and many threads may use one at once.
    """

    def compute_score(self, gts: Texts, res: Texts) -> tuple[float, list[float]]:
        result = _score(gts, res, "meteor")
        return result.values(0)[0], result.item_values(0)[:, 0].tolist()

    def method(self) -> str:
        return "METEOR"


class Rouge:
    """ROUGE-L with beta 1.2."""

    def compute_score(self, gts: Texts, res: Texts) -> Scores:
        return _mean_and_items(_score(gts, res, "rouge-l"))

    def method(self) -> str:
        return "Rouge"


class Cider:
    """CIDEr-D, which pycocoevalcap calls CIDEr; document frequencies are those of ``gts``."""

    def __init__(self, test: None = None, refs: None = None, n: int = 4, sigma: float = 6.0) -> None:
        _check_order(n)
        self._settings = [f"cider-d.sigma={float(sigma)!r}"]

    def compute_score(self, gts: Texts, res: Texts) -> Scores:
        return _mean_and_items(_score(gts, res, "cider-d", self._settings))

    def method(self) -> str:
        return "CIDEr"


class CiderD:
    """CIDEr-D as reinforcement learning code calls it: ``res`` is a list of rows, and an image may have several.

    ``df`` is "corpus" (every row counts its image's references once more, as in the original), "coco-val-df", or a file
    made by ``capella.write_df``. ``sigma`` has no effect: the original does not pass it on and always takes 6.
    :class:`capella.Reward` is the faster way to train.
    """

    def __init__(self, n: int = 4, sigma: float = 6.0, df: str | os.PathLike[str] = "corpus") -> None:
        _check_order(n)
        known = {"corpus": "refs", "coco-val-df": "coco-val"}
        self._df = known.get(os.fspath(df), os.fspath(df))

    def compute_score(self, gts: Texts, res: Sequence[Mapping[str, Any]]) -> Scores:
        rows = [(row["image_id"], row["caption"]) for row in res]
        unknown = list(dict.fromkeys(id for id, _ in rows if id not in gts))
        if unknown:
            raise CapellaError(f"no references in gts for {listed(unknown)}")
        references = [gts[id] for id, _ in rows]
        _check_lists(((id, gts[id]) for id, _ in rows), rows)
        captions = [caption[0] for _, caption in rows]
        return _mean_and_items(_run(references, captions, "cider-d", self._df))

    def method(self) -> str:
        return "CIDEr-D"


class Spice:
    """SPICE, with its categories for every image. Needs ``capella.get_data("meteor")`` once.

    ``cache`` is a folder that keeps parsed captions for later runs; the original always keeps them, in its own folder.
    """

    #: In the order in which the original writes them.
    categories = ("All", "Relation", "Cardinality", "Attribute", "Size", "Color", "Object")

    def __init__(self, cache: str | os.PathLike[str] | None = None) -> None:
        self._cache = cache_folder(cache)

    def compute_score(
        self, gts: Texts, res: Texts
    ) -> tuple[np.float64, list[dict[str, dict[str, float]]]]:
        """The mean, and a dictionary category -> numbers for every image, in the order of the *sorted* ids.

        NaN stands for a category that the references of an image have nothing of.
        """
        _check(gts, res)
        ids = _in_order(gts)
        result = _run(
            [gts[id] for id in ids], [res[id][0] for id in ids], "spice", cache=self._cache, detail=True
        )
        names = [column[0] for column in result.columns]
        items = [dict(zip(names, row)) for row in result.item_values(0).tolist()]
        return np.float64(result.values(0)[0]), [self._by_category(item) for item in items]

    def _by_category(self, item: Mapping[str, float]) -> dict[str, dict[str, float]]:
        scores = {}
        for category in self.categories:
            name = "SPICE" if category == "All" else f"SPICE-{category}"
            scores[category] = {
                "pr": item[f"{name}-precision"],
                "re": item[f"{name}-recall"],
                "f": item[name],
                "fn": item[f"{name}-fn"],
                "numImages": 1.0,
                "fp": item[f"{name}-fp"],
                "tp": item[f"{name}-tp"],
            }
        return scores

    def method(self) -> str:
        return "SPICE"


def _in_order(ids: Iterable[Any]) -> list[Any]:
    """Sorted, with numbers before texts where there are both."""
    return sorted(ids, key=lambda id: (isinstance(id, str), id))


class _Captions:
    """What COCOEvalCap needs of pycocotools' COCO, made from a file or from captions in memory."""

    def __init__(self, captions: Any) -> None:
        dataset = _core.Dataset(captions, [])
        self.imgToAnns: dict[Any, list[dict[str, Any]]] = {}
        for text, references in zip(dataset.ids(), dataset.references()):
            id = int(text) if text.isascii() and text.isdigit() and str(int(text)) == text else text
            self.imgToAnns[id] = [{"image_id": id, "caption": caption} for caption in references]

    def getImgIds(self) -> list[Any]:
        return list(self.imgToAnns)


class COCOEvalCap:
    """The whole evaluation of COCO captions.

    ``coco`` and ``cocoRes`` are pycocotools' COCO objects, or anything ``capella.score`` takes (ids that are whole
    numbers are then int, as in COCO's files). Set ``params["image_id"]`` to evaluate some images only, ``scorers`` to
    leave some out.

    >>> evaluation = COCOEvalCap("annotations.json", "results.json")
    >>> evaluation.evaluate()
    >>> evaluation.eval["CIDEr"], evaluation.imgToEval[391895]["CIDEr"]
    """

    #: Scorers and the keys of their scores, in pycocoevalcap's order.
    scorers: tuple[
        tuple[type[Bleu] | type[Meteor] | type[Rouge] | type[Cider] | type[Spice], tuple[str, ...]], ...
    ] = (
        (Bleu, ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")),
        (Meteor, ("METEOR",)),
        (Rouge, ("ROUGE_L",)),
        (Cider, ("CIDEr",)),
        (Spice, ("SPICE",)),
    )

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.coco = coco if hasattr(coco, "imgToAnns") else _Captions(coco)
        self.cocoRes = cocoRes if hasattr(cocoRes, "imgToAnns") else _Captions(cocoRes)
        self.params: dict[str, Any] = {"image_id": self.coco.getImgIds()}

    def evaluate(self) -> None:
        ids = list(self.params["image_id"])
        for name, source in (("references", self.coco), ("results", self.cocoRes)):
            lacking = [id for id in ids if not source.imgToAnns.get(id)]
            if lacking:
                raise CapellaError(
                    f"no caption in the {name} for {listed(lacking)}; set params['image_id'] to a subset"
                )
        tokenizer = PTBTokenizer()
        gts = tokenizer.tokenize({id: self.coco.imgToAnns[id] for id in ids})
        res = tokenizer.tokenize({id: self.cocoRes.imgToAnns[id] for id in ids})
        for scorer, methods in self.scorers:
            score: Any
            scores: Any
            score, scores = scorer().compute_score(gts, res)
            if not isinstance(score, list):
                score, scores = [score], [scores]
            # SPICE sorts the ids. The original forgets that here and gives images the scores of others.
            images = _in_order(gts) if scorer is Spice else list(gts)
            for method, whole, items in zip(methods, score, scores):
                self.setEval(whole, method)
                self.setImgToEvalImgs(items, images, method)
        self.setEvalImgs()

    def setEval(self, score: Any, method: str) -> None:
        self.eval[method] = score

    def setImgToEvalImgs(self, scores: Iterable[Any], imgIds: Iterable[Any], method: str) -> None:
        for id, score in zip(imgIds, scores):
            self.imgToEval.setdefault(id, {"image_id": id})[method] = score

    def setEvalImgs(self) -> None:
        self.evalImgs = list(self.imgToEval.values())
