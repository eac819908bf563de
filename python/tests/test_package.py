"""The package itself: what importing it loads, and what it names."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import capella

SUBMODULES = ["compat", "composite", "deneb", "mln", "pregen", "stats"]


def loaded_after(statement: str) -> set[str]:
    code = f"import json, sys\n{statement}\nprint(json.dumps([name for name in sys.modules if name.startswith('capella.')]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.removeprefix("capella.") for name in json.loads(done.stdout)}


def test_submodules_are_loaded_when_they_are_named():
    assert not loaded_after("import capella") & set(SUBMODULES)
    for name in SUBMODULES:
        assert name in loaded_after(f"import capella; capella.{name}")


def test_names_of_the_package():
    assert set(SUBMODULES) | set(capella.__all__) <= set(dir(capella))
    for name in capella.__all__:
        assert getattr(capella, name) is not None
    assert capella.compat.Bleu is __import__("capella.compat").compat.Bleu
    with pytest.raises(AttributeError):
        capella.compta  # noqa: B018
