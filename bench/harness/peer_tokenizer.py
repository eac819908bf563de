"""A contender, and the maker of tokens: pycocoevalcap's PTBTokenizer, which starts a Java program for each call."""

from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

from harness.contender import peak_megabytes, read_job, time_each, write_answer


def main() -> None:
    job = read_job()
    captions = {key: [{"caption": text} for text in texts] for key, texts in job.references.items()}
    seconds, found = time_each(job.repetitions, lambda _: PTBTokenizer().tokenize(captions))
    write_answer(job, seconds, peak_megabytes(), lines=[line for lines in found.values() for line in lines])


if __name__ == "__main__":
    main()
