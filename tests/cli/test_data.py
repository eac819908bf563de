"""Data packages: listing, getting and finding them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from program import PROGRAM

JAR_BYTES = 6318693


@pytest.fixture
def home(tmp_path):
    """An empty folder for data, as environment variables."""
    return {"CAPELLA_HOME": str(tmp_path / "home"), "CAPELLA_PYTHON": str(tmp_path / "no-python")}


@pytest.fixture
def installed(capella, tmp_path, home):
    """The path of a copy, in the test's own folder, of the data that is installed on this machine."""
    run = capella("data", "path", "meteor")
    if run.code != 0:
        pytest.skip("METEOR's data is not installed: capella data get meteor")
    (tmp_path / "home").mkdir()
    return shutil.copy2(run.out.strip(), tmp_path / "home")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The real package, fetched by pip."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    if subprocess.run([*pip, "pycocoevalcap==1.2", "--dest", folder], capture_output=True).returncode != 0:
        pytest.skip("pip cannot fetch pycocoevalcap 1.2")
    [path] = folder.iterdir()
    return path


def leftovers(tmp_path):
    return sorted(path.name for path in (tmp_path / "home").iterdir() if path.name != "data.lock")


def test_lists_packages_that_are_not_installed(capella, home, tmp_path):
    [meteor] = capella("data", "list", "--format", "json", env=home).json()
    assert meteor["package"] == "meteor" and meteor["installed"] is False
    assert meteor["path"].startswith(str(tmp_path / "home"))
    assert "pycocoevalcap 1.2" in meteor["source"] and "METEOR" in meteor["summary"]
    table = capella("data", "list", env=home).out
    assert "meteor" in table and "no" in table and "pycocoevalcap 1.2" in table
    assert not (tmp_path / "home").exists()


def test_path_of_what_is_not_there_names_the_command_that_gets_it(capella, home):
    assert capella("data", "path", "meteor", env=home).failed(1, "capella data get meteor")


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["get", "metoer"], ["unknown data package 'metoer'", "did you mean 'meteor'?"]),
        (["path", "metoer"], ["unknown data package 'metoer'", "did you mean 'meteor'?"]),
        (["gte", "meteor"], ["unknown action 'gte'", "did you mean 'get'?"]),
        (["get"], ["name the package", "meteor"]),
        (["list", "meteor"], ["takes no name"]),
        (["path", "meteor", "--from", "x"], ["--from goes with data get"]),
        ([], ["ACTION"]),
    ],
)
def test_wrong_calls(capella, home, arguments, parts):
    assert capella("data", *arguments, env=home).failed(2, *parts)


def test_local_copies_that_are_wrong_are_named(capella, home, tmp_path, write):
    def get(source):
        return capella("data", "get", "meteor", "--from", source, env=home)

    assert get("absent").failed(1, "absent: cannot be opened")
    write("notes.txt", "no archive")
    assert get("notes.txt").failed(1, "notes.txt", "zip or tar.gz")
    write("copy/paraphrase-en.gz", "short")
    assert get("copy").failed(1, "copy: has no meteor-1.5.jar", "pycocoevalcap 1.2")
    write("copy/meteor-1.5.jar", "short")
    assert get("copy").failed(1, "copy/meteor-1.5.jar: 5 bytes, expected 6318693")
    write("copy/meteor-1.5.jar", bytes(JAR_BYTES))
    assert get("copy").failed(1, "copy/meteor-1.5.jar: its SHA-256 is", "expected 1e57b4c7")
    assert leftovers(tmp_path) == []


def test_says_why_pip_failed(capella, home, write, tmp_path):
    run = capella("data", "get", "meteor", env=home)
    assert run.failed(1, "no-python: cannot be run", "CAPELLA_PYTHON", "--from")
    script = write("python", '#!/bin/sh\necho "said: $1 $2 $3 $4"; echo "no network here" >&2; exit 3\n')
    script.chmod(0o755)
    run = capella("data", "get", "meteor", env={**home, "CAPELLA_PYTHON": str(script)})
    assert run.failed(1, "said: -m pip download pycocoevalcap==1.2", "no network here", "status 3", "--from")
    assert leftovers(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_named(capella, home, write):
    write("home", "a file")
    assert capella("data", "get", "meteor", env=home).failed(1, "home", "CAPELLA_HOME")


def test_actions_and_names_are_completed(capella, write):
    path = write("completion.bash", capella("completion", "bash").out)

    def complete(*words):
        line = " ".join(f"'{word}'" for word in words)
        ask = f"source {path}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _capella"
        ask += "; echo ${COMPREPLY[@]}"
        return subprocess.run(["bash", "-c", ask], capture_output=True, text=True).stdout.split()

    assert complete("capella", "data", "") == ["list", "get", "path"]
    assert complete("capella", "data", "get", "") == ["meteor"]
    assert complete("capella", "data", "get", "meteor", "--fr") == ["--from"]


def test_getting_again_does_nothing(capella, home, installed):
    before = os.stat(installed)
    run = capella("data", "get", "meteor", env=home)
    assert run.code == 0 and "there already" in run.err and run.out == ""
    assert capella("data", "get", "meteor", "-q", env=home).err == ""
    after = os.stat(installed)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert capella("data", "path", "meteor", env=home).out == f"{installed}\n"
    [meteor] = capella("data", "list", "--format", "json", env=home).json()
    assert meteor["installed"] is True
    findings = {row["what"]: row for row in json.loads(capella("doctor", "--format", "json", env=home).out)}
    assert findings["data of meteor"]["ok"] and str(installed) in findings["data of meteor"]["found"]


def test_damage_is_found_though_the_time_was_set_back(capella, home, installed):
    status = os.stat(installed)
    with open(installed, "r+b") as file:
        file.seek(status.st_size // 2)
        byte = file.read(1)[0]
        file.seek(status.st_size // 2)
        file.write(bytes([byte ^ 1]))
    os.utime(installed, ns=(status.st_atime_ns, status.st_mtime_ns))
    run = capella("data", "get", "meteor", env=home)
    assert run.failed(1, f"{installed}: damaged", "no-python: cannot be run")
    run = capella("doctor", env=home)
    assert run.code == 1 and f"{installed}: damaged" in run.out
    os.utime(installed)
    [meteor] = capella("data", "list", "--format", "json", env=home).json()
    assert meteor["installed"] is False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_killed_processes_leave_is_removed(capella, home, write, tmp_path, how):
    script = write("python", f'#!/bin/sh\necho $$ > {tmp_path}/pip; exec sleep 100\n')
    script.chmod(0o755)
    env = {**os.environ, **home, "CAPELLA_PYTHON": str(script)}
    started = subprocess.Popen([PROGRAM, "data", "get", "meteor", "-q"], env=env)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pip").exists() or not (tmp_path / "pip").read_text().endswith("\n"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    started.send_signal(how)
    assert started.wait() == -how
    assert len(leftovers(tmp_path)) == 1
    pip = int((tmp_path / "pip").read_text())
    while os.path.exists(f"/proc/{pip}/fd/0"):  # it ends with the program
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert capella("data", "get", "meteor", "--from", "absent", env=home).code == 1
    assert leftovers(tmp_path) == []


def test_two_at_once_install_it_once(capella, home, wheel, write, tmp_path):
    # Stands for pip; --dest FOLDER is the last option.
    script = write("python", f'#!/bin/sh\nfor last; do :; done\ncp {wheel} "$last"\n')
    script.chmod(0o755)
    env = {**os.environ, **home, "CAPELLA_PYTHON": str(script)}
    command = [PROGRAM, "data", "get", "meteor"]
    both = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    [first, second] = sorted(said, key=lambda text: "another process" in text)
    assert "meteor is installed" in first and "waiting" in second and "there already" in second
    assert leftovers(tmp_path) == [os.path.basename(capella("data", "path", "meteor", env=home).out.strip())]
    found = capella("doctor", "--format", "json", env=home).out
    assert all(row["ok"] for row in json.loads(found) if row["what"] == "data of meteor")
