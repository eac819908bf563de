"""sacrebleu's paired bootstrap (1,000 resamples) and approximate randomization (10,000 trials) of BLEU."""

import logging

from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest, Result

from harness.contender import peak_megabytes, read_job, read_rows, score, time_each, write_answer
from ngram.contenders.sacrebleu_streams import streams_of


def main() -> None:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    job = read_job()
    streams = streams_of(job.references)
    systems = [("first", list(job.captions().values()))]
    systems += [(path.stem, list(read_rows(path, "caption").values())) for path in job.others]

    def test(kind: str) -> list[Result]:
        return PairedTest(systems, {"BLEU": BLEU()}, streams, kind)()[1]["BLEU"]

    seconds, (bootstrap, randomization) = time_each(job.repetitions, lambda _: (test("bs"), test("ar")))
    values = {
        "scores": score([one.score for one in bootstrap]),
        "p, bootstrap": score(corpus=bootstrap[1].p_value),
        "p, randomization": score(corpus=randomization[1].p_value),
    }
    write_answer(job, seconds, peak_megabytes(), values=values)


if __name__ == "__main__":
    main()
