"""Formats over a small vocabulary, with their masks."""

from __future__ import annotations

from functools import cache

import ogc

#: Tokens of several characters, so that texts can be split into tokens in several ways.
WORDS = ['{"', '":', '",', '"}', "true", "false", "null", "12", "00", "ab", "ba", "abab", '":[', "],", "é", "}}"]


@cache
def vocabulary() -> ogc.Vocabulary:
    """The printable characters, some words, a byte that begins a character, and two special tokens, one of which ends a text."""
    texts = [bytes([byte]) for byte in range(0x20, 0x7F)] + [word.encode() for word in WORDS] + [b"\xc3"]
    special = {"<|name|>": len(texts), "</s>": len(texts) + 1}
    return ogc.Vocabulary.of_tokens(enumerate(texts), special=special, end_tokens=[len(texts) + 1])


@cache
def formats() -> tuple[ogc.Format, ...]:
    """Texts, numbers, objects, lists, recursion, free strings."""
    tree = {"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [{"enum": [1, 20]}, {"type": "array", "items": {"$ref": "#/$defs/t"}}]}}}
    record = {
        "type": "object",
        "properties": {"ab": {"type": "boolean"}, "n": {"type": "integer", "minimum": 0, "maximum": 120}, "s": {"type": "string"}},
        "required": ["ab", "n"],
        "additionalProperties": False,
    }
    made = [
        ogc.Format.regex("(ab|ba)+c?"),
        ogc.Format.regex("[0-9]{2,4}(-[a-f]{1,3})*"),
        ogc.Format.json_schema(record, space="compact"),
        ogc.Format.json_schema(record, space="any", order="any"),
        ogc.Format.json_schema(tree, space="compact"),
        ogc.Format.gbnf('root ::= "a" root "b" | "ab"'),
    ]
    return tuple(format.with_masks(vocabulary(), threads=1) for format in made)
