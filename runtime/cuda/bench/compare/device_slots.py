"""The slots of a device through the C interface: texts that are stepped there, and their formats.

What is launched goes to a stream of the caller, so that PyTorch can capture it. It needs the standard library alone.
"""

from __future__ import annotations

from ctypes import byref, c_uint32, sizeof
from enum import Enum

from .header import AllowedTokens, Logits, Row, SlotAddresses, SlotLimits, SlotLists
from .libogc import Library, LibraryError
from .vocabulary import Vocabulary

# Room for formats: their tables, and the rows of masks that they share. Three hundred formats take a tenth of it.
FORMAT_BYTES = 1 << 30
POOL_ROWS = 200_000
POOL_BLOCKS = 1 << 22

SEED = 1


class RowMask(Enum):
    """What masks the rows of a step."""

    SLOTS = "the slots of the rows"
    NONE = "nothing"


class DeviceSlots:
    """Slots on the first device, a number of them, and formats: `formats` has their numbers, or why there is none.

    Graphs that captured a launch go on to work while this lives.
    """

    def __init__(
        self, library: Library, vocabulary: Vocabulary, slots: int, width: int, artifacts: list[bytes | None]
    ) -> None:
        self.library, self.count = library, slots
        device = library.make("ogc_device_open", 0)
        tokens = library.make("ogc_vocabulary_from_tokenizer_json", vocabulary.json, len(vocabulary.json))
        limits = SlotLimits(
            struct_size=sizeof(SlotLimits),
            slots=slots,
            formats=max(len(artifacts), 1),
            format_bytes=FORMAT_BYTES,
            pool_rows=POOL_ROWS,
            pool_blocks=POOL_BLOCKS,
            logits=width,
        )
        self.slots = library.make("ogc_slots_new", device.pointer, tokens.pointer, byref(limits))
        self.formats: list[int | str] = [self._added(artifact) for artifact in artifacts]

    def _added(self, artifact: bytes | None) -> int | str:
        """Copies a format to the device, and returns its number there, or why it has none."""
        if artifact is None:
            return "`ogc build` refuses it"
        number = c_uint32()
        try:
            format = self.library.make("ogc_format_load", artifact, len(artifact))
            self.library.call("ogc_slots_add_format", self.slots.pointer, format.pointer, byref(number))
        except LibraryError as error:
            return str(error)
        return number.value

    def addresses(self) -> SlotAddresses:
        """Returns where it lies what steps say of rows."""
        addresses = SlotAddresses(sizeof(SlotAddresses))
        self.library.call("ogc_slots_addresses", self.slots.pointer, byref(addresses))
        return addresses

    def set_rows(self, count: int, mask: RowMask) -> None:
        """Says that rows are drawn at temperature 1, with the masks of the slots of the same numbers, or without."""
        rows = (Row * count)(*[_row(number, mask) for number in range(count)])
        self.library.call("ogc_slots_set_rows", self.slots.pointer, rows, count)

    def begin(self, stream: int, lists: SlotLists) -> None:
        """Puts slots at the beginnings of formats."""
        self.library.call("ogc_slots_begin", self.slots.pointer, stream, byref(lists))

    def advance(self, stream: int, lists: SlotLists) -> None:
        """Moves slots by tokens."""
        self.library.call("ogc_slots_advance", self.slots.pointer, stream, byref(lists))

    def step(self, stream: int, logits: Logits) -> None:
        """Chooses the tokens of all rows, and moves their slots: one launch."""
        self.library.call("ogc_slots_step", self.slots.pointer, stream, byref(logits))


def _row(number: int, mask: RowMask) -> Row:
    row = Row(struct_size=sizeof(Row), seed=SEED, request=number, is_sampled=1, temperature=1.0, slot=-1)
    match mask:
        case RowMask.SLOTS:
            row.allowed, row.allowed_number, row.slot = AllowedTokens.SLOT, number, number
        case RowMask.NONE:
            row.allowed = AllowedTokens.ALL
    return row


def lists(slots: int, numbers: int, outcomes: int, count: int) -> SlotLists:
    """Returns lists by their addresses: 0 are all slots in turn, and no outcomes, which beginnings do not have."""
    return SlotLists(sizeof(SlotLists), slots, numbers, outcomes, count)
