"""A Llama model with random weights: each step it reads one token a row, and attends to a whole context."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import rms_norm, scaled_dot_product_attention, silu

from .machine import Machine
from .shapes import Shape, padded

EPSILON = 1e-5
THETA = 500_000.0


class Llama:
    """The model. Its weights are drawn from a seed; no file is read.

    The keys and values of all positions are there from the beginning (random ones), and each step writes over those of
    one position in turn. So each step does the same work: that of a text that is as long as the context.
    """

    def __init__(self, shape: Shape, vocabulary: int, machine: Machine[object], seed: int) -> None:
        self.shape, self.machine = shape, machine
        self.generator = torch.Generator(machine.device).manual_seed(seed)
        hidden, inner = shape.hidden, shape.inner
        self.width = padded(vocabulary)
        self.head = self._drawn(self.width, hidden, scale=hidden**-0.5)
        self.embedding = self.head if shape.is_tied else self._drawn(self.width, hidden, scale=1.0)
        outputs = (shape.heads + 2 * shape.key_heads) * shape.head
        self.layers = [
            Layer(
                self._drawn(outputs, hidden, scale=hidden**-0.5),
                self._drawn(hidden, shape.heads * shape.head, scale=hidden**-0.5),
                self._drawn(2 * inner, hidden, scale=hidden**-0.5),
                self._drawn(hidden, inner, scale=inner**-0.5),
                torch.ones(hidden, device=machine.device, dtype=machine.dtype),
                torch.ones(hidden, device=machine.device, dtype=machine.dtype),
            )
            for _ in range(shape.layers)
        ]
        self.norm = torch.ones(hidden, device=machine.device, dtype=machine.dtype)

    def _drawn(self, *sizes: int, scale: float) -> Tensor:
        numbers = torch.empty(*sizes, device=self.machine.device, dtype=self.machine.dtype)
        return numbers.normal_(0.0, scale, generator=self.generator)

    def cache(self, rows: int, context: int) -> Cache:
        """Returns the keys and values of rows."""
        shape = self.shape
        sizes = (shape.layers, 2, rows, shape.key_heads, context, shape.head)
        return Cache(self._drawn(*sizes, scale=1.0), *_turns(shape.head, context, self.machine))

    def write_logits(self, tokens: Tensor, position: Tensor, cache: Cache, logits: Tensor) -> None:
        """Writes the logits of all rows behind a token of each."""
        hidden = self.embedding[tokens]
        cosines, sines = cache.cosines[position], cache.sines[position]
        for number, layer in enumerate(self.layers):
            normed = rms_norm(hidden, (self.shape.hidden,), layer.before_attention, EPSILON)
            hidden = hidden + self._attended(layer, normed, position, cosines, sines, cache.numbers[number])
            normed = rms_norm(hidden, (self.shape.hidden,), layer.before_inner, EPSILON)
            gate, up = (normed @ layer.gate_up.T).chunk(2, dim=-1)
            hidden = hidden + (silu(gate) * up) @ layer.down.T
        torch.mm(rms_norm(hidden, (self.shape.hidden,), self.norm, EPSILON), self.head.T, out=logits)

    def _attended(
        self, layer: Layer, normed: Tensor, position: Tensor, cosines: Tensor, sines: Tensor, cache: Tensor
    ) -> Tensor:
        shape, rows = self.shape, normed.shape[0]
        heads = (normed @ layer.queries_keys_values.T).view(rows, -1, 1, shape.head)
        queries, keys, values = torch.split(heads, [shape.heads, shape.key_heads, shape.key_heads], dim=1)
        cache[0].index_copy_(2, position, _turned(keys, cosines, sines))
        cache[1].index_copy_(2, position, values)
        turned = _turned(queries, cosines, sines)
        attended = scaled_dot_product_attention(turned, cache[0], cache[1], enable_gqa=True)
        result: Tensor = attended.reshape(rows, -1) @ layer.output.T
        return result


class Layer:
    """The weights of a layer."""

    def __init__(
        self,
        queries_keys_values: Tensor,
        output: Tensor,
        gate_up: Tensor,
        down: Tensor,
        before_attention: Tensor,
        before_inner: Tensor,
    ) -> None:
        self.queries_keys_values = queries_keys_values
        self.output = output
        self.gate_up = gate_up
        self.down = down
        self.before_attention = before_attention
        self.before_inner = before_inner


class Cache:
    """Keys and values, and the rotations of positions."""

    def __init__(self, numbers: Tensor, cosines: Tensor, sines: Tensor) -> None:
        self.numbers, self.cosines, self.sines = numbers, cosines, sines


def _turns(head: int, context: int, machine: Machine[object]) -> tuple[Tensor, Tensor]:
    """Returns the cosines and sines of the angles by which positions are turned (Su et al. 2021)."""
    speeds = THETA ** -(torch.arange(0, head, 2, device=machine.device, dtype=torch.float32) / head)
    angles = torch.outer(torch.arange(context, device=machine.device, dtype=torch.float32), speeds)
    return angles.cos().to(machine.dtype), angles.sin().to(machine.dtype)


def _turned(heads: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    first, second = heads.chunk(2, dim=-1)
    return torch.cat((first * cosines - second * sines, second * cosines + first * sines), dim=-1)
