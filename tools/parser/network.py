"""The parser network: two-way LSTMs whose weights can be trained as 8-bit numbers (see models/README.md).

Every linear map multiplies whole numbers -127..127: weights have one scale per output, activations one per row. In
training the rounding is skipped in the backward pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

import treebank


@dataclass
class Shape:
    width: int  # of an embedding
    layers: int
    hidden: int  # cells of one direction
    arc: int
    label: int
    words: int
    affixes: int
    tags: int
    relations: int


def rounded(x: torch.Tensor) -> torch.Tensor:
    return x + (torch.round(x) - x).detach()


class Map(nn.Linear):
    """A linear map; `eight_bit` decides whether it rounds weights and inputs to 8 bits."""

    eight_bit = False

    def forward(self, x):
        if not self.eight_bit:
            return super().forward(x)
        with torch.no_grad():
            weight_scale = self.weight.abs().amax(1).float().clamp_min(1e-12) / 127
            input_scale = x.abs().amax(-1, keepdim=True).float().clamp_min(1e-12) / 127
        whole = F.linear(rounded(x.float() / input_scale), rounded(self.weight / weight_scale[:, None]))
        return whole * (input_scale * weight_scale) + self.bias


class Table(nn.Embedding):
    eight_bit = False

    def forward(self, ids):
        if not self.eight_bit:
            return super().forward(ids)
        with torch.no_grad():
            scale = self.weight.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
        return F.embedding(ids, rounded(self.weight / scale) * scale)


class Recurrence(nn.LSTM):
    """One layer of a two-way LSTM; in 8 bits only the weights are rounded."""

    def __init__(self, inputs: int, shape: Shape, dropout: float):
        super().__init__(inputs, shape.hidden, batch_first=True, bidirectional=True)
        self.share, self.eight_bit = dropout, False
        for name, value in self.named_parameters():
            if "weight_hh" in name:
                for gate in value.data.chunk(4):
                    nn.init.orthogonal_(gate)
            elif "bias" in name:
                value.data.zero_()

    def forward(self, x):
        x = shared_dropout(x, self.share, self.training)
        if not self.eight_bit:
            return super().forward(x)[0]
        weights = [self.eighth(w) if w.dim() == 2 else w for w in self._flat_weights]
        start = x.new_zeros(2, x.shape[0], self.hidden_size)
        return torch._VF.lstm(x, (start, start), weights, True, 1, 0.0, self.training, True, True)[0]

    @staticmethod
    def eighth(weight):
        scale = weight.detach().abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
        return rounded(weight / scale) * scale


def shared_dropout(x, share: float, training: bool):
    """Drops the same numbers at every word of a sentence."""
    if not training or share == 0:
        return x
    keep = torch.rand(x.shape[0], 1, x.shape[2], device=x.device) >= share
    return x * keep.to(x.dtype) / (1 - share)


class Network(nn.Module):
    def __init__(self, shape: Shape, dropout: float):
        super().__init__()
        self.shape, self.dropout = shape, dropout
        self.word = Table(shape.words + 1, shape.width)
        self.affix = Table(shape.affixes + 1, shape.width, padding_idx=shape.affixes)
        self.shape_table = Table(64, shape.width)
        self.special = Table(2, shape.width)
        self.embed_norm = nn.LayerNorm(shape.width)
        inputs = [shape.width] + [2 * shape.hidden] * (shape.layers - 1)
        self.layer = nn.ModuleList(Recurrence(size, shape, dropout) for size in inputs)
        self.out = Map(2 * shape.hidden, shape.tags + 2 * shape.arc + 2 * shape.label)
        self.arc = Map(shape.arc, shape.arc)
        self.arc_bias = Map(shape.arc, 1)
        self.relation = Map(shape.label, shape.relations)
        for table in (self.word, self.affix, self.shape_table, self.special):
            nn.init.normal_(table.weight, std=0.3)
        with torch.no_grad():
            self.affix.weight[shape.affixes] = 0

    def set_eight_bit(self, on: bool):
        for module in self.modules():
            if hasattr(module, "eight_bit"):
                module.eight_bit = on

    def forward(self, features):
        """Tag logits, arc scores [sentence, dependent, head] (head 0 is ROOT) and what relations() needs."""
        x = shared_dropout(self.embed(features), self.dropout, self.training)
        for layer in self.layer:
            x = layer(x)
        s = self.shape
        out = self.out(shared_dropout(x, self.dropout, self.training)).float()
        tags, dependent, head, label_dependent, label_head = out.split([s.tags, s.arc, s.arc, s.label, s.label], -1)
        dependent = shared_dropout(F.relu(dependent[:, 1:-1]), self.dropout, self.training)
        head = shared_dropout(F.relu(head[:, :-1]), self.dropout, self.training)
        arcs = self.arc(dependent).float() @ head.transpose(1, 2) / math.sqrt(s.arc)
        arcs = arcs + self.arc_bias(head).float().transpose(1, 2)
        itself = torch.eye(arcs.shape[1], dtype=torch.bool, device=arcs.device)
        arcs = arcs.masked_fill(F.pad(itself, (1, 0)), -1e4)
        return tags[:, 1:-1], arcs, (label_dependent[:, 1:-1], label_head[:, :-1])

    def embed(self, features):
        inner = self.word(features[..., 0]) + self.affix(features[..., 1:-1]).sum(2) + self.shape_table(features[..., -1])
        ends = self.special(torch.tensor([[0, 1]], device=features.device)).expand(features.shape[0], -1, -1)
        return self.embed_norm(torch.cat([ends[:, :1], inner, ends[:, 1:]], 1))

    def relations(self, sides, heads):
        """Relation logits of every word with the given heads."""
        dependent, head = sides
        chosen = head.gather(1, heads.long()[..., None].expand(-1, -1, head.shape[-1]))
        joined = shared_dropout(F.relu(dependent + chosen), self.dropout, self.training)
        return self.relation(joined).float()


def new_network(inventory: treebank.Inventory, dropout: float, **sizes) -> Network:
    counts = {"words": len(inventory.words), "affixes": inventory.affixes}
    return Network(Shape(**sizes, **counts, tags=len(inventory.tags), relations=len(inventory.relations)), dropout)
