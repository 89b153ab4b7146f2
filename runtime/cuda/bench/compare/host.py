"""Measures masks on the host, without a model: for each step the tokens are accepted and the masks are written.

Beside the time on the wall stands that of all processors, which other programs on the machine do not lengthen.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy

from .arguments import Arguments
from .engines import Engine, Masks
from .figures import Summary, summary
from .plan import EngineName, thread_counts
from .replay import Batch, Schedule, Text, schedule
from .selection import Engines, Selection
from .vocabulary import Vocabulary

# How often steps are measured: the least of each is what the engine takes, without what else the machine does.
ROUNDS = 3

# On the wall, and of all processors, in seconds.
Times = tuple[list[float], list[float]]


@dataclass(frozen=True)
class HostTime:
    """What an engine took for a step of all rows."""

    engine: EngineName
    rows: int
    threads: int
    step: Summary
    processors: Summary


def measure(arguments: Arguments, vocabulary: Vocabulary, engines: Engines, selection: Selection) -> Iterator[HostTime]:
    """Measures all engines, numbers of rows and of threads."""
    for rows in arguments.rows:
        plan = schedule(selection.texts, rows, all_steps(selection.texts, rows, arguments.steps))
        for name, engine in engines.items():
            batch = Batch(engine, selection.formats[name], plan)
            for threads in thread_counts(arguments.threads):
                print(f"host: {rows} rows, {threads} threads, {name.value}", file=sys.stderr)
                engine.use_threads(threads)
                wall, processors = warm_steps(engine, batch, plan, vocabulary)
                yield HostTime(name, rows, threads, summary(wall), summary(processors))


def all_steps(texts: list[Text], rows: int, least: int) -> int:
    """Returns how many steps write about all texts once."""
    return max(least, -(-sum(len(text.tokens) for text in texts) // rows))


def warm_steps(engine: Engine[Any, Any], batch: Batch[Any, Any], plan: Schedule, vocabulary: Vocabulary) -> Times:
    """Returns the times of steps that the same sequences have done once before; the first time they are checked."""
    masks = Masks(plan.rows, vocabulary.words)
    steps(engine, batch, plan, masks, is_checked=True)
    with without_collection():
        rounds = [steps(engine, batch, plan, masks, is_checked=False) for _ in range(ROUNDS)]
    wall, processors = ([min(times) for times in zip(*clock, strict=True)] for clock in zip(*rounds, strict=True))
    return wall, processors


@contextmanager
def without_collection() -> Iterator[None]:
    """Keeps the collector of Python out of what is measured."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def steps(engine: Engine[Any, Any], batch: Batch[Any, Any], plan: Schedule, masks: Masks, is_checked: bool) -> Times:
    """Does all steps from the beginning, and returns the time of each: on the wall, and of all processors."""
    batch.reset()
    wall, processors = [], []
    for step, active in enumerate(batch.active):
        used, begin = time.process_time(), time.perf_counter()
        if step > 0:
            engine.accept(batch.active[step - 1], plan.tokens[step - 1])
        engine.fill(active, masks)
        wall.append(time.perf_counter() - begin)
        processors.append(time.process_time() - used)
        if is_checked:
            check(masks, plan.tokens[step])
    return wall, processors


def check(masks: Masks, tokens: list[int]) -> None:
    """Raises unless each token is in the mask of its row."""
    tokens_of_rows = numpy.array(tokens)
    words = masks.array.view(numpy.uint32)[numpy.arange(len(tokens)), tokens_of_rows // 32]
    bits = words >> (tokens_of_rows % 32).astype(numpy.uint32) & 1
    if not bits.all():
        raise AssertionError(f"row {int(numpy.argmin(bits))}: the next token of the text is not in its mask")
