"""Tests of what needs the standard library alone: `python3 -m unittest compare.tests`."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import arguments, corpus, figures, plan, shapes, vocabulary
from .plan import Arm
from .replay import Text, schedule

BASE = ["--corpus", "c", "--tokenizer", "t"]


class OfCorpora(unittest.TestCase):
    """Corpora are read exactly, or refused with a place."""

    def read(self, *lines: str) -> list[corpus.Case]:
        """Reads lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "corpus.jsonl"
            path.write_text("\n".join(lines), encoding="utf-8")
            return list(corpus.cases(path, seed=1))

    def test_numbers_keep_their_spelling(self) -> None:
        tests = '[{"valid":false,"data":1},{"valid":true,"data":[1.50,{"é":-0}]}]'
        (case,) = self.read('{"id":"a","schema":{"maximum":1e400},"tests":' + tests + "}")
        self.assertEqual((case.schema, case.text), ('{"maximum": 1e400}', '[1.50, {"\\u00e9": -0}]'))

    def test_null_is_a_text_and_cases_without_valid_texts_are_skipped(self) -> None:
        null = '{"id":"a","schema":true,"tests":[{"valid":true,"data":null}]}'
        none = '{"id":"b","schema":true,"tests":[{"valid":false,"data":null}]}'
        self.assertEqual([(case.id, case.text) for case in self.read(null, none, "")], [("a", "null")])

    def test_a_broken_line_is_refused_with_its_number(self) -> None:
        for line in ("{", "[]", '{"id": "a"}'):
            with self.assertRaisesRegex(corpus.CorpusError, "corpus.jsonl:2: "):
                self.read("", line)

    def test_the_seed_chooses_the_order(self) -> None:
        lines = [json.dumps({"id": str(n), "schema": True, "tests": [{"valid": True, "data": n}]}) for n in range(20)]
        ids = [case.id for case in self.read(*lines)]
        self.assertEqual(sorted(ids, key=int), [str(n) for n in range(20)])
        self.assertEqual(ids, [case.id for case in self.read(*lines)])
        self.assertNotEqual(ids, sorted(ids, key=int))


class OfVocabularies(unittest.TestCase):
    """Tokens have their bytes."""

    def read(self, vocab: dict[str, int], special: str, end: str | None = None, **rest: Any) -> vocabulary.Vocabulary:
        """Reads a tokenizer."""
        added = [{"id": len(vocab), "content": special, "special": True}]
        content = {"model": {"vocab": vocab}, "added_tokens": added, **rest}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "tokenizer.json"
            path.write_text(json.dumps(content), encoding="utf-8")
            return vocabulary.read(path, end)

    def test_byte_level_tokens_are_decoded(self) -> None:
        tokens = self.read({"Ġ": 0, "Ã": 1, "©": 2, "Ġa": 3}, "<|eot_id|>", decoder={"type": "ByteLevel"})
        self.assertEqual(tokens.texts, (b" ", b"\xc3", b"\xa9", b" a", None))
        self.assertEqual((tokens.end, tokens.end_name, tokens.words), (4, "<|eot_id|>", 1))
        self.assertEqual(tokens.longest_matches(" aé".encode()), [3, 1, 2])
        self.assertIsNone(tokens.longest_matches(b"b"))
        self.assertEqual((tokens.written([3, 1]), tokens.written([4])), (b" a\xc3", None))

    def test_metaspace_and_byte_tokens_are_decoded(self) -> None:
        tokens = self.read({"▁a": 0, "<0x0A>": 1}, "</s>")
        self.assertEqual(tokens.texts, (b" a", b"\n", None))

    def test_the_end_token_is_found_or_must_be_named(self) -> None:
        with self.assertRaisesRegex(vocabulary.VocabularyError, "name one with --end"):
            self.read({"a": 0}, "<none>")
        self.assertEqual(self.read({"a": 0}, "<none>", end="<none>").end, 1)


class OfPlans(unittest.TestCase):
    """Every arm is there, or says why not."""

    def runs(self, *given: str) -> list[plan.Run]:
        """Plans runs."""
        return list(plan.runs(arguments.read([*BASE, *given]), 128_256))

    def test_all_arms_of_all_sizes_are_planned(self) -> None:
        runs = self.runs("--rows", "1,256")
        self.assertEqual(len(runs), 2 * 2 * len(Arm))
        self.assertEqual([run.arm for run in runs if run.skipped], [])

    def test_arms_with_slots_can_be_left_out(self) -> None:
        skipped = {run.arm: run.skipped for run in self.runs("--rows", "1", "--no-fused") if run.skipped}
        self.assertEqual(skipped, dict.fromkeys((Arm.OGC_SAMPLER, Arm.OGC_STEP), "--no-fused is given"))

    def test_overheads_are_against_the_arm_with_the_same_sampler(self) -> None:
        self.assertEqual([arm for arm in Arm if arm.baseline is None], [Arm.UNCONSTRAINED, Arm.OGC_SAMPLER])
        self.assertEqual([arm for arm in Arm if arm.baseline is Arm.OGC_SAMPLER], [Arm.OGC_STEP])
        kinds = [(arm.is_peer, arm.is_ours) for arm in Arm]
        self.assertEqual([kinds.count(kind) for kind in ((True, False), (False, True), (False, False))], [4, 4, 2])

    def test_without_a_device_arms_that_need_one_are_left_out(self) -> None:
        runs = self.runs("--rows", "1", "--device", "cpu")
        ran = [run.arm for run in runs if run.skipped is None]
        self.assertEqual(ran, [Arm.UNCONSTRAINED, Arm.XGRAMMAR_SYNC, Arm.LLGUIDANCE_SYNC, Arm.OGC_SYNC])

    def test_models_have_their_published_numbers_of_weights(self) -> None:
        # The numbers of weights that are published: 1.24 and 8.03 billion.
        self.assertEqual(shapes.SHAPES["1b"].weights(128_256), 1_235_814_400)
        self.assertEqual(shapes.SHAPES["8b"].weights(128_256), 8_030_261_248)


class OfReplays(unittest.TestCase):
    """Rows go from text to text."""

    TEXTS = [Text("a", "", (1, 2, 97)), Text("b", "", (3, 97)), Text("c", "", (40, 41, 42, 43, 97))]

    def test_rows_start_at_different_texts_and_wrap_around(self) -> None:
        plan = schedule(self.TEXTS, rows=3, steps=6)
        self.assertEqual(plan.texts, [[0, 1, 2], [1, 2], [2, 0]])
        self.assertEqual([row[0] for row in plan.tokens], [1, 2, 97, 3, 97, 40])
        self.assertEqual([row[1] for row in plan.turns], [0, 0, 1, 1, 1, 1])
        self.assertEqual((plan.rows, plan.steps), (3, 6))

    def test_beginnings_are_the_steps_at_which_rows_start_a_text(self) -> None:
        found = schedule(self.TEXTS, rows=3, steps=6).beginnings()
        self.assertEqual(found, [[(0, 0), (1, 1), (2, 2)], [], [(1, 2)], [(0, 1)], [], [(0, 2), (2, 0)]])


class OfFigures(unittest.TestCase):
    """Percentiles are by nearest rank."""

    def test_percentiles_are_by_nearest_rank(self) -> None:
        found = figures.summary([n / 1e6 for n in range(1000, 0, -1)])
        self.assertEqual((found.count, found.greatest), (1000, 1000.0))
        self.assertAlmostEqual(found.median, 500.0)
        self.assertAlmostEqual(found.p99, 990.0)
        self.assertAlmostEqual(found.mean, 500.5)
        self.assertAlmostEqual(figures.summary([2.0]).median, 2e6)


if __name__ == "__main__":
    unittest.main()
