"""DENEB's head as its authors have released it, of PyTorch's own modules."""

import math

import torch
from torch import Tensor, nn

WIDTH = 768
HEADS = 8
FEED_FORWARD = 2048
LAYERS = 3
STATES = 13  # RoBERTa's embeddings and layers


class ScalarMix(nn.Module):
    """The hidden states at the first token, mixed with learnt shares; their statistics are mean 0 and variance 1."""

    def __init__(self) -> None:
        super().__init__()
        self.scalar_parameters = nn.ParameterList([nn.Parameter(torch.zeros(1)) for _ in range(STATES)])
        self.gamma = nn.Parameter(torch.ones(1))

    def forward(self, states: tuple[Tensor, ...]) -> Tensor:
        first = torch.stack([state[:, 0] for state in states], 1)
        shares = torch.softmax(torch.cat(list(self.scalar_parameters)), 0)
        return self.gamma * (shares[:, None] * first).sum(1)


class Layers(nn.Module):
    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.linear_1 = nn.Linear(inputs, 2 * WIDTH)
        self.linear_2 = nn.Linear(2 * WIDTH, WIDTH)
        self.linear_3 = nn.Linear(WIDTH, 1)
        with torch.no_grad():
            self.linear_3.weight.mul_(10)  # so that scores of a network that was never trained differ

    def forward(self, features: Tensor) -> Tensor:
        return self.linear_3(torch.tanh(self.linear_2(torch.tanh(self.linear_1(features)))))


def places(tokens: int, width: int) -> Tensor:
    """Sines and cosines of a token's place."""
    speeds = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(10000.0) / width))
    angles = torch.arange(tokens, dtype=torch.float64)[:, None] * speeds
    return torch.stack([angles.sin(), angles.cos()], 2).view(tokens, width).float()


def transformer() -> nn.TransformerEncoder:
    layer = nn.TransformerEncoderLayer(2 * WIDTH, HEADS, FEED_FORWARD, batch_first=True)
    return nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)


class Head(nn.Module):
    """Vectors of an image [samples][clip], candidates and references [samples][references][...] to scores."""

    def __init__(self, clip: int, sentence: int) -> None:
        super().__init__()
        self.scalar_mix = ScalarMix()
        self.upsampler = nn.Linear(clip, WIDTH)
        self.upsampler2 = nn.Linear(sentence, WIDTH)
        self.cls_token1 = nn.Parameter(torch.randn(1, 1, 2 * WIDTH) * 1e-6)
        self.cls_token2 = nn.Parameter(torch.randn(1, 1, 2 * WIDTH) * 1e-6)
        self.transformer = transformer()
        self.transformer2 = transformer()
        self.ff = Layers(6 * WIDTH)
        self.register_buffer("places", places(64, 2 * WIDTH), persistent=False)

    def _tokens(self, project: nn.Linear, others: Tensor, candidate: Tensor) -> Tensor:
        apart, product = (others - candidate[:, None]).abs(), others * candidate[:, None]
        return torch.cat([project(apart), project(product)], 2)

    def _read(self, network: nn.TransformerEncoder, own: Tensor, tokens: Tensor) -> Tensor:
        sequence = torch.cat([own.expand(len(tokens), -1, -1), tokens], 1)
        return network(sequence + self.places[: sequence.shape[1]])[:, 0]

    def forward(self, image: Tensor, clip: tuple[Tensor, Tensor], sentence: tuple[Tensor, Tensor]) -> Tensor:
        seen = self._tokens(self.upsampler, torch.cat([image[:, None], clip[1]], 1), clip[0])
        said = self._tokens(self.upsampler2, sentence[1], sentence[0])
        first = self._read(self.transformer, self.cls_token1, seen)
        second = self._read(self.transformer2, self.cls_token2, said)
        return torch.sigmoid(self.ff(torch.cat([first, second, seen[:, 0]], 1))).squeeze(1)
