"""Where the model lies: the package that Capella has installed."""

import subprocess

from harness.launch import CAPELLA


def model_folder() -> str:
    asked = [CAPELLA, "data", "path", "minilm"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
