"""xgrammar, with the schemas' own semantics: what a schema does not forbid is allowed (`strict_mode=False`)."""

from __future__ import annotations

import xgrammar
from xgrammar import BatchGrammarMatcher, CompiledGrammar, GrammarMatcher

from ..arguments import Space
from ..vocabulary import Vocabulary
from . import Engine, Masks, Refusal


class Xgrammar(Engine[CompiledGrammar, GrammarMatcher]):
    """xgrammar. It knows special tokens as ids without text, so that it does not take their names for text."""

    def __init__(self, vocabulary: Vocabulary, space: Space, threads: int) -> None:
        texts = [text or b"" for text in vocabulary.texts]
        tokens = xgrammar.TokenizerInfo(texts, xgrammar.VocabType.RAW, stop_token_ids=[vocabulary.end])
        self.compiler = xgrammar.GrammarCompiler(tokens, max_threads=threads)
        self.batch = BatchGrammarMatcher(threads)
        self.space = space

    def use_threads(self, threads: int) -> None:
        """Sets how many threads make masks."""
        self.batch = BatchGrammarMatcher(threads)

    def compile(self, schema: str) -> CompiledGrammar:
        """Compiles a schema."""
        try:
            any_space = self.space is Space.ANY
            return self.compiler.compile_json_schema(schema, any_whitespace=any_space, strict_mode=False)
        except (RuntimeError, ValueError) as error:
            raise Refusal(str(error)) from error

    def start(self, format: CompiledGrammar) -> GrammarMatcher:
        """Returns a matcher."""
        return GrammarMatcher(format)

    def reset(self, sequence: GrammarMatcher) -> None:
        """Moves a matcher to its beginning."""
        sequence.reset()

    def accept(self, sequences: list[GrammarMatcher], tokens: list[int]) -> None:
        """Accepts tokens in one call."""
        if not all(BatchGrammarMatcher.batch_accept_token(sequences, tokens)):
            raise Refusal("a token is not allowed")

    def fill(self, sequences: list[GrammarMatcher], masks: Masks) -> None:
        """Writes masks in one call."""
        self.batch.batch_fill_next_token_bitmask(sequences, masks.tensor)
