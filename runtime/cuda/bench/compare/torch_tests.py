"""Tests of what needs PyTorch, on the device if there is one: `python3 -m unittest compare.torch_tests`."""

from __future__ import annotations

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import torch
from ogc.cuda import DeviceArray

from . import arguments, decode, state, table
from .agreement import Agreement, Mask, spaceless
from .arguments import Place
from .decode import Bench, Decoded, HostMasks
from .device_slots import added
from .engines import Engine, Masks, Refusal
from .fake_slots import FakeFormat, FakeSlots
from .figures import summary
from .host import measure
from .machine import open_machine
from .plan import Arm, EngineName, Run
from .replay import Text
from .selection import Selection
from .shapes import SHAPES
from .vocabulary import Vocabulary

TOKENS = Vocabulary(Path("t"), b"", (b"a", b" b", *(b"%d" % number for number in range(95)), None), 97, "</s>")
TEXTS = [Text("a", "", (1, 2, 97)), Text("b", "", (3, 97)), Text("c", "", (40, 41, 42, 43, 97))]
PLACE = Place.CUDA if torch.cuda.is_available() else Place.CPU


class Toy(Engine[Text, list[int]]):
    """An engine whose formats are single texts: a mask has the next token and token 0. A sequence is what is left."""

    def use_threads(self, threads: int) -> None:
        """There is one."""

    def compile(self, schema: str) -> Text:
        """Formats are given."""
        raise Refusal(schema)

    def start(self, format: Text) -> list[int]:
        """Returns all tokens, behind how many were accepted."""
        return [0, *format.tokens]

    def reset(self, sequence: list[int]) -> None:
        """Takes all back."""
        sequence[0] = 0

    def accept(self, sequences: list[list[int]], tokens: list[int]) -> None:
        """Accepts the next tokens."""
        for sequence, token in zip(sequences, tokens, strict=True):
            if sequence[1 + sequence[0]] != token:
                raise Refusal(f"token {token}")
            sequence[0] += 1

    def fill(self, sequences: list[list[int]], masks: Masks) -> None:
        """Sets two bits."""
        for row, sequence in enumerate(sequences):
            masks.array[row] = bits({0, sequence[1 + sequence[0]]}).view(numpy.int32)


class OnHost(Toy):
    """The toy in the place of ogc, whose vocabulary slots ask for."""

    vocabulary = None


def bits(tokens: set[int]) -> Mask:
    """Returns a mask of tokens."""
    mask = numpy.zeros(TOKENS.words, dtype=numpy.uint32)
    for token in tokens:
        mask[token // 32] |= numpy.uint32(1 << token % 32)
    return mask


def bench(place: Place = PLACE) -> Bench:
    """Returns a bench of three texts, with the toy in the place of an engine."""
    given = ["--corpus", "c", "--tokenizer", "t", "--device", place.value, "--models", "tiny"]
    read = arguments.read([*given, "--rows", "2", "--steps", "9", "--context", "8", "--threads", "1"])
    formats: dict[EngineName, list[Any]] = {EngineName.LLGUIDANCE: list(TEXTS)}
    selection = Selection(texts=TEXTS, formats=formats)
    machine = open_machine(place, 1)
    return Bench(read, machine, TOKENS, {EngineName.LLGUIDANCE: Toy()}, selection)


class OfArms(unittest.TestCase):
    """Arms replay the texts, and what goes wrong in them is told."""

    def decoded(self, *arms: Arm) -> dict[Arm, Decoded]:
        """Runs arms."""
        with mock.patch.object(decode, "runs", lambda *_: [Run(SHAPES["tiny"], 2, arm, 0, None) for arm in arms]):
            return {one.run.arm: one for one in bench().measure()}

    def problem(self, arm: Arm) -> str:
        """Runs an arm, and returns what went wrong."""
        return self.decoded(arm)[arm].problem or ""

    def test_arms_replay_all_steps(self) -> None:
        arms = (Arm.UNCONSTRAINED, Arm.LLGUIDANCE_SYNC, Arm.LLGUIDANCE_OVERLAPPED)
        for arm, one in self.decoded(*arms).items():
            self.assertIsNone(one.problem, arm)
            assert one.step is not None
            self.assertEqual(one.step.count, 9)
            self.assertEqual(one.masks is None, arm is Arm.UNCONSTRAINED)

    def test_masks_that_are_not_applied_are_told(self) -> None:
        with mock.patch.object(HostMasks, "_peer_apply", lambda self: None):
            self.assertIn("192 logits of the last step are not as the masks say", self.problem(Arm.LLGUIDANCE_SYNC))

    def test_a_mask_without_the_token_is_told(self) -> None:
        fill = Toy.fill

        def empty(self: Toy, sequences: list[list[int]], masks: Masks) -> None:
            fill(self, sequences, masks)
            masks.array[1] = bits({0})

        with mock.patch.object(Toy, "fill", empty):
            self.assertIn("failed: Refusal: token 0", self.problem(Arm.LLGUIDANCE_SYNC))

    def test_tokens_that_are_not_replayed_are_told(self) -> None:
        with mock.patch.object(state, "force", lambda logits, tokens: None):
            self.assertRegex(
                self.problem(Arm.UNCONSTRAINED), r"failed: AssertionError: \d+ tokens are not the replayed"
            )

    def test_masks_on_the_host_are_measured_along_all_texts(self) -> None:
        given = bench()
        (time,) = measure(given.arguments, TOKENS, given.engines, given.selection)
        self.assertEqual((time.engine, time.rows, time.threads, time.step.count), (EngineName.LLGUIDANCE, 2, 1, 9))


class OfMachines(unittest.TestCase):
    """Memory of others is shared, and not copied."""

    def test_words_are_read_where_they_lie(self) -> None:
        machine = open_machine(PLACE, 1)
        memory = torch.arange(8, dtype=torch.int32, device=machine.device)
        shared = machine.shared(DeviceArray(memory, memory.data_ptr() + 8, (3, 2), "<i4"))
        memory[3] = -7
        self.assertEqual((shared.tolist(), shared.device), ([[2, -7], [4, 5], [6, 7]], memory.device))


class OfSlots(unittest.TestCase):
    """Arms with slots replay the texts on slots of the host, and tell what goes wrong there."""

    ARMS = (Arm.OGC_SAMPLER, Arm.OGC_STEP)

    def setUp(self) -> None:
        self.slots = FakeSlots(len(TOKENS))
        self.bench = bench(Place.CPU)
        self.bench.engines[EngineName.OGC] = OnHost()
        self.bench.selection.formats[EngineName.OGC] = list(TEXTS)
        self.formats = [FakeFormat(bytes(text.tokens)) for text in TEXTS]

    def prepare(self) -> dict[str, str] | None:
        """Tries the texts."""
        with (
            mock.patch.object(decode, "opened", lambda *_: self.slots),
            mock.patch.object(
                decode, "added", lambda slots, known, _, threads: added(slots, known, self.formats, threads)
            ),
        ):
            return self.bench.prepare()

    def decoded(self) -> list[Decoded]:
        """Runs the two arms."""
        with mock.patch.object(decode, "runs", lambda *_: [Run(SHAPES["tiny"], 2, arm, 0, None) for arm in self.ARMS]):
            return list(self.bench.measure())

    def test_texts_are_tried_as_many_at_a_time_as_there_are_slots(self) -> None:
        self.assertEqual(self.prepare(), {})
        advances = [("advance", 2)] * 3 + [("begin", 1)] + [("advance", 1)] * 5
        self.assertEqual(self.slots.launches, [("begin", 2), *advances])

    def test_both_arms_replay_all_steps(self) -> None:
        self.prepare()
        sampler, fused = self.decoded()
        self.assertEqual((sampler.problem, fused.problem), (None, None))
        assert sampler.step_apart is not None and fused.step is not None and fused.step_apart is not None
        # Row 0 begins texts at steps 0, 3 and 5, and row 1 at 0, 2 and 7.
        self.assertEqual((sampler.step_apart.count, fused.step.count, fused.step_apart.count), (9, 9, 4))
        begun = [count for name, count in self.slots.launches[10:] if name == "begin"]
        self.assertEqual(begun, [2, 1, 1, 1, 1] * 3)

    def test_rows_are_those_of_the_arms(self) -> None:
        self.prepare()
        with mock.patch.object(self.slots, "step"):
            self.assertIn("tokens are not the replayed ones", self.decoded()[0].problem or "")
        self.assertEqual([(row.allowed(), row.slot) for row in self.slots.rows], [(("slot", 0), 0), (("slot", 1), 1)])
        with mock.patch.object(OfSlots, "ARMS", self.ARMS[:1]):
            self.decoded()
        self.assertEqual([(row.allowed(), row.slot) for row in self.slots.rows], [(None, None)] * 2)

    def test_masks_that_are_not_applied_are_told(self) -> None:
        self.prepare()
        with mock.patch.object(FakeSlots, "_allowed", lambda *_: set(range(98))):
            problem = self.decoded()[1].problem or ""
        self.assertRegex(problem, r"the device did not move slots: \d+ times 3")

    def test_texts_that_leave_the_device_are_counted_and_left_out(self) -> None:
        self.slots.given_up = {2}
        self.assertEqual(self.prepare(), {"a": "it has too many readings, at token 1 of 3"})
        self.assertEqual([text.id for text in self.bench.selection.texts], ["b", "c"])
        self.assertEqual([format.id for format in self.bench.selection.formats[EngineName.LLGUIDANCE]], ["b", "c"])
        self.assertEqual([one.problem for one in self.decoded()], [None, None])

    def test_texts_without_a_format_are_left_out(self) -> None:
        self.formats[:2] = [FakeFormat(b"")] * 2
        why = "the format has too many masks"
        self.assertEqual(self.prepare(), {"a": why, "b": why})
        self.assertEqual([one.problem for one in self.decoded()], [None, None])

    def test_a_device_that_writes_no_text_is_told(self) -> None:
        self.slots.given_up = {97}
        self.assertIsNone(self.prepare())
        self.assertEqual(len(self.bench.selection.texts), 3)
        for one in self.decoded():
            self.assertIn("the device writes none of the texts; a: it has too many readings", one.problem or "")

    def test_a_token_that_the_device_refuses_is_told(self) -> None:
        self.formats[2] = FakeFormat(bytes([40, 41, 9]))
        self.assertIsNone(self.prepare())
        self.assertIn("c: the device says 3 of token 2 of 5", self.decoded()[1].problem or "")

    def test_a_slot_that_is_given_up_in_an_arm_is_told(self) -> None:
        self.prepare()
        self.slots.given_up = {2}
        sampler, fused = self.decoded()
        self.assertIsNone(sampler.problem)
        self.assertRegex(fused.problem or "", r"failed: AssertionError: the device did not move slots: \d+ times 4")

    def test_a_mask_without_the_token_is_told(self) -> None:
        self.prepare()
        with mock.patch.object(FakeSlots, "_allowed", lambda *_: {0}):
            sampler, fused = self.decoded()
        self.assertIn("18 tokens are not the replayed ones", sampler.problem or "")
        self.assertIn("the device did not move slots: 18 times 3", fused.problem or "")


class OfAgreement(unittest.TestCase):
    """Differences are counted, those in white space apart."""

    def test_differences_are_counted(self) -> None:
        agreement = Agreement()
        masks = {
            EngineName.OGC: bits({0, 1, 97}),
            EngineName.XGRAMMAR: bits({0, 97}),
            EngineName.LLGUIDANCE: bits({1, 5, 97}),
        }
        agreement.add(TOKENS, masks, spaceless(TOKENS), "here")
        agreement.add(TOKENS, dict.fromkeys(EngineName, bits({97})), spaceless(TOKENS), "there")
        self.assertEqual((agreement.masks, agreement.same_in_all, agreement.sparse), (2, 1, 2))
        first = agreement.differences[EngineName.XGRAMMAR]
        self.assertEqual((first.masks, first.masks_apart_from_space, first.more, first.fewer), (1, 0, 0, 1))
        other = agreement.differences[EngineName.LLGUIDANCE]
        self.assertEqual((other.masks, other.masks_apart_from_space, other.more, other.fewer), (1, 1, 1, 1))
        self.assertEqual(other.examples, ["here: more 1 (b'3'), fewer 1 (b'a')"])


class OfTables(unittest.TestCase):
    """A win counts only against the best arm of the others."""

    def test_best_arms_are_compared(self) -> None:
        times = {
            Arm.XGRAMMAR_SYNC: 9.0,
            Arm.LLGUIDANCE_OVERLAPPED: 3.0,
            Arm.OGC_SYNC: 4.0,
            Arm.OGC_APPLY: 2.0,
            Arm.UNCONSTRAINED: 1.0,
        }
        arms = [Decoded(Run(SHAPES["tiny"], 1, arm, 0, None), summary([time])) for arm, time in times.items()]
        expected = f"Best of ogc: {Arm.OGC_APPLY.value}. Best of the others: {Arm.LLGUIDANCE_OVERLAPPED.value}, "
        self.assertEqual(table.best(arms), expected + "which takes 1.500 times as long.")
        self.assertEqual(table.best(arms[2:]), "No comparison of best arms: no other engine's arm ran.")
        self.assertEqual(table.best(arms[:2]), "No comparison of best arms: no arm of ogc ran.")
        fused = Decoded(Run(SHAPES["tiny"], 1, Arm.OGC_STEP, 0, None), summary([1.5]))
        self.assertIn("Their samplers differ", table.best([*arms, fused]))

    def test_a_table_has_overheads_beginnings_and_texts_that_leave(self) -> None:
        times = {Arm.UNCONSTRAINED: 10, Arm.XGRAMMAR_SYNC: 19, Arm.OGC_SAMPLER: 8, Arm.OGC_STEP: 9}
        arms = [
            Decoded(Run(SHAPES["1b"], rows, arm, 0, None), summary([1e-6 * time]), summary([1e-6]), None, 2e-6)
            for rows in (1, 4)
            for arm, time in times.items()
        ]
        arms[-1] = replace(arms[-1], step=summary([9e-6] * 3), step_apart=summary([8e-6] * 2))
        arms[1] = replace(arms[1], step=None, problem="failed: | of it")
        report = table.Report({}, Place.CUDA, (), Selection(texts=TEXTS), decoded=arms, left={"b": "too many keys"})
        with tempfile.TemporaryDirectory() as folder:
            table.write(report, Path(folder) / "table.md")
            lines = (Path(folder) / "table.md").read_text().splitlines()
            figures = json.loads((Path(folder) / "table.json").read_text())
        for line in (
            "1 of the 3 texts leave the device or have no format there: a server goes on with them on the host.",
            "- b: `too many keys`",
            "| xgrammar, synchronous | failed: / of it | | | | | |",
            "| unconstrained, sampler of ogc | 8.0 us | 8.0 us | 2.0 us | - | - | - |",
            "| ogc on the device, fused `ogc_step` | 9.0 us | 9.0 us | 2.0 us | - | - | +1.0 us (+12.5 %) |",
            "ogc on the device, fused `ogc_step`: 1 of 3 steps begin texts, which is in their time; "
            "the 2 others take 8.0 us in the median.",
            "| 1b | 1 | +1.0 us (+12.5 %) | ogc on the device, fused `ogc_step`: +1.0 us (+12.5 %) | - |",
            "| 1b | 4 | +1.0 us (+12.5 %) | ogc on the device, fused `ogc_step`: +1.0 us (+12.5 %) "
            "| xgrammar, synchronous: +9.0 us (+90.0 %) |",
        ):
            self.assertIn(line, lines)
        self.assertEqual((figures["left_by_the_device"], len(figures["decoded"])), ({"b": "too many keys"}, 8))

    def test_overheads_are_against_the_identical_sampler(self) -> None:
        times = {
            Arm.UNCONSTRAINED: 10.0,
            Arm.XGRAMMAR_SYNC: 19.0,
            Arm.XGRAMMAR_OVERLAPPED: 12.0,
            Arm.OGC_SAMPLER: 8.0,
            Arm.OGC_STEP: 8.5,
        }
        arms = [Decoded(Run(SHAPES["tiny"], 1, arm, 0, None), summary([1e-6 * time])) for arm, time in times.items()]
        peer = table.least(arms, lambda arm: arm.is_peer)
        ours = table.least(arms, lambda arm: arm.is_ours)
        assert peer is not None and ours is not None
        self.assertEqual((peer.arm, peer.words()), (Arm.XGRAMMAR_OVERLAPPED, "+2.0 us (+20.0 %)"))
        self.assertEqual((ours.arm, ours.words()), (Arm.OGC_STEP, "+0.5 us (+6.2 %)"))
        self.assertIsNone(table.overhead(arms[0], arms))
        self.assertIsNone(table.overhead(arms[4], arms[:3] + arms[4:]))


if __name__ == "__main__":
    unittest.main()
