"""What Capella draws at random for one network, drawn with numpy: the same bits from the same seed.

So both sides begin with the same weights and meet the captions in the same order, and what they end with
differs by rounding alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Draws:
    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def _normal(self) -> float:
        """By the polar method."""
        while True:
            x, y = 2 * self._random.random(2) - 1
            square = x * x + y * y
            if 0 < square < 1:
                return float(x * np.sqrt(-2 * np.log(square) / square))

    def weights(self, sizes: Sequence[int]) -> list[NDArray[np.float32]]:
        """Of each layer, outputs x inputs, with deviation sqrt(2 / inputs). To be called first."""
        return [
            np.array(
                [[np.sqrt(2 / inputs) * self._normal() for _ in range(inputs)] for _ in range(outputs)],
                np.float32,
            )
            for inputs, outputs in zip(sizes, sizes[1:], strict=False)
        ]

    def shuffle(self, items: list[int]) -> None:
        """Puts the items into a new order, from the last place to the first."""
        others = self._random.integers(np.arange(len(items), 1, -1), dtype=np.uint32).tolist()
        for place, other in zip(range(len(items) - 1, 0, -1), others, strict=True):
            items[place], items[other] = items[other], items[place]

    def orders(self, rows: int, epochs: int) -> list[NDArray[np.int64]]:
        """The order of the captions in each epoch."""
        order, all_orders = list(range(rows)), []
        for _ in range(epochs):
            self.shuffle(order)
            all_orders.append(np.array(order))
        return all_orders
