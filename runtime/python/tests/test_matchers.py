"""Tests of matchers, buffers of other libraries, and functions over many matchers."""

import array
import threading
from typing import Any

import numpy
import ogc
import pytest

AB = ogc.Format.regex("ab+")


def bits(words: object) -> list[int]:
    row = numpy.asarray(words, dtype=numpy.uint32)
    return [at for at in range(32 * len(row)) if row[at // 32] >> (at % 32) & 1]


def test_a_text_is_written_token_by_token(letters: ogc.Vocabulary) -> None:
    matcher = AB.matcher(letters)
    assert matcher.allowed_tokens() == [0, 2]
    assert not matcher.try_accept(1)
    matcher.accept(2)
    assert (len(matcher), matcher.is_complete, matcher.is_ended) == (1, True, False)
    fork = matcher.fork()
    fork.accept(4)
    assert fork.is_ended and not matcher.is_ended
    with pytest.raises(ogc.NotAllowedError, match="token 0 is not allowed"):
        matcher.accept(0)
    matcher.rollback()
    with pytest.raises(IndexError):
        matcher.rollback()
    assert matcher.validate([0, 1, 0]) == 2 and len(matcher) == 0
    assert matcher.forced_bytes() == b"ab"
    assert matcher.forced_tokens(lambda text: [2]) == [2]
    saved = fork.save()
    matcher.restore(saved)
    assert matcher.is_ended
    with pytest.raises(ValueError):
        matcher.restore(saved[:-1])


def test_a_budget_completes_the_text_in_time(letters: ogc.Vocabulary) -> None:
    assert AB.least_tokens(letters) == 1
    matcher = AB.matcher(letters, max_tokens=2)
    matcher.accept(0)
    assert matcher.allowed_tokens() == [1]
    matcher.accept(1)
    assert matcher.allowed_tokens() == [4]
    matcher.set_budget(None)
    assert matcher.allowed_tokens() == [1, 4]
    with pytest.raises(ogc.BudgetError):
        ogc.Format.regex("ab{9}").matcher(letters, max_tokens=5)


@pytest.mark.parametrize(
    "buffer",
    [
        numpy.full(2, 7, numpy.int32),
        numpy.full((1, 2), 7, numpy.uint32),
        array.array("I", [7, 7]),
        bytearray(b"\7" * 8),
        memoryview(bytearray(8)),
    ],
    ids=["int32", "uint32", "array", "bytearray", "memoryview"],
)
def test_masks_can_be_written_to_any_buffer(letters: ogc.Vocabulary, buffer: object) -> None:
    AB.matcher(letters).fill_mask(buffer)
    words = numpy.frombuffer(memoryview(buffer).cast("B"), numpy.uint32)  # type: ignore[arg-type]
    assert bits(words) == [0, 2]


def test_masks_can_be_written_to_rows_with_a_stride(letters: ogc.Vocabulary) -> None:
    whole = numpy.full((4, 5), 9, numpy.int32)
    rows = ogc.mask_rows(whole[:, 1:3])
    assert repr(rows) == "<MaskRows: 4 rows of 2 words>"
    matchers = [AB.matcher(letters) for _ in range(3)]
    matchers[1].accept(2)
    ogc.fill_masks(matchers, rows, [3, 0, 1], threads=2)
    assert [bits(row) for row in whole[[3, 0, 1], 1:3]] == [[0, 2], [1, 4], [0, 2]]
    assert (whole[:, [0, 3, 4]] == 9).all() and (whole[2] == 9).all()


@pytest.mark.parametrize(
    ("buffer", "error"),
    [
        (numpy.zeros(2, numpy.int64), TypeError),
        (numpy.zeros((2, 2, 2), numpy.int32), ValueError),
        (numpy.zeros((2, 4), numpy.int32)[:, ::2], ValueError),
        (numpy.zeros((4, 2), numpy.int32)[::-1], ValueError),
        (b"read-only", ValueError),
        (numpy.zeros(0, numpy.int32), ValueError),
        (3, TypeError),
    ],
    ids=["wide", "three dimensions", "gaps", "backwards", "read-only", "none", "no buffer"],
)
def test_unsuitable_buffers_are_refused(letters: ogc.Vocabulary, buffer: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        AB.matcher(letters).fill_mask(buffer)


def test_a_buffer_keeps_its_memory_while_its_rows_live(letters: ogc.Vocabulary) -> None:
    buffer = bytearray(8)
    rows = ogc.mask_rows(buffer)
    with pytest.raises(BufferError):
        buffer.extend(b"more")
    AB.matcher(letters).fill_mask(rows)
    assert buffer[0] == 0b101
    del rows
    buffer.extend(b"more")


def test_row_indices_out_of_range_are_refused(letters: ogc.Vocabulary) -> None:
    rows = numpy.full((2, 1), 9, numpy.int32)
    matcher = AB.matcher(letters)
    with pytest.raises(IndexError):
        matcher.fill_mask(rows, 2)
    with pytest.raises(ValueError, match="twice"):
        ogc.fill_masks([matcher, matcher.fork()], rows, [0, 0])
    with pytest.raises(ValueError, match="of 2 rows"):
        ogc.fill_masks([matcher], rows, [2])
    with pytest.raises(RuntimeError, match="twice"):
        ogc.fill_masks([matcher, matcher], rows)
    with pytest.raises(ValueError, match="at least 1"):
        ogc.fill_masks([matcher], rows, threads=0)
    with pytest.raises(ValueError, match="at least 1"):
        ogc.RowFollower(matcher).fill_masks(rows, threads=0)
    assert (rows == 9).all()


def test_drafts_are_masked_in_one_call(letters: ogc.Vocabulary) -> None:
    rows = numpy.zeros((4, 1), numpy.int32)
    matcher = AB.matcher(letters)
    assert matcher.fill_draft([2, 1, 0], rows) == [True, True, False]
    assert [bits(row) for row in rows] == [[0, 2], [1, 4], [1, 4], []]
    assert matcher.fill_draft([2, 0, 3], rows, parents=[-1, -1, 1]) == [True, True, False]
    with pytest.raises(IndexError):
        matcher.fill_draft([0, 0, 0, 0], rows)
    assert len(matcher) == 0


@pytest.mark.parametrize("kind", ["float32", "float16"])
def test_masks_are_applied_to_logits(letters: ogc.Vocabulary, kind: str) -> None:
    masks = numpy.zeros((2, 1), numpy.int32)
    AB.matcher(letters).fill_mask(masks, 1)
    logits: Any = numpy.ones((3, 8), kind)
    ogc.mask_logits(masks, logits[:, :6], [1, 0, 1], fill=-5)
    expected: Any = numpy.ones((3, 8), kind)
    expected[:, :6] = -5
    expected[[0, 2], :3:2] = 1
    assert (logits == expected).all()


def test_followed_rows_have_the_masks_of_their_texts(letters: ogc.Vocabulary) -> None:
    follower = ogc.RowFollower(AB.matcher(letters))
    masks = numpy.zeros((3, 1), numpy.int32)
    follower.follow([[0], [2]])
    assert follower.fill_masks(masks) == [True, True]
    follower.follow([[2, 4, 4], [0, 1], [2]])
    assert follower.fill_masks(masks) == [False, True, True]
    assert masks[0] == -1 and [bits(row) for row in masks[1:]] == [[1, 4], [1, 4]]
    with pytest.raises(ogc.NotAllowedError, match="row 1, token 1"):
        follower.follow([[0], [0, 0]])


def test_a_matcher_that_two_threads_use_raises_and_never_crashes(o200k: ogc.Vocabulary) -> None:
    matcher = ogc.Format.json_schema({"type": "object"}).matcher(o200k)
    words = numpy.zeros(len(o200k) // 32 + 1, numpy.int32)
    errors: list[BaseException] = []

    def use() -> None:
        for _ in range(300):
            try:
                matcher.fill_mask(words)
            except RuntimeError as error:
                errors.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrowed" in str(error) for error in errors)


def test_the_memory_of_masks_can_be_limited() -> None:
    vocabulary = ogc.Vocabulary.of_tokens(enumerate([b"a", b"b"]), special={"</s>": 2}, end_tokens=[2])
    matcher = ogc.Format.regex("a|b").matcher(vocabulary)
    assert matcher.allowed_tokens() == [0, 1] and vocabulary.mask_bytes > 0
    vocabulary.limit_masks(0)
    assert vocabulary.mask_bytes == 0 and matcher.allowed_tokens() == [0, 1]
