"""`capella pregen strata`: rows of a data file from captions and probabilities."""

import pytest

# Four images; the captions are better from one to the next.
REFERENCES = {
    "1": ["a dog runs on the grass", "the dog is running"],
    "2": ["two cats sleep on a sofa", "cats sleeping on the sofa"],
    "3": ["a man rides a red bicycle", "a man on a bicycle"],
    "4": ["people wait for the blue train", "people waiting for a train"],
}
CAPTIONS = ["some food", "two dogs on a sofa", "a man rides a horse", "people wait for the blue train"]
KEYS = ["dataset", "architecture", "run", "num_strata", "stratum"]


@pytest.fixture
def files(write):
    """refs.json, and three systems of plain lines."""
    write("refs.json", REFERENCES)
    for name in ("init_1.txt", "flickr8k_init_2.txt", "mine.txt"):
        write(name, "\n".join(CAPTIONS) + "\n")


@pytest.fixture
def strata(capella, files):
    """Calls the command with scores that need no data."""

    def call(*arguments, scores="CIDEr,ROUGE-L", **more):
        return capella("pregen", "strata", "refs.json", *arguments, "--scores", scores, "--strata", 2, **more)

    return call


def rows_of(text):
    header, *lines = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(header, line, strict=True)) for line in lines]


def probabilities(captions=2, images=4, certain=3):
    """The first `certain` images' words are all the most probable."""
    return [
        [[[0.5, 0 if image < certain else 2], [0.25, 0]] for _ in range(captions)] for image in range(images)
    ]


def test_a_row_for_every_stratum(strata):
    rows = rows_of(strata("init_1.txt", "flickr8k_init_2.txt", "mine.txt").out)
    keys = [tuple(row[key] for key in KEYS) for row in rows]
    names = [("data", "init", "1"), ("flickr8k", "init", "2"), ("data", "mine", "1")]
    assert keys == [(*name, *place) for name in names for place in (("1", "0"), ("2", "0"), ("2", "1"))]
    assert list(rows[0]) == [*KEYS, "CIDEr", "ROUGE-L"]
    worst, best = rows[1], rows[2]
    assert float(worst["ROUGE-L"]) < float(rows[0]["ROUGE-L"]) < float(best["ROUGE-L"])
    # ROUGE-L is a mean over images, so the whole is the mean of its halves.
    assert float(rows[0]["ROUGE-L"]) == pytest.approx((float(worst["ROUGE-L"]) + float(best["ROUGE-L"])) / 2)


def test_a_stratum_has_the_scores_of_its_images_alone(strata, capella, write):
    rows = rows_of(strata("init_1.txt", scores="CIDEr,BLEU-4,ROUGE-L").out)
    write("best.json", {key: REFERENCES[key] for key in ("3", "4")})
    write("best.txt", "\n".join(CAPTIONS[2:]) + "\n")
    alone = capella(
        *("score", "best.json", "best.txt", "-m", "cider-d,bleu,rouge-l", "--tokenizer", "none", "--format", "json")
    ).scores()
    for column, name in {"CIDEr": "CIDEr-D", "BLEU-4": "BLEU-4", "ROUGE-L": "ROUGE-L"}.items():
        assert float(rows[2][column]) == alone[name]


def test_data_set_by_option_and_file(strata, tmp_path):
    run = strata("init_1.txt", "flickr8k_init_2.txt", "--dataset", "flickr8k", "-o", "data.txt")
    assert run.code == 0 and run.out == ""
    rows = rows_of((tmp_path / "data.txt").read_text())
    assert {(row["dataset"], row["architecture"], row["run"]) for row in rows} == {
        ("flickr8k", "init", "1"),
        ("flickr8k", "init", "2"),
    }


def test_pre_gen_metrics_of_the_same_images(strata, write):
    write("probs/init_1.json", probabilities())
    rows = rows_of(strata("init_1.txt", "--probs", "probs/init_1.json").out)
    assert len(rows[0]) == len(KEYS) + 2 + 504
    # Of the four images, all words of three are the most probable; the worst two are among these.
    assert [row["mean_max_normcount_prefix0"] for row in rows] == ["0.75", "1.0", "0.5"]
    assert [float(row["sum_join_count_filter0"]) for row in rows] == [2, 0, 2]
    paper = rows_of(strata("init_1.txt", "--probs", "probs/init_1.json", "--filter0", "paper").out)
    assert [float(row["sum_join_count_filter0"]) for row in paper] == [14, 8, 6]


def test_raw_captions_by_karpathys_rule(strata, write):
    raw = {key: [text.capitalize() + " ." for text in texts] for key, texts in REFERENCES.items()}
    tokens = strata("init_1.txt").out
    write("refs.json", raw)
    assert strata("init_1.txt").out == tokens
    assert strata("init_1.txt", "--tokenizer", "none").out != tokens


def test_wmd_takes_vectors_as_they_are(strata, write):
    words = sorted({word for text in CAPTIONS for word in text.split()} | {"dog", "cats", "bicycle", "train"})
    write("vectors.txt", "".join(f"{word} {k} {k * k % 7}\n" for k, word in enumerate(words, 1)))
    vectors = ["--set", "wmd.vectors=vectors.txt"]
    default = strata("init_1.txt", *vectors, scores="WMD").out
    assert default == strata("init_1.txt", *vectors, "--set", "wmd.norm=raw", scores="WMD").out
    assert default != strata("init_1.txt", *vectors, "--set", "wmd.norm=unit", scores="WMD").out


@pytest.mark.parametrize(
    "arguments, code, parts",
    [
        (["init_1.txt", "--probs", "five.json"], 2, ["five.json: no captions are of five", "NAME=FILE"]),
        (["init_1.txt", "--probs", "init_1=five.json"], 1, ["five.json: 5 images", "references have 4"]),
        (["init_1.txt", "--probs", "init_1=three.json"], 1, ["image 1 has 3 captions, but 2 references (as 1)"]),
        (["init_1.txt", "mine.txt", "--probs", "init_1=fits.json"], 2, ["no probabilities of mine"]),
        (
            ["init_1.txt", "--probs", "init_1=fits.json", "data_init_1=other.json"],
            2,
            ["fits.json and other.json are both probabilities of init_1"],
        ),
        (["init_1.txt", "--dataset", "all"], 2, ["'all'", "all data sets"]),
        (["a\tb=init_1.txt"], 2, ["tab"]),
        (["init_1.txt", "--format", "json"], 2, ["--format json"]),
        (["init_1.txt", "--dataset", "d", "d_init_1=mine.txt"], 2, ["are both run 1 of init on d"]),
        (["init_1.txt", "--strata", "5"], 2, ["4 images cannot be cut into 5 strata"]),
        (["init_1.txt", "--strata", "0"], 2, ["found 0 strata"]),
        (["init_1.txt", "--set", "spice.synsets=no"], 2, ["spice is not among the metrics"]),
        (["init_1.txt", "--tokenizer", "karpaty"], 2, ["did you mean 'karpathy'?"]),
        ([], 2, ["HYPS"]),
    ],
)
def test_what_goes_wrong(capella, files, write, arguments, code, parts):
    write("five.json", probabilities(images=5))
    write("three.json", probabilities(captions=3))
    write("fits.json", probabilities())
    write("other.json", probabilities())
    strata = [] if "--strata" in arguments else ["--strata", "2"]
    call = ["pregen", "strata", "refs.json", *arguments, "--scores", "CIDEr", *strata]
    assert capella(*call).failed(code, *parts)


def test_warnings_name_options_that_are_there(capella, files):
    call = ["pregen", "strata", "refs.json", "init_1.txt", "--scores", "CIDEr", "--strata", "4"]
    run = capella(*call)  # strata of one image
    assert run.code == 0 and "--df coco-val" in run.err
    assert capella(*call, "--df", "coco-val").err == ""


def test_unknown_scores(strata):
    assert strata("init_1.txt", scores="CIDER").failed(2, "unknown score 'CIDER'", "CIDEr")


def test_outputs_are_no_inputs(strata, tmp_path):
    assert strata("init_1.txt", "-o", "init_1.txt").code == 2
    assert (tmp_path / "init_1.txt").read_text().startswith(CAPTIONS[0])
