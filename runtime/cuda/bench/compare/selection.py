"""Chooses the texts that are replayed: those that all engines take, so that all have the same work."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import Any

import numpy
from tokenizers import Tokenizer

from .agreement import Agreement, Mask, inside, spaceless
from .arguments import Arguments
from .corpus import Case, cases
from .engines import Engine, Masks, Refusal
from .plan import EngineName
from .replay import Text
from .vocabulary import Vocabulary

# Texts of more tokens are left out, for one of them would be a row's only one.
MOST_TOKENS = 2000
# Schemas of more bytes are left out, for there are some that an engine compiles for minutes.
MOST_SCHEMA = 20_000
MOST_EXAMPLES = 5

Engines = dict[EngineName, Engine[Any, Any]]
Walked = dict[EngineName, list[Mask]]


@dataclass
class Selection:
    """The texts, their formats by each engine, and what came about on the way."""

    tried: int = 0
    too_long: int = 0
    texts: list[Text] = field(default_factory=list)
    formats: dict[EngineName, list[Any]] = field(default_factory=lambda: {name: [] for name in EngineName})
    refused: dict[EngineName, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in EngineName})
    reasons: dict[EngineName, list[str]] = field(default_factory=lambda: {name: [] for name in EngineName})
    compiling: dict[EngineName, list[float]] = field(default_factory=lambda: {name: [] for name in EngineName})
    agreement: Agreement = field(default_factory=Agreement)

    def refuse(self, name: EngineName, kind: str, case: Case, error: Refusal) -> None:
        """Counts a refusal."""
        self.refused[name][kind] += 1
        if len(self.reasons[name]) < MOST_EXAMPLES:
            self.reasons[name].append(f"{case.id}: {kind}: {' '.join(str(error).split())[:160]}")

    def without(self, left: Container[int]) -> Selection:
        """Returns a selection without the texts of these numbers."""
        kept = [number for number in range(len(self.texts)) if number not in left]
        formats = {name: [ours[number] for number in kept] if ours else [] for name, ours in self.formats.items()}
        return replace(self, texts=[self.texts[number] for number in kept], formats=formats)


def select(arguments: Arguments, vocabulary: Vocabulary, engines: Engines) -> Selection:
    """Tries cases until there are as many texts as asked for."""
    selection = Selection()
    tokenizer = Tokenizer.from_buffer(vocabulary.json)
    without_space = spaceless(vocabulary)
    for case in cases(arguments.corpus, arguments.seed):
        if len(selection.texts) == arguments.texts:
            break
        tokens = encoded(tokenizer, vocabulary, case.text)
        if tokens is None or len(tokens) >= MOST_TOKENS or len(case.schema) > MOST_SCHEMA:
            selection.too_long += 1
            continue
        selection.tried += 1
        # An engine that crashes or does not end leaves the name of the schema in the log.
        print(f"{len(selection.texts)} texts of {selection.tried}, {case.id}", file=sys.stderr, flush=True)
        text = Text(case.id, case.schema, (*tokens, vocabulary.end))
        walked = _try(selection, vocabulary, engines, case, text)
        if walked is not None:
            selection.agreement.join(_agreement(vocabulary, walked, without_space, text))
    return selection


def encoded(tokenizer: Tokenizer, vocabulary: Vocabulary, text: str) -> list[int] | None:
    """Returns the canonical tokens of a text, or the longest that match where those write another text."""
    tokens: list[int] = tokenizer.encode(text, add_special_tokens=False).ids
    wanted = text.encode()
    return tokens if vocabulary.written(tokens) == wanted else vocabulary.longest_matches(wanted)


def _try(selection: Selection, vocabulary: Vocabulary, engines: Engines, case: Case, text: Text) -> Walked | None:
    """Adds a text if all engines take it, and returns their masks; each is asked, to count what they refuse."""
    formats: dict[EngineName, Any] = {}
    walked: Walked = {}
    for name, engine in engines.items():
        try:
            begin = time.perf_counter()
            formats[name] = engine.compile(text.schema)
            selection.compiling[name].append(time.perf_counter() - begin)
        except Refusal as error:
            selection.refuse(name, "schema", case, error)
            continue
        try:
            walked[name] = walk(engine, formats[name], vocabulary, text)
        except Refusal as error:
            selection.refuse(name, "text", case, error)
    if len(walked) < len(engines):
        return None
    selection.texts.append(text)
    for name, format in formats.items():
        selection.formats[name].append(format)
    return walked


def _agreement(vocabulary: Vocabulary, walked: Walked, without_space: Mask, text: Text) -> Agreement:
    """Compares the masks along a text."""
    agreement = Agreement()
    for at in range(len(text.tokens)):
        written = vocabulary.written(list(text.tokens[:at])) or b""
        masks = {name: masks[at] for name, masks in walked.items()}
        agreement.add(vocabulary, masks, without_space, f"{text.id}, after {written[-30:]!r}")
    return agreement


def walk(engine: Engine[Any, Any], format: Any, vocabulary: Vocabulary, text: Text) -> list[Mask]:
    """Returns the masks along a text; refuses it where a token is not in its mask, or not accepted."""
    masks, valid = Masks(1, vocabulary.words), inside(vocabulary)
    sequence, walked = engine.start(format), []
    for at, token in enumerate(text.tokens):
        engine.fill([sequence], masks)
        mask = masks.array[0].view(numpy.uint32) & valid
        if not mask[token // 32] >> numpy.uint32(token % 32) & 1:
            raise Refusal(f"token {at} of {len(text.tokens)}, {vocabulary.texts[token]!r}, is not in the mask")
        engine.accept([sequence], [token])
        walked.append(mask)
    return walked
