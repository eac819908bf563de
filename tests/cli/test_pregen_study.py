"""`capella pregen study`: the whole protocol on a small generated world, cut off and taken up again."""

import shutil
import signal
import subprocess
import time

import pytest

from program import PROGRAM, Run

ARCHITECTURES = ["init", "pre", "par", "merge"]
SMALL = ["--images", "150", "--size", "8", "--epochs", "2", "--shares", "1,0.3", "--resamples", "100", "--seed", "3"]


def run_study(world, folder, *options):
    command = [PROGRAM, "pregen", "study", "--world", world, "-o", folder, *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=600)
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)


@pytest.fixture(scope="module")
def study(plugin, tmp_path_factory):
    """A finished study: the folder that has it and its world, and what it printed."""
    folder = tmp_path_factory.mktemp("pregen_study")
    return folder, run_study(folder / "world", folder / "study", *SMALL, "--format", "json").json()


def rows(path):
    lines = [line.split("\t") for line in path.read_text().splitlines()]
    return lines[0], lines[1:]


def test_every_generator_has_its_rows(study):
    folder, _ = study
    header, table = rows(folder / "study" / "data.txt")
    assert header[:5] == ["dataset", "architecture", "run", "num_strata", "stratum"]
    assert header[5:10] == ["METEOR", "CIDEr", "SPICE", "WMD", "Judges"]
    assert len(header) == 10 + 504
    assert len(table) == 4 * 2 * 15
    assert [(r[1], r[2]) for r in table[::15]] == [(a, run) for run in "12" for a in ARCHITECTURES]
    assert all(0 <= float(r[9]) <= 1 for r in table)


def test_report_tells_generators_and_correlations(study):
    folder, result = study
    assert [g["architecture"] for g in result["generators"]] == ARCHITECTURES * 2
    assert {c["post"] for c in result["correlations"]} == {"METEOR", "CIDEr", "SPICE", "WMD", "Judges"}
    for correlation in result["correlations"]:
        best = correlation["best"]
        assert best["rank"] == 1 and 0 <= best["low"] <= best["r_squared"] <= 1
        assert best["r_squared"] == pytest.approx(best["r"] ** 2)
    assert result["findings"]
    report = (folder / "study" / "report.md").read_text()
    assert "generated world" in report
    for finding in result["findings"]:
        assert finding in report
    assert "init_1," in (folder / "study" / "times.csv").read_text()
    pictures = {p.name for p in (folder / "study" / "pictures").iterdir()}
    assert {"bars-cider.svg", "tiers-judges.svg", "scatter-cider-geomean_join_pplx_none.svg"} <= pictures


def test_second_run_makes_nothing_again(study):
    folder, result = study
    model = folder / "study" / "models" / "par_2.safetensors"
    before = model.stat().st_mtime_ns
    now = run_study(folder / "world", folder / "study", *SMALL, "--format", "json").json()
    assert model.stat().st_mtime_ns == before
    assert now == result


def test_other_options_are_refused(study):
    folder, _ = study
    other = run_study(folder / "world", folder / "study", "--size", "9", *SMALL[4:])
    other.failed(2, "another world or with other options")


def test_a_killed_study_goes_on(study, tmp_path):
    folder, _ = study
    command = [PROGRAM, "pregen", "study", "--world", folder / "world", "-o", tmp_path / "study", *SMALL]
    running = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not (tmp_path / "study" / "captions" / "pre_1.json").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not (tmp_path / "study" / "data.txt").exists()
    assert run_study(folder / "world", tmp_path / "study", *SMALL).code == 0
    assert (tmp_path / "study" / "data.txt").read_text() == (folder / "study" / "data.txt").read_text()


def test_a_folder_that_is_no_world(plugin, tmp_path):
    (tmp_path / "empty").mkdir()
    run_study(tmp_path / "empty", tmp_path / "study").failed(1, "truth.json")


def test_threads_change_no_model(study, tmp_path):
    """Networks that are trained beside each other do not disturb each other."""
    folder, _ = study
    for threads in ["1", "3"]:
        assert run_study(folder / "world", tmp_path / threads, *SMALL, "--threads", threads).code == 0
    for model in sorted((tmp_path / "1" / "models").glob("*.safetensors")):
        assert model.read_bytes() == (tmp_path / "3" / "models" / model.name).read_bytes(), model.name
    assert (tmp_path / "1" / "data.txt").read_bytes() == (folder / "study" / "data.txt").read_bytes()


def test_wrong_options_claim_no_folder(study, tmp_path):
    folder, _ = study
    run_study(folder / "world", tmp_path / "study", "--shares", "0").failed(2, "share")
    assert not (tmp_path / "study").exists()
    run_study(folder / "world", tmp_path / "study", "--epochs", "2000000").failed(2, "epochs")
    if run_study(folder / "world", tmp_path / "study", "--device", "cuda", *SMALL).code != 0:  # no GPU here
        assert not (tmp_path / "study").exists()
    run_study(folder / "world", folder / "world").failed(2, "the world's folder")
    run_study(folder / "world", folder / "world" / "study").failed(2, "the world's folder")


def test_a_model_that_was_deleted_is_made_and_asked_again(study, tmp_path):
    folder, _ = study
    copy = tmp_path / "study"
    shutil.copytree(folder / "study", copy)
    (copy / "models" / "par_2.safetensors").unlink()
    (copy / "captions" / "init_1.json").unlink()
    assert run_study(folder / "world", copy, *SMALL).code == 0
    for name in ["models/par_2.safetensors", "captions/init_1.json", "data.txt"]:
        assert (copy / name).read_bytes() == (folder / "study" / name).read_bytes(), name


def test_a_world_that_is_damaged(study, tmp_path):
    folder, _ = study
    world = tmp_path / "world"
    shutil.copytree(folder / "world", world)
    (world / "truth.json").write_text('{"seed": 3, "images": 150}')
    run_study(world, tmp_path / "study").failed(1, "truth.json", "judges")
    (world / "dataset.json").unlink()
    (world / "truth.json").write_bytes((folder / "world" / "truth.json").read_bytes())
    run_study(world, tmp_path / "study").failed(1, "dataset.json")
