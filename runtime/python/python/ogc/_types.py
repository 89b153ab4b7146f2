"""Formats of types: pydantic's adapters read annotations, and write the schema that is compiled."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class TypeReader:
    """Reads texts to objects of a type: a model, a dataclass, a TypedDict, an enum, any annotation, or pydantic's adapter of one.

    It pickles as the type; the adapter is made when it is first needed.
    """

    def __init__(self, type_: Any) -> None:
        self._type = type_

    def __reduce__(self) -> tuple[type[TypeReader], tuple[Any]]:
        return TypeReader, (self._type,)

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        try:
            from pydantic import TypeAdapter
        except ImportError:
            raise ImportError("formats of types need pydantic: pip install pydantic") from None
        is_adapter = isinstance(self._type, TypeAdapter)
        return cast("TypeAdapter[Any]", self._type) if is_adapter else TypeAdapter(self._type)

    def read(self, text: str | bytes) -> Any:
        return self._adapter.validate_json(text)

    def schema(self, *, closed: bool) -> str:
        """The JSON Schema of the type, as text; ``closed`` objects have only the keys that they declare."""
        schema = self._adapter.json_schema(by_alias=True, mode="validation")
        return json.dumps(_closed(schema) if closed else schema, ensure_ascii=False)


_SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_MAPS = ("properties", "patternProperties", "$defs", "definitions")


def _closed(schema: Any) -> Any:
    """A copy in which objects with declared properties have no others, unless the schema mentions others."""
    if not isinstance(schema, dict):
        return schema
    copy = dict(cast("dict[str, Any]", schema))
    for key in _SCHEMAS:
        if key in copy:
            copy[key] = _closed(copy[key])
    for key in _LISTS:
        if key in copy:
            copy[key] = [_closed(part) for part in copy[key]]
    for key in _MAPS:
        if key in copy:
            copy[key] = {name: _closed(part) for name, part in copy[key].items()}
    is_object = copy.get("type") == "object" and "properties" in copy
    if is_object and "additionalProperties" not in copy and "patternProperties" not in copy:
        copy["additionalProperties"] = False
    return copy
