"""What the programs behind the claims share: the program, the package, test data, correlation."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("CAPELLA_TEST_DATA", ROOT.parent / "shared"))


def shared(path: str) -> Path:
    """A file of the shared test data."""
    found = SHARED / path
    if not found.exists():
        sys.exit(f"{found} does not exist; point CAPELLA_TEST_DATA at the folder of shared test data")
    return found


def capella(*words: str | Path) -> dict:
    """What build/capella prints as JSON."""
    command = [ROOT / "build/capella", *words, "--format", "json"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
