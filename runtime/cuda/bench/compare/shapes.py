"""The shapes of models: what is known of one without its weights."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """The sizes of a Llama model."""

    name: str
    hidden: int
    layers: int
    heads: int
    key_heads: int
    head: int
    inner: int
    is_tied: bool

    def weights(self, vocabulary: int) -> int:
        """Returns the number of weights."""
        attention = self.hidden * self.head * (2 * self.heads + 2 * self.key_heads)
        layer = attention + 3 * self.hidden * self.inner + 2 * self.hidden
        tables = (1 if self.is_tied else 2) * padded(vocabulary) * self.hidden
        return self.layers * layer + tables + self.hidden

    def cache(self, context: int) -> int:
        """Returns how many numbers the keys and values of a row have."""
        return 2 * self.layers * self.key_heads * self.head * context

    def bytes_needed(self, vocabulary: int, rows: int, context: int, width: int) -> int:
        """Returns how much memory a run takes: weights, keys and values, logits, and what the sampler makes of them."""
        numbers = self.weights(vocabulary) + rows * (self.cache(context) + padded(vocabulary))
        sampler = 3 * 4 * rows * padded(vocabulary)
        return width * numbers + sampler


def padded(vocabulary: int) -> int:
    """Returns the length of logits: servers pad them to a multiple of 64."""
    return -(-vocabulary // 64) * 64


# Llama 3.2 1B and Llama 3.1 8B, and one for processors.
SHAPES = {
    shape.name: shape
    for shape in (
        Shape("1b", 2048, 16, 32, 8, 64, 8192, True),
        Shape("8b", 4096, 32, 32, 8, 128, 14336, False),
        Shape("tiny", 64, 2, 4, 2, 16, 128, True),
    )
}
