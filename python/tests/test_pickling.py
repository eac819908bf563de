"""Everything that the package hands to users pickles and copies: for multiprocessing, caches and deep copies of trainers."""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib
import inspect
import json
import multiprocessing
import pickle
import pkgutil
import struct

import numpy as np
import pytest
from mathematics import make_captions

import capella
from capella import _core, compat, composite, deneb, mln, pregen

REFERENCES = {
    "7": ["a dog runs", "the dog is running"],
    "9": ["two cats sleep", "cats on a sofa"],
    "12": ["a man", "a surfer"],
}
CAPTIONS = {"7": "a dog runs", "9": "two dogs on a sofa", "12": "a man"}
NETWORK = 'obj = {Man, Bike}\nRide(obj,obj)\n//@pred Ride "ride"\n//@const Man "man"\n//@const Bike "bike"\n0.4 Ride(x,y)\n'
NAN = float("nan")

pytestmark = pytest.mark.filterwarnings("ignore::capella.CapellaWarning")  # of three captions


def public_classes() -> list[type]:
    """The classes of all modules of the package whose names say that they are for users."""
    found: dict[type, None] = {}
    for info in pkgutil.iter_modules(capella.__path__):
        if info.name in ("_core", "libcapella_torch"):
            continue
        module = importlib.import_module(f"capella.{info.name}")
        named = getattr(module, "__all__", [])
        for name, value in vars(module).items():
            own = getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
            if inspect.isclass(value) and (own or name in named):
                found[value] = None
    found[capella.Explanation] = None
    return list(found)


def restored(core: type, state: tuple) -> object:
    """What training networks or a whole study would return."""
    made = core.__new__(core)
    made.__setstate__(state)
    return made


def row(*values: int | float) -> bytes:
    return struct.pack(f"={len(values)}{'d' if isinstance(values[0], float) else 'Q'}", *values)


def lines(path, rows):
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """An object of each class that holds more than Python's own values."""
    return Examples(tmp_path_factory.mktemp("examples")).made


class Examples:
    def __init__(self, folder):
        self.folder = folder
        result = capella.score(
            REFERENCES, systems={"one": CAPTIONS}, metrics="bleu,cider-d", ci=True, resamples=40
        )
        self.made = {
            capella.Result: result,
            capella.SystemScores: result.systems["one"],
            type(result.per_item): result.per_item,
            capella.Comparison: self.comparison(),
            capella.Explanation: capella.explain(REFERENCES, CAPTIONS, "7", metrics="cider-d")[0],
            capella.MetaResult: self.meta(),
            capella.Reward: capella.Reward("bleu", REFERENCES, score="BLEU-1"),
            capella.Rows: capella.rows(REFERENCES, CAPTIONS, "bleu", df="coco-val"),
            capella.CapellaError: capella.CapellaError("wrong"),
            capella.FileError: capella.FileError("absent"),
            capella.CapellaWarning: capella.CapellaWarning("odd"),
            pregen.Strata: pregen.Strata("dataset\tMETEOR\na\t0.5\n"),
            compat.COCOEvalCap: compat.COCOEvalCap(REFERENCES, CAPTIONS),
        }
        for scorer in (
            compat.PTBTokenizer,
            compat.Bleu,
            compat.Meteor,
            compat.Rouge,
            compat.Cider,
            compat.CiderD,
            compat.Spice,
        ):
            self.made[scorer] = scorer()
        self.add_trained()
        self.add_logic()
        self.add_verdicts()
        self.add_pregen()

    def add(self, *objects):
        self.made.update({type(one): one for one in objects})

    def comparison(self):
        other = {id: texts[1] for id, texts in REFERENCES.items()}
        return capella.compare(REFERENCES, {"one": CAPTIONS, "two": other}, "rouge-l", resamples=40)

    def meta(self):
        texts, others = make_captions(1, 24), make_captions(2, 24)
        rated = [
            {"imgid": f"{k // 2}.jpg", "mt": one, "refs": [two], "score": (k % 5) / 4}
            for k, (one, two) in enumerate(zip(texts, others))
        ]
        (self.folder / "nebula.json").write_text(json.dumps(rated))
        return capella.meta("nebula", self.folder / "nebula.json", "rouge-l", resamples=40)

    def add_trained(self):
        step, ratings = (NAN, 0.5), (b"rated.json", 1, 2, 3, 4)
        data = (b"captions.json", 1, 2, 3, 4, 5, 6)
        adapter = (b"base", 1, 2, 3, [data], ratings, 4, [step], 5, True, 0.5, [b"odd"])
        calibrated = (b"curve.json", 1, 2, 3, 0.5, [(1, 0.25, 0.5, NAN)], 0.5, 0.75, [])
        network = (b"paper", 1, 2, 3, 4, b"tau-c", 5, 6, 7, [step], 0, False, 0.5, 1.5, [])
        generator = (b"init", 1, 2, 3, 4, 5, [step], 0, True, 0.5)
        seed = (1, 2, 1, NAN, 0.5, 0.25, 0.25, b"mine.safetensors", [(0.5, 0.5, 0.5)])
        spread = (b"validation", b"tau-b", row(0.5, 0.25), 0.375, 0.125)
        fused = (b"mine", [b"METEOR"], 1, 2, 3, 4, b"coco", b"nebula", [seed], 0, [spread], [])
        self.add(
            wrapped(capella.TrainedAdapter, restored(_core.AdapterTrained, adapter)),
            wrapped(capella.Calibrated, restored(_core.AdapterCalibrated, calibrated)),
            wrapped(deneb.TrainedNetwork, restored(_core.DenebTrained, network)),
            wrapped(pregen.TrainedGenerator, restored(_core.GeneratorTrained, generator)),
            wrapped(composite.TrainedComposite, restored(_core.CompositeTrained, fused)),
        )

    def add_logic(self):
        found = mln.infer(NETWORK, query="Ride(Man,Bike)", draw=True, tree=3, mpe=True)
        learned = mln.learn_weights(NETWORK, {"Ride(Man,Bike)": True})
        image = (b"7", b"exact", 0.5, [(b"man:ride:bike", 0.5)], row(0.25), b"")
        published = restored(_core.PublishedNetworks, ([image], 1, 2, 3, [(b"exact", 1)], 4, 0.5, 0.5, 0.25))
        self.add(found, mln.worlds(NETWORK), learned, mln.PublishedNetworks(published))
        looked = (0.5, 9.0, 9.0, [(b"man", (0.0, 1.0, 2.0, 3.0))], [(0, 0, 1.0)])
        self.add(mln.Attention(restored(_core.MilAttention, (looked, (b"man", b"ride", b"bike")))))

    def add_verdicts(self):
        folder = self.folder
        (folder / "network.mln").write_text(NETWORK)
        boxes = [
            {"label": name, "box": [k, k, k + 5, k + 5], "score": 0.9}
            for k, name in enumerate(["man", "bike"])
        ]
        images = [{"image_id": id, "width": 9, "height": 9, "objects": boxes} for id in ("7", "9")]
        objects = lines(folder / "objects.jsonl", images)
        ground = mln.ground(folder / "network.mln", objects, output=folder / "ground.jsonl")
        atom = ["man", "ride", "bike"]
        said = [
            {"system": name, "image_id": id, "atom": atom, "p": [0, 0, 1]}
            for name in "ab"
            for id in ("7", "9")
        ]
        nli = lines(folder / "nli.jsonl", said)
        found = mln.verify(ground, nli, resamples=0)
        ranking = mln.rank(found, {"a": {"x": 1.0}, "b": {"x": 2.0}})
        concepts = restored(
            _core.ConceptUncertainty, ([(b"sport", b"a", 3, 0.5, (0.25, 0.75), True)], [b"9"], 1)
        )
        people = restored(_core.HumanRanking, ([(b"7", 0.5, 6)], 1, 2, 3, 0.5, (0.25, 0.75), 1.0, row(0, 1)))
        parts = [one.__getstate__() for one in (found._core, ranking._core, concepts, people)]
        study = restored(_core.MlnStudy, (False, 2, [], parts[0], parts[1], [], [], [], parts[2], parts[3]))
        self.add(
            ground,
            found,
            mln.explain(ground, nli, "a", 7),
            ranking,
            mln.Concepts(concepts),
            mln.People(people),
        )
        self.add(mln.Study(study, "folder"))
        written = [
            (mln.Triplets, _core.TripletSummary, (1, 2, 3, 4, 5, 6, [(b"ride", 2)])),
            (mln.Structure, _core.StructureSummary, (1, 2, 3, 4, 5, 6, 7, 8, 9, row(1, 2), [(b"A", 0.5)])),
            (mln.Entailments, _core.NliSummary, (1, 2, 3, 4, 5, 6, b"judge", 7, 8)),
            (
                mln.AttentionNetworks,
                _core.MilSummary,
                (b"gated", [(b"ride", 1, 2, 3, 0.5, NAN, 0.5, 0.5, 0.5, 0.5)], 0.5, NAN),
            ),
        ]
        for made, core, state in written:
            self.add(made("made.jsonl", restored(core, state)))

    def add_pregen(self):
        found = [(b"perplexity", [(0.5, -0.7, 0.01, 1, (0.25, 0.75))])]
        one = (b"CIDEr", [b"all"], row(3), row(3), found, [], [], [], [], [b"CIDEr"], row(1.0), [], 5, 6, [])
        correlated = restored(_core.PregenCorrelations, ([one],))
        generator = (b"init", 1, 0.5, 2, 3, 1, 9.5, row(0.5), 8.5, 0.5, 0.1, 0.2, 0.3)
        study = restored(
            _core.PregenStudyResult, (1, 2, 3, 4, [b"CIDEr"], [generator], [one], [b"so"], [], b"data.txt")
        )
        self.add(pregen.Correlations(correlated), pregen.Study(study))


def wrapped(cls, core):
    """An object of a class whose other members are Python's own values."""
    return cls(*[core if field.name == "_made" else 1 for field in dataclasses.fields(cls)])


def example_of(cls, examples):
    if cls in examples:
        return examples[cls]
    if issubclass(cls, tuple):
        return cls(*range(len(cls._fields)))
    if dataclasses.is_dataclass(cls) and not any(field.name == "_made" for field in dataclasses.fields(cls)):
        return cls(*range(len(dataclasses.fields(cls))))
    if any(issubclass(other, cls) for other in examples):
        return next(
            one for other, one in examples.items() if issubclass(other, cls)
        )  # what others derive from
    raise LookupError(f"{cls.__qualname__}: add one to Examples, so that it is tried")


def content(value):
    """What an object is made of, down to Python's own values."""
    if type(value).__module__ == "capella._core" and hasattr(value, "__getstate__"):
        if isinstance(value, _core.Dataset):
            return value.ids(), value.references(), value.images()
        if isinstance(value, _core.Reward):
            return value.signature
        return value.__getstate__()
    if isinstance(value, BaseException):
        return value.args
    if isinstance(value, dict):
        return {name: content(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [content(one) for one in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if dataclasses.is_dataclass(value):
        return {field.name: content(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if type(value).__module__.startswith("capella"):
        names = getattr(type(value), "__slots__", None) or sorted(vars(value))
        kept = [
            name for name in names if not isinstance(vars(type(value)).get(name), functools.cached_property)
        ]
        return {name: content(getattr(value, name)) for name in kept}
    return value


@pytest.mark.parametrize("way", ["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("cls", public_classes(), ids=lambda cls: f"{cls.__module__}.{cls.__qualname__}")
def test_copies_are_equal(examples, cls, way):
    one = example_of(cls, examples)
    ways = {
        "pickle": lambda one: pickle.loads(pickle.dumps(one)),
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
    }
    again = ways[way](one)
    assert type(again) is type(one)
    assert repr(content(again)) == repr(content(one))  # NaN equals NaN


def test_copies_work(examples):
    """What needs the extension's object behind it."""
    result = pickle.loads(pickle.dumps(examples[capella.Result]))
    assert result.interval("CIDEr-D") == examples[capella.Result].interval("CIDEr-D")
    comparison = pickle.loads(pickle.dumps(examples[capella.Comparison]))
    assert comparison.differences == examples[capella.Comparison].differences
    assert (
        comparison.result.systems["one"]["ROUGE-L"]
        == examples[capella.Comparison].result.systems["one"]["ROUGE-L"]
    )
    meta = pickle.loads(pickle.dumps(examples[capella.MetaResult]))
    assert meta.ratings.tolist() == examples[capella.MetaResult].ratings.tolist() and dict(meta) == dict(
        examples[capella.MetaResult]
    )
    answer = pickle.loads(pickle.dumps(examples[mln.Answer]))
    assert answer.query == examples[mln.Answer].query and answer.svg() == examples[mln.Answer].svg()


@pytest.mark.parametrize("metric", ["cider-d", "bleu", "rouge-l"])
def test_a_pickled_reward_gives_the_same_values(metric):
    reward = capella.Reward(
        metric,
        REFERENCES,
        tokenizer="13a",
        settings={"cider-d": {"sigma": 5}} if metric == "cider-d" else None,
    )
    want = reward(["7", 9], ["a dog runs", "cats"])
    again = pickle.loads(pickle.dumps(reward))
    assert again(["7", 9], ["a dog runs", "cats"]).tolist() == want.tolist()
    assert (again.signature, again.score_name) == (reward.signature, reward.score_name)
    assert pickle.dumps(again) == pickle.dumps(reward)  # caches of computations know it again
    assert copy.deepcopy({"reward": reward})["reward"] is reward  # it never changes


def score_apart(reward: capella.Reward) -> list[float]:
    return reward(["7", "9"], ["a dog runs", "cats"]).tolist()


def test_a_reward_goes_to_other_processes():
    reward = capella.Reward("cider-d", REFERENCES)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(score_apart, [reward]) == [score_apart(reward)]


@pytest.mark.parametrize("state", [(), (b"",), (1, 2, 3, 4, 5, 6)])
def test_states_of_other_versions_are_refused(state):
    made = _core.Result.__new__(_core.Result)
    with pytest.raises(capella.CapellaError):
        made.__setstate__(state)
