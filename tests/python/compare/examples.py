"""Examples of the repository that are JSON Schemas or regexes, which every backend supports."""

from __future__ import annotations

import re
from pathlib import Path

from .format import Format
from .schemas import validator

FOLDER = Path(__file__).parents[3] / "examples"

#: File, prompt, and a short text of the format.
SCHEMAS = [
    (
        "answer.schema.json",
        "Which of A, B, C and D is a prime number: A 4, B 7, C 9, D 15? Think first.",
        '{"reasoning":"7 has no divisors.","answer":"B","confidence":0.9}',
    ),
    (
        "events.schema.json",
        "List two events of a web shop.",
        '[{"kind":"error","at":"2026-01-31T10:00:00Z","code":404}]',
    ),
    (
        "expression.schema.json",
        "Write x + 2 * y as an expression tree.",
        '{"op":"add","of":["x",{"op":"mul","of":[2,"y"]}]}',
    ),
    (
        "function-call.schema.json",
        "What is the weather in Oslo? Call a function.",
        '{"name":"get_weather","arguments":{"city":"Oslo"}}',
    ),
    (
        "invoice.schema.json",
        "Extract the invoice: AB-1234 of 31 January 2026, from Lamp Ltd, 3 lamps at 19.99 EUR each.",
        '{"number":"AB-1234","issued":"2026-01-31","seller":{"name":"Lamp Ltd"},"currency":"EUR",'
        '"lines":[{"text":"Lamp","quantity":3,"price":19.99}]}',
    ),
    ("search-tool.schema.json", "Search for open issues about crashes.", '{"query":"crash","state":"open"}'),
    (
        "imports/tickets.schema.json",
        "Create a ticket: the editor crashes when it starts.",
        '{"project":"ED","summary":"Crash at start","priority":"high"}',
    ),
]


def examples() -> list[Format]:
    return [_schema(*words) for words in SCHEMAS] + [_timestamp()]


def _schema(file: str, prompt: str, example: str) -> Format:
    text = (FOLDER / file).read_text(encoding="utf-8")
    return Format("examples", file, "json", text, prompt, example, validator(text))


def _timestamp() -> Format:
    """The regex is the last line of its file; the lines before are comments."""
    file = "timestamp.regex"
    pattern = (FOLDER / file).read_text(encoding="utf-8").splitlines()[-1]
    prompt, example = "When did the first human walk on the Moon?", "1969-07-21T02:56:15Z"
    return Format("examples", file, "regex", pattern, prompt, example, lambda text: bool(re.fullmatch(pattern, text)))
