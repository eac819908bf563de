"""Whether other Python threads go on while a call computes, that is, whether it has let go of the GIL."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

EDGE = 0.001  # seconds at both ends of a call, when the caller itself may let others have a turn
TRIES = 200  # a short call on a busy machine may end before anybody else has had a turn


def others_run_during(work: Callable[[], object]) -> bool:
    """One turn in the midst of a call proves it; while the GIL is held there is none."""
    stop, turns = threading.Event(), []

    def take_turns() -> None:
        while not stop.wait(0.0005):
            turns.append(time.monotonic())

    def is_seen() -> bool:
        begin = time.monotonic()
        work()
        end = time.monotonic()
        return any(begin + EDGE < turn < end - EDGE for turn in turns)

    other = threading.Thread(target=take_turns)
    other.start()
    seen = any(is_seen() for _ in range(TRIES))
    stop.set()
    other.join()
    return seen
