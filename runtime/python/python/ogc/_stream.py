"""Texts while they grow: events, and the value so far."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ._ogc import EventReader, Format

if TYPE_CHECKING:
    from ._ogc import Event


def events(format: Format, pieces: Iterable[str | bytes]) -> Iterator[Event]:
    """The events of a growing text of a format, each as soon as it is certain.

    >>> import ogc
    >>> answer = ogc.Format.json_schema({"type": "array", "items": {"type": "string"}})
    >>> for event in ogc.events(answer, ['["gr', 'ün"]']):
    ...     if event["event"] == "string-grows":
    ...         print(event["path"], event["text"])
    /0 gr
    /0 ün
    """
    reader = EventReader(format)
    for piece in pieces:
        yield from reader.read(_bytes(piece))
    yield from reader.finish()


def partials(format: Format, pieces: Iterable[str | bytes]) -> Iterator[Any]:
    """The JSON value so far, after each piece that changes it: strings may be cut, objects and arrays may lack their end.

    The last value is complete. For a format with several values, such as text with calls, it is a list of values.

    >>> import ogc
    >>> answer = ogc.Format.json_schema({"type": "object", "properties": {"name": {"type": "string"}}})
    >>> list(ogc.partials(answer, ['{"na', 'me": "O', 'slo"}']))
    [{}, {'name': 'O'}, {'name': 'Oslo'}]
    """
    value = PartialValue(format)
    shown = None
    for piece in pieces:
        value.feed(piece)
        if value.is_begun and value.value != shown:
            shown = copy.deepcopy(value.value)
            yield shown
    value.finish()
    if value.is_begun and value.value != shown:
        yield value.value


class PartialValue:
    """A JSON value that grows with its text.

    >>> import ogc
    >>> person = ogc.Format.json_schema({"type": "object", "properties": {"age": {"type": "integer"}}})
    >>> value = ogc.PartialValue(person)
    >>> value.feed('{"age": 4')
    >>> value.value
    {}
    >>> value.feed('2}')
    >>> value.value
    {'age': 42}
    """

    def __init__(self, format: Format) -> None:
        self._reader = EventReader(format)
        self._values: list[Any] = []

    @property
    def is_begun(self) -> bool:
        """Whether any part of a value is known."""
        return bool(self._values)

    @property
    def value(self) -> Any:
        """The value so far; ``None`` before it begins, a list if the text has several values."""
        if len(self._values) > 1:
            return self._values
        return self._values[0] if self._values else None

    def feed(self, piece: str | bytes) -> None:
        """Reads the next piece of the text."""
        self._apply(self._reader.read(_bytes(piece)))

    def finish(self) -> None:
        """Ends the text, which must be complete."""
        self._apply(self._reader.finish())

    def _apply(self, events: Iterable[Event]) -> None:
        for event in events:
            path = event.get("path", "")
            match event["event"]:
                case "value-begins":
                    empty: dict[str | None, Any] = {"object": {}, "array": [], "string": ""}
                    if event.get("value") in empty:
                        self._set(path, empty[event.get("value")])
                case "string-grows":
                    holder, key = self._holder(path)
                    holder[key] += event.get("text", "")
                case "value-complete" if "text" in event:
                    self._set(path, json.loads(event["text"]))
                case _:
                    pass

    def _set(self, path: str, value: Any) -> None:
        if not path:
            self._values.append(value)
            return
        holder, key = self._holder(path)
        if _is_list(holder) and key == len(holder):
            holder.append(value)
        else:
            holder[key] = value

    def _holder(self, path: str) -> tuple[Any, Any]:
        """The object or array that contains the value at a JSON pointer, and the value's key or index."""
        holder: Any = self._values
        key: Any = len(self._values) - 1
        for part in path.split("/")[1:]:
            holder = holder[key]
            key = int(part) if _is_list(holder) else part.replace("~1", "/").replace("~0", "~")
        return holder, key


def _is_list(holder: Any) -> bool:
    return isinstance(holder, list)


def _bytes(piece: str | bytes) -> bytes:
    return piece.encode() if isinstance(piece, str) else piece
