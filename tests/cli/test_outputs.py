"""Where results go: never over an input, never over the caller's own log, found out before any work."""

import subprocess

from program import PROGRAM


def test_an_output_must_not_be_an_input(capella, small, write, tmp_path):
    before = (tmp_path / "hyps.json").read_bytes()
    for words in (["-o", "hyps.json"], ["--per-item", "hyps.json"], ["-o", "x.txt", "--per-item", "x.txt"]):
        run = capella("score", "refs.json", "hyps.json", "-m", "bleu", *words)
        assert run.code == 2 and run.out == "", run.err
        assert "name another file" in run.err
    assert (tmp_path / "hyps.json").read_bytes() == before


def test_a_folder_that_is_not_there_is_found_before_the_input_is_read(capella, tmp_path):
    run = capella("score", "absent.json", "absent.json", "--per-item", "no/such/folder/x.jsonl")
    assert run.code == 1
    assert "no/such/folder/x.jsonl" in run.err and "absent.json" not in run.err


def test_standard_output_by_name_keeps_what_was_there(small, tmp_path):
    log = tmp_path / "log.txt"
    script = f"echo before; '{PROGRAM}' score refs.json hyps.json -m bleu -q --per-item /dev/stdout; echo after"
    with log.open("w") as out:
        subprocess.run(["bash", "-c", script], cwd=tmp_path, stdout=out, check=True)
    lines = log.read_text().splitlines()
    assert lines[0] == "before" and lines[-1] == "after"
    assert sum(line.startswith('{"system"') for line in lines) >= 1
    assert any(line.startswith("system") for line in lines)


def test_a_dash_is_standard_output(capella, small, tmp_path):
    run = capella("score", "refs.json", "hyps.json", "-m", "bleu", "-o", "-")
    assert run.code == 0 and run.out.startswith("system")
    assert not (tmp_path / "-").exists()
