"""Pictures from files in memory to what CLIP reads, by Pillow; one core, since it has no threads of its own."""

import argparse
import io
from pathlib import Path

import numpy as np
from harness.contender import Job, peak_megabytes, score, time_each, write_answer
from PIL import Image

SIZE = 224


def prepared(file: bytes) -> np.ndarray:
    picture = Image.open(io.BytesIO(file)).convert("RGB")
    width, height = picture.size
    short = min(width, height)
    # The long side is cut to a whole number, as torchvision does.
    size = (SIZE, SIZE * height // width) if width == short else (SIZE * width // height, SIZE)
    picture = picture.resize(size, Image.Resampling.BICUBIC)
    left, top = round((size[0] - SIZE) / 2), round((size[1] - SIZE) / 2)
    return np.asarray(picture.crop((left, top, left + SIZE, top + SIZE)))


def weighed_sum(pixels: np.ndarray) -> float:
    numbers = pixels.reshape(-1).astype(np.float64)
    return float(((np.arange(len(numbers)) % 97 + 1) * numbers).sum())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--references", type=Path, required=True, help="a folder of pictures")
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    files = [path.read_bytes() for path in sorted(given.references.iterdir())]
    seconds, found = time_each(given.repetitions, lambda _: [prepared(file) for file in files])
    job = Job({}, None, given.repetitions, given.out, "none")
    write_answer(job, seconds, peak_megabytes(), values={"sums": score(map(weighed_sum, found))})


if __name__ == "__main__":
    main()
