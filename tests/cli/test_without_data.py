"""What works, and what is said, where METEOR's data, an encoder or even a home is not there."""

import pytest

# `env -i`: no HOME, no CAPELLA_HOME, nothing.
NOWHERE = {}


@pytest.fixture
def empty(tmp_path):
    """A folder without data, as environment variables."""
    (tmp_path / "empty").mkdir()
    return {"CAPELLA_HOME": str(tmp_path / "empty")}


def all_metrics_but(capella, *missing):
    """The scores of all metrics but those that need one of the data packages `missing`, or a model that nobody has named."""
    listed = capella("metrics", "--format", "json").json()
    ready = [metric for metric in listed if not any(setting["required"] for setting in metric["settings"])]
    return {score for metric in ready if metric["data"] not in missing for score in metric["scores"]}


def test_available_metrics_with_the_data(capella, small, meteor_data, minilm_data):
    run = capella("score", "refs.json", "hyps.json", "-m", "available", "--format", "json")
    assert set(run.scores()) == all_metrics_but(capella)
    assert "METEOR" in run.scores() and "meteor is left out" not in run.err


def test_available_metrics_without_the_data(capella, small, empty):
    run = capella("score", "refs.json", "hyps.json", "-m", "available", "--format", "json", env=empty)
    assert set(run.scores()) == all_metrics_but(capella, "meteor", "minilm")
    assert "meteor is left out" in run.err and "capella data get meteor" in run.err
    assert "bertscore is left out" in run.err and "capella data get minilm" in run.err
    quiet = capella("score", "refs.json", "hyps.json", "-m", "available", "-q", env=empty)
    assert (quiet.code, quiet.err) == (0, "")


def test_available_metrics_with_a_file_that_is_no_data(capella, small, meteor_data, write, tmp_path):
    path = write(f"other/{meteor_data.rsplit('/', 1)[1]}", "no data")
    run = capella(
        "score",
        "refs.json",
        "hyps.json",
        "-m",
        "available",
        "--format",
        "json",
        env={"CAPELLA_HOME": str(tmp_path / "other")},
    )
    assert set(run.scores()) == all_metrics_but(capella, "meteor", "minilm")
    assert "meteor is left out" in run.err and str(path) in run.err


@pytest.mark.parametrize("metrics", ["meteor", "all", "bleu,meteor"])
def test_metrics_that_are_asked_for_by_name_are_not_left_out(capella, small, empty, metrics):
    run = capella("score", "refs.json", "hyps.json", "-m", metrics, env=empty)
    assert run.failed(1, "capella data get meteor")


@pytest.mark.parametrize("metrics", ["sentence-cosine", "bertscore", "moverscore", "capella-s", "bleu,bertscore"])
def test_metrics_without_their_encoder_name_the_command_that_gets_it(capella, small, empty, metrics):
    run = capella("score", "refs.json", "hyps.json", "-m", metrics, env=empty)
    assert run.failed(1, "capella data get minilm", "-m available")


@pytest.mark.parametrize("env", [NOWHERE, {"HOME": ""}, {"HOME": "", "CAPELLA_HOME": ""}])
@pytest.mark.parametrize(
    "arguments",
    [
        ["metrics"],
        ["verify"],
        ["score", "refs.json", "hyps.json", "-m", "bleu"],
        ["score", "refs.json", "hyps.json", "-m", "available"],
        ["completion", "bash"],
        ["data", "list"],
        ["--help"],
    ],
)
def test_no_home_is_needed(capella, small, arguments, env):
    run = capella(*arguments, only_env=env)
    assert run.code == 0, run.err
    assert run.out != ""


def test_without_a_home_the_scores_are_the_same(capella, small):
    arguments = ["score", "refs.json", "hyps.json", "-m", "bleu,cider-d", "--format", "json"]
    assert capella(*arguments, only_env=NOWHERE).raw == capella(*arguments).raw


def test_without_a_home_nothing_is_installed(capella, small, tmp_path):
    packages = capella("data", "list", "--format", "json", only_env=NOWHERE).json()
    assert [(row["package"], row["installed"]) for row in packages] == [("meteor", False), ("minilm", False)]
    assert capella("data", "path", "meteor", only_env=NOWHERE).failed(1, "capella data get meteor")
    assert capella("score", "refs.json", "hyps.json", "-m", "meteor", only_env=NOWHERE).failed(
        1, "capella data get meteor"
    )


@pytest.mark.parametrize("source", [[], ["--from", "absent"]])
def test_getting_data_without_a_home_says_what_to_set(capella, tmp_path, source):
    assert capella("data", "get", "meteor", *source, only_env=NOWHERE).failed(1, "CAPELLA_HOME")
    assert list(tmp_path.iterdir()) == []
