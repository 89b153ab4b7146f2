"""Sequences on a device, each in a slot, with their formats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from .._ogc import CudaSlots, Format, Matcher, Vocabulary
from ._device import Device
from ._memory import DeviceArray, ListAt, Stream, logits_at, masks_at, stream_of, words_at
from ._rows import Row

__all__ = ["Slots"]


class Slots:
    """Slots of sequences and their formats in the memory of a device, numbered from 0. Only one thread at a time may use them.

    All memory is reserved at once and never moves. There is room for ``slots`` sequences at a time, and for ``formats`` formats; their tables take at
    most ``format_bytes``, and they share ``pool_rows`` rows of masks in ``pool_blocks`` blocks of 64 bytes. Rows have at most ``logits`` logits.
    Drafts have at most ``draft_tokens`` tokens (15 or fewer), with ``slots * (1 + draft_tokens)`` rows. ``stop_tokens`` end texts instead of the
    vocabulary's end tokens.

    Methods with a ``stream`` launch kernels on it and return at once; they allocate and copy nothing. Lists must name existing slots and formats, and
    no slot twice: ``slots`` int32 [n] are the slots of the entries, in their order; without ``slots``, entry ``i`` is for slot ``i``. Until the work
    of a stream has ended, nothing else uses the slots, and nobody writes the tensors. The other methods copy, and return when the copy is done. If a
    stream uses memory that they change, its work must have ended before (``torch.cuda.synchronize()``).

    Tensors of a launch may be dropped after the call, because torch knows the stream that uses them. Tensors of a captured graph are kept as long as
    the slots live. Arrays of other libraries must live until the work has ended. Graphs must not be launched when the slots are gone.

    :raises ValueError: a limit is 0 or too high, or the vocabulary lacks a stop token.
    :raises DeviceError: the device has too little memory, or failed.
    """

    def __init__(
        self,
        device: Device,
        vocabulary: Vocabulary,
        slots: int,
        *,
        formats: int = 1024,
        format_bytes: int = 256 << 20,
        pool_rows: int = 40_000,
        pool_blocks: int = 1 << 20,
        logits: int = 1 << 18,
        draft_tokens: int = 0,
        stop_tokens: Sequence[int] | None = None,
    ) -> None:
        limits = {
            "slots": slots,
            "formats": formats,
            "format_bytes": format_bytes,
            "pool_rows": pool_rows,
            "pool_blocks": pool_blocks,
            "logits": logits,
            "draft_tokens": draft_tokens,
        }
        for name, limit in limits.items():
            most = (1 << (64 if name == "format_bytes" else 32)) - 1
            if not 0 <= limit <= most:
                raise ValueError(f"{name} is {limit}; it must be from 0 to {most}")
        stops = None if stop_tokens is None else list(stop_tokens)
        self._slots = CudaSlots(device.inner, vocabulary, limits, stops)
        self._device, self._vocabulary = device, vocabulary
        self._count, self._rows = slots, slots * (1 + draft_tokens)
        #: Tensors whose addresses are in captured graphs, and tensors that rows name.
        self._captured: list[Any] = []
        self._of_rows: list[Any] = []

    @property
    def device(self) -> Device:
        """The device."""
        return self._device

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the texts."""
        return self._vocabulary

    @property
    def stop_tokens(self) -> list[int]:
        """The tokens that end texts, ascending."""
        return self._slots.stop_tokens()

    def __len__(self) -> int:
        return self._count

    def add_format(self, format: Format) -> int:
        """Copies a format with its masks (:meth:`ogc.Format.with_masks`) to the device; returns its number there. In the meantime, slots may be
        stepped.

        Devices allow any tokens of a text; only matchers know canonical tokens.

        :raises ValueError: the format has no masks, or masks of another vocabulary, or there is no room.
        :raises LimitError: the format has arrays of distinct items, which a device does not support; use a matcher on the host.
        """
        return self._slots.add_format(format)

    def remove_format(self, number: int) -> None:
        """Removes a format, and frees its number and memory. No slot may be in a text of it, and no launch that uses it may be under way."""
        self._slots.remove_format(number)

    def begin(self, formats: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Puts slots at the beginning of ``formats`` (int32 [n], numbers of formats), and finds the masks of their first tokens."""
        on, (numbers, of_slots) = self._launch(stream, ("formats", formats), ("slots", slots))
        self._slots.begin(on.number, _there(numbers), of_slots)
        self._hold(on, formats, slots)

    def advance(self, tokens: Any, outcomes: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Moves slots by ``tokens`` (int32 [n]), and finds their next masks. A token that is negative or not allowed leaves its slot unchanged.

        Each entry's :class:`Outcome` is written to ``outcomes`` (int32 [n]).
        """
        on, (numbers, found, of_slots) = self._launch(stream, ("tokens", tokens), ("outcomes", outcomes), ("slots", slots))
        self._slots.advance(on.number, _there(numbers), _there(found), of_slots)
        self._hold(on, tokens, outcomes, slots)

    def roll_back(self, counts: Any, outcomes: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Takes the last ``counts`` (int32 [n]) tokens of slots back, at most 16, and finds their next masks; a count below 1 does nothing."""
        on, (numbers, found, of_slots) = self._launch(stream, ("counts", counts), ("outcomes", outcomes), ("slots", slots))
        self._slots.roll_back(on.number, _there(numbers), _there(found), of_slots)
        self._hold(on, counts, outcomes, slots)

    def fill(self, masks: Any = None, *, slots: Any = None, stream: Any = None) -> None:
        """Writes the masks of slots as bits, for :meth:`Device.mask_logits`: row ``i`` is the mask of entry ``i``. Rows of slots that the host steps
        stay unchanged.

        ``masks`` are int32 [n, words]; without them, the slots' own masks (:attr:`masks`) are written. Without ``slots``, all rows of masks, or the
        masks of all slots, are written.
        """
        on, (of_slots,) = self._launch(stream, ("slots", slots))
        found = None if masks is None else masks_at("masks", masks, self._device.number)
        most = self._count if found is None else found[1]
        count = most if of_slots is None else of_slots[1]
        if found is not None and count > found[1]:
            raise ValueError(f"masks has {found[1]} rows, and slots {count} entries")
        self._slots.fill(on.number, count, None if found is None else found[0], of_slots)
        self._hold(on, masks, slots)

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Sets the sampling of each row of logits for the next steps, and the slot that its token moves. No step may be under way.

        :raises ValueError: a number is out of its range, or a row names a slot or a mask that does not exist.
        """
        given = list(rows)
        self._slots.set_rows([row.values(self._device.number) for row in given])
        self._of_rows = [tensor for row in given for tensor in (row.written, row.biases) if tensor is not None]

    def step(self, logits: Any, *, stream: Any = None) -> None:
        """Chooses a token for each row that was set, moves the row's slot by it, and finds the slot's next mask, in one launch.

        ``logits`` [rows, width] are float32, float16 or bfloat16, and stay as they are. Captured in a graph, the same launch does the next step. A
        token that the slot rejects leaves it unchanged. The results are in :attr:`next_tokens`, :attr:`sampled`, :attr:`outcomes` and
        :attr:`probabilities`.
        """
        on = stream_of(stream, self._device.number)
        self._slots.step(on.number, logits_at("logits", logits, self._device.number))
        self._hold(on, logits)

    def run(self, tokens: Any, moved: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Moves slots by runs of tokens, such as forced tokens, each up to the first token that is not accepted, and finds their next masks.

        ``tokens`` are int32 [n, most]; a run ends before a negative token. ``moved`` (int32 [n, 2]) gets the :class:`Outcome` of the last token that
        was tried, and the number of accepted tokens. A slot remembers the last 16 tokens.
        """
        on = stream_of(stream, self._device.number)
        runs, (entries, most) = words_at("tokens", tokens, self._device.number, (None, None))
        found, _ = words_at("moved", moved, self._device.number, (entries, 2))
        self._slots.run(on.number, runs, most, found, self._listed(slots))
        self._hold(on, tokens, moved, slots)

    def draft(self, tokens: Any, drafted: Any, verified: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Finds the masks before and behind the drafted ``tokens`` (int32 [n, most]; a draft ends before a negative token), and moves the slots by
        them.

        Draft ``i`` has the rows from ``i * (1 + most)`` on; :meth:`set_rows` must have set them before, with ``mask=("draft", row)`` and no slot. The
        model then computes logits of all these rows, :meth:`step` samples them, and :meth:`verify` takes the same tensors; nothing else may move the
        slots in between. ``drafted`` (int32 [n, 2]) gets the :class:`Outcome` of the last token and the number of tokens that the format allows;
        ``verified`` is int32 [n, 3].
        """
        self._draft("draft", tokens, (drafted, verified), slots, stream)

    def verify(self, tokens: Any, drafted: Any, verified: Any, *, slots: Any = None, stream: Any = None) -> None:
        """Moves slots by the tokens sampled from the rows of their drafts, up to and including the first sampled token that differs from the drafted
        one.

        ``verified`` (int32 [n, 3]) gets a :class:`DraftEnd`, the number of sampled tokens that belong to the text, and the number of tokens by which
        the slot has moved.
        """
        self._draft("verify", tokens, (drafted, verified), slots, stream)

    def place(self, slot: int, format: int, matcher: Matcher) -> None:
        """Puts a slot at the place of a matcher of the format; the device goes on from there. No earlier token can be taken back.

        :raises ValueError: the matcher is of another format, or has other stop tokens.
        :raises LimitError: the text does not fit in a slot, or the matcher has a budget; the matcher must go on instead.
        """
        self._slots.place(slot, format, matcher)

    def status(self, slot: int) -> Literal["free", "device", "host"]:
        """The stepper of a slot: nobody, the device, or a matcher on the host, because the device could not go on or does not find the mask."""
        return self._slots.status(slot)

    def write_mask(self, row: int, masks: Any, from_row: int = 0) -> None:
        """Copies a mask from the host (as :func:`ogc.mask_rows` reads it) into row ``row`` of the slots' own masks, for a sequence that a matcher steps."""
        self._slots.write_mask(row, masks, from_row)

    def wait(self) -> None:
        """Waits for the work of the default stream, and of streams that wait for it."""
        self._slots.wait()

    @property
    def sampled(self) -> DeviceArray:
        """The outcome of sampling each row: int32 [rows, 2], a :class:`SampleOutcome` and the token."""
        return self._array(0, (self._rows, 2), "<i4")

    @property
    def outcomes(self) -> DeviceArray:
        """The outcome of each row's token in its slot: int32 [rows], an :class:`Outcome`."""
        return self._array(1, (self._rows,), "<i4")

    @property
    def next_tokens(self) -> DeviceArray:
        """The chosen token of each row: int32 [rows]; the previous token if none was chosen."""
        return self._array(2, (self._rows,), "<i4")

    @property
    def probabilities(self) -> DeviceArray:
        """The natural logarithm of each token's probability, for rows that ask for it: float32 [rows]."""
        return self._array(3, (self._rows,), "<f4")

    @property
    def masks(self) -> DeviceArray:
        """The slots' own masks: int32 [slots, words]."""
        address, words, stride = self._slots.masks()
        return DeviceArray(self, address, (self._count, words), "<i4", stride)

    def _array(self, which: int, shape: tuple[int, ...], typestr: str) -> DeviceArray:
        return DeviceArray(self, self._slots.addresses()[which], shape, typestr)

    def _launch(self, stream: Any, *lists: tuple[str, Any]) -> tuple[Stream, list[ListAt | None]]:
        """Reads the stream and the lists of a launch; all lists must be as long as the first."""
        found: list[ListAt | None] = []
        for name, tensor in lists:
            first = found[0] if found else None
            length = None if first is None else first[1]
            is_left_out = tensor is None and name == "slots"
            found.append(None if is_left_out else words_at(name, tensor, self._device.number, (length,))[0])
        return stream_of(stream, self._device.number), found

    def _listed(self, slots: Any) -> ListAt | None:
        return None if slots is None else words_at("slots", slots, self._device.number, (None,))[0]

    def _draft(self, name: Literal["draft", "verify"], tokens: Any, results: tuple[Any, Any], slots: Any, stream: Any) -> None:
        number = self._device.number
        on = stream_of(stream, number)
        drafts, (entries, most) = words_at("tokens", tokens, number, (None, None))
        drafted, _ = words_at("drafted", results[0], number, (entries, 2))
        verified, _ = words_at("verified", results[1], number, (entries, 3))
        launch = self._slots.draft if name == "draft" else self._slots.verify
        launch(on.number, drafts, most, (drafted, verified), self._listed(slots))
        self._hold(on, tokens, *results, slots)

    def _hold(self, on: Stream, *tensors: Any) -> None:
        """Keeps the memory of tensors while the work of a stream uses it."""
        on.hold(*tensors)
        if on.is_capturing:
            self._captured += [tensor for tensor in tensors if tensor is not None]

    def __repr__(self) -> str:
        return f"<Slots: {self._count} on device {self._device.number}>"


def _there(found: ListAt | None) -> ListAt:
    """Returns a list that must be given: only ``slots`` may be left out."""
    if found is None:
        raise AssertionError("only slots may be left out")
    return found
