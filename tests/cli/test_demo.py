"""The demo: what it shows is what its commands give, with and without data, and it stops where one fails."""

import gzip
import json
import math
import os
import random
import re
import shlex
import shutil
import subprocess

import pytest

from program import PROGRAM, ROOT, json_lines, reference_scores


def run_demo(folder, env=None):
    environment = {**os.environ, "CAPELLA": PROGRAM, **(env or {})}
    command = ["bash", "examples/demo.sh"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of what the demo needs of the repository."""
    made = tmp_path_factory.mktemp("demo")
    shutil.copytree(ROOT / "examples", made / "examples")
    return made


@pytest.fixture(scope="module")
def shown(folder):
    """The demo's commands in order, each with the lines between it and the next command."""
    done = run_demo(folder)
    assert done.returncode == 0, done.stderr
    commands = re.split(r"^\$ ", done.stdout.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    return [tuple(part.split("\n", 1)) for part in commands]


@pytest.fixture
def needs_all(meteor_data, minilm_data):
    """Blocks that need data are shown where the data is."""


def words_of(shown, folder, *parts):
    """The words of the first command that has all parts, braces expanded, and its lines split into cells."""
    [command, text] = next(part for part in shown if all(word in part[0] for word in parts))
    one = command.split(" | ")[0]
    expanded = subprocess.run(["bash", "-c", f"printf '%s\\n' {one}"], cwd=folder, capture_output=True, text=True)
    return expanded.stdout.split("\n")[1:-1], [line.split() for line in text.splitlines()]


def again(words, folder):
    """What the same command gives as JSON."""
    done = subprocess.run([PROGRAM, *words, "--format", "json"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (shlex.join(words), done.stderr)
    return json.loads(done.stdout)


def check_scores(shown, folder, *parts):
    """The table's cells are the scores in JSON; returns the latter by system and score."""
    words, cells = words_of(shown, folder, *parts)
    result = again(words, folder)
    scores = {s["system"]: {name: score["value"] for name, score in s["scores"].items()} for s in result["systems"]}
    rows = {row[0]: row[1:] for row in cells if row and row[0] in scores}
    for system, values in scores.items():
        assert rows[system] == [f"{100 * value:.2f}" for value in values.values()]
    return scores


def test_commands_can_be_pasted(shown, folder, needs_all):
    for command, text in shown:
        pasted = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120)
        assert pasted.returncode == 0, pasted.stderr
        assert pasted.stdout and text.startswith(pasted.stdout)


def test_table_of_scores(shown, folder, needs_all):
    scores = check_scores(shown, folder, " score ", "careful,hasty,dreamer")
    expected = reference_scores()
    for system, values in scores.items():
        for name in ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "ROUGE-L", "CIDEr-D", "METEOR"]:
            assert values[name] == pytest.approx(expected[system][name], rel=1e-12)


def test_comparison(shown, folder):
    words, cells = words_of(shown, folder, " compare ")
    expected = reference_scores()
    differences = {row[2]: row[3] for row in cells if row[:2] == ["careful", "hasty"]}
    assert set(differences) == {"ROUGE-L", "CIDEr-D"}
    for name, difference in differences.items():
        assert difference == f"{100 * (expected['careful'][name] - expected['hasty'][name]):+.2f}"
    assert all(test["p_corrected"] < 0.05 for test in again(words, folder)["differences"])


def test_explanation_of_a_caption(shown, folder):
    """CIDEr-D is ten times the mean over orders of n-grams and references."""
    words, cells = words_of(shown, folder, " explain ", "cider-d")
    references = next(s for s in json.loads((ROOT / "examples/scenes.json").read_text()) if s["image_id"] == "cat-01")
    cosines = [row[-4:] for row in cells if len(row) > 7 and re.fullmatch(r"\d\.\d{4}", row[-4])]
    assert len(cosines) == len(references["captions"])
    score = 10 * sum(float(value) for row in cosines for value in row) / (4 * len(cosines))
    told = next(float(row[2]) for row in cells if row[:2] == ["CIDEr-D", "="])
    assert told == pytest.approx(score, abs=1e-3)


def pregen_figures(path):
    """Perplexity, and the mean over images of the largest share of a caption that comes before its first word of rank > 0."""
    images = json.loads(gzip.decompress(path.read_bytes()))
    logs = [math.fsum(math.log2(p) for p, _ in caption) / len(caption) for image in images for caption in image]
    shares = [
        max(next((i for i, (_, rank) in enumerate(words) if rank), len(words)) / len(words) for words in image)
        for image in images
    ]
    return 2 ** -(math.fsum(logs) / len(logs)), math.fsum(shares) / len(shares)


def test_pregen_metrics(shown, folder):
    words, cells = words_of(shown, folder, "pregen metrics")
    names = cells[0][1:]
    rows = {row[0]: [float(cell) for cell in row[-3:]] for row in cells if row and row[0].count("_") == 3}
    for k, name in enumerate(names):
        perplexity, share = pregen_figures(ROOT / f"examples/pregen/probs/{name}.json.gz")
        assert rows["geomean_join_pplx_none"][k] == pytest.approx(perplexity, rel=1e-5)
        assert rows["mean_max_normcount_prefix0"][k] == pytest.approx(share, rel=1e-5)
    assert names[0] == "merge" and set(names) == set(again(words, folder))
    assert min(rows["geomean_join_pplx_none"]) == rows["geomean_join_pplx_none"][0]
    assert max(rows["mean_max_normcount_prefix0"]) == rows["mean_max_normcount_prefix0"][0]
    written = check_scores(shown, folder, " score ", "pregen/captions")
    assert written["merge"]["CIDEr-D"] > written["merge-small"]["CIDEr-D"] > written["init"]["CIDEr-D"]


def test_shapley_values_sum_to_the_score(shown, folder, needs_all):
    """From the P(human) of a caption with average scores to that of this one."""
    words, cells = words_of(shown, folder, " explain ", "eval-mcs")
    shares = {row[0]: float(row[3]) for row in cells if len(row) == 4 and row[0] in {"METEOR", "CIDEr-D", "SPICE"}}
    average = next(float(row[-1]) for row in cells if row[:2] == ["P(human)", "is"])
    again(["score", *words[1:3], "-m", "eval-mcs", "--per-item", "items.jsonl"], folder)
    [item] = [row for row in json_lines(folder / "items.jsonl") if row["id"] == "cat-01"]
    assert len(shares) == 3
    assert average + sum(shares.values()) == pytest.approx(item["scores"]["Eval-MCS"], abs=3e-4)


def sampled_probabilities(path, sweeps=4000):
    """How probable each claim about the image is: Gibbs sampling of its network, whose rules join two claims at most."""
    _, network = json_lines(path)
    field = [odds or 0 for odds in network["log_odds"]]
    pairs = [[] for _ in field]
    for factor in network["factors"]:
        assert factor["kind"] == "conj" and set(factor["signs"]) == {1}
        if len(factor["atoms"]) == 1:
            field[factor["atoms"][0]] += factor["weight"]
        else:
            for one, other in [factor["atoms"], factor["atoms"][::-1]]:
                pairs[one].append((other, factor["weight"]))
    draw, state, sums = random.Random(1), [0] * len(field), [0.0] * len(field)
    for _ in range(sweeps):
        for k, own in enumerate(field):
            p = 1 / (1 + math.exp(-own - sum(weight for other, weight in pairs[k] if state[other])))
            state[k] = draw.random() < p
            sums[k] += p
    return {tuple(atom): total / sweeps for atom, total in zip(network["atoms"], sums, strict=True)}


def test_verdict_of_markov_logic(shown, folder):
    words, cells = words_of(shown, folder, "--against ")
    explained = again(words, folder)
    good, wrong = explained["first"], explained["second"]
    assert (good["system"], wrong["system"]) == ("good", "wrong")
    assert good["lnP"] > wrong["lnP"] and good["method"] == wrong["method"] == "exact"
    for caption in [good, wrong]:
        assert any(f"{caption['lnP']:.3f}" in row for row in cells)
    sampled = sampled_probabilities(folder / "examples/mln/ground.jsonl")
    for caption in [good, wrong]:
        claims = [claim for claim in caption["claims"] if claim["status"] in {"entailed", "contradicted"}]
        for claim in claims:
            p = sampled[tuple(claim["atom"])]
            assert claim["p"] == pytest.approx(p if claim["status"] == "entailed" else 1 - p, rel=0.1, abs=0.002)
        mean = sum(math.log(claim["p"]) for claim in claims) / len(claims)
        assert caption["per_atom"] == pytest.approx(mean, rel=1e-9)


def test_learned_metrics(shown, folder, needs_all):
    scores = check_scores(shown, folder, " score ", "deneb")
    assert set(scores["good"]) == {"DENEB", "Capella-S"}
    for name, value in scores["good"].items():
        assert value > scores["wrong"][name]


def test_without_data(folder, tmp_path):
    done = run_demo(folder, {"CAPELLA_HOME": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert f"{PROGRAM} data get meteor" in done.stdout and f"{PROGRAM} data get minilm" in done.stdout
    commands = [line for line in done.stdout.splitlines() if line.startswith("$ ")]
    for part in [" score ", " compare ", "cider-d", "pregen metrics", "mln report", " verify"]:
        assert any(part in command for command in commands)
    for part in ["eval-mcs", "deneb"]:
        assert not any(part in command for command in commands)


@pytest.mark.parametrize(
    "name", ["scenes.json", "systems/hasty.json", "pregen/probs/init.json.gz", "pregen/references.json", "mln/ground.jsonl"]
)
def test_broken_input_stops_it(folder, tmp_path, name):
    shutil.copytree(folder / "examples", tmp_path / "examples")
    (tmp_path / "examples" / name).write_text("{")
    done = run_demo(tmp_path)
    assert done.returncode != 0
    assert name in done.stderr
    assert " verify " not in done.stdout  # nothing comes after the command that failed


def test_a_failure_in_front_of_a_pipe_stops_it(folder, tmp_path):
    """Without the image whose caption is explained, scores and comparison work and the explanation fails."""
    for path in [folder / "examples/scenes.json", *(folder / "examples/systems").iterdir()]:
        kept = [row for row in json.loads(path.read_text()) if row["image_id"] != "cat-01"]
        copy = tmp_path / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(kept))
    shutil.copy(folder / "examples/demo.sh", tmp_path / "examples/demo.sh")
    done = run_demo(tmp_path)
    assert done.returncode != 0 and "cat-01" in done.stderr
    assert done.stdout.splitlines()[-1].startswith("$ ") and " explain " in done.stdout.splitlines()[-1]
