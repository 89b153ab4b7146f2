"""ogc, through its C interface. Rows of masks are made as matchers need them, and kept with the vocabulary."""

from __future__ import annotations

import ctypes
from ctypes import c_uint32, c_void_p, sizeof

from ..arguments import Space
from ..libogc import Handle, Language, Library, LibraryError, Options, Rows, Source, SpaceCode
from ..vocabulary import Vocabulary
from . import Engine, Masks, Refusal


class Ogc(Engine[Handle, Handle]):
    """ogc. The C interface has no call that accepts tokens of many sequences: there is one for each."""

    def __init__(self, library: Library, vocabulary: Vocabulary, space: Space, threads: int) -> None:
        self.library = library
        self.vocabulary = library.make("ogc_vocabulary_from_tokenizer_json", vocabulary.json, len(vocabulary.json))
        known = library.loaded.ogc_vocabulary_len(self.vocabulary.pointer)
        if known != len(vocabulary):
            raise LibraryError(f"{vocabulary.path}: ogc reads {known} tokens, and this program {len(vocabulary)}")
        self.end = (c_uint32 * 1)(vocabulary.end)
        self.space = SpaceCode.ANY if space is Space.ANY else SpaceCode.SPACED
        self.threads = threads
        self.accept_token = library.loaded.ogc_matcher_accept_token

    def use_threads(self, threads: int) -> None:
        """Sets how many threads make masks."""
        self.threads = threads

    def compile(self, schema: str) -> Handle:
        """Compiles a schema."""
        text = schema.encode()
        source = Source(sizeof(Source), Language.JSON_SCHEMA, text, len(text), space=self.space)
        try:
            return self.library.make("ogc_format_compile", ctypes.byref(source))
        except LibraryError as error:
            raise Refusal(str(error)) from error

    def start(self, format: Handle) -> Handle:
        """Returns a matcher."""
        options = Options(sizeof(Options), stop_tokens=self.end, stop_tokens_len=1)
        return self.library.make("ogc_matcher_new", format.pointer, self.vocabulary.pointer, ctypes.byref(options))

    def reset(self, sequence: Handle) -> None:
        """Moves a matcher to its beginning."""
        self.library.call("ogc_matcher_reset", sequence.pointer)

    def accept(self, sequences: list[Handle], tokens: list[int]) -> None:
        """Accepts tokens, in a call for each."""
        for sequence, token in zip(sequences, tokens, strict=True):
            if self.accept_token(sequence.pointer, token) != 0:
                raise Refusal(f"token {token}: {self.library.loaded.ogc_last_error().decode(errors='replace')}")

    def fill(self, sequences: list[Handle], masks: Masks) -> None:
        """Writes masks in one call."""
        matchers = (c_void_p * len(sequences))(*[sequence.pointer.value for sequence in sequences])
        rows = Rows(masks.address, masks.words, len(sequences))
        try:
            self.library.call("ogc_fill_masks", matchers, len(sequences), rows, self.threads)
        except LibraryError as error:
            raise Refusal(str(error)) from error
