"""llguidance, with the settings of its own bench: default limits, and the slices for JSON.

Where a format forces bytes, its masks allow only the tokens that its tokenizer would write them with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llguidance import LLExecutor, LLMatcher, LLTokenizer
from llguidance.numpy import consume_token_par, fill_next_token_bitmask_par

from ..arguments import Space
from ..vocabulary import Vocabulary
from . import Engine, Masks, Refusal

if TYPE_CHECKING:
    from llguidance._lib import JsonCompileOptions


class Llguidance(Engine[LLMatcher, LLMatcher]):
    """llguidance. A format is a matcher at its beginning, and a sequence a copy of one."""

    def __init__(self, vocabulary: Vocabulary, space: Space, threads: int) -> None:
        slices = LLTokenizer.json_slices()
        text = vocabulary.json.decode()
        self.tokens = LLTokenizer(text, n_vocab=len(vocabulary), eos_token=vocabulary.end, slices=slices)
        self.executor = LLExecutor(threads)
        self.space = space

    def use_threads(self, threads: int) -> None:
        """Sets how many threads make masks."""
        self.executor = LLExecutor(threads)

    def compile(self, schema: str) -> LLMatcher:
        """Compiles a schema."""
        try:
            grammar = LLMatcher.grammar_from_json_schema(schema, overrides=self._options())
        except ValueError as error:
            raise Refusal(str(error)) from error
        matcher = LLMatcher(self.tokens, grammar, log_level=0)
        if matcher.is_error():
            raise Refusal(matcher.get_error())
        return matcher

    def _options(self) -> JsonCompileOptions:
        match self.space:
            case Space.ANY:
                return {"whitespace_flexible": True}
            case Space.SPACED:
                return {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}

    def start(self, format: LLMatcher) -> LLMatcher:
        """Returns a copy of the matcher at the beginning."""
        return format.deep_copy()

    def reset(self, sequence: LLMatcher) -> None:
        """Moves a matcher to its beginning."""
        if not sequence.reset():
            raise Refusal(sequence.get_error())

    def accept(self, sequences: list[LLMatcher], tokens: list[int]) -> None:
        """Accepts tokens in one call."""
        if not all(consume_token_par(self.executor, list(zip(sequences, tokens, strict=True)))):
            raise Refusal("a token is not allowed")

    def fill(self, sequences: list[LLMatcher], masks: Masks) -> None:
        """Writes masks in one call."""
        rows = [(matcher, row) for row, matcher in enumerate(sequences)]
        fill_next_token_bitmask_par(self.executor, rows, masks.array)
