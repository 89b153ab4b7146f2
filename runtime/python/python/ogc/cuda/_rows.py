"""Sampling of rows of logits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ._memory import ListAt, words_at

__all__ = ["Row", "RowValues"]

#: The numbers of sampling; a number that is not given has its default.
_NUMBERS = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")

#: The kinds of a row's mask, by their numbers: the mask of a slot, a row of the slots' own masks as bits, or a located mask of a draft.
Mask = tuple[Literal["slot", "bits", "draft"], int]


class RowValues(NamedTuple):
    """A row, as the extension module reads it."""

    is_sampled: bool
    seed: int
    request: int
    position: int
    allowed: Mask | None
    slot: int | None
    tells_probability: bool
    numbers: list[tuple[str, float]]
    written: ListAt | None
    biases: ListAt | None


@dataclass(frozen=True, kw_only=True)
class Row:
    """Sampling of a row of logits, and the slot that its token moves.

    >>> from ogc.cuda import Row
    >>> Row(slot=3, temperature=0.7).allowed()
    ('slot', 3)
    >>> Row(temperature=0.7).allowed()
    """

    #: The slot that is moved by the token; ``None`` moves none.
    slot: int | None = None
    #: The mask of the row; ``None`` is the mask of ``slot`` if there is one, and ``"all"`` allows all tokens.
    mask: Mask | Literal["all"] | None = None
    #: Whether a token is chosen.
    is_sampled: bool = True
    #: The seed of the random numbers, and a number that makes the draws of requests with the same seed differ.
    seed: int = 0
    request: int = 0
    #: The position of the token in its text. On the device it grows by one with each token.
    position: int = 0
    #: 0, the default, takes the most likely token.
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    #: Tokens that were written, ascending, for penalties: int32 [any, 2], a token and its number of occurrences.
    written: Any = None
    #: Biases, ascending by tokens: int32 [any, 2], a token and the bits of the float32 that is added to its logit.
    biases: Any = None
    #: Whether the token's probability in the model's own distribution is returned.
    tells_probability: bool = False

    def allowed(self) -> Mask | None:
        """The mask of the row; ``None`` if all tokens are allowed."""
        if self.mask == "all":
            return None
        if self.mask is None:
            return None if self.slot is None else ("slot", self.slot)
        return self.mask

    def values(self, device: int) -> RowValues:
        """The row, as the extension module reads it."""
        given = [(name, getattr(self, name)) for name in _NUMBERS]
        written, biases = (
            None if pairs is None else words_at(name, pairs, device, (None, 2))[0]
            for name, pairs in (("written", self.written), ("biases", self.biases))
        )
        return RowValues(
            is_sampled=self.is_sampled,
            seed=self.seed,
            request=self.request,
            position=self.position,
            allowed=self.allowed(),
            slot=self.slot,
            tells_probability=self.tells_probability,
            numbers=[(name, float(number)) for name, number in given if number is not None],
            written=written,
            biases=biases,
        )
