"""Trains the parser network on trees of the official SPICE parser, alone or as the pupil of larger networks.

    python train.py prepare --silver train.conll.gz --dev dev.conll.gz --ewt en_ewt-ud-train.conllu --extra more.conll -o DATA
    python train.py teach   DATA -o teacher.pt --hidden 512 --dropout 0.33
    python train.py teach   DATA -o pupil.pt --teachers a.pt b.pt --eight-bit 0.3

The rate of learning falls to zero at the end of the epochs, or of the minutes if these are over first.
"""

from __future__ import annotations

import argparse
import dataclasses
import pickle
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

import network
import treebank

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def prepare(options):
    silver = treebank.official_trees(options.silver)
    universal = treebank.universal_trees(options.ewt, 0.5, options.seed)
    inventory = treebank.make_inventory(silver + universal, options.words, options.affixes)
    more = [s for path in options.extra for s in treebank.official_trees(path)]
    data = {"inventory": inventory, "train": treebank.arrays(silver + universal, inventory)}
    data["extra"] = treebank.arrays(more, inventory)
    data["dev"] = treebank.arrays(treebank.official_trees(options.dev), inventory)
    with open(options.output, "wb") as file:
        pickle.dump(data, file, protocol=5)
    print(f"{len(silver)} silver, {len(universal)} universal, {len(more)} further trees, {len(inventory.words)} words")


class Corpus:
    """All sentences on the device, cut anew into batches of one length each epoch."""

    def __init__(self, parts: list[dict], tokens: int, seed: int):
        self.tokens, self.chance = tokens, random.Random(seed)
        self.groups = {}
        for length in sorted({length for part in parts for length in part}):
            same = [part[length] for part in parts if length in part]
            self.groups[length] = {
                key: torch.cat([torch.from_numpy(group[key]) for group in same]).to(DEVICE) for key in same[0]
            }

    def batches(self):
        pieces = []
        for length, group in self.groups.items():
            order = torch.randperm(len(group["raw"]), device=DEVICE)
            size = max(1, self.tokens // (length + 2))
            pieces += [(length, order[i : i + size]) for i in range(0, len(order), size)]
        self.chance.shuffle(pieces)
        for length, rows in pieces:
            yield {key: values[rows] for key, values in self.groups[length].items()}

    def count(self) -> int:
        return sum(-(-len(g["raw"]) // max(1, self.tokens // (n + 2))) for n, g in self.groups.items())


def unknown_chances(inventory) -> torch.Tensor:
    """Rare words are often hidden in training, so that endings learn to speak for them."""
    return torch.tensor([0.0] + [1.0 / (1.0 + count) for count in inventory.counts], device=DEVICE)


def losses(net, batch, features, teachers):
    tags, arcs, sides = net(features)
    relations = net.relations(sides, batch["heads"])
    wanted = {"tags": tags, "heads": arcs, "relations": relations}
    hard = sum(
        F.cross_entropy(logits.flatten(0, 1), batch[name].long().flatten())
        for name, logits in wanted.items()
    )
    if not teachers:
        return hard
    soft = sum(
        -(target * logits.log_softmax(-1)).sum(-1).mean()
        for target, logits in zip(lessons(teachers, batch), wanted.values())
    )
    return 0.3 * hard + 0.7 * soft


@torch.no_grad()
def lessons(teachers, batch):
    """The teachers' mean probabilities of tags, heads and relations."""
    sums = None
    for teacher in teachers:
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            tags, arcs, sides = teacher(batch["features"])
            relations = teacher.relations(sides, batch["heads"])
        answers = [x.float().softmax(-1) / len(teachers) for x in (tags, arcs, relations)]
        sums = answers if sums is None else [a + b for a, b in zip(sums, answers)]
    return sums


@torch.no_grad()
def evaluate(net, corpus: Corpus) -> dict[str, float]:
    net.eval()
    sums = dict.fromkeys(["words", "tag", "uas", "las"], 0)
    whole = {False: [0, 0], True: [0, 0]}
    for batch in corpus.batches():
        tags, arcs, sides = net(batch["features"])
        heads = arcs.argmax(-1)
        relations = net.relations(sides, heads).argmax(-1)
        tag, head = tags.argmax(-1) == batch["tags"], heads == batch["heads"]
        both = head & (relations == batch["relations"])
        sums["words"] += heads.numel()
        for name, right in (("tag", tag), ("uas", head), ("las", both)):
            sums[name] += right.sum().item()
        right = (tag & both).all(1)
        for raw in (False, True):
            whole[raw][0] += (right & (batch["raw"] == raw)).sum().item()
            whole[raw][1] += (batch["raw"] == raw).sum().item()
    net.train()
    words = sums.pop("words")
    scores = {name: value / words for name, value in sums.items()}
    scores["exact"] = sum(w[0] for w in whole.values()) / sum(w[1] for w in whole.values())
    scores |= {f"exact {'raw' if raw else 'plain'}": w[0] / max(1, w[1]) for raw, w in whole.items()}
    return scores


def load(path: str):
    saved = torch.load(path, map_location=DEVICE, weights_only=False)
    net = network.Network(network.Shape(**saved["shape"]), 0.0).to(DEVICE)
    net.load_state_dict(saved["weights"])
    net.set_eight_bit(saved["eight_bit"])
    return net.eval()


def save(net, inventory, options, scores, path):
    saved = {"shape": dataclasses.asdict(net.shape), "weights": net.state_dict(), "inventory": inventory}
    saved |= {"options": vars(options), "scores": scores, "eight_bit": net.relation.eight_bit}
    torch.save(saved, path)


def new_optimiser(net, options):
    """Weights decay, biases and norms do not."""
    decayed = [p for p in net.parameters() if p.dim() > 1]
    others = [p for p in net.parameters() if p.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": options.decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=DEVICE == "cuda")


def with_hidden_words(features, chances):
    features = features.clone()
    hide = torch.rand(features.shape[:2], device=DEVICE) < chances[features[..., 0]]
    features[..., 0][hide] = 0
    return features


class Schedule:
    """How much of the training is done, 0 to 1: by epochs or by the clock, whichever is ahead."""

    def __init__(self, options, steps_per_epoch: int):
        self.options, self.steps, self.step = options, steps_per_epoch * options.epochs, 0
        self.began = time.time()

    def seconds(self) -> float:
        return time.time() - self.began

    def done(self) -> float:
        return max(self.step / self.steps, self.seconds() / 60 / self.options.minutes)

    def rate(self) -> float:
        return self.options.rate * min(1.0, (self.step + 1) / self.options.warm_up) * (1 - self.done())


def run_epoch(net, corpus, teachers, optimiser, schedule, chances, options) -> float:
    """The mean loss of the epoch."""
    total, steps = torch.zeros((), device=DEVICE), 0
    for batch in corpus.batches():
        if schedule.done() >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate()
        if options.eight_bit and schedule.done() >= 1 - options.eight_bit:
            net.set_eight_bit(True)
        loss = losses(net, batch, with_hidden_words(batch["features"], chances), teachers)
        share = min(1.0, batch["tags"].numel() / (0.5 * options.tokens))  # small batches take small steps
        optimiser.zero_grad(set_to_none=True)
        (loss * share).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        total += loss.detach()
        steps += 1
        schedule.step += 1
    return total.item() / max(1, steps)


def teach(options):
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    data = pickle.loads(Path(options.data).read_bytes())
    inventory = data["inventory"]
    corpus = Corpus([data["train"], data["extra"]], options.tokens, options.seed)
    dev = Corpus([data["dev"]], options.tokens, 0)
    sizes = {k: getattr(options, k) for k in ("width", "layers", "hidden", "arc", "label")}
    net = network.new_network(inventory, options.dropout, **sizes).to(DEVICE)
    teachers = [load(path) for path in options.teachers]
    print(f"{sum(p.numel() for p in net.parameters())} parameters, {corpus.count()} batches an epoch", flush=True)
    optimiser, chances, epoch = new_optimiser(net, options), unknown_chances(inventory), 0
    schedule = Schedule(options, corpus.count())
    while schedule.done() < 1:
        loss = run_epoch(net, corpus, teachers, optimiser, schedule, chances, options)
        epoch += 1
        if epoch % options.every == 0 or schedule.done() >= 1:
            scores = evaluate(net, dev)
            line = " ".join(f"{name} {value:.4f}" for name, value in scores.items())
            print(f"epoch {epoch} loss {loss:.4f} {line} {schedule.seconds():.0f} s", flush=True)
    save(net, inventory, options, scores | {"epochs": epoch}, options.output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    first = jobs.add_parser("prepare")
    for name in ("silver", "dev", "ewt"):
        first.add_argument(f"--{name}", required=True)
    first.add_argument("--extra", nargs="*", default=[])
    first.add_argument("--words", type=int, default=14000)
    first.add_argument("--affixes", type=int, default=8192)
    first.add_argument("--seed", type=int, default=1)
    first.add_argument("-o", "--output", required=True)
    second = jobs.add_parser("teach")
    second.add_argument("data")
    second.add_argument("-o", "--output", required=True)
    second.add_argument("--teachers", nargs="*", default=[])
    numbers = {"width": 256, "layers": 3, "hidden": 400, "arc": 320, "label": 160, "seed": 1,
               "epochs": 40, "tokens": 8192, "warm-up": 400, "every": 3}  # fmt: skip
    for name, value in numbers.items():
        second.add_argument(f"--{name}", type=int, default=value)
    for name, value in {"rate": 1e-3, "dropout": 0.1, "decay": 0.01, "minutes": 1e9, "eight-bit": 0.0}.items():
        second.add_argument(f"--{name}", type=float, default=value)
    options = parser.parse_args()
    {"prepare": prepare, "teach": teach}[options.job](options)


if __name__ == "__main__":
    main()
