"""What a living process holds in memory, as the system tells it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Footprint:
    """In units of 10^6 bytes."""

    private_dirty: float  # written by this process and seen by it alone: what one more process costs
    anonymous: float  # not backed by a file
    resident: float  # all pages in memory, shared ones counted in full
    proportional: float  # the same, pages that n processes share counted 1/n


def read_fields(path: Path) -> dict[str, float]:
    """The sizes in a file such as /proc/PID/status, by their names."""
    found = {}
    for line in path.read_text(encoding="ascii").splitlines():
        words = line.split()
        if len(words) == 3 and words[2] == "kB":
            found[words[0].rstrip(":")] = int(words[1]) * 1024 / 1e6
    return found


def footprint(pid: int) -> Footprint:
    process = Path(f"/proc/{pid}")
    rollup, status = read_fields(process / "smaps_rollup"), read_fields(process / "status")
    return Footprint(rollup["Private_Dirty"], status["RssAnon"], rollup["Rss"], rollup["Pss"])
