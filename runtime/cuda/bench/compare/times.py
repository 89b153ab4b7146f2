"""Times of single kernels on a device, beside one that does nothing and a copy: `python3 -m compare.times --help`.

Rows stand at places in texts of a corpus, each of another format. A launch is timed between two events, behind work
that keeps the device busy while the host queues all of them, so that the host is not in it; and in a graph of several.
Moves are taken back in between, which is in their time in a graph, and not in the other. The last column counts the
slots that were still moved at the end: random tokens lead some to where the device cannot go on.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ogc
import torch
from ogc.cuda import Device, Outcome

from .corpus import cases
from .device_slots import RowMask, added, device_in_words, opened
from .device_slots import rows as rows_of
from .replay import Text
from .shapes import padded
from .vocabulary import Vocabulary, read

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}

# Launches between events, launches of a graph, and cycles for which the device is busy before.
LAUNCHES, IN_GRAPH, BUSY = 25, 20, 30_000_000

MOST_TOKENS = 400

Launch = Callable[[], None]


@dataclass(frozen=True)
class Place:
    """The rows of a measurement: slots at places in texts, and lists for them on the device."""

    slots: Any
    rows: int
    formats: torch.Tensor
    # The tokens of each step up to the places, and what came of them.
    before: torch.Tensor
    told: torch.Tensor
    tokens: torch.Tensor
    none: torch.Tensor
    one: torch.Tensor
    outcomes: torch.Tensor

    def restore(self) -> None:
        """Puts all slots at their places."""
        self.slots.begin(self.formats)
        for tokens, told in zip(self.before, self.told, strict=True):
            self.slots.advance(tokens, told)
        torch.cuda.synchronize()

    def moved(self) -> int:
        """Returns how many slots were moved, and taken back, by the last launches."""
        return int(((self.outcomes & 0xFF) == Outcome.ACCEPTED).sum())


def main() -> int:
    """Prints a table, line by line."""
    arguments = _parser().parse_args()
    vocabulary, device = read(arguments.tokenizer, None), Device()
    print(device_in_words(device))
    rows = [int(part) for part in arguments.rows.split(",")]
    texts = list(_texts(arguments, vocabulary))
    known = ogc.Vocabulary.of_file(arguments.tokenizer)
    slots = opened(known, max(rows), padded(len(vocabulary)), len(texts))
    numbers = added(slots, known, map(_format, texts), 0)
    print(f"{len(texts)} texts, {sum(isinstance(one, int) for one in numbers)} formats on the device", flush=True)
    print("| kernel | logits | rows | alone | in a graph | of logits | moved |\n|---|---|---:|---:|---:|---:|---:|")
    nothing = _nothing()
    _line("an addition to one number", "", 1, _tried(_alone, nothing, None), _tried(_in_graph, nothing, None), 0, "")
    for count in rows:
        place = _placed(slots, numbers, texts, count)
        for name, launch, back in _moves(place):
            _measured(place, name, "", launch, back, 0)
        for name, dtype in TYPES.items():
            _measure(device, vocabulary, place, name, dtype)
    return 0


class _Refused:
    """A schema that ogc does not compile."""

    def __init__(self, error: ogc.FormatError) -> None:
        self.error = error

    def with_masks(self, vocabulary: ogc.Vocabulary, *, threads: int) -> ogc.Format:
        """Says why there are no masks."""
        raise self.error


def _format(text: Text) -> ogc.Format | _Refused:
    try:
        return ogc.Format.json_schema(text.schema)
    except ogc.FormatError as error:
        return _Refused(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="compare.times", description="times of kernels")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--rows", default="1,8,64,256,1024")
    parser.add_argument("--texts", type=int, default=60)
    return parser


def _texts(arguments: argparse.Namespace, vocabulary: Vocabulary) -> Iterator[Text]:
    """Yields texts, in the longest tokens that match."""
    count = 0
    for case in cases(arguments.corpus, 1):
        tokens = vocabulary.longest_matches(case.text.encode())
        if count < arguments.texts and tokens is not None and len(tokens) < MOST_TOKENS:
            count += 1
            yield Text(case.id, case.schema, (*tokens, vocabulary.end))


def _placed(slots: Any, numbers: list[int | str], texts: list[Text], rows: int) -> Place:
    """Puts rows at places in texts, none at its end, and says what came of it."""
    known = [(text, number) for text, number in zip(texts, numbers, strict=True) if isinstance(number, int)]
    chosen = [known[row % len(known)] for row in range(rows)]
    lengths = [1 + 37 * (row + 1) % (len(text.tokens) - 2) for row, (text, _) in enumerate(chosen)]
    steps = [
        [text.tokens[at] if at < length else -1 for (text, _), length in zip(chosen, lengths, strict=True)]
        for at in range(max(lengths))
    ]
    given = torch.tensor(steps, dtype=torch.int32, device="cuda")
    formats = torch.tensor([number for _, number in chosen], dtype=torch.int32, device="cuda")
    following = [text.tokens[length] for (text, _), length in zip(chosen, lengths, strict=True)]
    tokens = torch.tensor(following, dtype=torch.int32, device="cuda")
    outcomes = torch.zeros(rows, dtype=torch.int32, device="cuda")
    lists_of_one = (tokens, torch.full_like(tokens, -1), torch.ones_like(tokens), outcomes)
    place = Place(slots, rows, formats, given, torch.zeros_like(given), *lists_of_one)
    place.restore()
    accepted, asked = int(((place.told & 0xFF) == Outcome.ACCEPTED).sum()), int((given >= 0).sum())
    print(f"placed {rows} rows: {accepted} of {asked} tokens were accepted", flush=True)
    return place


def _nothing() -> Launch:
    number = torch.zeros(1, device="cuda")
    return lambda: (number.add_(1), None)[1]


def _rolled(place: Place) -> Launch:
    """Returns what takes a token of each slot back."""
    return lambda: place.slots.roll_back(place.one, place.outcomes)


def _moves(place: Place) -> Iterator[tuple[str, Launch, Launch | None]]:
    """Yields what moves slots and has no logits."""
    slots, outcomes = place.slots, place.outcomes
    yield "advance and locate", lambda: slots.advance(place.tokens, outcomes), _rolled(place)
    yield "locate, and advance by nothing", lambda: slots.advance(place.none, outcomes), None
    every = torch.arange(place.rows, dtype=torch.int32, device="cuda")
    yield "fill", lambda: slots.fill(slots=every), None


def _measure(device: Device, vocabulary: Vocabulary, place: Place, name: str, dtype: torch.dtype) -> None:
    """Measures what reads or writes logits of a number type."""
    width = padded(len(vocabulary))
    drawn = torch.Generator("cuda").manual_seed(1)
    logits = torch.randn(place.rows, width, generator=drawn, device="cuda").to(dtype)
    size = logits.numel() * logits.element_size()
    other = torch.empty_like(logits)
    _measured(place, "a copy", name, lambda: (other.copy_(logits), None)[1], None, 2 * size)
    for what, masked, moves, temperature in (
        ("sample, all tokens", RowMask.NONE, False, 1.0),
        ("sample, by masks", RowMask.SLOTS, False, 1.0),
        ("step", RowMask.SLOTS, True, 1.0),
        ("step, the highest", RowMask.SLOTS, True, 0.0),
    ):
        place.slots.set_rows(rows_of(place.rows, masked, temperature, moves))
        launch = lambda: place.slots.step(logits)  # noqa: E731
        _measured(place, what, name, launch, _rolled(place) if moves else None, size)
    for what, launch in _masked(device, vocabulary, place, other):
        _measured(place, what, name, launch, None, size)


def _masked(device: Device, vocabulary: Vocabulary, place: Place, logits: torch.Tensor) -> Iterator[tuple[str, Launch]]:
    """Yields what masks logits by bits: of the kernel here, and of the one of xgrammar."""
    masks = torch.full((place.rows, vocabulary.words), -1, dtype=torch.int32, device="cuda")
    place.restore()
    place.slots.fill(masks)
    torch.cuda.synchronize()
    bits = masks.unsqueeze(-1) >> torch.arange(32, dtype=torch.int32, device="cuda") & 1
    print(f"masks of {place.rows} rows allow {bits.sum().item() / place.rows:.0f} tokens in the mean", flush=True)
    del bits
    size = len(vocabulary)
    yield "apply", lambda: device.mask_logits(logits, masks, tokens=size)
    try:
        import xgrammar

        yield "apply of xgrammar", lambda: xgrammar.apply_token_bitmask_inplace(logits, masks, vocab_size=size)
    except Exception as error:  # noqa: BLE001
        print(f"apply of xgrammar: {type(error).__name__}: {error}", flush=True)


def _tried(measure: Callable[[Launch, Launch | None], float], launch: Launch, back: Launch | None) -> float | str:
    """Returns the seconds of a launch; or why there are none."""
    try:
        return measure(launch, back)
    except Exception as error:  # noqa: BLE001
        return f"failed: {type(error).__name__}: {' '.join(str(error).split())[:120]}"


def _alone(launch: Launch, back: Launch | None) -> float:
    for _ in range(3):
        launch()
        if back is not None:
            back()
    torch.cuda.synchronize()
    torch.cuda._sleep(BUSY)
    marks = []
    for _ in range(LAUNCHES):
        first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        launch()
        second.record()
        if back is not None:
            back()
        marks.append((first, second))
    torch.cuda.synchronize()
    return statistics.median(first.elapsed_time(second) for first, second in marks) / 1e3


def _in_graph(launch: Launch, back: Launch | None) -> float:
    """Returns the time of one launch in a graph; with what takes it back, if there is such."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(IN_GRAPH):
            launch()
            if back is not None:
                back()
    times = []
    for _ in range(4):
        first, second = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda._sleep(BUSY // 10)
        first.record()
        graph.replay()
        second.record()
        torch.cuda.synchronize()
        times.append(first.elapsed_time(second) / 1e3 / IN_GRAPH)
    return min(times)


def _measured(place: Place, name: str, format: str, launch: Launch, back: Launch | None, size: int) -> None:
    """Measures a launch from the places on."""
    place.restore()
    alone = _tried(_alone, launch, back)
    place.restore()
    graph = _tried(_in_graph, launch, back)
    _line(name, format, place.rows, alone, graph, size, "" if back is None else f"{place.moved()}")


def _line(name: str, format: str, rows: int, alone: float | str, graph: float | str, size: int, moved: str) -> None:
    """Prints a line of the table."""
    shown = [f"{1e6 * time:.2f} us" if isinstance(time, float) else time for time in (alone, graph)]
    speed = f"{size / graph / 1e9:.0f} GB/s" if isinstance(graph, float) and size > 0 else ""
    print(f"| {name} | {format} | {rows} | {shown[0]} | {shown[1]} | {speed} | {moved} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
