"""ogc, through its C interface. Rows of masks are made as matchers need them, and kept with the vocabulary."""

from __future__ import annotations

import ctypes
from ctypes import c_uint32, c_void_p, sizeof

from ..arguments import Space
from ..header import Language, Options, Rows, Source
from ..header import Space as SpaceCode
from ..libogc import Handle, Library, LibraryError
from ..vocabulary import Vocabulary
from . import Engine, Masks, Refusal


class Ogc(Engine[Handle, Handle]):
    """ogc, one call for the tokens of all sequences, and one for their masks."""

    def __init__(self, library: Library, vocabulary: Vocabulary, space: Space, threads: int) -> None:
        self.library = library
        self.vocabulary = library.make("ogc_vocabulary_from_tokenizer_json", vocabulary.json, len(vocabulary.json))
        known = library.loaded.ogc_vocabulary_len(self.vocabulary.pointer)
        if known != len(vocabulary):
            raise LibraryError(f"{vocabulary.path}: ogc reads {known} tokens, and this program {len(vocabulary)}")
        self.end = (c_uint32 * 1)(vocabulary.end)
        self.space = SpaceCode.ANY if space is Space.ANY else SpaceCode.SPACED
        self.threads = threads

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
        """Accepts tokens in one call."""
        if len(sequences) != len(tokens):
            raise ValueError(f"{len(tokens)} tokens for {len(sequences)} sequences")
        given = (c_uint32 * len(tokens))(*tokens)
        try:
            self.library.call("ogc_accept_tokens", self.pointers(sequences), given, None, len(tokens))
        except LibraryError as error:
            raise Refusal(str(error)) from error

    @staticmethod
    def pointers(sequences: list[Handle]) -> ctypes.Array[c_void_p]:
        """Returns the matchers as an array."""
        return (c_void_p * len(sequences))(*[sequence.pointer.value for sequence in sequences])

    def fill(self, sequences: list[Handle], masks: Masks) -> None:
        """Writes masks in one call."""
        rows = Rows(masks.address, masks.words, len(sequences))
        try:
            self.library.call("ogc_fill_masks", self.pointers(sequences), len(sequences), rows, self.threads)
        except LibraryError as error:
            raise Refusal(str(error)) from error
