"""Which texts are written in which rows, step by step: rows go from text to text, so that a batch mixes them.

It needs the standard library alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from .engines import Engine

Format = TypeVar("Format")
Sequence = TypeVar("Sequence")


@dataclass(frozen=True)
class Text:
    """A text of a schema, in tokens; the last one ends it."""

    id: str
    schema: str
    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """What each row writes: its texts in order, and at each step which of them it is in, and the token."""

    texts: list[list[int]]
    turns: list[list[int]]
    tokens: list[list[int]]

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.tokens)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.texts)

    def beginnings(self) -> list[list[tuple[int, int]]]:
        """Returns at each step the rows that begin a text, with the text."""
        before: list[int] | list[None] = [None] * self.rows
        beginnings = []
        for turns in self.turns:
            begun = [row for row, turn in enumerate(turns) if turn != before[row]]
            beginnings.append([(row, self.texts[row][turns[row]]) for row in begun])
            before = turns
        return beginnings


def schedule(texts: list[Text], rows: int, steps: int) -> Schedule:
    """Gives each row texts for all steps; rows begin at places of the list that are equally far apart."""
    columns = [_row(texts, row * len(texts) // rows, steps) for row in range(rows)]
    turns = [list(turns) for turns in zip(*(column[1] for column in columns), strict=True)]
    tokens = [list(tokens) for tokens in zip(*(column[2] for column in columns), strict=True)]
    return Schedule([column[0] for column in columns], turns, tokens)


def _row(texts: list[Text], first: int, steps: int) -> tuple[list[int], list[int], list[int]]:
    """Returns the texts of a row, and at each step the turn and the token."""
    chosen: list[int] = []
    turns: list[int] = []
    tokens: list[int] = []
    while len(tokens) < steps:
        text = (first + len(chosen)) % len(texts)
        turns += [len(chosen)] * len(texts[text].tokens)
        tokens += texts[text].tokens
        chosen.append(text)
    return chosen, turns[:steps], tokens[:steps]


class Batch(Generic[Format, Sequence]):
    """The sequences of an engine along a schedule."""

    def __init__(self, engine: Engine[Format, Sequence], formats: list[Format], schedule: Schedule) -> None:
        self.engine = engine
        self.rows = [[engine.start(formats[text]) for text in texts] for texts in schedule.texts]
        self.active = [[row[turn] for row, turn in zip(self.rows, turns, strict=True)] for turns in schedule.turns]

    def reset(self) -> None:
        """Moves all sequences to their beginnings."""
        for row in self.rows:
            for sequence in row:
                self.engine.reset(sequence)
