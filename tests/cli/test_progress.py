"""Progress bars on a terminal, and what Ctrl-C says while something is trained."""

import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest

from program import PROGRAM
from test_composite import TRAIN, features  # noqa: F401, a fixture

NAME = "a-metric-whose-name-is-longer-than-most"
SMALL = ["--scores", "ROUGE-L,BLEU-1", "--hidden", "4", "--rate", "0.02", "-o", f"{NAME}.safetensors"]
BAR = re.compile(r"\r([^\r]*?) \[([#.]{40})\] +(\d+)%([^\r]*)")


class Terminal:
    """The program with its standard error on a terminal, and its standard output nowhere."""

    def __init__(self, folder, *words):
        self.end, other = pty.openpty()
        command = [PROGRAM, *map(str, words)]
        self.running = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=other)
        os.close(other)
        self.text = ""

    def read(self, until=None):
        """What is written until that comes, or until the end."""
        deadline = time.monotonic() + 300
        while until is None or until not in self.text:
            assert select.select([self.end], [], [], deadline - time.monotonic())[0], self.text
            try:
                self.text += os.read(self.end, 4096).decode()
            except OSError:  # nobody writes there any more
                assert until is None, self.text
                break

    def finish(self):
        self.read()
        os.close(self.end)
        return self.running.wait()


def test_a_bar_names_its_stage_and_the_time_left(features, tmp_path):  # noqa: F811
    terminal = Terminal(tmp_path, *TRAIN, *SMALL, "--seeds", 8, "--epochs", 5)
    assert terminal.finish() == 0, terminal.text
    bars = BAR.findall(terminal.text)
    assert [(stage, int(percent)) for stage, _, percent, _ in bars] == [
        (f"training {NAME}", 100 * done // 8) for done in range(1, 9)
    ]
    assert [bar.count("#") for _, bar, _, _ in bars] == [5 * done for done in range(1, 9)]
    times = [re.search(r"\d+:\d\d\b", rest) for *_, rest in bars]
    assert [time is not None for time in times] == [False, False, True, True, True, True, True, False]
    assert re.search(r"100%[^\r]*\r +\r", terminal.text)  # the line is empty in the end


def test_elsewhere_there_are_no_bars(capella, features):  # noqa: F811
    run = capella(*TRAIN, *SMALL, "--seeds", 8, "--epochs", 5)
    assert run.code == 0 and "\r" not in run.err and "%" not in run.err


def interrupt(terminal):
    """What is said at Ctrl-C, which ends the program as always."""
    said = len(terminal.text)
    terminal.running.send_signal(signal.SIGINT)
    assert terminal.finish() == -signal.SIGINT  # in a shell: 130
    return terminal.text[said:]


def test_an_interrupted_training_without_checkpoint_says_that_nothing_was_written(features, tmp_path):  # noqa: F811
    before = sorted(os.listdir(tmp_path))
    terminal = Terminal(tmp_path, *TRAIN, *SMALL, "--seeds", 1000, "--epochs", 300, "--patience", 300)
    terminal.read(until="%")
    said = interrupt(terminal)
    assert "capella: " in said and NAME not in BAR.sub("", said)  # no file to go on from
    assert sorted(os.listdir(tmp_path)) == before


def test_an_interrupted_study_names_its_folder(mln_world, tmp_path):
    terminal = Terminal(tmp_path, "mln", "run", "--world", mln_world, "-o", "my-study")
    deadline = time.monotonic() + 300
    while not (tmp_path / "my-study/triplets.jsonl").exists():
        assert time.monotonic() < deadline and terminal.running.poll() is None
        time.sleep(0.01)
    said = interrupt(terminal)
    assert "capella: " in said and "my-study" in said


def test_a_shell_that_ignores_ctrl_c_goes_on_doing_so(features, tmp_path):  # noqa: F811
    command = [PROGRAM, *TRAIN, *SMALL, "--seeds", "2", "--epochs", "5"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    running = subprocess.Popen(
        command, cwd=tmp_path, **quiet, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    )
    for _ in range(5):
        running.send_signal(signal.SIGINT)
    assert running.wait() == 0
