"""Texts that serving engines step, and their budgets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from .._errors import BudgetError
from .._ogc import MaskRows, Matcher

_LOG = logging.getLogger("ogc")


def with_room_for_the_end(least: int | None, left: int | None, *, drafts: int = 0) -> int | None:
    """The budget of a text when ``left`` tokens may still be written and the shortest text takes ``least``.

    One token is kept for the end of the text. ``drafts`` more are kept if the engine counts drafted tokens late. If the shortest text needs these
    tokens, they are not kept.
    """
    if left is None or least is None:
        return left
    return max(left - 1 - drafts, min(least, left))


def rollback_window(drafts: int) -> int:
    """The number of tokens of a text that can be taken back, for an engine that takes back the rejected tokens of a draft of ``drafts`` tokens.

    Engines that read ahead take back a few more tokens. The earlier part of a long text cannot be taken back.
    """
    return 64 + 2 * drafts


class SteppedText:
    """One text as serving engines step it.

    Engines may go on behind the end of a text, and take these tokens back again: they are counted, but not read. A budget may depend on the number of
    tokens that a model has thought before; so it is set when the text begins: ``budget`` is called until the first token is accepted.
    """

    def __init__(self, matcher: Matcher, budget: Callable[[], int | None] | None = None) -> None:
        self.matcher = matcher
        self._budget = budget
        self._behind_the_end = 0

    @property
    def is_ended(self) -> bool:
        return self.matcher.is_ended

    def begin(self) -> None:
        """Sets the budget of a text that has no token yet. If no text fits into the budget any more, the text goes on without a budget, with a
        warning.

        A draft may begin a text and be taken back again, so ``budget`` may be called more than once.
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
        """Accepts tokens until one is not allowed; returns whether all were accepted."""
        self.begin()
        for token in tokens:
            if self.matcher.is_ended:
                self._behind_the_end += 1
            elif not self.matcher.try_accept(token):
                return False
        return True

    def validate(self, tokens: Sequence[int]) -> int:
        """The number of tokens that could be accepted in a row."""
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
        """Fills row 0 with the current mask, and row ``i + 1`` with the mask after token ``i`` of a tree. Returns whether each token is allowed."""
        self.begin()
        return self.matcher.fill_draft(draft, rows, parents)

    def reset(self) -> None:
        self.matcher.reset()
        self._behind_the_end = 0
