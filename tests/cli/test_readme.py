"""What the README shows is what the program prints."""

import os
import re
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAPELLA = os.environ.get("CAPELLA", str(ROOT / "build/capella"))


def console_blocks() -> list[tuple[str, str]]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n\$ (.*?)\n(.*?)```", text, re.DOTALL)
    return [(command, output) for command, output in blocks]


def test_console_blocks_show_the_real_output() -> None:
    blocks = console_blocks()
    assert blocks, "the README has no worked example"
    for command, output in blocks:
        words = shlex.split(command)
        assert words[0] == "build/capella"
        done = subprocess.run([CAPELLA, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout == output


def test_every_command_the_readme_names_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    help_text = subprocess.run([CAPELLA, "--help"], capture_output=True, text=True, check=True).stdout
    for name in set(re.findall(r"^capella (\w+)", text, re.MULTILINE)):
        assert re.search(rf"^\s+{name}\b", help_text, re.MULTILINE), name
