"""The requests of the comparison: the same for each backend, in the same order, with the same seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from .format import Format

#: Concurrency, and the number of requests of each format and temperature at this concurrency.
PHASES = {1: 1, 4: 2, 16: 2}
TEMPERATURES = (0.0, 1.0)


@dataclass(frozen=True)
class Request:
    format: Format
    temperature: float
    concurrency: int
    seed: int
    #: The first request of its format.
    is_new: bool


def phases(formats: list[Format]) -> Iterator[list[Request]]:
    """Requests by concurrency. Each format is new at concurrency 1, so that no other request delays its first token."""
    for concurrency, copies in PHASES.items():
        requests = list(_phase(formats, concurrency, copies))
        if concurrency > 1:
            Random(concurrency).shuffle(requests)
        yield requests


def _phase(formats: list[Format], concurrency: int, copies: int) -> Iterable[Request]:
    for format in formats:
        for temperature in TEMPERATURES:
            for copy in range(copies):
                is_new = concurrency == 1 and temperature == TEMPERATURES[0] and copy == 0
                yield Request(format, temperature, concurrency, 100 * concurrency + copy, is_new)
