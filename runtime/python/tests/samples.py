"""The formats that tests inside serving engines ask for, and a check of their texts."""

from __future__ import annotations

import json

import jsonschema

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 30},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["red", "green", "blue"]}, "maxItems": 3},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}
PROMPTS = ["Describe a person as JSON.", "A colour.", "Write something long about the sea."]

TAG = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<f"],
        "tags": [{"begin": "<f>", "content": {"type": "json_schema", "json_schema": {"enum": ["x", 1]}}, "end": "</f>"}],
        "at_least_one": True,
        "stop_after_first": True,
    },
}


def is_person(text: str) -> bool:
    """Whether a text is a person, by an independent validator; raises if it is not."""
    jsonschema.validate(json.loads(text), PERSON)
    return True
