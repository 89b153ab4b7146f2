"""Calls of tools, as a JSON Schema of the allowed calls."""

from __future__ import annotations

import json
from typing import Any

from .examples import FOLDER
from .format import Format
from .schemas import validator


def tools() -> list[Format]:
    tools = json.loads((FOLDER / "imports" / "tools.json").read_text(encoding="utf-8"))
    call = {"anyOf": [_call(tool["function"]) for tool in tools]}
    calls = {
        "type": "object",
        "properties": {"calls": {"type": "array", "items": call, "minItems": 1, "maxItems": 3}},
        "required": ["calls"],
        "additionalProperties": False,
    }
    prompt = "You can call get_weather, search and today. Will it rain in Oslo today?"
    weather = '{"name":"get_weather","arguments":{"city":"Oslo","unit":"celsius"}}'
    today = '{"name":"today","arguments":{}}'
    return [
        _format("one call", call, prompt, weather),
        _format("some calls", calls, prompt, f'{{"calls":[{today},{weather}]}}'),
    ]


def _call(function: Any) -> dict[str, Any]:
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"name": {"const": function["name"]}, "arguments": function.get("parameters", nothing)},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def _format(name: str, schema: Any, prompt: str, example: str) -> Format:
    text = json.dumps(schema)
    return Format("tools", name, "json", text, prompt, example, validator(text))
