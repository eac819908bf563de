"""`--cache` with metrics that encode texts: the same bytes, files that are damaged, more than one model."""

import pytest

from small_text_encoder import write_text_encoder

METRICS = ["sentence-cosine", "bertscore", "moverscore"]


@pytest.fixture
def run(capella, small, tmp_path):
    models = {name: write_text_encoder(tmp_path / name, seed) for seed, name in enumerate(("one", "two"), 1)}

    def call(metric, *further, model="one", command=("score", "refs.json", "hyps.json")):
        settings = [word for name in metric.split(",") for word in ("--set", f"{name}.model={models[model]}")]
        return capella(*command, "-m", metric, *settings, *further)

    return call


def kept(tmp_path):
    return {path.name: path for path in (tmp_path / "kept").iterdir() if path.suffix == ".cache"}


@pytest.mark.parametrize("metric", METRICS)
def test_the_cache_changes_nothing(run, metric, tmp_path):
    expected = run(metric, "--format", "json", "--per-item", "plain.jsonl").raw
    for threads in (1, 2):
        assert run(metric, "--format", "json", "--threads", threads, "--cache", "kept").raw == expected
    [file] = kept(tmp_path).values()
    size = file.stat().st_size
    assert size > 1000
    assert run(metric, "--cache", "kept", "--per-item", "kept.jsonl").code == 0
    assert (tmp_path / "kept.jsonl").read_bytes() == (tmp_path / "plain.jsonl").read_bytes()
    assert file.stat().st_size == size


def test_tokens_of_one_layer_are_kept_once(run, tmp_path):
    """BERTScore and MoverScore read the same vectors, Sentence-cosine others."""
    expected = run(",".join(METRICS), "--format", "json").raw
    assert run("bertscore", "--cache", "kept").code == 0
    sizes = {name: path.stat().st_size for name, path in kept(tmp_path).items()}
    assert run("moverscore", "--cache", "kept").code == 0
    assert {name: path.stat().st_size for name, path in kept(tmp_path).items()} == sizes
    assert run(",".join(METRICS), "--format", "json", "--cache", "kept").raw == expected
    assert len(kept(tmp_path)) == 2


@pytest.mark.parametrize("metric", METRICS)
def test_models_are_kept_apart(run, metric, tmp_path):
    expected = {model: run(metric, "--format", "json", model=model).raw for model in ("one", "two")}
    assert expected["one"] != expected["two"]
    for model in ("one", "two", "one", "two"):
        assert run(metric, "--format", "json", "--cache", "kept", model=model).raw == expected[model]
    assert len(kept(tmp_path)) == 2


@pytest.mark.parametrize("metric", METRICS)
def test_damaged_files_are_survived(run, metric, tmp_path):
    expected = run(metric, "--format", "json", "--cache", "kept").raw
    [file] = kept(tmp_path).values()
    whole = file.read_bytes()
    for damaged in (whole[:-90], whole[: len(whole) // 2], whole[:300] + b"\xff" * 40 + whole[340:]):
        file.write_bytes(damaged)
        again = run(metric, "--format", "json", "--cache", "kept")
        assert again.raw == expected and "vectors" not in again.err
    for foreign in (b"", b"nothing of the kind", bytes(len(whole))):
        file.write_bytes(foreign)
        again = run(metric, "--format", "json", "--cache", "kept")
        assert again.raw == expected and f"{file.name}: is no file of vectors of this model" in again.err
    assert len(file.read_bytes()) == len(whole)


def test_explain_and_compare_use_it(run, write):
    write("other.json", {"1": "a cat", "2": "a dog", "3": "a man"})
    for command in (
        ("explain", "refs.json", "hyps.json", "--id", "1"),
        ("compare", "refs.json", "hyps.json", "other.json", "--resamples", "100"),
    ):
        expected = run("bertscore", command=command).raw
        for _ in range(2):
            assert run("bertscore", "--cache", "kept", command=command).raw == expected


def test_a_cache_that_cannot_be_is_told_before_any_work(run, write):
    write("file", "")
    assert run("bertscore", "--cache", "file").failed(1, "file", "--cache")
    assert run("bertscore", "--cache", "").failed(2, "--cache")
