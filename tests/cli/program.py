"""The program under test, what a call of it did, and small inputs."""

import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CAPELLA", str(ROOT / "build" / "capella"))

REFERENCES = {
    "1": ["a dog runs on the grass", "the dog is running", "a brown dog outside"],
    "2": ["two cats sleep on a sofa", "cats sleeping"],
    "3": ["a man rides a red bicycle", "a man on a bicycle", "someone cycles down a street"],
}
CAPTIONS = {"1": "a dog runs on grass", "2": "two cats on a sofa", "3": "a man rides a horse"}


def reference_scores():
    """What the reference programs give the example systems: the first value of each score, by system and name."""
    found = {}
    for check in json.loads((ROOT / "examples/expected.json").read_text())["captions"]:
        for system, scores in check["values"].items():
            found[system] = scores | found.get(system, {})
    return found


def absent(message):
    """Something that tests need is not there: they are skipped, or fail where nothing may be skipped."""
    (pytest.fail if os.environ.get("CAPELLA_REQUIRE_SHARED") == "1" else pytest.skip)(message)


@dataclass
class Run:
    """What a call of the program did."""

    code: int
    out: str
    err: str
    raw: bytes

    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)

    def scores(self, system=0):
        """The corpus values of one system by score name."""
        return {name: score["value"] for name, score in self.json()["systems"][system]["scores"].items()}

    def failed(self, code, *parts):
        """Checks that the call failed as the contract says and that the message holds all parts."""
        assert self.code == code, (self.code, self.out, self.err)
        assert self.out == ""
        for part in parts:
            assert part in self.err, self.err
        return True


def call(*arguments, folder=None):
    """Calls the program outside of any test's folder: for fixtures that many tests share."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, cwd=folder, timeout=300)
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode(), done.stdout)


def json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def killed_training(words, folder, output, how=signal.SIGKILL, said=subprocess.DEVNULL):
    """The checkpoint of a training that was killed after an epoch. On a busy machine one may end before: then again."""
    made, checkpoint = folder / output, folder / f"{output}.checkpoint"
    command = [PROGRAM, *map(str, words), "-o", output]
    for _ in range(20):
        shutil.rmtree(made) if made.is_dir() else made.unlink(missing_ok=True)
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said) as running:
            while not checkpoint.exists() and running.poll() is None:
                time.sleep(0.002)
            running.send_signal(how)
        if checkpoint.exists() and not made.exists():
            return checkpoint
    raise AssertionError("every training ended before it was killed")
