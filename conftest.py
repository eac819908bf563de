"""What all Python tests share: interrupts, and which tests only `./run test --full` runs."""

import signal

import pytest


def pytest_sessionstart():
    """Jobs that a shell starts in the background ignore interrupts, and so would everything that tests start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    for item in items:
        if "plugin" in item.fixturenames:  # the plug-in that trains networks
            item.add_marker(pytest.mark.full)
