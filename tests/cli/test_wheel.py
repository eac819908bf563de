"""The wheel in an empty environment, outside of the repository, and where programs look for their files."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from program import PROGRAM, ROOT, absent, reference_scores

BUILD = Path(PROGRAM).parent
EXAMPLES = ROOT / "examples"
SYSTEM = "careful"
EXPECTED = reference_scores()[SYSTEM]
BARE = {"PATH": "/usr/bin:/bin"}


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300, **options)


def built_in():
    """The folders that the build was configured with, as the compiler saw them."""
    cache = dict(line.split("=", 1) for line in (BUILD / "CMakeCache.txt").read_text().splitlines() if "=" in line)
    return {cache["CMAKE_HOME_DIRECTORY:INTERNAL"], cache["CMAKE_CACHEFILE_DIR:INTERNAL"], str(ROOT)}


def findings(*program, **options):
    done = run(*program, "doctor", "--format", "json", **options)
    return {row["what"]: row for row in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def wheel():
    """The wheel that `./run wheel` writes: this build, not another."""
    env = {name: value for name, value in os.environ.items() if name != "CAPELLA_TIMES"}
    done = run(ROOT / "run", "wheel", env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    [path] = (ROOT / "dist").glob(f"capella_eval-{version(PROGRAM)}-{tag}-{tag}-linux_*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment that has the wheel and what it needs, nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check"]
    if (done := run(*pip, "numpy")).returncode != 0:
        absent(f"pip cannot fetch numpy: {done.stderr.strip()}")
    done = run(*pip, "--no-index", wheel)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


@pytest.fixture
def bare(tmp_path):
    """Where and how installed programs are run: outside of the repository, with an empty home."""
    return {"cwd": tmp_path, "env": {**BARE, "CAPELLA_HOME": str(tmp_path / "home")}}


def version(program, **options):
    return run(program, "--version", **options).stdout.split()[-1]


def in_python(installed, code, *arguments, **bare):
    done = run(installed / "python", "-c", f"import capella, json, sys; {code}", *arguments, **bare)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("binary", ["capella", "python/capella/_core*.so"])
def test_binaries_do_not_know_where_they_were_built(binary):
    [path] = BUILD.glob(binary)
    content = path.read_bytes()
    assert [folder for folder in built_in() if folder.encode() in content] == []


def test_wheel_has_both_programs_and_their_data_but_no_plugin(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        binaries = {name: archive.read(name) for name in names if archive.read(name)[:4] == b"\x7fELF"}
    assert {"capella/py.typed", "capella/_core.pyi", "capella/data/examples/expected.json"} <= names
    assert {name.split(".")[0] for name in binaries} == {"capella/capella", "capella/_core"}
    for content in binaries.values():
        assert b".symtab" not in content
        assert [folder for folder in built_in() if folder.encode() in content] == []


def test_command_is_the_program(installed, bare):
    assert version(installed / "capella", **bare) == version(PROGRAM)
    assert run(installed / "capella", "score", "--no-such-option", **bare).returncode == 2
    checks = json.loads(run(installed / "capella", "verify", "--format", "json", **bare).stdout)
    assert {check["verdict"] for check in checks} == {"equal", "skipped"}  # without data packages


def test_command_scores_the_examples(installed, bare):
    files = [EXAMPLES / "scenes.json", EXAMPLES / "systems" / f"{SYSTEM}.json"]
    metrics = ["-m", "bleu,rouge-l,cider-d", "--format", "json"]
    [system] = json.loads(run(installed / "capella", "score", *files, *metrics, **bare).stdout)["systems"]
    found = {name: score["value"] for name, score in system["scores"].items()}
    assert found == pytest.approx({name: EXPECTED[name] for name in found}, rel=1e-12) and len(found) == 6


def test_package_scores_the_examples(installed, bare):
    code = "r = capella.score(*sys.argv[1:], metrics=['bleu', 'rouge-l', 'cider-d'])"
    code += "; print(json.dumps({name: r[name] for name in r.scores}))"
    files = [EXAMPLES / "scenes.json", EXAMPLES / "systems" / f"{SYSTEM}.json"]
    found = in_python(installed, code, *files, **bare)
    assert found == pytest.approx({name: EXPECTED[name] for name in found}, rel=1e-12) and len(found) == 6
    assert in_python(installed, "print(json.dumps(all(v.exact for v in capella.verify())))", **bare)


def test_installed_program_finds_its_own_files_and_says_how_to_get_the_plugin(installed, bare):
    found = findings(installed / "capella", **bare)
    assert found["parser of captions"]["ok"] and found["composite metrics"]["ok"]
    assert str(installed.parent) in found["parser of captions"]["found"]
    assert not any(folder in json.dumps(found) for folder in built_in())
    assert "./run build torch" in found["torch plug-in"]["found"] and "CAPELLA_TORCH" in found["torch plug-in"]["found"]


@pytest.fixture
def planted(write, tmp_path):
    """A folder with files of the names that Capella looks for, in every layout, and with wrong content."""
    for folder in ["", "data/", "share/capella/", "bin/data/"]:
        write(f"{folder}examples/expected.json", "no values")
        write(f"{folder}models/parser.safetensors", "no network")
    for folder in ["", "lib/", "bin/", "lib/x86_64-linux-gnu/"]:
        write(f"{folder}libcapella_torch.so", "no library")
    write("bin/capella", "no program")
    return tmp_path


@pytest.mark.parametrize("name", [PROGRAM, "capella", "bin/capella", "{planted}/bin/capella"])
def test_program_loads_nothing_from_where_it_is_run(planted, name):
    env = {**BARE, "CAPELLA_HOME": str(planted / "home")}
    found = findings(name.format(planted=planted), executable=PROGRAM, cwd=planted, env=env)
    assert found["parser of captions"]["ok"] and found["arithmetic"]["ok"] and found["torch plug-in"]["ok"]
    places = {what: row["found"].replace(env["CAPELLA_HOME"], "") for what, row in found.items()}
    assert not any(str(planted) in place for place in places.values()), places


def test_package_loads_nothing_from_where_it_is_run(planted):
    code = "import capella; assert capella.parse(['a dog runs'], synsets=False) and capella.verify()"
    env = {**os.environ, "CAPELLA_HOME": str(planted / "home")}
    done = run(sys.executable, "-c", code, cwd=planted, env=env)
    assert done.returncode == 0, done.stderr
