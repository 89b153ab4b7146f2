"""What the tests inside serving engines ask for: a record, and how its texts are judged."""

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
    """Judged by a validator that is not ours; raises where it is none."""
    jsonschema.validate(json.loads(text), PERSON)
    return True
