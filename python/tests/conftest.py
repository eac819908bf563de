"""Fixtures: the shared test data, where it is there, and a small corpus that needs none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from mathematics import make_captions

import capella


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and golden values: $CAPELLA_TEST_DATA, else ``shared`` beside the repository."""
    given = os.environ.get("CAPELLA_TEST_DATA")
    folder = Path(given) if given else Path(__file__).resolve().parents[3] / "shared"
    if not (folder / "golden").is_dir():
        message = f"no shared test data in {folder}"
        if os.environ.get("CAPELLA_REQUIRE_SHARED") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return folder


def installed(package: str) -> str:
    """The path of a data package, for tests that need it."""
    try:
        return capella.data_path(package)
    except capella.FileError as missing:
        if os.environ.get("CAPELLA_REQUIRE_SHARED") == "1":
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def meteor_data() -> str:
    """The path of METEOR's data."""
    return installed("meteor")


@pytest.fixture(scope="session")
def minilm_data() -> str:
    """The path of the sentence encoder MiniLM."""
    return installed("minilm")


@pytest.fixture
def refs() -> dict[int, list[str]]:
    return {
        7: ["A dog runs over the grass.", "The dog is running."],
        9: ["Two cats sleep on a sofa.", "Cats on a couch."],
        12: ["A man rides a wave on a surfboard.", "A surfer in the sea."],
    }


@pytest.fixture
def hyps() -> dict[int, str]:
    return {7: "a dog runs over grass", 9: "two dogs on a sofa", 12: "a man on a wave"}


@pytest.fixture(scope="module")
def corpus():
    """References and two systems, one of which has copied some references."""
    references = [[one, two] for one, two in zip(make_captions(1, 60), make_captions(2, 60))]
    copied = [
        refs[0] if k % 3 else caption
        for k, (refs, caption) in enumerate(zip(references, make_captions(3, 60)))
    ]
    return references, {"good": copied, "poor": make_captions(4, 60)}
