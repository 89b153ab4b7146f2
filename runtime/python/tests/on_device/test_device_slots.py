"""Tests that slots on the device agree with matchers on the host, token by token."""

from __future__ import annotations

import unittest

import numpy
import ogc
import ogc.cuda
from device_memory import LOGITS, Memory, Numbers, as_bits, as_floats, memory, shuffled
from formats import formats, vocabulary
from ogc.cuda import DraftEnd, Outcome, Row, SampleOutcome

SLOTS, DRAFT = 5, 3
WIDTH = 130


class Case(unittest.TestCase):
    memory: Memory
    slots: ogc.cuda.Slots
    numbers: list[int]

    @classmethod
    def setUpClass(cls) -> None:
        cls.memory = memory()
        cls.slots = ogc.cuda.Slots(
            ogc.cuda.Device(),
            vocabulary(),
            SLOTS,
            formats=8,
            format_bytes=1 << 18,
            pool_rows=4_000,
            pool_blocks=2_000,
            logits=WIDTH,
            draft_tokens=DRAFT,
        )
        cls.numbers = [cls.slots.add_format(format) for format in formats()]

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.slots

    def begin(self, which: list[int]) -> list[ogc.Matcher]:
        """Begins texts of formats in the first slots; returns a matcher for each."""
        self.slots.begin(self.memory.ints(*[self.numbers[at] for at in which]))
        return [formats()[at].matcher(vocabulary()) for at in which]

    def masks(self, matchers: list[ogc.Matcher]) -> Numbers:
        """The masks of matchers, as bits."""
        words = (len(vocabulary()) + 31) // 32
        rows = numpy.zeros((len(matchers), words), numpy.int32)
        for row, matcher in enumerate(matchers):
            matcher.fill_mask(rows, row)
        return rows

    def check_masks(self, matchers: list[ogc.Matcher], note: object = "") -> None:
        """Checks that the masks on the device are the masks of the matchers."""
        going = [at for at, matcher in enumerate(matchers) if not matcher.is_ended]
        if going:
            filled = self.memory.zeros(len(going), (len(vocabulary()) + 31) // 32)
            self.slots.fill(filled, slots=self.memory.ints(*going))
            wanted = self.masks([matchers[at] for at in going])
            numpy.testing.assert_array_equal(self.memory.get(filled), wanted, str(note))

    def logits(self, rows: int, seed: int) -> tuple[object, Numbers]:
        """Random logits on the device and on the host."""
        _, numbers = shuffled(seed)
        logits = numbers.normal(size=(rows, WIDTH)).astype(numpy.float32)
        return self.memory.put(logits, "float32"), logits


def best(logits: Numbers, matcher: ogc.Matcher) -> int:
    """The allowed token with the highest logit."""
    return max(matcher.allowed_tokens(), key=lambda token: float(logits[token]))


class OfMoves(Case):
    def test_random_tokens_are_accepted_and_taken_back_as_by_matchers(self) -> None:
        ended = 0
        for seed in range(8):
            chosen, _ = shuffled(seed)
            which = [chosen.randrange(len(self.numbers)) for _ in range(SLOTS)]
            matchers = self.begin(which)
            self.check_masks(matchers, seed)
            lengths = [0] * SLOTS
            for _ in range(10):
                tokens = [
                    chosen.choice(matcher.allowed_tokens()) if not matcher.is_ended and chosen.random() < 0.85 else chosen.randrange(-1, 120)
                    for matcher in matchers
                ]
                order = chosen.sample(range(SLOTS), chosen.randint(1, SLOTS))
                outcomes = self.memory.zeros(len(order))
                self.slots.advance(self.memory.ints(*[tokens[at] for at in order]), outcomes, slots=self.memory.ints(*order))
                wanted = [self.accepted(matchers[at], tokens[at]) for at in order]
                self.assertEqual([Outcome(found) for found in self.memory.get(outcomes).tolist()], wanted, f"seed {seed}")
                for at, outcome in zip(order, wanted, strict=True):
                    lengths[at] += outcome in (Outcome.ACCEPTED, Outcome.ENDED)
                ended += wanted.count(Outcome.ENDED)
                if chosen.random() < 0.3:
                    self.take_back(chosen.randrange(SLOTS), chosen.randint(1, 3), matchers, lengths)
                self.check_masks(matchers, seed)
        self.assertGreater(ended, 3)

    def accepted(self, matcher: ogc.Matcher, token: int) -> Outcome:
        if token < 0:
            return Outcome.NONE
        if matcher.is_ended or not matcher.try_accept(token):
            return Outcome.REFUSED
        return Outcome.ENDED if matcher.is_ended else Outcome.ACCEPTED

    def take_back(self, slot: int, count: int, matchers: list[ogc.Matcher], lengths: list[int]) -> None:
        outcomes = self.memory.zeros(1)
        self.slots.roll_back(self.memory.ints(count), outcomes, slots=self.memory.ints(slot))
        can = count <= lengths[slot]
        self.assertEqual(self.memory.get(outcomes).tolist(), [Outcome.ACCEPTED if can else Outcome.REFUSED])
        if can:
            matchers[slot].rollback(count)
            lengths[slot] -= count

    def test_runs_are_read_up_to_the_first_token_that_is_refused(self) -> None:
        for seed in range(6):
            chosen, _ = shuffled(seed)
            matchers = self.begin([chosen.randrange(len(self.numbers)) for _ in range(SLOTS)])
            runs = numpy.full((SLOTS, 4), -1, numpy.int32)
            wanted: list[list[int]] = []
            for at, matcher in enumerate(matchers):
                probe = matcher.fork()
                run: list[int] = []
                for _ in range(chosen.randint(0, 4)):
                    is_wrong = chosen.random() < 0.2
                    run.append(chosen.randrange(118) if is_wrong or probe.is_ended else chosen.choice(probe.allowed_tokens()))
                    if probe.is_ended or not probe.try_accept(run[-1]):
                        break
                runs[at, : len(run)] = run
                outcomes = [self.accepted(matcher, token) for token in run if not matcher.is_ended]
                moved = sum(outcome != Outcome.REFUSED for outcome in outcomes)
                wanted.append([outcomes[-1] if outcomes else Outcome.NONE, moved])
            moved_on_device = self.memory.zeros(SLOTS, 2)
            self.slots.run(self.memory.put(runs, "int32"), moved_on_device)
            self.assertEqual(self.memory.get(moved_on_device).tolist(), wanted, f"seed {seed}")
            self.check_masks(matchers, seed)

    def test_own_masks_mask_logits(self) -> None:
        matchers = self.begin([0, 2, 4])
        self.slots.fill(slots=self.memory.ints(2, 0))
        own = self.memory.get(self.slots.masks)
        self.assertEqual(own.shape, (SLOTS, (len(vocabulary()) + 31) // 32))
        numpy.testing.assert_array_equal(own[:2], self.masks([matchers[2], matchers[0]]))
        logits, _ = self.logits(3, 1)
        self.slots.device.mask_logits(logits, self.slots.masks, self.memory.ints(1, -1, 0), tokens=len(vocabulary()))
        kept = numpy.isfinite(self.memory.get(logits))
        self.assertEqual(numpy.flatnonzero(kept[0]).tolist(), matchers[0].allowed_tokens())
        self.assertTrue(kept[1].all())
        self.assertEqual(numpy.flatnonzero(kept[2]).tolist(), matchers[2].allowed_tokens())


class OfSteps(Case):
    def test_steps_choose_and_move(self) -> None:
        matchers = self.begin([0, 2, 3, 5, 1])
        self.slots.set_rows(Row(slot=at) for at in range(SLOTS))
        for step in range(6):
            logits, on_host = self.logits(SLOTS, step)
            wanted = [None if matcher.is_ended else best(row, matcher) for row, matcher in zip(on_host, matchers, strict=True)]
            self.slots.step(logits)
            sampled, moved = self.memory.get(self.slots.sampled), self.memory.get(self.slots.outcomes)
            tokens = self.memory.get(self.slots.next_tokens)
            for at, token in enumerate(wanted):
                if token is None:
                    continue
                self.assertEqual(sampled[at].tolist(), [SampleOutcome.TOKEN, token])
                self.assertEqual(int(tokens[at]), token)
                matchers[at].accept(token)
                self.assertEqual(int(moved[at]), Outcome.ENDED if matchers[at].is_ended else Outcome.ACCEPTED)
            self.check_masks(matchers, step)

    def test_rows_say_what_masks_them(self) -> None:
        self.begin([0])
        self.slots.write_mask(1, numpy.array([[0, 0, 0, 0], [1 << 7, 0, 0, 0]], numpy.int32), 1)
        rows = [Row(mask="all"), Row(mask=("bits", 1), temperature=1.5, seed=3), Row(mask=("slot", 0), top_k=1, temperature=2.0), Row(is_sampled=False)]
        self.slots.set_rows(rows)
        logits, on_host = self.logits(4, 7)
        self.slots.step(logits)
        found = self.memory.get(self.slots.sampled)[:4].tolist()
        known, matcher = len(vocabulary()), formats()[0].matcher(vocabulary())
        self.assertEqual(found[0], [SampleOutcome.TOKEN, int(on_host[0, :known].argmax())])
        self.assertEqual(found[1], [SampleOutcome.TOKEN, 7])
        self.assertEqual(found[2], [SampleOutcome.TOKEN, best(on_host[2], matcher)])
        self.assertEqual(found[3][0], SampleOutcome.NOTHING)
        self.assertEqual(self.memory.get(self.slots.outcomes)[:4].tolist(), [Outcome.NONE] * 4)

    def test_biases_penalties_and_probabilities(self) -> None:
        pairs = numpy.array([[5, 0], [9, 0]], numpy.int32)
        pairs[:, 1] = numpy.array([100.0, 50.0], numpy.float32).view(numpy.int32)
        biases, written = self.memory.put(pairs, "int32"), self.memory.ints([5, 2])
        adjusted = Row(mask="all", biases=biases, written=written, frequency_penalty=2.0, tells_probability=True)
        self.slots.set_rows([adjusted, Row(mask="all", biases=biases)])
        logits, on_host = self.logits(2, 3)
        self.slots.step(logits)
        self.assertEqual(self.memory.get(self.slots.next_tokens)[:2].tolist(), [5, 5])
        # All logits count, also those without a token.
        row = on_host[0].astype(numpy.float64)
        wanted = row[5] - numpy.log(numpy.exp(row).sum())
        self.assertAlmostEqual(float(self.memory.get(self.slots.probabilities)[0]), float(wanted), places=3)

    def test_all_number_types_choose_alike(self) -> None:
        for dtype in LOGITS:
            matcher = self.begin([2])[0]
            self.slots.set_rows([Row(slot=0)])
            _, on_host = self.logits(1, 11)
            bits = as_bits(on_host, dtype)
            self.slots.step(self.memory.put(bits, dtype))
            token = int(self.memory.get(self.slots.next_tokens)[0])
            self.assertEqual(token, best(as_floats(bits, dtype)[0], matcher), dtype)


class OfDrafts(Case):
    def test_drafts_are_verified_as_by_matchers(self) -> None:
        ends: set[DraftEnd] = set()
        for seed in range(8):
            chosen, _ = shuffled(seed)
            matchers = self.begin([chosen.randrange(len(self.numbers)) for _ in range(SLOTS)])
            rows = SLOTS * (1 + DRAFT)
            self.slots.set_rows(Row(mask=("draft", row)) for row in range(rows))
            logits, on_host = self.logits(rows, seed)
            drafts = numpy.full((SLOTS, DRAFT), -1, numpy.int32)
            for at, matcher in enumerate(matchers):
                self.draft(drafts[at], on_host[at * (1 + DRAFT) :], matcher.fork(), chosen.randint(0, DRAFT), chosen.random() < 0.5)
            tokens, drafted, verified = self.memory.put(drafts, "int32"), self.memory.zeros(SLOTS, 2), self.memory.zeros(SLOTS, 3)
            self.slots.draft(tokens, drafted, verified)
            self.slots.step(logits)
            self.slots.verify(tokens, drafted, verified)
            found = self.memory.get(verified).tolist()
            allowed = [[token for token in draft if token >= 0] for draft in drafts.tolist()]
            counts = [self.allowed(draft, matcher) for matcher, draft in zip(matchers, allowed, strict=True)]
            self.assertEqual(self.memory.get(drafted)[:, 1].tolist(), counts)
            for at, matcher in enumerate(matchers):
                end, kept, moved = found[at]
                judged = self.judge(allowed[at], on_host[at * (1 + DRAFT) :], matcher)
                self.assertEqual((DraftEnd(end), kept, moved), (judged[0], judged[1], judged[1]), f"seed {seed}, slot {at}")
                ends.add(DraftEnd(end))
            self.check_masks(matchers, seed)
        self.assertEqual(ends, {DraftEnd.GOES_ON, DraftEnd.ENDED, DraftEnd.COMPLETE})

    def draft(self, draft: Numbers, logits: Numbers, probe: ogc.Matcher, length: int, is_likely: bool) -> None:
        """Drafts the tokens that will be sampled, or any allowed tokens."""
        for at in range(length):
            if probe.is_ended:
                return
            token = best(logits[at], probe) if is_likely else probe.allowed_tokens()[0]
            draft[at] = token
            probe.accept(token)

    def allowed(self, draft: list[int], matcher: ogc.Matcher) -> int:
        """The number of tokens of a draft that the slot moves by: the end of a text is left to the verification."""
        count = matcher.validate(draft)
        return count - 1 if count and draft[count - 1] in vocabulary().end_tokens else count

    def judge(self, draft: list[int], logits: Numbers, matcher: ogc.Matcher) -> tuple[DraftEnd, int]:
        """Moves a matcher by the sampled tokens, up to the first that was not drafted; returns the end, and the number of tokens."""
        for at in range(len(draft) + 1):
            if matcher.allowed_tokens() == vocabulary().end_tokens:
                return DraftEnd.COMPLETE, at
            token = best(logits[at], matcher)
            matcher.accept(token)
            if matcher.is_ended:
                return DraftEnd.ENDED, at + 1
            if at == len(draft) or token != draft[at]:
                return DraftEnd.GOES_ON, at + 1
        raise AssertionError("the last row is behind all drafted tokens")


class OfPlaces(Case):
    def test_a_matcher_goes_on_on_the_device(self) -> None:
        matcher = formats()[2].matcher(vocabulary())
        matcher.accept_text('{"ab":')
        self.begin([0, 0])
        self.slots.place(1, self.numbers[2], matcher)
        self.assertEqual([self.slots.status(slot) for slot in range(2)], ["device", "device"])
        filled = self.memory.zeros(1, (len(vocabulary()) + 31) // 32)
        self.slots.fill(filled, slots=self.memory.ints(1))
        numpy.testing.assert_array_equal(self.memory.get(filled), self.masks([matcher]))
        with self.assertRaisesRegex(ValueError, "another format"):
            self.slots.place(1, self.numbers[0], matcher)
        budgeted = formats()[0].matcher(vocabulary(), max_tokens=9)
        with self.assertRaises(ogc.LimitError):
            self.slots.place(1, self.numbers[0], budgeted)

    def test_a_text_that_is_too_deep_goes_on_on_the_host(self) -> None:
        self.begin([0, 5])
        runs = numpy.full((1, 16), vocabulary_token(b"a"), numpy.int32)
        moved, depth, reason = self.memory.zeros(1, 2), 0, None
        while reason is None and depth < 1_000:
            self.slots.run(self.memory.put(runs, "int32"), moved, slots=self.memory.ints(1))
            outcome, count = self.memory.get(moved)[0].tolist()
            reason, depth = ogc.cuda.host_reason(outcome), depth + count
        self.assertEqual((reason, self.slots.status(1)), ("it has too many frames", "host"))
        self.assertGreater(depth, 100)
        # The device does not know its mask: the row stays unchanged.
        masks = self.memory.put(numpy.full((1, 4), 77, numpy.int32), "int32")
        self.slots.fill(masks, slots=self.memory.ints(1))
        self.assertEqual(self.memory.get(masks).tolist(), [[77] * 4])
        matcher = formats()[5].matcher(vocabulary())
        matcher.accept_text("a" * (depth + 1))
        with self.assertRaises(ogc.LimitError):
            self.slots.place(1, self.numbers[5], matcher)

    def test_formats_come_and_go(self) -> None:
        format = ogc.Format.regex("a{1,9}").with_masks(vocabulary(), threads=1)
        number = self.slots.add_format(format)
        self.assertNotIn(number, self.numbers)
        self.slots.remove_format(number)
        with self.assertRaisesRegex(ValueError, f"format {number} was not added"):
            self.slots.remove_format(number)
        self.assertEqual(self.slots.add_format(format), number)
        self.slots.remove_format(number)
        with self.assertRaisesRegex(ValueError, "has no masks: `format.with_masks"):
            self.slots.add_format(ogc.Format.regex("a"))
        letters = ogc.Vocabulary.of_tokens([(0, b"a")], special={"</s>": 1}, end_tokens=[1])
        with self.assertRaisesRegex(ValueError, "vocabulary"):
            self.slots.add_format(ogc.Format.regex("a").with_masks(letters))
        distinct = ogc.Format.json_schema({"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "maxItems": 2})
        with self.assertRaises((ogc.LimitError, ValueError)):
            self.slots.add_format(distinct.with_masks(vocabulary(), threads=1))


def vocabulary_token(text: bytes) -> int:
    """The token of a text."""
    return next(token for token in range(len(vocabulary())) if vocabulary().token_bytes(token) == text)


if __name__ == "__main__":
    unittest.main()
