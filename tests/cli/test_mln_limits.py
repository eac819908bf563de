"""`capella mln infer` on networks that are too wide for exact methods: bounded time and memory, plain words."""

import random
import subprocess
import sys

from program import PROGRAM

# Runs a program and tells, on the last line, its greatest memory in kilobytes.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(done.stdout, done.stderr, done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def measured(*arguments, timeout=120):
    """What the program said, its exit code and its megabytes."""
    call = [sys.executable, "-c", MEASURE, PROGRAM, *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=timeout, check=True)
    *said, code, kilobytes = done.stdout.split()
    return " ".join(said), int(code), int(kilobytes) / 1000


def test_a_thousand_people_and_a_million_friendships(write):
    net = write(
        "friends.mln",
        "person = {1, ..., 1000}\nS(person)\nF(person,person)\n0.5 !S(x) v !F(x,y) v S(y)\n-0.7 F(x,y)\n",
    )
    said, code, megabytes = measured("mln", "infer", net, "--burn-in", 0, "--sweeps", 2, "--top", 2)
    assert code == 0, said
    assert "method gibbs: elimination needs tables of at least 2^1000.0 entries" in said
    assert "Gibbs sampling instead" in said and "1001000 atoms" in said
    assert megabytes < 1500


def test_counting_keeps_to_its_memory(write):
    """60 atoms, all pairs: 20 MB for the cache, 128 bytes for each of 200,000 nodes, and the program."""
    rng = random.Random(1)
    lines = ["thing = {1, ..., 60}", "P(thing)"]
    for i in range(1, 61):
        lines += [f"{rng.uniform(-0.2, 0.2):.4f} P({i}) ^ P({j})" for j in range(1, i)]
    net = write("dense.mln", "\n".join(lines) + "\n")
    limits = ["--max-nodes", 200_000, "--cache-mb", 20]
    said, code, megabytes = measured("mln", "infer", net, "--method", "ptp", *limits)
    assert code == 1 and "dense.mln: weighted counting needs more than 25 MB for its nodes" in said
    assert said.endswith("use --method gibbs")
    assert megabytes < 20 + 2 * (20 + 25.6)
