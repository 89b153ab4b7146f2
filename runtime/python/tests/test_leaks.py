"""Tests that memory does not grow with formats, matchers, vocabularies, events and errors."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
from pathlib import Path

import ogc
import pytest
from walks import letters

STATM = Path("/proc/self/statm")
#: Each round makes two formats.
ROUNDS = 10_000 if os.environ.get("OGC_FULL") == "1" else 1_000


def resident() -> int:
    """Bytes of this process in memory, without the memory that compilations share and that the allocator keeps for later."""
    gc.collect()
    ogc.forget_shared()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def use(at: int, vocabulary: ogc.Vocabulary) -> None:
    """Makes one object of each kind, each with a text of its own."""
    format = ogc.Format.json_schema({"type": "object", "properties": {f"key {at}": {"enum": [at, f"value {at}"]}}})
    matcher = format.matcher(vocabulary, max_tokens=40)
    matcher.accept_text(f'{{"key {at}": ')
    fork = matcher.fork()
    fork.allowed_tokens()
    fork.forced_tokens(lambda text: [])
    matcher.restore(pickle.loads(pickle.dumps(fork)).save())
    list(ogc.events(format, [f'{{"key {at}": {at}}}']))
    ogc.RowFollower(format.matcher(vocabulary)).follow([[91], [91]])
    small = ogc.Vocabulary.of_tokens([(0, b"a" * (at % 50 + 1))], special={f"</{at}>": 1}, end_tokens=[1])
    ogc.Format.regex(f"a+{at}").matcher(small).allowed_tokens()
    with pytest.raises(ogc.FormatError):
        ogc.Format.json_schema({"type": f"objekt {at}"})
    with pytest.raises(ogc.NotAllowedError):
        matcher.accept(90)
    rows = ogc.mask_rows(bytearray(16))
    matcher.fill_mask(rows)


def make(first: int, count: int) -> None:
    vocabulary = letters()
    for at in range(first, first + count):
        use(at, vocabulary)
        # A vocabulary keeps the masks of all formats that were used with it.
        vocabulary = letters() if at % 50 == 0 else vocabulary


@pytest.mark.skipif(not STATM.exists(), reason="this system does not tell how much memory a process takes")
def test_dropped_objects_free_their_memory() -> None:
    make(0, ROUNDS // 4)
    before = resident()
    make(1_000_000, ROUNDS)
    grown = resident() - before
    print(f"{ROUNDS} rounds: {before >> 10} KiB before, {grown >> 10} KiB more after")
    # Allocators keep some memory; a leak of a few hundred bytes a round is detected.
    assert grown < (1 << 20) + ROUNDS * 200
