"""ogc, by its package. Rows of masks are made as matchers need them, and kept with the vocabulary."""

from __future__ import annotations

import ogc

from ..arguments import Space
from ..vocabulary import Vocabulary
from . import Engine, Masks, Refusal


class OgcError(Exception):
    """A tokenizer that ogc reads otherwise than this program."""


class Ogc(Engine[ogc.Format, ogc.Matcher]):
    """ogc, one call for the tokens of all sequences, and one for their masks."""

    def __init__(self, vocabulary: Vocabulary, space: Space, threads: int) -> None:
        self.vocabulary = ogc.Vocabulary.of_file(vocabulary.path)
        if len(self.vocabulary) != len(vocabulary):
            known, given = len(self.vocabulary), len(vocabulary)
            raise OgcError(f"{vocabulary.path}: ogc reads {known} tokens, and this program {given}")
        self.end = [vocabulary.end]
        self.space: ogc._format.Space = "any" if space is Space.ANY else "spaced"
        self.threads = threads
        self.rows: tuple[Masks, ogc.MaskRows] | None = None

    def use_threads(self, threads: int) -> None:
        """Sets how many threads make masks."""
        self.threads = threads

    def compile(self, schema: str) -> ogc.Format:
        """Compiles a schema."""
        try:
            return ogc.Format.json_schema(schema, space=self.space)
        except ogc.FormatError as error:
            raise Refusal(str(error)) from error

    def start(self, format: ogc.Format) -> ogc.Matcher:
        """Returns a matcher."""
        return format.matcher(self.vocabulary, stop_tokens=self.end)

    def reset(self, sequence: ogc.Matcher) -> None:
        """Moves a matcher to its beginning."""
        sequence.reset()

    def accept(self, sequences: list[ogc.Matcher], tokens: list[int]) -> None:
        """Accepts tokens in one call."""
        if len(sequences) != len(tokens):
            raise ValueError(f"{len(tokens)} tokens for {len(sequences)} sequences")
        accepted = ogc.accept_tokens(sequences, tokens)
        if not all(accepted):
            row = accepted.index(False)
            raise Refusal(f"token {tokens[row]} of row {row}: {sequences[row].explain(tokens[row])}")

    def fill(self, sequences: list[ogc.Matcher], masks: Masks) -> None:
        """Writes masks in one call."""
        if self.rows is None or self.rows[0] is not masks:
            self.rows = (masks, ogc.mask_rows(masks.tensor))
        try:
            ogc.fill_masks(sequences, self.rows[1], threads=self.threads)
        except (ogc.LimitError, ValueError) as error:
            raise Refusal(str(error)) from error
