"""Pre-gen metrics from Python: of probabilities in memory and in files, strata, correlations."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from meanwhile import others_run_during

import capella
from capella import pregen

BEST = "mean_max_normcount_prefix0"
PERPLEXITY = "geomean_join_pplx_none"


def words(text: str) -> list[tuple[float, int]]:
    """``".7 .4*"``: a word's probability; a star: it is not the most probable, so that its rank is 1."""
    return [(float(word.rstrip("*")), int(word.endswith("*"))) for word in text.split()]


# The worked example of the paper (its figures 1 and 2).
EXAMPLE = [
    [
        words(".711 .507 .380 .563 .577 .352* .557 .574 .268* .615"),
        words(".711 .507 .369* .561 .605 .384 .520"),
    ],
    [
        words(".714 .438* .364 .580 .454 .739 .743"),
        words(".714 .438* .340* .592 .536 .454 .739 .743"),
    ],
]


def test_names():
    names = pregen.metric_names()
    assert len(names) == len(set(names)) == 504
    first = ["sum_sum_prob_none", "sum_sum_prob_filter0", "sum_sum_prob_prefix0", "sum_sum_pplx_none"]
    assert names[:4] == first
    assert names[-1] == "min_join_normcount_prefix0" and BEST in names


def test_the_papers_example():
    found = pregen.metrics(EXAMPLE)
    assert list(found) == pregen.metric_names()
    assert found[BEST] == (1 / 2 + 1 / 7) / 2  # the best captions: 5 of 10 words, and 1 of 7
    assert found["sum_join_count_prefix0"] == 5 + 2 + 1 + 1
    shares = (5 / 10 + 2 / 7 + 1 / 7 + 1 / 8) / 4
    assert found["mean_join_normcount_prefix0"] == pytest.approx(shares, rel=1e-15)
    assert found["sum_join_count_filter0"] == 2 + 1 + 1 + 2  # those with a star
    assert found["sum_sum_count_none"] == 10 + 7 + 7 + 8
    assert found["max_max_prob_prefix0"] == 0.714
    logs = [np.mean([math.log2(p) for p, _ in caption]) for image in EXAMPLE for caption in image]
    assert found[PERPLEXITY] == pytest.approx(2 ** -np.mean(logs), rel=1e-14)
    assert found["min_min_pplx_filter0"] == pytest.approx(2 ** -math.log2(0.438), rel=1e-15)


def test_filter0_of_the_paper():
    found = pregen.metrics(EXAMPLE, filter0="paper")
    assert found["sum_join_count_filter0"] == 8 + 6 + 6 + 6  # those without a star
    assert found[BEST] == pregen.metrics(EXAMPLE)[BEST]
    with pytest.raises(capella.CapellaError, match="filter0: found 'both', expected 'code' or 'paper'"):
        pregen.metrics(EXAMPLE, filter0="both")


@pytest.mark.parametrize(
    "kind", [list, tuple, iter, np.array, lambda caption: np.array(caption, dtype=object)]
)
def test_captions_may_be_any_sequence(kind):
    given = [[kind(caption) for caption in image] for image in EXAMPLE]
    assert pregen.metrics(given) == pregen.metrics(EXAMPLE)


def test_one_array_for_all():
    same_length = np.array([[caption[:7] for caption in image] for image in EXAMPLE])
    assert same_length.shape == (2, 2, 7, 2)
    assert pregen.metrics(same_length) == pregen.metrics(same_length.tolist())
    numpy_scalars = [[[(np.float32(0.5), np.int64(0)), (np.float64(0.25), np.uint8(3))]]]
    assert pregen.metrics(numpy_scalars)["sum_sum_prob_none"] == 0.125


def test_files_and_memory_agree(tmp_path):
    path = tmp_path / "init_1.json"
    path.write_text(json.dumps(EXAMPLE))
    assert pregen.metrics(path) == pregen.metrics(str(path)) == pregen.metrics(EXAMPLE)


@pytest.mark.parametrize(
    "bad, message",
    [
        ((1.5, 0), "the probability 1.5 is not in 0 ... 1"),
        ((-0.25, 0), "the probability -0.25 is not in 0 ... 1"),
        ((0.5, -1), "found the number -1 as the rank, expected how many words are more probable"),
        ((0.5, 0.5), "found the number 0.5 as the rank, expected how many words are more probable"),
        ((0.5, 2**32), "found the number 4294967296 as the rank, expected how many words are more probable"),
        ((0.5,), "found a list of 1, expected"),
        ((0.5, 0, 1), "found a list of 3, expected"),
    ],
)
def test_bad_words_are_named_as_in_files(tmp_path, bad, message):
    images = [[[(0.5, 0)]], [[(0.5, 0)], [(0.5, 0), (0.5, 1), bad]]]
    place = "image 2, caption 2, word 3: "
    with pytest.raises(ValueError) as in_memory:
        pregen.metrics(images)
    assert str(in_memory.value).startswith("probabilities: " + place) and message in str(in_memory.value)
    path = tmp_path / "probs.json"
    path.write_text(json.dumps(images))
    with pytest.raises(capella.CapellaError) as in_file:
        pregen.metrics(path)
    assert str(in_file.value).startswith(f"{path}: {place}") and message in str(in_file.value)


def test_numbers_that_json_has_not():
    place = "image 1, caption 1, word 1"
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match=f"{place}: the probability (nan|inf) is not in"):
            pregen.metrics([[[(bad, 0)]]])
        with pytest.raises(ValueError, match=f"{place}: found the number {bad} as the rank"):
            pregen.metrics([[[(0.5, bad)]]])


@pytest.mark.parametrize(
    "images, message",
    [
        ([], "no images, expected one or more"),
        ([[[(0.5, 0)]], []], "image 2: no captions, expected one or more"),
        ([[[(0.5, 0)], []]], "image 1, caption 2: no words, expected one or more"),
    ],
)
def test_empty_lists_are_named(images, message):
    with pytest.raises(ValueError, match=f"probabilities: {message}"):
        pregen.metrics(images)


@pytest.mark.parametrize(
    "images, message",
    [
        (7, "probabilities: found int, expected a path, or lists of images"),
        ([None], "image 1: found NoneType, expected a list of captions"),
        ([["a dog"]], "image 1, caption 1: found str, expected a list of"),
        ([[[0.5]]], r"image 1, caption 1, word 1: found float, expected \(probability, rank\)"),
        ([[{0: (0.5, 0)}]], "image 1, caption 1: found dict, expected a list of"),
        ([[[("0.5", 0)]]], "image 1, caption 1, word 1: found str, expected a probability"),
        ([[[(0.5, None)]]], "word 1: found NoneType, expected a whole number as the rank"),
    ],
)
def test_wrong_types_are_named(images, message):
    with pytest.raises(TypeError, match=message):
        pregen.metrics(images)


def test_what_an_iterator_raises_comes_through():
    def broken():
        yield [(0.5, 0)]
        raise LookupError("the network is gone")

    with pytest.raises(LookupError, match="the network is gone"):
        pregen.metrics([broken()])


# Captions of four images; the system copies two references.
REFERENCES = {
    1: ["a dog runs on grass", "the dog is running"],
    2: ["two cats sleep on a sofa", "cats on a couch"],
    3: ["a man rides a wave", "a surfer in the sea"],
    4: ["a red bus on a street", "the bus drives down a road"],
}
CAPTIONS = {1: "a dog runs on grass", 2: "a man on a street", 3: "a man rides a wave", 4: "a bus"}


def probabilities_of(references):
    return [[[(0.5, 0), (0.25, image % 2)] for _ in own] for image, own in enumerate(references.values())]


@pytest.mark.filterwarnings("ignore:.*captions have as many words as their references")
def test_strata(tmp_path):
    (tmp_path / "init_2.json").write_text(json.dumps(probabilities_of(REFERENCES)))
    options = {"scores": "CIDEr,BLEU-1", "dataset": "small", "most_strata": 2}
    with pytest.warns(capella.CapellaWarning, match="0 of 8 captions .* in the same order"):
        rows = pregen.strata(
            REFERENCES, systems={"init_2": CAPTIONS}, probs={"init_2": tmp_path / "init_2.json"}, **options
        )
    assert rows.columns[:7] == ["dataset", "architecture", "run", "num_strata", "stratum", "CIDEr", "BLEU-1"]
    assert rows.columns[7:] == pregen.metric_names() and len(rows) == 3
    keys = [tuple(row[key] for key in rows.columns[:5]) for row in rows.rows]
    assert keys == [("small", "init", "2", 1, 0), ("small", "init", "2", 2, 0), ("small", "init", "2", 2, 1)]
    whole, worst, best = rows.rows
    score = capella.score(REFERENCES, CAPTIONS, ["cider-d", "bleu"], tokenizer="none")
    assert (whole["CIDEr"], whole["BLEU-1"]) == (score["CIDEr-D"], score["BLEU-1"])
    assert worst["BLEU-1"] < 0.7 and best["BLEU-1"] == pytest.approx(1, abs=1e-9)  # what was copied
    assert whole["sum_join_count_filter0"] == 4  # the second words of two images' two captions
    assert {key: whole[key] for key in rows.columns[7:]} == pregen.metrics(tmp_path / "init_2.json")
    by_path = pregen.strata(
        REFERENCES, systems={"init_2": CAPTIONS}, probs=tmp_path / "init_2.json", **options
    )
    assert by_path.text == rows.text
    rows.save(tmp_path / "data.txt")
    assert (tmp_path / "data.txt").read_text() == rows.text
    alone = pregen.strata(REFERENCES, CAPTIONS, **options)
    assert alone.columns == rows.columns[:7] and alone.rows[0]["architecture"] == "system"


def test_strata_as_a_frame():
    pytest.importorskip("pandas")
    frame = pregen.strata(REFERENCES, CAPTIONS, scores=["BLEU-1"], most_strata=4).to_pandas()
    assert len(frame) == 10 and frame["BLEU-1"].dtype == float and frame["stratum"].max() == 3


def test_raw_captions_by_karpathys_rule():
    raw = {key: [text.capitalize() + "." for text in texts] for key, texts in REFERENCES.items()}
    options = {"scores": "CIDEr", "most_strata": 2}
    tokens = pregen.strata(REFERENCES, CAPTIONS, **options).text
    assert pregen.strata(raw, CAPTIONS, **options).text == tokens
    assert pregen.strata(raw, CAPTIONS, tokenizer="none", **options).text != tokens


def test_errors_of_strata(tmp_path):
    with pytest.raises(capella.CapellaError, match="unknown score 'CIDR'"):
        pregen.strata(REFERENCES, CAPTIONS, scores="CIDR")
    with pytest.raises(capella.CapellaError, match="unknown tokenizer 'karpaty'.*'karpathy'"):
        pregen.strata(REFERENCES, CAPTIONS, scores="CIDEr", tokenizer="karpaty")
    with pytest.raises(capella.FileError, match="absent.bin"):
        pregen.strata(
            REFERENCES, CAPTIONS, scores="CIDEr", most_strata=2, probs={"system": tmp_path / "absent.bin"}
        )
    with pytest.raises(capella.CapellaError, match="4 images cannot be cut into 5 strata"):
        pregen.strata(REFERENCES, CAPTIONS, scores="CIDEr")
    path = tmp_path / "init_1.json"
    path.write_text(json.dumps(probabilities_of(REFERENCES)))
    both = {"init_1": CAPTIONS, "init_2": CAPTIONS}
    missing = "no probabilities of init_2: give a file of that name with probs"
    with pytest.raises(capella.CapellaError, match=missing):
        pregen.strata(REFERENCES, systems=both, scores="CIDEr", most_strata=2, probs=[path])


@pytest.fixture(scope="module")
def published(shared):
    folder = shared / "data/pregen"
    if not (folder / "data.txt").is_file():
        pytest.skip(f"no data file in {folder}")
    return folder


@pytest.fixture(scope="module")
def correlations(published):
    return pregen.correlate(published / "data.txt", resamples=100)


@pytest.mark.parametrize("post", ["METEOR", "CIDEr", "SPICE", "WMD"])
def test_published_correlations(published, correlations, post):
    found = correlations.of(post)
    text = (published / f"correlations_{post}.txt").read_text()
    header, *lines = (line.split("\t") for line in text.splitlines())
    assert found.post == post and found.selections == ["mscoco", "flickr30k", "flickr8k", "all"]
    theirs = {line[0]: [float(word) for word in line[1:]] for line in lines}
    del theirs["geomean_sum_normcount_none"]  # constant but for rounding
    assert set(found) == set(theirs) and len(found) == 360
    for metric, numbers in theirs.items():
        ours = [value for selection in found.selections for value in found[metric][selection][:2]]
        assert ours == pytest.approx([*numbers[0:2], *numbers[3:5], *numbers[6:8], *numbers[9:11]], abs=1e-13)
    ours = [line.split("\t") for line in found.text().splitlines()]
    assert ours[0] == header and [line[0] for line in ours[1:]] == list(found)


def test_what_correlations_tell(correlations):
    assert correlations.posts == ["METEOR", "CIDEr", "SPICE", "WMD"]
    found = correlations.of("CIDEr")
    assert found.best() == BEST and found[BEST]["all"].rank == 1
    best, perplexity = found[BEST]["all"], found[PERPLEXITY]["all"]
    assert best.r_squared == pytest.approx(0.9372, abs=5e-5) and best.low < best.r_squared < best.high
    assert perplexity.r == pytest.approx(-0.869, abs=5e-4) and perplexity.p < 1e-100
    assert found.row_counts == {"mscoco": 180, "flickr30k": 180, "flickr8k": 180, "all": 540}
    assert found.systems["all"] == 36
    assert len(found.infinite) == 53 and len(found.constant) == 91
    with pytest.raises(KeyError, match="was left out"):
        found["geomean_sum_normcount_none"]
    with pytest.raises(KeyError, match="is not there"):
        found["mean_max"]
    with pytest.raises(KeyError, match="no post-gen score 'BLEU'; there are METEOR, CIDEr"):
        correlations.of("BLEU")
    with pytest.raises(KeyError, match="no selection 'coco'; there are mscoco"):
        found.best("coco")


def test_tables_and_pictures_of_correlations(published, correlations, tmp_path):
    one = pregen.correlate(published / "data.txt", "CIDEr", resamples=0, scatter=PERPLEXITY)
    assert one.posts == ["CIDEr"] and math.isnan(one[BEST]["all"].low)
    assert BEST in one.table(top=1) and "| rows |" in one.table("md") and "CIDEr" in repr(one)
    assert one.to_dict()  # valid JSON
    pictures = one.pictures()
    assert "bars-cider.svg" in pictures and f"scatter-cider-{PERPLEXITY}.svg" in pictures
    assert all(svg.startswith("<svg") for svg in pictures.values())
    paths = correlations.plots(tmp_path / "pictures")
    assert {path.name for path in paths} == set(correlations.pictures())
    assert all(path.is_file() for path in paths)


def test_correlations_do_not_depend_on_threads(published):
    path = str(published / "data.txt")
    one, two = (pregen.correlate([path], "SPICE", resamples=200, threads=threads) for threads in (1, 3))
    assert one.to_dict() == two.to_dict()


def test_rows_in_memory_are_correlated_like_their_file(published):
    text = (published / "data.txt").read_text()
    in_memory = pregen.correlate(pregen.Strata(text), "WMD", resamples=0)
    assert in_memory.text() == pregen.correlate(published / "data.txt", "WMD", resamples=0).text()
    lines = text.splitlines(keepends=True)
    halves = [pregen.Strata(lines[0] + "".join(lines[begin : begin + 270])) for begin in (1, 271)]
    assert pregen.correlate(halves, "WMD", resamples=0).text() == in_memory.text()


def test_errors_of_correlations(published, tmp_path):
    path = published / "data.txt"
    with pytest.raises(capella.CapellaError, match="'CIDER'.*'CIDEr'"):
        pregen.correlate(path, "CIDER")
    with pytest.raises(capella.FileError, match="absent.txt"):
        pregen.correlate(tmp_path / "absent.txt")
    with pytest.raises(TypeError, match="data: found int"):
        pregen.correlate([3], "CIDEr")
    with pytest.raises(capella.CapellaError, match="resamples: found -1"):
        pregen.correlate(path, resamples=-1)
    (tmp_path / "none.txt").write_text("dataset\tarchitecture\n")
    with pytest.raises(capella.CapellaError, match=r"none.txt.*capella\.pregen\.strata"):
        pregen.correlate(tmp_path / "none.txt")


def test_other_threads_run_meanwhile(published):
    assert others_run_during(lambda: pregen.correlate(published / "data.txt", resamples=2000, threads=1))
