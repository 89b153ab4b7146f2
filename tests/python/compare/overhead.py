"""Measures the time that a logits processor adds to a step of transformers, for three libraries: `python -m compare.overhead MODEL`.

One row, greedy. Only the time of the processor's call counts. If a library fails at a format, while compiling or writing, its error is
printed.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LogitsProcessor

from .apart import TakesTooMuch, apart
from .format import Format
from .formats import formats
from .processors import LIBRARIES, Maker, NotOffered
from .report import markdown

#: Seconds and GiB that a library may take for a format, to compile it and to write a text.
SECONDS, GIB = 120, 6

OUTCOMES = ("valid", "truncated", "invalid", "refused", "failed", "took too much", "not offered")


class Timed(LogitsProcessor):
    """Times the calls of a processor."""

    supports_continuous_batching = False

    def __init__(self, processor: Any) -> None:
        self._processor = processor
        self.seconds: list[float] = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> Any:
        start = time.perf_counter()
        try:
            return self._processor(input_ids, scores)
        finally:
            self.seconds.append(time.perf_counter() - start)


@dataclass
class Text:
    """The result for a text of a format, and the seconds that it took: to compile, for the first step, for the others."""

    outcome: str
    compiling: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)


@dataclass
class Library:
    name: str
    texts: dict[str, Text] = field(default_factory=dict)

    def seconds(self, of: str) -> list[float]:
        return [second for text in self.texts.values() for second in getattr(text, of)]

    def names(self, outcome: str) -> list[str]:
        return [name for name, text in self.texts.items() if text.outcome == outcome]


def main(folder: str) -> None:
    torch.set_num_threads(1)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    libraries = [Library(name) for name in LIBRARIES]
    for library in libraries:
        for format in formats():
            library.texts[format.name] = apart_from_others(library.name, format, model, tokenizer)
    print(markdown(table(libraries)))
    for library in libraries:
        for outcome in OUTCOMES[1:-1]:
            if names := library.names(outcome):
                print(f"\n{library.name}, {outcome}: {', '.join(names)}")


def apart_from_others(library: str, format: Format, model: Any, tokenizer: Any) -> Text:
    try:
        text: Text = apart(lambda: measure(library, format, model, tokenizer), SECONDS, GIB)
        return text
    except TakesTooMuch:
        return Text("took too much")


def measure(library: str, format: Format, model: Any, tokenizer: Any) -> Text:
    made = LIBRARIES[library](model, tokenizer)
    start = time.perf_counter()
    try:
        maker: Maker = made.make(format)
    except NotOffered:
        return Text("not offered")
    except Exception:  # any exception of a library for a format that it does not support
        return Text("refused")
    text = Text("failed", compiling=[time.perf_counter() - start])
    limit = 2 * len(tokenizer.encode(format.example)) + 8
    timed = Timed(maker(limit))
    inputs = tokenizer(format.prompt, return_tensors="pt")
    given = {"max_new_tokens": limit, "do_sample": False, "pad_token_id": tokenizer.eos_token_id}
    try:
        ids = model.generate(**inputs, logits_processor=[timed], **given)
    except Exception:
        return text
    text.first, text.others = timed.seconds[:1], timed.seconds[1:]
    written = ids[0, inputs["input_ids"].shape[1] :]
    is_whole = int(written[-1]) == tokenizer.eos_token_id or len(written) < limit
    is_valid = format.is_valid(tokenizer.decode(written, skip_special_tokens=True))
    text.outcome = "valid" if is_valid else "invalid" if is_whole else "truncated"
    return text


def table(libraries: list[Library]) -> list[list[str]]:
    def row(name: str, cell: Any) -> list[str]:
        return [name, *(cell(library) for library in libraries)]

    def outcome(name: str) -> list[str]:
        return row(name, lambda library: str(len(library.names(name))))

    def times(name: str, of: str, unit: float) -> list[str]:
        return row(f"{name}: median, 99% below, mean", lambda library: _spread(library.seconds(of), unit))

    return [
        ["", *(library.name for library in libraries)],
        *map(outcome, OUTCOMES),
        times("a step, us", "others", 1e6),
        times("first step, ms", "first", 1e3),
        times("compiling, ms", "compiling", 1e3),
    ]


def _spread(seconds: list[float], unit: float) -> str:
    if not seconds:
        return "-"
    last = sorted(seconds)[min(len(seconds) * 99 // 100, len(seconds) - 1)]
    return ", ".join(f"{value * unit:,.3g}" for value in (median(seconds), last, sum(seconds) / len(seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
