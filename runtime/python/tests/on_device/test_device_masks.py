"""Tests that the device masks logits like a plain loop."""

from __future__ import annotations

import unittest

import numpy
import ogc.cuda
from device_memory import LOGITS, Memory, Numbers, Tensor, as_bits, as_floats, memory, shuffled


class OfMasks(unittest.TestCase):
    memory: Memory
    device: ogc.cuda.Device

    @classmethod
    def setUpClass(cls) -> None:
        cls.memory = memory()
        cls.device = ogc.cuda.Device()

    def expected(self, logits: Numbers, masks: Numbers, rows: list[int], tokens: int) -> Numbers:
        """The logits, masked one by one."""
        masked = logits.copy()
        for row, mask in enumerate(rows):
            for token in range(logits.shape[1]):
                is_allowed = token < tokens and int(masks[mask, token // 32]) >> (token % 32) & 1
                if mask >= 0 and not is_allowed:
                    masked[row, token] = -numpy.inf
        return masked

    def test_random_masks(self) -> None:
        for seed in range(12):
            chosen, numbers = shuffled(seed)
            dtype = chosen.choice(list(LOGITS))
            rows, width = chosen.randint(1, 5), chosen.randint(1, 200)
            words = chosen.randint(1, 8)
            tokens = chosen.randint(0, 32 * words)
            masks = numbers.integers(-(2**31), 2**31, (chosen.randint(rows, 6), words)).astype(numpy.int32)
            named = [chosen.randint(-1, len(masks) - 1) for _ in range(rows)] if chosen.random() < 0.7 else None
            bits = as_bits(numbers.normal(size=(rows, width)), dtype)
            logits = self.memory.put(bits, dtype)
            listed = None if named is None else self.memory.ints(*named)
            self.device.mask_logits(logits, self.memory.put(masks, "int32"), listed, tokens=tokens)
            want = self.expected(as_floats(bits, dtype), masks, list(range(rows)) if named is None else named, tokens)
            numpy.testing.assert_array_equal(as_floats(self.memory.get(logits), dtype), want, f"seed {seed}")

    def test_tokens_are_those_that_both_have_room_for(self) -> None:
        for width, words in ((40, 1), (40, 2), (70, 2)):
            logits = self.memory.put(numpy.zeros((1, width), numpy.float32), "float32")
            self.device.mask_logits(logits, self.memory.put(numpy.full((1, words), -1, numpy.int32), "int32"))
            kept = int(numpy.isfinite(self.memory.get(logits)).sum())
            self.assertEqual(kept, min(width, 32 * words))

    def test_one_row_and_views_of_rows(self) -> None:
        one = self.memory.put(numpy.zeros(5, numpy.float32), "float32")
        self.device.mask_logits(one, self.memory.ints(0b10110))
        self.assertEqual(numpy.isfinite(self.memory.get(one)).tolist(), [False, True, True, False, True])
        whole = self.memory.put(numpy.zeros((2, 8), numpy.float32), "float32")
        view = Tensor(whole.array, (2, 3), (8, 1)) if isinstance(whole, Tensor) else whole[:, :3]
        self.device.mask_logits(view, self.memory.ints([0b101], [0b010]))
        finite = numpy.isfinite(self.memory.get(whole)).tolist()
        self.assertEqual(finite, [[True, False, True] + 5 * [True], [False, True, False] + 5 * [True]])

    def test_the_device_says_what_it_is(self) -> None:
        self.assertGreaterEqual(self.device.capability, (8, 0))
        self.assertGreaterEqual(self.device.driver, (12, 0))
        self.assertIn(self.device.name, repr(self.device))
        self.assertTrue(self.device.kernels)
        with self.assertRaisesRegex(ogc.cuda.DeviceError, "999"):
            ogc.cuda.Device(999)


if __name__ == "__main__":
    unittest.main()
