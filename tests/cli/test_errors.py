"""What goes wrong, and how it is said: exit code 1 for data, 2 for usage, nothing on standard output."""

import gzip
import json
import os
import signal
import subprocess
import time

import pytest

from program import CAPTIONS, PROGRAM


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["scor", "refs.json", "hyps.json"], ["scor", "score", "merge"]),
        (
            ["score", "refs.json", "hyps.json", "-m", "cidr-d"],
            ["unknown metric 'cidr-d'", "'cider-d'", "bleu, rouge-l"],
        ),
        (["score", "refs.json", "hyps.json", "--fromat", "json"], ["--fromat", "--format"]),
        (["score", "refs.json", "hyps.json", "--format", "jsn"], ["unknown format 'jsn'", "'json'"]),
        (
            ["score", "refs.json", "hyps.json", "--tokenizer", "ptp"],
            ["unknown tokenizer 'ptp'", "'ptb'", "ptb-iso, 13a, none, karpathy"],
        ),
        (
            ["score", "refs.json", "hyps.json", "-m", "cider-d", "--set", "cider-d.sigme=1"],
            ["sigme", "'sigma'"],
        ),
        (
            ["score", "refs.json", "hyps.json", "-m", "cider-d", "--set", "cider-d.sigma=wide"],
            ["'wide'", "a number"],
        ),
        (["score", "refs.json", "hyps.json", "-m", "bleu", "--set", "sigma"], ["METRIC.KEY=VALUE"]),
        (["score", "refs.json", "hyps.json", "--missing", "ignore"], ["ignore"]),
        (["score", "refs.json", "hyps.json", "--threads", "many"], ["many"]),
        (["score", "refs.json", "hyps.json", "--shard", "3/2", "--stats-out", "s"], ["3/2", "1 <= i <= n"]),
        (["score", "refs.json", "hyps.json", "--shard", "1/2"], ["--stats-out"]),
        (["score"], ["REFS"]),
        (["explain", "refs.json", "hyps.json"], ["--id"]),
        (["completion", "bsh"], ["'bash'"]),
        (["df", "refs.json"], ["-o"]),
        ([], []),
    ],
)
def test_wrong_usage(capella, small, arguments, parts):
    assert capella(*arguments).failed(2, *parts)


def test_wrong_usage_is_found_before_any_file_is_read(capella):
    assert capella("score", "absent.json", "absent.json", "--format", "jsn").failed(2, "jsn")


def test_absent_files(capella, small):
    assert capella("score", "absent.json", "hyps.json").failed(1, "absent.json", "No such file")
    assert capella("score", "refs.json", "absent.json").failed(1, "absent.json", "No such file")
    assert capella("score", "refs.json", ".").failed(1, "folder")
    assert capella("score", "refs.json", "n" * 5000).failed(1, "nnn")


def test_broken_json_names_file_and_line(capella, small, write):
    write("hyps.json", '[{"image_id": 1, "caption": "a dog"},\n{"image_id": 2, "caption": }]')
    assert capella("score", "refs.json", "hyps.json").failed(1, "hyps.json:2")


def test_packed_data_that_ends_too_early(capella, small, write):
    write("hyps.json.gz", gzip.compress(json.dumps(CAPTIONS).encode())[:-9])
    assert capella("score", "refs.json", "hyps.json.gz").failed(1, "hyps.json.gz", "too early")


def test_ids_that_not_all_files_have(capella, small, write):
    write("hyps.json", {"1": "a dog", "2": "cats", "9": "what is this"})
    assert capella("score", "refs.json", "hyps.json").failed(1, "3")
    run = capella("score", "refs.json", "hyps.json", "--missing", "skip", "--format", "json")
    assert run.json()["items"] == 2
    assert {row["id"] for row in run.json()["skipped"]} == {"3", "9"}
    assert "2 items remain" in run.err


def test_two_captions_for_one_id(capella, small, write):
    write(
        "hyps.json",
        [{"image_id": 1, "caption": "a"}, {"image_id": 1, "caption": "b"}, {"image_id": 2, "caption": "c"}],
    )
    assert capella("score", "refs.json", "hyps.json").failed(1, "1")


def test_bad_rows_stop_the_run_unless_skipped(capella, small, write):
    rows = [json.dumps({"image_id": key, "caption": text}) for key, text in CAPTIONS.items()]
    write("hyps.jsonl", "\n".join([*rows, '{"image_id": 4, "caption": 17}', "{broken"]) + "\n")
    assert capella("score", "refs.json", "hyps.jsonl").failed(1, "hyps.jsonl:4")
    run = capella("score", "refs.json", "hyps.jsonl", "--skip-bad", "--format", "json")
    assert run.json()["items"] == 3
    assert len(run.json()["skipped"]) == 2
    assert "2 rows left out" in run.err


def test_nothing_to_score(capella, small, write):
    write("empty.json", "[]")
    assert capella("score", "refs.json", "empty.json").failed(1)
    assert capella("score", "empty.json", "hyps.json").failed(1)
    assert capella("score", "refs.json").failed(1, "system")


@pytest.mark.parametrize("option", ["-o", "--per-item"])
def test_output_that_cannot_be_written_keeps_the_old_file(capella, small, write, tmp_path, option):
    old = write("kept/result", "old")
    bad = write("bad.json", "[{")
    assert capella("score", "refs.json", bad, option, old).failed(1)
    assert old.read_text() == "old"
    assert capella("score", "refs.json", "hyps.json", option, "no/such/folder").failed(1, "no/such/folder")
    assert [path.name for path in old.parent.iterdir()] == ["result"]


def test_a_full_disk_keeps_the_old_file(small, write, tmp_path):
    old = write("kept/items.jsonl", "old")
    command = f"'{PROGRAM}' score refs.json hyps.json -q --per-item kept/items.jsonl"
    limited = f"trap '' XFSZ; ulimit -f 0; exec {command}"
    run = subprocess.run(["bash", "-c", limited], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1 and run.stdout == ""
    assert "kept/items.jsonl: cannot be written" in run.stderr
    assert old.read_text() == "old"
    assert [path.name for path in old.parent.iterdir()] == ["items.jsonl"]


def test_a_killed_run_leaves_no_partial_file(write, tmp_path):
    items = 20_000
    write("refs.json", {str(i): ["a dog runs on the grass", "a dog"] for i in range(items)})
    write("hyps.json", {str(i): "a dog runs" for i in range(items)})
    command = [PROGRAM, "score", "refs.json", "hyps.json", "-m", "all", "--per-item", "items.jsonl", "-q"]
    begin = time.monotonic()
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    whole = time.monotonic() - begin
    target = tmp_path / "items.jsonl"
    size = target.stat().st_size
    for tenth in range(1, 12):
        target.unlink(missing_ok=True)
        run = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(whole * tenth / 10)
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert not target.exists() or target.stat().st_size == size


@pytest.mark.parametrize("format", ["table", "json"])
def test_a_reader_that_goes_away_ends_the_program_as_others(small, tmp_path, format):
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [PROGRAM, "score", "refs.json", "hyps.json", "--format", format]
    run = subprocess.run(command, cwd=tmp_path, stdout=write_end, stderr=subprocess.PIPE, text=True)
    os.close(write_end)
    assert run.returncode == -signal.SIGPIPE
    assert run.stderr == ""


def test_a_full_standard_output_is_an_error(small, tmp_path):
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [PROGRAM, "score", "refs.json", "hyps.json"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE
        )
    assert run.returncode == 1


def test_absurd_numbers_of_threads_do_no_harm(capella, small):
    absurd = capella("score", "refs.json", "hyps.json", "--threads", 10**12)
    assert absurd.raw == capella("score", "refs.json", "hyps.json").raw and absurd.code == 0


def test_frequencies_of_nothing_are_an_error(capella, write):
    write("empty.json", "{}")
    assert capella("df", "empty.json", "-o", "empty.df").failed(1)
