"""Whether engines allow the same tokens, counted mask by mask."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from .plan import EngineName
from .vocabulary import Vocabulary

MOST_EXAMPLES = 5

# A mask of at most so many tokens is one of a list of tokens on a device.
SPARSE = 2048

Mask = NDArray[numpy.uint32]


@dataclass
class Difference:
    """What another engine allows and ogc does not, and the reverse; examples leave out tokens with white space."""

    masks: int = 0
    masks_apart_from_space: int = 0
    masks_with_more: int = 0
    masks_with_fewer: int = 0
    more: int = 0
    fewer: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Agreement:
    """The counts of many masks."""

    masks: int = 0
    same_in_all: int = 0
    sparse: int = 0
    differences: dict[EngineName, Difference] = field(
        default_factory=lambda: {name: Difference() for name in EngineName if name is not EngineName.OGC}
    )

    def add(self, vocabulary: Vocabulary, masks: dict[EngineName, Mask], spaceless: Mask, where: str) -> None:
        """Counts the masks of a place in a text, which `where` names; `spaceless` are tokens without white space."""
        ours = masks[EngineName.OGC]
        self.masks += 1
        self.sparse += int(_count(ours) <= SPARSE)
        is_same = True
        for name, difference in self.differences.items():
            more, fewer = masks[name] & ~ours, ours & ~masks[name]
            if more.any() or fewer.any():
                is_same = False
                _add(difference, more, fewer)
                if ((more | fewer) & spaceless).any():
                    difference.masks_apart_from_space += 1
                    more, fewer = more & spaceless, fewer & spaceless
                    _show_once(difference, f"{where}: more {_show(vocabulary, more)}, fewer {_show(vocabulary, fewer)}")
        self.same_in_all += int(is_same)

    def join(self, other: Agreement) -> None:
        """Adds the counts of other masks."""
        self.masks += other.masks
        self.same_in_all += other.same_in_all
        self.sparse += other.sparse
        for name, difference in other.differences.items():
            mine = self.differences[name]
            mine.masks += difference.masks
            mine.masks_apart_from_space += difference.masks_apart_from_space
            mine.masks_with_more += difference.masks_with_more
            mine.masks_with_fewer += difference.masks_with_fewer
            mine.more += difference.more
            mine.fewer += difference.fewer
            mine.examples += difference.examples[: MOST_EXAMPLES - len(mine.examples)]


def _add(difference: Difference, more: Mask, fewer: Mask) -> None:
    difference.masks += 1
    difference.masks_with_more += int(more.any())
    difference.masks_with_fewer += int(fewer.any())
    difference.more += _count(more)
    difference.fewer += _count(fewer)


def _show_once(difference: Difference, example: str) -> None:
    """Keeps the first example."""
    if not difference.examples:
        difference.examples.append(example)


def _count(mask: Mask) -> int:
    return int(numpy.bitwise_count(mask).sum())


def _show(vocabulary: Vocabulary, mask: Mask) -> str:
    """Returns how many tokens there are, and the first of them."""
    bits = numpy.unpackbits(mask.view(numpy.uint8), bitorder="little")
    tokens = [int(token) for token in numpy.flatnonzero(bits)]
    shown = [repr(vocabulary.texts[token] or token) for token in tokens[:3]]
    return f"{len(tokens)} ({', '.join(shown)})" if tokens else "0"


def spaceless(vocabulary: Vocabulary) -> Mask:
    """Returns the mask of all tokens without white space of JSON, where engines differ the most."""
    bits = numpy.zeros(32 * vocabulary.words, dtype=bool)
    bits[: len(vocabulary)] = [text is None or not set(text) & set(b" \t\n\r") for text in vocabulary.texts]
    return numpy.packbits(bits, bitorder="little").view(numpy.uint32)


def inside(vocabulary: Vocabulary) -> Mask:
    """Returns the mask of all ids of a vocabulary: what engines write behind them does not count."""
    mask = numpy.full(vocabulary.words, 0xFFFF_FFFF, dtype=numpy.uint32)
    behind = 32 * vocabulary.words - len(vocabulary)
    mask[-1] >>= numpy.uint32(behind)
    return mask
