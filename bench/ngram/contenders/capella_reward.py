"""Capella's reward from Python."""

import capella

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer


def main() -> None:
    job = read_job()
    batches = job.batches()
    reward = capella.Reward("cider-d", references=job.references, tokenizer=job.tokenizer)
    items = [float(value) for ids, captions in batches for value in reward(ids, captions)]
    seconds, _ = time_each(job.repetitions, lambda k: reward(*batches[k % len(batches)]))
    write_answer(job, seconds, peak_megabytes(), values={"CIDEr-D": score(items)})


if __name__ == "__main__":
    main()
