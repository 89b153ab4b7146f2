"""A library for tests, whose device is the host: it does what the C interface says of slots, with texts as formats."""

from __future__ import annotations

import ctypes
from ctypes import c_float, c_int32, c_void_p
from typing import Any

from .header import AllowedTokens, LogitFormat, Row, SlotAddresses, SlotLimits, SlotLists, SlotOutcome
from .libogc import LibraryError

# The token that each mask has beside the next one.
BESIDE = 0
# The outcome of a slot that the device does not step, and of a token with which it gives one up.
HOST, TOO_MANY_READINGS = int(SlotOutcome.HOST), SlotOutcome.HOST | 1 << 8


class Made:
    """What stands for an object of the library."""

    def __init__(self, number: int) -> None:
        self.pointer = c_void_p(number)


class FakeSlots:
    """The library. An artifact is the tokens of its text; `given_up` are tokens that slots cannot go on with."""

    def __init__(self, vocabulary: int) -> None:
        self.vocabulary = vocabulary
        self.given_up: set[int] = set()
        self.loaded: list[bytes] = []
        self.launches: list[tuple[str, int]] = []
        self.formats: list[bytes] = []
        self.rows: list[Row] = []

    def make(self, name: str, *arguments: Any) -> Made:
        """Makes an object."""
        match name:
            case "ogc_format_load":
                self.loaded.append(arguments[0][: arguments[1]])
                return Made(len(self.loaded))
            case "ogc_slots_new":
                self._reserve(arguments[2]._obj)
        return Made(1)

    def _reserve(self, limits: SlotLimits) -> None:
        count = limits.slots
        self.limits = limits
        self.tokens, self.outcomes = (c_int32 * count)(), (c_int32 * count)()
        # The text of each slot, and how many of its tokens were accepted; `None` is a slot that the host steps.
        self.slots: list[tuple[bytes, int] | None] = [(b"", 0)] * count

    def call(self, name: str, _slots: object, *arguments: Any) -> None:
        """Calls a function of slots."""
        match name:
            case "ogc_slots_add_format":
                format, number = self.loaded[arguments[0].value - 1], arguments[1]._obj
                if not format:
                    raise LibraryError("the format has no masks")
                number.value = len(self.formats)
                self.formats.append(format)
            case "ogc_slots_set_rows":
                self.rows = list(arguments[0])
                assert len(self.rows) == arguments[1] <= self.limits.slots
            case "ogc_slots_addresses":
                self._tell(arguments[0]._obj)
            case "ogc_slots_begin":
                self.launches.append((name, arguments[1]._obj.count))
                self._begin(arguments[1]._obj)
            case "ogc_slots_advance":
                self.launches.append((name, arguments[1]._obj.count))
                self._advance(arguments[1]._obj)
            case "ogc_slots_step":
                self.launches.append((name, arguments[1]._obj.rows))
                self._step(arguments[1]._obj)
            case _:
                raise AssertionError(name)

    def _tell(self, addresses: SlotAddresses) -> None:
        addresses.next_tokens, addresses.outcomes = map(ctypes.addressof, (self.tokens, self.outcomes))

    def _begin(self, lists: SlotLists) -> None:
        for slot, number in zip(_slots(lists), _numbers(lists.numbers, lists.count), strict=True):
            self.slots[slot] = (self.formats[number], 0)

    def _advance(self, lists: SlotLists) -> None:
        outcomes = (c_int32 * lists.count).from_address(lists.outcomes)
        for at, (slot, token) in enumerate(zip(_slots(lists), _numbers(lists.numbers, lists.count), strict=True)):
            outcomes[at] = self._moved(slot, token) if token >= 0 else SlotOutcome.NONE

    def _moved(self, slot: int, token: int) -> int:
        """Moves a slot by a token."""
        state = self.slots[slot]
        if state is None:
            return HOST
        text, at = state
        if at >= len(text) or text[at] != token:
            return SlotOutcome.REFUSED
        if token in self.given_up:
            self.slots[slot] = None
            return TOO_MANY_READINGS
        self.slots[slot] = (text, at + 1)
        return SlotOutcome.ENDED if at + 1 == len(text) else SlotOutcome.ACCEPTED

    def _step(self, logits: Any) -> None:
        assert logits.format == LogitFormat.F32 and logits.rows == len(self.rows)
        assert self.vocabulary <= logits.width <= min(logits.stride, self.limits.logits)
        assert (logits.rows - 1) * logits.stride + logits.width <= logits.len
        for number, row in enumerate(self.rows):
            found = (c_float * logits.width).from_address(logits.address + 4 * number * logits.stride)
            allowed = self._allowed(row)
            if allowed:
                self.tokens[number] = max(allowed, key=found.__getitem__)
            can_move = row.slot >= 0 and (allowed or self.slots[row.slot] is None)
            self.outcomes[number] = self._moved(row.slot, self.tokens[number]) if can_move else SlotOutcome.NONE

    def _allowed(self, row: Row) -> set[int]:
        """Returns what a row may choose."""
        assert row.struct_size == ctypes.sizeof(Row) and row.is_sampled and row.temperature == 1.0
        if row.allowed == AllowedTokens.ALL:
            return set(range(self.vocabulary))
        state = self.slots[row.allowed_number]
        return {BESIDE, *state[0][state[1] : state[1] + 1]} if state is not None else set()


def _numbers(address: int, count: int) -> list[int]:
    return list((c_int32 * count).from_address(address))


def _slots(lists: SlotLists) -> list[int]:
    """Returns the slots of lists: none twice."""
    assert lists.struct_size == ctypes.sizeof(SlotLists)
    slots = _numbers(lists.slots, lists.count) if lists.slots else list(range(lists.count))
    assert len(set(slots)) == len(slots)
    return slots
