"""Texts as serving engines step them, and their budgets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from .._errors import BudgetError
from .._ogc import MaskRows, Matcher

_LOG = logging.getLogger("ogc")


def with_room_for_the_end(least: int | None, left: int | None, *, drafts: int = 0) -> int | None:
    """The budget of a text when ``left`` tokens may still be written and the shortest text takes ``least``.

    One token is left for the end of the text, and as many as a draft may have (``drafts``) where the engine counts those late; unless the text
    needs them.
    """
    if left is None or least is None:
        return left
    return max(left - 1 - drafts, min(least, left))


def rollback_window(drafts: int) -> int:
    """The tokens of a text that can be taken back, where an engine takes back what a draft of ``drafts`` tokens had too many.

    Engines that read ahead take back a few more; the rest of a long text is forgotten.
    """
    return 64 + 2 * drafts


class SteppedText:
    """One text as serving engines step it.

    Engines may go on behind the end of a text, and take that back again: those tokens are counted and not read. A budget that depends on how
    many tokens a model has thought before is set when the text begins: ``budget`` is asked until the first token is accepted.
    """

    def __init__(self, matcher: Matcher, budget: Callable[[], int | None] | None = None) -> None:
        self.matcher = matcher
        self._budget = budget
        self._behind_the_end = 0

    @property
    def is_ended(self) -> bool:
        return self.matcher.is_ended

    def begin(self) -> None:
        """Sets the budget of a text that has no token yet. Where no text fits into it any more, the text goes on without one, with a warning.

        A draft may begin a text and be taken back again, so that the budget is asked for more than once.
        """
        if self._budget is None or len(self.matcher):
            return
        max_tokens = self._budget()
        if max_tokens is not None:
            try:
                self.matcher.set_budget(max_tokens)
            except BudgetError as error:
                self.matcher.set_budget(None)
                _LOG.warning("a text goes on without a budget: %s", error)

    def accept(self, tokens: Sequence[int]) -> bool:
        """Accepts tokens until one is not allowed; whether all were."""
        self.begin()
        for token in tokens:
            if self.matcher.is_ended:
                self._behind_the_end += 1
            elif not self.matcher.try_accept(token):
                return False
        return True

    def validate(self, tokens: Sequence[int]) -> int:
        """How many of the tokens could be accepted in a row."""
        self.begin()
        return 0 if self.matcher.is_ended else self.matcher.validate(tokens)

    def rollback(self, tokens: int) -> None:
        behind = min(tokens, self._behind_the_end)
        self._behind_the_end -= behind
        if tokens > behind:
            self.matcher.rollback(tokens - behind)

    def fill(self, rows: MaskRows, row: int) -> None:
        self.begin()
        self.matcher.fill_mask(rows, row)

    def fill_draft(self, draft: Sequence[int], rows: MaskRows, parents: Sequence[int]) -> list[bool]:
        """Fills row 0 with the mask now, and row ``i + 1`` with that after token ``i`` of a tree. Returns which tokens are allowed."""
        self.begin()
        return self.matcher.fill_draft(draft, rows, parents)

    def reset(self) -> None:
        self.matcher.reset()
        self._behind_the_end = 0
