"""Runs a command and prints its wall time, processor time and peak memory as JSON.

The first argument is the file that the command's own output goes to.

A program of its own that holds next to nothing: the peak that the system reports for a child begins at what
its parent held at the fork. Of a command that starts others, the peak is that of the largest process.
"""

import json
import os
import sys
import time


def main(output: str, *command: str) -> int:
    begin = time.perf_counter()
    elsewhere = [(os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)]
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=elsewhere)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - begin
    figures = {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss * 1024 / 1e6}
    print(json.dumps(figures))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
