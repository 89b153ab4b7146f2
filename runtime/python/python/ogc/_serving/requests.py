"""What plug-ins of serving engines share: formats of requests, a cache of them, and texts as engines step them."""

from __future__ import annotations

import json
import logging
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from ._buffers import mask_rows
from ._errors import BudgetError, FormatError
from ._format import Space
from ._ogc import Format, MaskRows, Matcher

_LOG = logging.getLogger("ogc")

#: The folder of the formats that requests may name with ``%format NAME``.
FORMATS = "OGC_FORMATS"

#: The most formats that are kept; the one that was used longest ago goes first.
MAX_FORMATS = 1_000

_OGC = re.compile(r"(\s|//[^\n]*\n)*(import|output|type|rule|policy|tokens)\b")
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")


class Kind(Enum):
    """What a request says its text is."""

    JSON = "json"
    JSON_OBJECT = "json_object"
    REGEX = "regex"
    CHOICE = "choice"
    GRAMMAR = "grammar"
    STRUCTURAL_TAG = "structural_tag"


def format_of(kind: Kind, text: str, *, compact: bool = False) -> Format:
    """Compiles the format of a request, with canonical escapes, so that as much as possible is forced.

    :raises FormatError: it has errors, or is of a kind that is not supported.
    """
    space: Space | None = "compact" if compact else None
    match kind:
        case Kind.JSON:
            return Format.json_schema(text, escapes="canonical", space=space)
        case Kind.JSON_OBJECT:
            return Format.json_schema({"type": "object"}, escapes="canonical", space=space)
        case Kind.REGEX:
            return Format.regex(text)
        case Kind.CHOICE:
            return Format.regex("|".join(_SYNTAX.sub(r"\\\g<0>", choice) for choice in json.loads(text)), name="<choice>")
        case Kind.GRAMMAR:
            return _grammar(text)
        case Kind.STRUCTURAL_TAG:
            raise FormatError(
                "ogc does not read structural tags yet: ask for a JSON Schema, a regex, a choice, a grammar or `.ogc` text, "
                "or start the server without ogc for requests with tools that need them"
            )


def _grammar(text: str) -> Format:
    """A grammar is a named format, `.ogc` text, GBNF or Lark: the text itself says which."""
    if text.startswith("%format"):
        return _named(text.removeprefix("%format").strip())
    if _OGC.match(text):
        return Format.source(text, name="<grammar>")
    return Format.gbnf(text, name="<grammar>") if "::=" in text else Format.lark(text, name="<grammar>")


def _named(name: str) -> Format:
    """A format of the folder that the server's owner has set: ``order.ogc``, or ``order.ogc Output``."""
    folder = os.environ.get(FORMATS)
    if not folder:
        raise FormatError(f"this server has no folder of formats: send the text of the format, or set {FORMATS}")
    file, _, definition = name.partition(" ")
    path = Path(folder, file)
    if not path.resolve().is_relative_to(Path(folder).resolve()) or not path.is_file():
        raise FormatError(f"there is no format {file!r}")
    return Format.file(path, definition=definition or None)


class FormatCache:
    """Formats by their requests, each compiled once; whoever asks for one that is being compiled waits for it. Failures are not kept."""

    def __init__(self, compile: Callable[[Kind, str], Format], limit: int = MAX_FORMATS) -> None:
        self._compile = compile
        self._limit = limit
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Kind, str], Format] = OrderedDict()
        self._pending: dict[tuple[Kind, str], threading.Lock] = {}

    def get(self, kind: Kind, text: str) -> Format:
        key = (kind, text)
        with self._lock:
            known = self._known(key)
            if known is not None:
                return known
            pending = self._pending.setdefault(key, threading.Lock())
        try:
            with pending:
                with self._lock:
                    known = self._known(key)
                if known is None:
                    known = self._compile(kind, text)
                    self._keep(key, known)
            return known
        finally:
            with self._lock:
                self._pending.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def _known(self, key: tuple[Kind, str]) -> Format | None:
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
        return known

    def _keep(self, key: tuple[Kind, str], format: Format) -> None:
        with self._lock:
            self._kept[key] = format
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


class RowsCache:
    """The rows of the tensor that an engine fills again and again: its address is read once."""

    def __init__(self) -> None:
        self._tensor: Any = None
        self._rows: MaskRows | None = None

    def of(self, tensor: Any) -> MaskRows:
        if self._rows is None or self._tensor is not tensor:
            self._tensor, self._rows = tensor, mask_rows(tensor)
        return self._rows


class SteppedText:
    """One text as serving engines step it.

    Engines may go on behind the end of a text, and take that back again: those tokens are counted and not read. A budget that depends on how
    many tokens a model has thought before is set when the text begins: ``budget`` is asked then.
    """

    def __init__(self, matcher: Matcher, budget: Callable[[], int | None] | None = None) -> None:
        self.matcher = matcher
        self._budget = budget
        self._behind_the_end = 0

    @property
    def is_ended(self) -> bool:
        return self.matcher.is_ended

    def begin(self) -> None:
        """Sets the budget, once. Where no text fits into it any more, the text goes on without one, with a warning."""
        if self._budget is None:
            return
        budget, self._budget = self._budget, None
        max_tokens = budget()
        if max_tokens is not None:
            try:
                self.matcher.set_budget(max_tokens)
            except BudgetError as error:
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

    def reset(self) -> None:
        self.matcher.reset()
        self._behind_the_end = 0
