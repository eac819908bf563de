#!/usr/bin/env python3
"""Checks that every source compiles alone: tools/check_sources.py BUILD_FOLDER [PART...]

A unity build hides an #include that is missing, because another source of the batch has it. This runs the compiler on
each source of BUILD_FOLDER's compile_commands.json, without writing anything. PART selects sources below these folders,
such as src/io.
"""

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def message(entry: dict[str, str]) -> str:
    """What the compiler says about one source; empty if nothing."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    compiler = [word for word in words[:output] + words[output + 2 :] if not word.endswith("ccache")]
    done = subprocess.run([*compiler, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    return done.stderr


def main() -> int:
    build, parts = Path(sys.argv[1]), [ROOT / part for part in sys.argv[2:]] or [ROOT]
    entries = [
        entry
        for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        if any(Path(entry["file"]).is_relative_to(part) for part in parts)
        and not Path(entry["file"]).is_relative_to(build.resolve())
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        messages = [text for text in pool.map(message, entries) if text]
    print("\n".join(messages) or f"sources: {len(entries)} compile alone")
    return 1 if messages or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
