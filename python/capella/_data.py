"""Data packages: what some metrics need and the package cannot hold."""

from __future__ import annotations

import os
import sys

from . import _core
from ._errors import CapellaError


def get_data(name: str, source: str | os.PathLike[str] | None = None) -> str:
    """Installs a data package, unless it is there and undamaged, and returns the path of its file.

    >>> capella.get_data("meteor")                                # once: from an installed pycocoevalcap, else from PyPI
    >>> capella.get_data("meteor", source="pycocoevalcap-1.2-py3-none-any.whl")    # from a copy, without a network

    It goes to $CAPELLA_HOME, or to ~/.cache/capella where that is not set. Nothing is ever fetched unasked.

    Raises:
        CapellaError: (a ValueError) There is no package of this name; the message lists all.
        FileError: (an OSError too) It cannot be fetched or written.
    """
    if source is not None and not os.fspath(source):
        raise CapellaError("source: found an empty path, expected a copy of the package, or None for the network")
    return _core.get_data(name, "" if source is None else os.fspath(source), sys.executable or "")


def data_path(name: str) -> str:
    """The path of an installed data package; FileError, which says how to get it, if it is not there."""
    return _core.data_path(name)
