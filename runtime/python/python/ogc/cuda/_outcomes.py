"""Numbers that kernels write: outcomes of tokens, rows and drafts."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["DraftEnd", "Outcome", "SampleOutcome", "host_reason"]

#: Reasons why the host has to go on, by the number above the lowest 8 bits of an outcome.
_REASONS = (
    "the host steps it: its mask is not found, or an earlier token left the device",
    "it has too many readings",
    "it has too many frames",
    "it has too many sets of keys",
    "a byte takes too much work",
    "an object has too many keys in any order",
)


class Outcome(IntEnum):
    """Outcome of a token in its slot: the lowest 8 bits of the number.

    >>> from ogc.cuda import Outcome
    >>> Outcome(4 | 1 << 8 & 0xFF)
    <Outcome.HOST: 4>
    """

    #: There was no token, or the slot was not begun.
    NONE = 0
    #: The token was accepted, or the tokens were taken back.
    ACCEPTED = 1
    #: The token ended the text.
    ENDED = 2
    #: The token is not allowed, or there are fewer tokens to take back: the slot is unchanged.
    REFUSED = 3
    #: A matcher on the host has to go on from before the token; :func:`host_reason` gives the reason.
    HOST = 4


class SampleOutcome(IntEnum):
    """Outcome of a row that was sampled: the first of its two numbers; the second is the token."""

    #: No token was asked for.
    NOTHING = 0
    #: A token was chosen.
    TOKEN = 1
    #: No allowed token has a logit.
    NO_TOKEN = 2
    #: The slot of the row is stepped by the host.
    HOST = 3


class DraftEnd(IntEnum):
    """State of a text behind the verified tokens: the lowest 8 bits of the first of the three numbers of a draft."""

    #: There is no slot, or it was not begun.
    NOTHING = 0
    #: The text goes on.
    GOES_ON = 1
    #: The last token ended the text.
    ENDED = 2
    #: Only the end can follow.
    COMPLETE = 3
    #: No allowed token has a logit.
    NO_TOKEN = 4
    #: The token behind the verified ones is not allowed: it was sampled without the mask.
    REFUSED = 5
    #: A matcher on the host has to go on from the slot's place; :func:`host_reason` gives the reason.
    HOST = 6


def host_reason(outcome: int) -> str | None:
    """The reason why the host has to go on; ``None`` if the number of an outcome or of the end of a draft contains none.

    >>> from ogc.cuda import host_reason
    >>> host_reason(4 | 1 << 8)
    'it has too many readings'
    >>> host_reason(1)
    """
    if outcome & 0xFF not in (Outcome.HOST, DraftEnd.HOST):
        return None
    reason = outcome >> 8
    return _REASONS[reason] if reason < len(_REASONS) else f"reason {reason}"
