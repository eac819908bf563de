"""References in the order in which sacrebleu wants them."""

from itertools import zip_longest


def streams_of(references: dict[str, list[str]]) -> list[list[str | None]]:
    """First references of all items, second references of all items, ...; None where an item has fewer."""
    return [list(stream) for stream in zip_longest(*references.values())]
