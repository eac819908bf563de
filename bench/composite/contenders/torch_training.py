"""The same training with PyTorch: network, loss, L2, batches, Adam, halving of the rate, choice of the epoch.

It trains one network for each number of epochs it is given, from the weights and with the order of captions
that Capella draws, measures it after every epoch as Capella does, and writes the seconds that all of them
took, without start, reading and drawing, and what became of them.

With `flush`, floats too small for full precision count as 0: L2 makes many, and they slow the processor down.

usage: torch_training TRAINING VALIDATION EPOCHS,... THREADS flush|keep ANSWER
"""

import copy
import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import kendalltau

from composite import features
from composite.draws import Draws

HIDDEN, BATCHES, RATE, L2, HALVE_AFTER = 72, 20, 1e-3, 1e-4, 3


def make_network(weights: list[NDArray[np.float32]]) -> torch.nn.Sequential:
    layers: list[torch.nn.Module] = []
    for matrix in weights:
        layer = torch.nn.Linear(matrix.shape[1], matrix.shape[0])
        layer.weight.data = torch.from_numpy(matrix)
        torch.nn.init.zeros_(layer.bias)
        layers += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def make_adam(network: torch.nn.Sequential) -> torch.optim.Adam:
    """weight_decay adds L2 times the weight to the slope: that of L2 / 2 times the sum of squared weights."""
    weights = [each for name, each in network.named_parameters() if name.endswith("weight")]
    biases = [each for name, each in network.named_parameters() if name.endswith("bias")]
    groups = [{"params": weights, "weight_decay": L2}, {"params": biases}]
    return torch.optim.Adam(groups, lr=RATE, betas=(0.9, 0.999), eps=1e-8)


class Data:
    def __init__(self, training: str, validation: str) -> None:
        table, ratings = features.read(training), features.read(validation)
        held = features.held_out(table)
        self.values = torch.tensor(table.values[~held], dtype=torch.float32)
        self.targets = torch.tensor(table.targets[~held], dtype=torch.long)
        self.held_values = torch.tensor(table.values[held], dtype=torch.float32)
        self.held_targets = torch.tensor(table.targets[held], dtype=torch.long)
        self.rated_values = torch.tensor(ratings.values, dtype=torch.float32)
        self.ratings = ratings.targets
        self.means = table.values[~held].mean(axis=0)


def measure(network: torch.nn.Sequential, data: Data, loss: torch.nn.Module) -> float:
    """Loss and accuracy of the training captions, which Capella reports too, and tau-b of the rated ones."""
    with torch.no_grad():
        outputs = network(data.values)
        loss(outputs, data.targets)
        (outputs.argmax(1) == data.targets).float().mean()
        answers = torch.softmax(network(data.rated_values).double(), 1)[:, 1].numpy()
    return float(kendalltau(answers, data.ratings).statistic)


class Start:
    """What is drawn at random for one network."""

    def __init__(self, data: Data, epochs: int, seed: int) -> None:
        draws = Draws(seed)
        self.network = make_network(draws.weights((data.values.shape[1], HIDDEN, HIDDEN, 2)))
        self.orders = [torch.from_numpy(order) for order in draws.orders(len(data.targets), epochs)]


def train(data: Data, start: Start) -> tuple[torch.nn.Sequential, float]:
    network = start.network
    adam, loss = make_adam(network), torch.nn.CrossEntropyLoss()
    batch = -(-len(data.targets) // BATCHES)
    best, best_tau, best_epoch = network, -np.inf, 0
    measure(network, data, loss)
    for epoch, order in enumerate(start.orders, 1):
        for chosen in order.split(batch):
            adam.zero_grad(set_to_none=True)
            loss(network(data.values[chosen]), data.targets[chosen]).backward()
            adam.step()
        tau = measure(network, data, loss)
        if tau > best_tau:
            best, best_tau, best_epoch = copy.deepcopy(network), tau, epoch
        elif (epoch - best_epoch) % HALVE_AFTER == 0:
            for group in adam.param_groups:
                group["lr"] /= 2
    return best, best_tau


def main(training: str, validation: str, epochs: str, threads: str, small: str, answer: str) -> None:
    torch.set_num_threads(int(threads))
    torch.set_flush_denormal(small == "flush")
    data = Data(training, validation)
    starts = [Start(data, int(count), features.SEED + k) for k, count in enumerate(epochs.split(","))]
    begin = time.perf_counter()
    trained = [train(data, start) for start in starts]
    seconds = time.perf_counter() - begin
    seeds = []
    for network, tau in trained:
        with torch.no_grad():
            right = network(data.held_values).argmax(1) == data.held_targets
        seeds.append({"accuracy": right.double().mean().item(), "tau_b": tau})
    found = {"seconds": seconds, "seeds": seeds, "means": data.means.tolist()}
    Path(answer).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
