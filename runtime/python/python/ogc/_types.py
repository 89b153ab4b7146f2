"""Formats of types: pydantic's adapters read annotations, and write the schema that is compiled."""

from __future__ import annotations

import json
from typing import Any


def adapter_of(type_: Any) -> Any:
    """The pydantic adapter of a type: a model, a dataclass, a TypedDict, an enum, or any annotation."""
    try:
        from pydantic import TypeAdapter
    except ImportError:
        raise ImportError("formats of types need pydantic: pip install pydantic") from None
    return type_ if isinstance(type_, TypeAdapter) else TypeAdapter(type_)


def schema_of(adapter: Any, *, closed: bool) -> str:
    """The JSON Schema of what an adapter reads, as text; ``closed`` objects have no other keys than they declare."""
    schema = adapter.json_schema(by_alias=True, mode="validation")
    return json.dumps(_closed(schema) if closed else schema, ensure_ascii=False)


_SCHEMAS = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_MAPS = ("properties", "patternProperties", "$defs", "definitions")


def _closed(schema: Any) -> Any:
    """A copy in which objects that declare properties have no others, where nothing is said of others."""
    if not isinstance(schema, dict):
        return schema
    copy = dict(schema)
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
