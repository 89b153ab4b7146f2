"""Slots for tests, whose device is the host: they do what `ogc.cuda.Slots` says, with texts as formats."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import torch
from ogc.cuda import DeviceArray, Outcome, Row

# The token that each mask has beside the next one.
BESIDE = 0
# The outcome of a token with which a slot gives up.
TOO_MANY_READINGS = Outcome.HOST | 1 << 8


class FakeFormat:
    """A format of one text, as its tokens; without any it has no masks."""

    def __init__(self, tokens: bytes) -> None:
        self.tokens = tokens

    def with_masks(self, vocabulary: Any, *, threads: int = 0) -> FakeFormat:
        """Returns itself."""
        if not self.tokens:
            raise ValueError("the format has too many masks")
        return self


class FakeSlots:
    """Slots on the host; `given_up` are tokens that slots cannot go on with."""

    def __init__(self, vocabulary: int, count: int = 2) -> None:
        self.vocabulary, self.count = vocabulary, count
        self.given_up: set[int] = set()
        self.launches: list[tuple[str, int]] = []
        self.formats: list[bytes] = []
        self.rows: list[Row] = []
        self.tokens, self.found = (ctypes.c_int32 * count)(), (ctypes.c_int32 * count)()
        # The text of each slot, and how many of its tokens were accepted; `None` is a slot that the host steps.
        self.slots: list[tuple[bytes, int] | None] = [(b"", 0)] * count

    def __len__(self) -> int:
        return self.count

    @property
    def next_tokens(self) -> DeviceArray:
        """The chosen token of each row."""
        return DeviceArray(self, ctypes.addressof(self.tokens), (self.count,), "<i4")

    @property
    def outcomes(self) -> DeviceArray:
        """The outcome of each row's token."""
        return DeviceArray(self, ctypes.addressof(self.found), (self.count,), "<i4")

    def add_format(self, format: FakeFormat) -> int:
        """Adds a format."""
        self.formats.append(format.tokens)
        return len(self.formats) - 1

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Sets how rows are sampled."""
        self.rows = list(rows)
        assert len(self.rows) <= self.count
        assert all(row.is_sampled and row.temperature == 1.0 for row in self.rows)

    def begin(self, formats: torch.Tensor, *, slots: torch.Tensor | None = None) -> None:
        """Begins texts."""
        self.launches.append(("begin", len(formats)))
        for slot, number in zip(self._listed(slots, formats), formats.tolist(), strict=True):
            self.slots[slot] = (self.formats[number], 0)

    def advance(self, tokens: torch.Tensor, outcomes: torch.Tensor, *, slots: torch.Tensor | None = None) -> None:
        """Moves slots."""
        self.launches.append(("advance", len(tokens)))
        assert outcomes.is_contiguous() and outcomes.dtype == torch.int32
        for at, (slot, token) in enumerate(zip(self._listed(slots, tokens), tokens.tolist(), strict=True)):
            outcomes[at] = self._moved(slot, token) if token >= 0 else Outcome.NONE

    def step(self, logits: torch.Tensor) -> None:
        """Chooses the likeliest of the allowed tokens of each row, and moves its slot."""
        self.launches.append(("step", len(logits)))
        assert len(logits) == len(self.rows) and logits.shape[1] >= self.vocabulary
        for number, row in enumerate(self.rows):
            found, allowed = logits[number].tolist(), self._allowed(row)
            if allowed:
                self.tokens[number] = max(allowed, key=found.__getitem__)
            can_move = row.slot is not None and (allowed or self.slots[row.slot] is None)
            self.found[number] = self._moved(row.slot, self.tokens[number]) if can_move else Outcome.NONE

    def _listed(self, slots: torch.Tensor | None, others: torch.Tensor) -> list[int]:
        """Returns the slots of lists: none twice."""
        assert others.dtype == torch.int32 and others.is_contiguous()
        listed: list[int] = list(range(len(others))) if slots is None else slots.tolist()
        assert len(set(listed)) == len(listed)
        return listed

    def _moved(self, slot: int | None, token: int) -> int:
        """Moves a slot by a token."""
        assert slot is not None
        state = self.slots[slot]
        if state is None:
            return Outcome.HOST
        text, at = state
        if at >= len(text) or text[at] != token:
            return Outcome.REFUSED
        if token in self.given_up:
            self.slots[slot] = None
            return TOO_MANY_READINGS
        self.slots[slot] = (text, at + 1)
        return Outcome.ENDED if at + 1 == len(text) else Outcome.ACCEPTED

    def _allowed(self, row: Row) -> set[int]:
        """Returns what a row may choose."""
        allowed = row.allowed()
        if allowed is None:
            return set(range(self.vocabulary))
        state = self.slots[allowed[1]]
        return {BESIDE, *state[0][state[1] : state[1] + 1]} if state is not None else set()
