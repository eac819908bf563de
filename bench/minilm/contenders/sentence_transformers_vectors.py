"""Vectors of captions by sentence-transformers, on the CPU, in its own batches."""

from sentence_transformers import SentenceTransformer

from harness.contender import peak_megabytes, read_job, score, time_each, write_answer
from minilm.contenders.model import model_folder


def main() -> None:
    job = read_job()
    model = SentenceTransformer(model_folder(), device="cpu")
    captions = list(job.captions().values())
    seconds, vectors = time_each(job.repetitions, lambda _: model.encode(captions, show_progress_bar=False))
    write_answer(job, seconds, peak_megabytes(), values={"vectors": score(vectors.reshape(-1))})


if __name__ == "__main__":
    main()
