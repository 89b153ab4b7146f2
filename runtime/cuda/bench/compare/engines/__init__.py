"""The engines that make masks on the host, behind one interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy
import torch
from numpy.typing import NDArray


class Refusal(Exception):
    """A schema or a token that an engine does not take, and why."""


class Masks:
    """Rows of bits that engines write: token `t` is bit `t % 32` of word `t / 32`."""

    def __init__(self, rows: int, words: int, is_pinned: bool = False) -> None:
        self.tensor = torch.full((rows, words), -1, dtype=torch.int32, pin_memory=is_pinned)
        self.array: NDArray[numpy.int32] = self.tensor.numpy()
        self.address: int = self.tensor.data_ptr()
        self.words = words


Format = TypeVar("Format")
Sequence = TypeVar("Sequence")


class Engine(ABC, Generic[Format, Sequence]):
    """An engine with a vocabulary. Calls for all rows of a batch are one call of the engine where it has such a one."""

    @abstractmethod
    def use_threads(self, threads: int) -> None:
        """Sets how many threads make masks at most."""

    @abstractmethod
    def compile(self, schema: str) -> Format:
        """Compiles a schema, or raises a refusal."""

    @abstractmethod
    def start(self, format: Format) -> Sequence:
        """Returns a sequence at the beginning of a format."""

    @abstractmethod
    def reset(self, sequence: Sequence) -> None:
        """Moves a sequence to its beginning; what the engine keeps for its masks stays."""

    @abstractmethod
    def accept(self, sequences: list[Sequence], tokens: list[int]) -> None:
        """Accepts a token in each sequence, or raises a refusal."""

    @abstractmethod
    def fill(self, sequences: list[Sequence], masks: Masks) -> None:
        """Writes the masks of sequences to the rows of the same index."""
