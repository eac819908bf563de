"""METEOR's jar from the package pycocoevalcap, driven through pipes the way that package does it."""

import subprocess
from importlib.util import find_spec
from pathlib import Path

Scores = tuple[float, list[float]]


def _folder() -> Path:
    found = find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("no package pycocoevalcap")
    return Path(found.submodule_search_locations[0]) / "meteor"


class Jar:
    COMMAND = ("java", "-jar", "-Xmx2G", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm")

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            self.COMMAND,
            cwd=_folder(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdin and self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def _ask(self, line: str) -> str:
        self._input.write(line + "\n")
        self._input.flush()
        return self._output.readline().strip()

    def score(self, references: dict[str, list[str]], captions: dict[str, str]) -> Scores:
        """The corpus score and that of every caption: a line for each caption, then one line with all answers."""
        statistics = [
            self._ask(" ||| ".join(["SCORE", *references[key], caption])) for key, caption in captions.items()
        ]
        first = self._ask(" ||| ".join(["EVAL", *statistics]))
        rest = [self._output.readline().strip() for _ in captions]
        *items, corpus = map(float, [first, *rest])
        return corpus, items

    def close(self) -> None:
        self._input.close()
        self._process.kill()
        self._process.wait()
