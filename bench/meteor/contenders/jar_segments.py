"""The jar at its best: started and warmed up by two runs over everything, then timed.

Processor time is the jar's own; that of this script, which drives it, is left out.
"""

from itertools import pairwise

from harness.contender import (
    peak_megabytes,
    processor_seconds,
    read_job,
    score,
    time_each,
    write_answer,
)
from meteor.contenders.jar import Jar, Scores


def main() -> None:
    job = read_job()
    captions = job.captions()
    jar = Jar()
    for _ in range(2):
        jar.score(job.references, captions)
    used = [processor_seconds(jar.pid)]

    def work(_: int) -> Scores:
        found = jar.score(job.references, captions)
        used.append(processor_seconds(jar.pid))
        return found

    seconds, (corpus, items) = time_each(job.repetitions, work)
    cpu = [after - before for before, after in pairwise(used)]
    values = {"METEOR": score(items, corpus)}
    write_answer(job, seconds, peak_megabytes(jar.pid), values=values, cpu_seconds=cpu)
    jar.close()


if __name__ == "__main__":
    main()
