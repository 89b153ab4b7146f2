"""Caches of formats, and of the rows of a tensor."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from .._buffers import mask_rows
from .._ogc import Format, MaskRows
from .requests import Kind

#: Cap on the formats that are kept; beyond it the least recently used is dropped.
MAX_FORMATS = 1_000

Key = TypeVar("Key")
Value = TypeVar("Value")


class LeastRecentlyUsed(OrderedDict[Key, Value]):
    """A dictionary of at most ``limit`` entries: a new one drops the least recently used.

    >>> from ogc._serving import LeastRecentlyUsed
    >>> kept = LeastRecentlyUsed(2)
    >>> kept["a"], kept["b"] = 1, 2
    >>> kept.get("a")
    1
    >>> kept["c"] = 3
    >>> list(kept)
    ['a', 'c']
    """

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def get(self, key: Key, default: Any = None) -> Any:
        if key not in self:
            return default
        self.move_to_end(key)
        return self[key]

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._limit:
            self.popitem(last=False)


class FormatCache:
    """Formats by their requests, each compiled once. A request for a format that is being compiled waits for it. Failures are not kept."""

    def __init__(self, compile: Callable[[Kind, str], Format], limit: int = MAX_FORMATS) -> None:
        self._compile = compile
        self._lock = threading.Lock()
        self._kept = LeastRecentlyUsed[tuple[Kind, str], Format](limit)
        self._pending: dict[tuple[Kind, str], threading.Lock] = {}

    def get(self, kind: Kind, text: str) -> Format:
        key = (kind, text)
        with self._lock:
            known: Format | None = self._kept.get(key)
            if known is not None:
                return known
            pending = self._pending.setdefault(key, threading.Lock())
        try:
            with pending:
                return self._compiled(key)
        finally:
            with self._lock:
                self._pending.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def _compiled(self, key: tuple[Kind, str]) -> Format:
        """Compiles a format, unless another thread has compiled it in the meantime."""
        with self._lock:
            known: Format | None = self._kept.get(key)
        if known is None:
            known = self._compile(*key)
            with self._lock:
                self._kept[key] = known
        return known


class RowsCache:
    """The rows of a tensor that an engine fills repeatedly: its address is read once."""

    def __init__(self) -> None:
        self._tensor: Any = None
        self._rows: MaskRows | None = None

    def of(self, tensor: Any) -> MaskRows:
        if self._rows is None or self._tensor is not tensor:
            self._tensor, self._rows = tensor, mask_rows(tensor)
        return self._rows
