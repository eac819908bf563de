"""pycocoevalcap: BLEU-1..4, ROUGE-L and CIDEr-D of tokenised captions, corpus and each caption."""

from typing import Any

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer


def scores(references: dict[str, list[str]], captions: dict[str, list[str]]) -> tuple[Any, Any, Any]:
    return (
        Bleu(4).compute_score(references, captions, verbose=0),
        Rouge().compute_score(references, captions),
        Cider().compute_score(references, captions),
    )


def values(bleu: Any, rouge: Any, cider: Any) -> dict[str, dict[str, Any]]:
    named = {f"BLEU-{n + 1}": score(bleu[1][n], bleu[0][n]) for n in range(4)}
    return named | {"ROUGE-L": score(rouge[1], rouge[0]), "CIDEr-D": score(cider[1], cider[0])}


def main() -> None:
    job = read_job()
    captions = {key: [caption] for key, caption in job.captions().items()}
    seconds, found = time_each(job.repetitions, lambda _: scores(job.references, captions))
    write_answer(job, seconds, peak_megabytes(), values=values(*found))


if __name__ == "__main__":
    main()
