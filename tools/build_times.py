"""Prints how many seconds of compilation each folder cost: python3 tools/build_times.py [BUILD_FOLDER].

Reads the log that Ninja keeps. Steps run side by side, so their sum is more than the time that passed, and a step takes
longer where other work keeps the processor busy; compare sums of builds on an idle machine, with an empty cache.
"""

import sys
from collections import Counter
from pathlib import Path


def folder_of(output: str) -> str:
    """src/io/CMakeFiles/capella_io.dir/Unity/unity_0_cxx.cxx.o -> src/io"""
    return output.split("/CMakeFiles/")[0] if "/CMakeFiles/" in output else "linking"


def main() -> None:
    log = Path(sys.argv[1] if len(sys.argv) > 1 else "build") / ".ninja_log"
    last: dict[str, float] = {}  # a step may have run several times
    for line in log.read_text(encoding="utf-8").splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        last[output] = (int(end) - int(start)) / 1000
    seconds, steps = Counter[str](), Counter[str]()
    for output, taken in last.items():
        seconds[folder_of(output)] += taken
        steps[folder_of(output)] += 1
    for folder, taken in seconds.most_common():
        print(f"{taken:8.0f} s  {steps[folder]:4} steps  {folder}")
    print(f"{seconds.total():8.0f} s  {steps.total():4} steps  in all")


if __name__ == "__main__":
    main()
