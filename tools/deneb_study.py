"""Trains DENEB, its ablations and Polos on a generated world, and holds them against other metrics.

From pixels with known truth: a world of `capella world`, a small CLIP trained on the pictures and captions of its
training split, networks that learn from ratings of that split and stop by those of the validation split, and at last
the test split: agreement with its judges, and pairs of a caption and a foil, with one and with four references.

The judges of the world rate captions with six kinds of errors, and foils, captions with one noun exchanged. Networks
learn from both, of training images; one kind of them learns without foils, to show what these are worth. Rows have one
to five references in turn, so that networks have seen a single one, which half of the tests give them.

    tools/deneb_study.py -o build/deneb-study

Every stage keeps its result in the folder, so a study that was cut off goes on where it stopped. Writes report.md and
report.json there, after each seed. Nothing in them is about real images or people.
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]  # of a file
MEASURES = {"foil-1": "foil, 1 ref", "foil-4": "4 refs", "judges-1": "judges, 1 ref", "judges-4": "4 refs"}
TRUTH = "the truth"
CLIP = ["--size", "64", "--patch", "8", "--heads", "4"]
NETWORK = ["--width", "64", "--layers", "2", "--feed-forward", "256"]
ATTENTION = ["--heads", "4"]
LEARNING = ["--hidden", "128,64", "--rate", "5e-4", "--batch", "64", "--warm-up", "200", "--patience", "2"]


@dataclass
class Kind:
    """A network, how it is trained, and what the paper prints of it: FOIL with 1 and 4 references, tau-c on Nebula."""

    name: str
    options: list[str]
    published: tuple[float | None, float | None, float | None] = (None, None, None)
    foils: bool = True

    @property
    def metric(self) -> str:
        return "polos" if self.name == "Polos" else "deneb"


DENEB = Kind("DENEB", [], (95.4, 96.5, 54.3))
POLOS = Kind("Polos", ["-a", "polos"], (93.2, 95.1, 53.9))
ABLATIONS = [
    Kind("learnt without foils", [], foils=False),
    Kind("layers without attention", ["--joiner", "mlp"], (76.2, 76.5, 48.1)),
    Kind("no Sim-Vec", ["--tokens", "raw"], (84.3, 89.3, 45.2)),
    Kind("references one by one", ["--references", "best"], (94.4, 96.1, 53.2)),
]
OTHERS = {"RefCLIP-S": (91.0, 92.6, None), "CLIP-S": (87.2, 87.2, 46.9), "CIDEr-D": (82.5, 90.6, 48.1)}


@dataclass
class Study:
    """The stages, each of which returns at once where its result lies in the folder."""

    folder: Path
    options: argparse.Namespace

    def run(self, *command: object, threads: str | None = None) -> str:
        line = [self.options.capella, *map(str, command), "--threads", threads or self.options.threads]
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"failed: {' '.join(line)}")
        return done.stdout

    @property
    def world(self) -> Path:
        return self.folder / "world"

    @property
    def clip(self) -> Path:
        return self.folder / "clip"

    def seen(self) -> list[object]:
        """Where pictures are, and where vectors are kept."""
        return ["--images", self.world / "images", "--cache", self.folder / "vectors"]

    def make_world(self) -> None:
        if not self.world.exists():
            size = ["--images", self.options.images, "--size", 64, "--splits", splits_of(int(self.options.images))]
            self.run("world", *size, "--seed", self.options.seed, "-o", self.world)

    def train_clip(self) -> None:
        if not self.clip.exists():
            given = self.options
            shape = [*CLIP, "--width", given.clip_width, "--layers", given.clip_layers]
            shape += ["--epochs", given.clip_epochs, "--batch", given.clip_batch]
            self.run("nn", "train-clip", "--world", self.world, *shape, "--device", given.device, "-o", self.clip)

    def write_data(self) -> None:
        """Rated captions to learn from and to stop by; the tests, with one and four references; the known truth."""
        foils = self.foils()
        most = int(self.options.rated)
        for split, counts in {"train": [1, 2, 3, 4, 5], "val": [1, 4]}.items():
            captions = self.ratings(split)
            chosen = dict.fromkeys(list(dict.fromkeys(row["image_id"] for row in captions))[:most])
            captions = [row for row in captions if row["image_id"] in chosen]
            rated_foils = [as_rated(foils[image]) for image in chosen if image in foils]
            write_lines(self.folder / f"{split}-without-foils.jsonl", with_references(captions, counts))
            write_lines(self.folder / f"{split}.jsonl", with_references(captions + rated_foils, counts))
        tested = self.ratings("test")
        write_lines(self.folder / "truth.jsonl", [{"row": k, "score": row["truth"]} for k, row in enumerate(tested)])
        for count in (1, 4):
            write_lines(self.folder / f"judges-{count}.jsonl", with_references(tested, [count]))
        pairs = [foils[image] for image in dict.fromkeys(row["image_id"] for row in tested) if image in foils]
        write_lines(self.folder / "foil.jsonl", [{**pair, "references": pair["references"][:4]} for pair in pairs])

    def ratings(self, split: str) -> list[Row]:
        rows: list[Row] = json.loads((self.world / f"judgements_{split}.json").read_text())
        return rows

    def foils(self) -> dict[str, Row]:
        rows = [json.loads(line) for line in (self.world / "foil.jsonl").read_text().splitlines()]
        return {str(row["image_id"]): row for row in rows}

    def train_all(self) -> None:
        """Several at once; the first one alone, since it encodes for all."""
        networks = [(kind, seed) for seed in range(1, self.options.seeds + 1) for kind in (DENEB, POLOS, *ABLATIONS)]
        self.train(*networks[0])
        jobs = self.options.jobs
        with ThreadPoolExecutor(jobs) as pool:
            trained = [pool.submit(self.train, *network, "1" if jobs > 1 else None) for network in networks[1:]]
            for one in trained:
                one.result()

    def train(self, kind: Kind, seed: int, threads: str | None = None) -> Path:
        model = self.folder / f"{file_name(kind.name)}-{seed}.safetensors"
        if not model.exists():
            which = "" if kind.foils else "-without-foils"
            ratings = [self.folder / f"{split}{which}.jsonl" for split in ("train", "val")]
            encoders = ["--clip", self.clip, "--text", self.options.text, *self.seen()]
            sizes = [*NETWORK, *([] if "mlp" in kind.options else ATTENTION)] if kind.metric == "deneb" else []
            shape = [*LEARNING, "--epochs", self.options.epochs, *sizes, *kind.options]
            self.run("deneb", "train", *ratings, *encoders, *shape, "--seed", seed, "-o", model, threads=threads)
        return model

    def test(self, name: str, metrics: list[str], models: dict[str, Path]) -> dict[str, Row]:
        """What `capella meta` answers about the foils and about the judges."""
        options = ["-m", ",".join(metrics)]
        for metric, model in models.items():
            settings = {"model": model, "clip": self.clip, "text": self.options.text}
            options += [part for key, value in settings.items() for part in ("--set", f"{metric}.{key}={value}")]
        for metric in ("clip-s", "refclip-s"):
            options += ["--set", f"{metric}.model={self.clip}"] if metric in metrics else []
        truth = ["--scores", f"{TRUTH}={self.folder / 'truth.jsonl'}"]
        answers = {"foil": self.meta("foil", "foil", name, options)}
        for count in (1, 4):
            answers[f"judges-{count}"] = self.meta("nebula", f"judges-{count}", name, [*options, *truth])
        return answers

    def meta(self, benchmark: str, data: str, name: str, options: Sequence[object]) -> Row:
        out = self.folder / f"{data}-{file_name(name)}.json"
        if not out.exists():
            asked = ["meta", benchmark, self.folder / f"{data}.jsonl", *options, *self.seen()]
            out.write_text(self.run(*asked, "--format", "json"))
        answer: Row = json.loads(out.read_text())
        return answer


def splits_of(images: int) -> str:
    """A twentieth each to stop by and to test on, but no more than 1,000 images."""
    share = min(images / 20, 1000) / images
    return f"{1 - 2 * share},{share},{share}"


def file_name(name: str) -> str:
    return name.lower().replace(" ", "-")


def as_rated(foil: Row) -> Row:
    """A foil as a rated caption."""
    rated = {"mt": foil["foil"], "refs": foil["references"], "score": foil["foil_score"]}
    return {"image_id": str(foil["image_id"])} | rated


def with_references(rows: list[Row], counts: list[int]) -> list[Row]:
    """Rows with so many references, in turn."""
    return [{**row, "refs": row["refs"][: counts[k % len(counts)]]} for k, row in enumerate(rows)]


def write_lines(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def measured(answers: dict[str, Row]) -> dict[str, dict[str, float]]:
    """By metric and measure, in percent."""
    found: dict[str, dict[str, float]] = {}
    for row in answers["foil"]["metrics"]:
        found[row["metric"]] = {f"foil-{n}": 100 * row["accuracy"][f"{n}-ref"]["value"] for n in (1, 4)}
    for count in (1, 4):
        for row in answers[f"judges-{count}"]["metrics"]:
            found.setdefault(row["metric"], {})[f"judges-{count}"] = 100 * row["kendall_c"]["value"]
    return found


def differences(answers: dict[str, Row], seed: int) -> list[Row]:
    """DENEB against each other metric, by the paired test of `capella meta`."""
    rows = []
    for test, answer in answers.items():
        for row in answer["differences"]:
            if TRUTH in (row["metric"], row["against"]) or DENEB.name not in (row["metric"], row["against"]):
                continue
            sign = 1 if row["metric"] == DENEB.name else -1
            against = row["against"] if sign == 1 else row["metric"]
            ends = sorted(100 * sign * row[end] for end in ("low", "high"))
            difference = 100 * sign * row["difference"]
            rows.append({"test": test, "seed": seed, "against": against, "difference": difference, "low": ends[0]})
            rows[-1] |= {"high": ends[1], "p": row["p_corrected"]}
    return rows


def table(results: dict[str, dict[str, list[float]]]) -> list[str]:
    published = {kind.name: kind.published for kind in (DENEB, *ABLATIONS, POLOS)} | OTHERS
    lines = ["| | " + " | ".join(MEASURES.values()) + " | paper: FOIL, 1 ref | 4 refs | Nebula |"]
    lines += ["|---|" + "---:|" * (len(MEASURES) + 3)]
    for name, values in results.items():
        cells = [cell(values.get(measure, [])) for measure in MEASURES]
        cells += ["" if value is None else f"{value:.1f}" for value in published.get(name, (None, None, None))]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def cell(values: list[float]) -> str:
    if not values:
        return ""
    return f"{statistics.mean(values):.1f}" + (f" ±{statistics.stdev(values):.1f}" if len(set(values)) > 1 else "")


def report(study: Study, seeds: int, results: dict[str, dict[str, list[float]]], found: list[Row]) -> str:
    options = study.options
    world = f"A generated world of {options.images} images (seed {options.seed}), its test split"
    head = f"{world}; networks of each kind: {seeds}."
    lines = ["# DENEB on a generated world", "", head, "", *table(results), ""]
    what = "in points, with the 95 % interval and the corrected p of the paired test"
    lines += [f"DENEB less another metric, {what}:", ""]
    lines += ["| test | seed | against | difference | interval | p |", "|---|---:|---|---:|---|---:|"]
    for row in found:
        interval = f"{row['low']:.1f} to {row['high']:.1f}"
        cells = [row["test"], str(row["seed"]), row["against"], f"{row['difference']:.1f}", interval, f"{row['p']:.4f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def expect_same_options(study: Study) -> None:
    """What is done already was done with certain options, which are kept in the folder: others are refused."""
    may_change = ("output", "capella", "seeds", "threads", "jobs")
    given = {key: value for key, value in vars(study.options).items() if key not in may_change}
    kept = study.folder / "options.json"
    found = json.loads(kept.read_text()) if kept.exists() else given
    others = [key for key, value in given.items() if found.get(key) != value]
    if others:
        sys.exit(f"{study.folder}: holds a study with other options ({', '.join(others)}); give another folder")
    kept.write_text(json.dumps(given, indent=1) + "\n")


def conduct(study: Study) -> None:
    expect_same_options(study)
    study.make_world()
    study.train_clip()
    study.write_data()
    study.train_all()
    results: dict[str, dict[str, list[float]]] = {kind.name: {} for kind in (DENEB, *ABLATIONS, POLOS)}
    found = []

    def note(name: str, values: dict[str, float]) -> None:
        for measure, value in values.items():
            results.setdefault(name, {}).setdefault(measure, []).append(value)

    for seed in range(1, study.options.seeds + 1):
        models = {kind.metric: study.train(kind, seed) for kind in (DENEB, POLOS)}
        answers = study.test(f"all-{seed}", ["deneb", "polos", "refclip-s", "clip-s", "cider-d"], models)
        found += differences(answers, seed)
        for name, values in measured(answers).items():
            note(name, values)
        for kind in ABLATIONS:
            alone = study.test(f"{kind.name}-{seed}", ["deneb"], {"deneb": study.train(kind, seed)})
            note(kind.name, measured(alone)[DENEB.name])
        told = {"results": results, "differences": found}
        (study.folder / "report.json").write_text(json.dumps(told, indent=1) + "\n")
        (study.folder / "report.md").write_text(report(study, seed, results, found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True, help="the study's folder; made if it is not there")
    parser.add_argument("--capella", default="build/capella")
    parser.add_argument("--images", default="20000")
    parser.add_argument("--clip-epochs", default="3")
    parser.add_argument("--clip-batch", default="128", help="larger ones suit a GPU")
    parser.add_argument("--clip-width", default="128")
    parser.add_argument("--clip-layers", default="3")
    parser.add_argument("--text", default="minilm", help="the sentence encoder: minilm, or a folder")
    parser.add_argument("--device", default="cpu", help="cpu or cuda, for the CLIP; the networks are small")
    parser.add_argument("--rated", default="4800", help="training images whose rated captions are learnt from")
    parser.add_argument("--epochs", default="10", help="at most so many of each network")
    parser.add_argument("--seeds", type=int, default=3, help="networks of each kind")
    parser.add_argument("--seed", default="7", help="of the world")
    parser.add_argument("--jobs", type=int, default=1, help="networks that learn at once, with one thread each if many")
    parser.add_argument("--threads", default="0", help="0: one per core; never changes a number")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    conduct(Study(options.output, options))
    print((options.output / "report.md").read_text(), end="")


if __name__ == "__main__":
    main()
