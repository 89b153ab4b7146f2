"""Tests that unreadable tensors are rejected by name and with a fix before anything is launched, and that kernels run on the named streams."""

from __future__ import annotations

import gc
import sys
import unittest
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy
import ogc
import ogc.cuda
from device_memory import DriverMemory, Memory, Numbers, Tensor, memory
from formats import formats, vocabulary
from ogc.cuda import Row, Slots


class Case(unittest.TestCase):
    memory: Memory
    slots: Slots

    @classmethod
    def setUpClass(cls) -> None:
        cls.memory = memory()
        if not isinstance(cls.memory, DriverMemory):
            raise unittest.SkipTest("stand-ins of tensors are for the driver for tests")
        cls.slots = Slots(
            ogc.cuda.Device(), vocabulary(), 3, formats=2, format_bytes=1 << 18, pool_rows=4_000, pool_blocks=2_000, logits=130, draft_tokens=1
        )
        cls.slots.add_format(formats()[0])

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.slots

    def put(self, *shape: int, dtype: type[numpy.number[Any]] = numpy.int32) -> Any:
        numbers: Numbers = numpy.zeros(shape, dtype)
        return self.memory.put(numbers, numbers.dtype.name)

    def launches(self) -> list[str]:
        assert isinstance(self.memory, DriverMemory)
        return self.memory.launches()


class Elsewhere:
    """A tensor of torch that is not on the device."""

    dtype, shape = "torch.int32", (3,)

    def __init__(self, device: Any) -> None:
        self.device = device

    def data_ptr(self) -> int:
        return 0x1000

    def stride(self) -> tuple[int, ...]:
        return (1,)


class Place(SimpleNamespace):
    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"


class OfRefusals(Case):
    def test_lists_of_slots(self) -> None:
        good, slots = self.put(3), self.slots
        read_only = SimpleNamespace(__cuda_array_interface__={"shape": (3,), "typestr": "<i4", "data": (0x1000, True), "version": 3})
        gaps = Tensor(self.put(3, 2).array, (3,), (2,))
        cases: list[tuple[type[Exception], str, Any]] = [
            (TypeError, r"tokens is a list: give a tensor of torch on the device", [1, 2, 3]),
            (ValueError, r"tokens is on cpu, and kernels read memory of device 0: `.to\('cuda:0'\)`", Elsewhere(Place(type="cpu", index=None))),
            (ValueError, r"tokens is on cuda:1, and the kernels run on device 0", Elsewhere(Place(type="cuda", index=1))),
            (TypeError, r"tokens has int64, and kernels read int32 \[any\]: `.to\(torch.int32\)`", self.put(3, dtype=numpy.int64)),
            (TypeError, r"tokens has float32", self.put(3, dtype=numpy.float32)),
            (ValueError, r"tokens has the shape \[3, 1\], and kernels read int32 \[any\]", self.put(3, 1)),
            (ValueError, r"tokens has gaps between its entries: `.contiguous\(\)`", gaps),
            (ValueError, r"tokens is read-only", read_only),
        ]
        self.launches()
        for kind, words, tokens in cases:
            with self.assertRaisesRegex(kind, words):
                slots.advance(tokens, good)
        with self.assertRaisesRegex(ValueError, r"outcomes has the shape \[2\], and kernels read int32 \[3\]"):
            slots.advance(good, self.put(2))
        with self.assertRaisesRegex(ValueError, r"slots has the shape \[2\], and kernels read int32 \[3\]"):
            slots.begin(good, slots=self.put(2))
        with self.assertRaisesRegex(ValueError, "lists have 4 entries, there are 3 slots"):
            slots.begin(self.put(4))
        with self.assertRaisesRegex(TypeError, "outcomes is a NoneType"):
            slots.roll_back(good, None)
        self.assertEqual(self.launches(), [])

    def test_masks_and_logits(self) -> None:
        device, logits, masks = self.slots.device, self.put(2, 40, dtype=numpy.float32), self.put(2, 2)
        self.launches()
        for kind, words, arguments in [
            (TypeError, "logits has int32, and kernels read float32, float16 or bfloat16", (masks, masks, None)),
            (TypeError, "masks has float32, and kernels read words of int32", (logits, logits, None)),
            (ValueError, r"rows has the shape \[1\], and kernels read int32 \[2\]", (logits, masks, self.put(1))),
            (ValueError, "the masks have 2 entries, 4 are used", (logits, self.put(1, 2), None)),
            (ValueError, r"logits has the shape \[1, 2, 40\]", (self.put(1, 2, 40, dtype=numpy.float32), masks, None)),
            (ValueError, "logits has gaps between the entries of a row", (Tensor(logits.array, (2, 20), (40, 2)), masks, None)),
            (ValueError, "the rows of logits overlap", (Tensor(logits.array, (2, 20), (0, 1)), masks, None)),
        ]:
            with self.assertRaisesRegex(kind, words):
                device.mask_logits(*arguments)
        with self.assertRaisesRegex(ValueError, "masks have 2 words, too few for 65 tokens: they need 3"):
            device.mask_logits(logits, masks, tokens=65)
        with self.assertRaisesRegex(ValueError, "in the same memory"):
            device.mask_logits(logits, self.same_memory(logits))
        with self.assertRaisesRegex(ValueError, "masks has 1 rows, and slots 2 entries"):
            self.slots.fill(self.put(1, 4), slots=self.put(2))
        self.assertEqual(self.launches(), [])

    def same_memory(self, logits: Tensor) -> Any:
        return SimpleNamespace(__cuda_array_interface__={"shape": (2, 2), "typestr": "<i4", "data": (logits.data_ptr(), False), "version": 3})

    def test_rows_and_steps(self) -> None:
        for words, row in [
            ("`temperature` is 3; it must be from 0 to 2", Row(temperature=3)),
            ("`top_p` is -1", Row(top_p=-1)),
            ("slot 3; there are 3, from 0 on", Row(slot=3)),
            ("4 rows, there is room for 3", Row(mask=("bits", 3))),
            ("allowed is \"masks\"; it can be slot, bits or draft", Row(mask=("masks", 0))),  # type: ignore[arg-type]
            (r"biases has the shape \[3\], and kernels read int32 \[any, 2\]", Row(biases=self.put(3))),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                self.slots.set_rows([row])
        self.slots.begin(self.put(3))
        self.slots.set_rows([Row(slot=1), Row(slot=1)])
        self.launches()
        with self.assertRaisesRegex(ValueError, "slot 1 is not open, or is named twice"):
            self.slots.step(self.put(2, 130, dtype=numpy.float32))
        with self.assertRaisesRegex(ValueError, "logits of 1 rows, 2 rows were set"):
            self.slots.step(self.put(1, 130, dtype=numpy.float32))
        self.slots.set_rows([Row()])
        with self.assertRaisesRegex(ValueError, "a row has 131 logits, there is room for 130"):
            self.slots.step(self.put(1, 131, dtype=numpy.float32))
        self.assertEqual(self.launches(), [])

    def test_runs_and_drafts(self) -> None:
        two, three = self.put(3, 2), self.put(3, 3)
        calls: list[tuple[str, Callable[[], None]]] = [
            (r"moved has the shape \[3, 3\], and kernels read int32 \[3, 2\]", lambda: self.slots.run(two, three)),
            (r"verified has the shape \[3, 2\], and kernels read int32 \[3, 3\]", lambda: self.slots.draft(two, two, two)),
            ("9 rows, there is room for 6", lambda: self.slots.draft(two, two, three)),
            ("drafts of 20 tokens|at most 15|15", lambda: self.slots.draft(self.put(3, 20), two, three)),
            ("slots has 2 entries, the other lists have 3", lambda: self.slots.run(two, two, slots=self.put(2))),
        ]
        for words, call in calls:
            with self.assertRaisesRegex(ValueError, words):
                call()

    def test_limits_of_slots(self) -> None:
        device = self.slots.device
        for words, limits in [
            ("room for 0 slots is asked for", {"slots": 0}),
            ("room for 16 tokens of a draft", {"slots": 1, "draft_tokens": 16}),
            ("room for 0 formats", {"slots": 1, "formats": 0}),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                Slots(device, vocabulary(), **limits)  # type: ignore[arg-type]
        with self.assertRaisesRegex(ValueError, "slots is -1; it must be from 0 to 4294967295"):
            Slots(device, vocabulary(), -1)
        with self.assertRaisesRegex(ValueError, "999"):
            Slots(device, vocabulary(), 1, formats=1, format_bytes=64, pool_rows=9, pool_blocks=9, logits=1, stop_tokens=[999])
        full = Slots(device, vocabulary(), 1, formats=1, format_bytes=64, pool_rows=9, pool_blocks=9, logits=1)
        with self.assertRaisesRegex(ValueError, "are free in one piece: remove formats, or raise `format_bytes`"):
            full.add_format(formats()[0])

    def test_what_the_kernels_refuse_is_an_error_of_the_device(self) -> None:
        # Slot 77 does not exist: the interpreter finds that unallocated memory is read.
        with self.assertRaisesRegex(ogc.cuda.DeviceError, "CUDA_ERROR_LAUNCH_FAILED"):
            self.slots.begin(self.memory.ints(0), slots=self.memory.ints(77_777_777))


class OfStreams(Case):
    def test_launches_are_on_the_stream_that_was_named(self) -> None:
        self.launches()
        self.slots.begin(self.put(3))
        self.slots.fill(stream=0x40)
        self.slots.device.mask_logits(self.put(1, 3, dtype=numpy.float32), self.put(1, 1), stream=SimpleNamespace(cuda_stream=0x50))
        self.assertEqual(
            self.launches(),
            [
                "ogc_begin 3x1x1 of 32 on 0x0",
                "ogc_locate 3x1x1 of 32 on 0x0",
                "ogc_fill 1x3x1 of 256 on 0x40",
                "ogc_apply_f32 1x1x1 of 128 on 0x50",
            ],
        )
        for wrong in ("0", 1.5, True, -1):
            with self.assertRaisesRegex(TypeError, "stream is"):
                self.slots.fill(stream=wrong)

    def test_torch_is_told_which_stream_uses_tensors_and_graphs_keep_them(self) -> None:
        current, capturing = SimpleNamespace(cuda_stream=0x60), [False]

        def current_stream(device: int) -> Any:
            return current

        def external(number: int, device: int) -> Any:
            return SimpleNamespace(cuda_stream=number, is_external=True)

        cuda = SimpleNamespace(
            is_initialized=lambda: True,
            current_stream=current_stream,
            is_current_stream_capturing=lambda: capturing[0],
            ExternalStream=external,
        )
        with mock.patch.dict(sys.modules, {"torch": SimpleNamespace(cuda=cuda)}):
            tokens, outcomes = self.put(3), self.put(3)
            self.launches()
            self.slots.advance(tokens, outcomes)
            self.assertEqual((tokens.streams, outcomes.streams), ([current], [current]))
            self.slots.advance(tokens, outcomes, stream=0x70)
            self.assertTrue(tokens.streams[1].is_external)
            self.assertEqual([line.split()[-1] for line in self.launches()], ["0x60", "0x60", "0x70", "0x70"])
            capturing[0] = True
            self.slots.advance(tokens, outcomes)
            kept = weakref.ref(tokens)
            del tokens
            gc.collect()
            self.assertIsNotNone(kept())

    def test_arrays_share_the_memory_of_their_owner(self) -> None:
        self.assertEqual(self.slots.next_tokens.shape, (6,))
        self.assertEqual(self.slots.sampled.shape, (6, 2))
        self.assertEqual(self.slots.masks.shape, (3, 4))
        self.assertIn("of <f4 at 0x", repr(self.slots.probabilities))
        # These are tensors for other calls.
        self.slots.begin(self.put(3))
        self.slots.advance(self.put(3), Tensor(self.put(3).array))
        self.slots.device.mask_logits(self.put(3, 40, dtype=numpy.float32), self.slots.masks)


if __name__ == "__main__":
    unittest.main()
