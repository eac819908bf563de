"""What README shows is what Capella prints, its commands run, and its figures are what Capella draws."""

import re
import shlex
import subprocess
import sys
from functools import cache

import pytest

from program import PROGRAM, ROOT, absent

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
FIGURES = (ROOT / "docs/figures/README.md").read_text(encoding="utf-8")


def blocks(language, text=README):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(block):
    """The words of every `capella` command in a shell block, without comments."""
    lines = block.replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.startswith("capella ")]


SCRIPTS = [block for block in blocks("sh") if commands(block)]


@pytest.fixture
def run(tmp_path):
    """Runs a command's words beside the examples, with wildcards as a shell expands them."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")

    def call(words):
        files = {word: [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.glob(word))] for word in words[1:]}
        arguments = [part for word in words[1:] for part in (files[word] if "*" in word else [word])]
        return subprocess.run([PROGRAM, *arguments], cwd=tmp_path, capture_output=True, text=True)

    return call


@cache
def help_of(*words):
    done = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, words
    return done.stdout


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0][2:])
def test_console_blocks_show_the_real_output(run, block, meteor_data):
    command, output = block.split("\n", 1)
    assert command.startswith("$ capella ")
    done = run(shlex.split(command[2:]))
    assert done.returncode == 0, done.stderr
    assert done.stdout == output


@pytest.mark.parametrize("script", SCRIPTS)
def test_commands_run(run, script, meteor_data, minilm_data):
    for words in commands(script):
        done = run(words)
        assert done.returncode == 0, done.stderr


def test_the_python_example_runs(meteor_data):
    [block] = blocks("python")
    done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", commands("".join(SCRIPTS + blocks("sh", COMMANDS))), ids=" ".join)
def test_commands_and_their_options_exist(words):
    listed = re.findall(r"^  (\w[\w-]*) ", help_of(words[1]), re.MULTILINE)
    path = words[1:3] if len(words) > 2 and words[2] in listed else words[1:2]
    for depth, name in enumerate(path):
        assert re.search(rf"^  {name}\b", help_of(*path[:depth]), re.MULTILINE)
    for word in words:
        if re.match(r"--?[a-z]", word) and word != "--help":
            assert re.search(rf"^\s+(?:-\w,)?{word}\b|^\s+{word},", help_of(*path), re.MULTILINE), word


@pytest.mark.parametrize("line", "".join(blocks("sh", FIGURES)).splitlines())
def test_figures_are_what_their_commands_draw(line, meteor_data, tmp_path):
    command, output = line.split(" -o ")
    name = output.split()[-1]
    figure = ROOT / "docs/figures" / name.split("/")[-1]
    assert f"(docs/figures/{figure.name})" in README
    words = shlex.split(command)
    for data in (word for word in words if word.startswith("../") and not (ROOT / word).exists()):
        absent(f"{data} is not beside the repository")
    done = subprocess.run([PROGRAM, *words[1:], "-o", tmp_path / output.split()[0]], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / name).read_bytes() == figure.read_bytes()
