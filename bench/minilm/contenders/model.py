"""Where the model lies: the package that Capella has installed."""

import subprocess

from harness.launch import CAPELLA


def model_folder() -> str:
    return subprocess.run([CAPELLA, "data", "path", "minilm"], capture_output=True, text=True, check=True).stdout.strip()
