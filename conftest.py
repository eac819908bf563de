"""What all Python tests share: interrupts, and which tests only `./run test --full` runs."""

import signal

import pytest


def pytest_sessionstart():
    """Jobs that a shell starts in the background ignore interrupts, and so would everything that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def plugin():
    """The plug-in that trains networks, for every test that needs it: `./run build torch` builds it."""
    from capella import pregen

    return pregen.plugin()


def pytest_collection_modifyitems(items):
    for item in items:
        if "plugin" in item.fixturenames:
            item.add_marker(pytest.mark.full)
