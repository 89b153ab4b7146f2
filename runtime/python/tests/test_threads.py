"""Tests of several threads: formats and vocabularies that they share, matchers that they pass on, and one matcher that they use at the same time."""

from __future__ import annotations

import faulthandler
import queue
import random
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy
import ogc
import pytest
from walks import SEED, Walk, letters, mask_of

THREADS = 4


@pytest.fixture(autouse=True)
def threads_change_often() -> Iterator[None]:
    assert faulthandler.is_enabled()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def run(work: Callable[[random.Random], None], seed: int) -> None:
    """Runs work on several threads that begin together; fails if a thread fails."""
    begin = threading.Barrier(THREADS)

    def begun(draw: random.Random) -> None:
        begin.wait()
        work(draw)

    with ThreadPoolExecutor(THREADS) as threads:
        for done in [threads.submit(begun, random.Random(seed + at)) for at in range(THREADS)]:
            done.result()


@pytest.mark.parametrize("seed", range(SEED, SEED + 40, 10))
def test_matchers_passed_between_threads_equal_a_fresh_replay(seed: int) -> None:
    shared, handed = letters(), queue.SimpleQueue[Walk]()

    def work(draw: random.Random) -> None:
        walk = Walk.begin(draw, shared)
        for _ in range(400):
            for _ in range(draw.randint(1, 4)):
                walk.step(draw)
            walk.check()
            handed.put(walk.fork())
            walk = handed.get() if draw.randrange(8) else Walk.begin(draw, shared)

    run(work, seed)


def test_threads_fill_rows_of_many_matchers_and_compile_meanwhile() -> None:
    shared = letters()

    def work(draw: random.Random) -> None:
        walks = [Walk.begin(draw, shared) for _ in range(6)]
        rows = numpy.zeros((len(walks), 8), numpy.int32)
        for at in range(20):
            for walk in walks:
                walk.step(draw)
            ogc.fill_masks([walk.matcher for walk in walks], rows, threads=draw.randint(1, 3))
            assert [row.tolist() for row in rows] == [mask_of(walk.fresh()) for walk in walks]
            count = draw.randrange(1, 50)
            matcher = ogc.Format.regex(f"a{{{count}}}|b{at}").matcher(shared)
            assert matcher.forced_bytes() == b"" and matcher.least_budget() is not None

    run(work, SEED)


def test_one_matcher_in_several_threads_raises_or_works() -> None:
    matcher = Walk.begin(random.Random(SEED), letters()).matcher
    changes: list[int] = []

    def work(draw: random.Random) -> None:
        words, token = numpy.zeros(8, numpy.int32), draw.randrange(32, 100)
        calls: list[tuple[int, Callable[[], object]]] = [
            (0, lambda: changes.append(int(matcher.try_accept(token)))),
            (1, lambda: matcher.accept(draw.choice(matcher.allowed_tokens()))),
            (-1, lambda: matcher.rollback()),
            (0, lambda: matcher.fill_mask(words)),
            (0, lambda: ogc.fill_masks([matcher], words)),
            (0, lambda: matcher.validate([token, token])),
            (0, lambda: matcher.forced_bytes()),
            (0, lambda: matcher.fork().restore(matcher.save())),
            (0, lambda: repr(matcher)),
            (0, lambda: matcher.set_budget(None)),
        ]
        for _ in range(400):
            change, call = draw.choice(calls)
            try:
                call()
                changes.append(change)
            except (IndexError, ogc.NotAllowedError):
                pass  # No token is left to take back, or another thread has moved on.
            except RuntimeError as error:
                assert "borrowed" in str(error) or "used elsewhere" in str(error)

    run(work, SEED)
    assert len(matcher) == sum(changes)
    fresh = matcher.format.matcher(matcher.vocabulary)
    fresh.restore(matcher.save())
    assert mask_of(matcher) == mask_of(fresh)


def test_one_reader_in_several_threads_raises_or_works() -> None:
    vocabulary, array = letters(), ogc.Format.json_schema({"type": "array"})
    reader, follower = ogc.EventReader(array), ogc.RowFollower(array.matcher(vocabulary))

    def work(draw: random.Random) -> None:
        rows = numpy.zeros((2, 8), numpy.int32)
        for _ in range(300):
            try:
                reader.read(draw.choice([b"[", b"]", b"1", b",", b" "]))
                follower.follow([[59], [59, 59]])
                follower.fill_masks(rows, threads=2)
            except RuntimeError as error:
                assert "borrowed" in str(error)
            except ValueError:
                pass  # The pieces of several threads do not make up a text.

    run(work, SEED)
