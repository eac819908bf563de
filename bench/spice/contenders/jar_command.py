"""The official program as a whole command: reads rows of captions, runs the jar, prints the mean score.

usage: jar_command ROWS [ANSWER]
ROWS is what the program itself reads, `[{"image_id", "test", "refs"}]`. The jar and its libraries come from the package
pycocoevalcap, the parser and the JavaScript engine that it wants from build/bench-jars (bench/run puts them there). It
runs without its cache, which fails on new versions of Java.
"""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

from harness.contender import score
from harness.launch import ROOT

THREADS = 2


def _class_path() -> str:
    found = find_spec("pycocoevalcap")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("no package pycocoevalcap")
    package = Path(found.submodule_search_locations[0]) / "spice"
    return ":".join(map(str, [package / "spice-1.0.jar", package / "lib/*", ROOT / "build/bench-jars/*"]))


def main(rows_file: str, answer_file: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        options = ["-out", str(out), "-threads", str(THREADS), "-subset", "-silent"]
        command = ["java", "-Xmx8G", "-cp", _class_path(), "edu.anu.spice.SpiceScorer", rows_file, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        items = [item["scores"]["All"]["f"] or 0.0 for item in json.loads(out.read_text(encoding="utf-8"))]
    print(fmean(items))
    if answer_file:
        Path(answer_file).write_text(json.dumps({"SPICE": score(items, fmean(items))}), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
