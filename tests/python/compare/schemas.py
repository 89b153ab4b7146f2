"""JSON Schemas, validated by `jsonschema` with checks of string formats."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Decimal, InvalidOperation, localcontext
from typing import Any

import jsonschema
from jsonschema import validators

#: The number of digits in calculations: `multipleOf` is checked exactly.
DIGITS = 1_000


def validator(schema: str) -> Callable[[str], bool]:
    """Whether a text is a JSON value of the schema. A schema that names no dialect is of draft 2020-12."""
    judge = _judge(_exact(schema))

    def is_valid(text: str) -> bool:
        try:
            value = _exact(text)
        except ValueError:
            return False
        with localcontext() as context:
            context.prec = DIGITS
            return bool(judge.is_valid(value))

    return is_valid


def prompt_of(schema: Any) -> str:
    """A prompt that names the subject of the schema: its title and its first properties."""
    title = schema.get("title", "a record") if isinstance(schema, dict) else "a value"
    names = list(schema.get("properties", {}))[:8] if isinstance(schema, dict) else []
    return f"Write {title} as JSON{' with ' + ', '.join(names) if names else ''}."


def _judge(schema: Any) -> Any:
    extend: Any = validators.extend
    dialect = validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    types = dialect.TYPE_CHECKER.redefine("integer", _is_integer).redefine("number", _is_number)
    return extend(dialect, type_checker=types)(schema, format_checker=dialect.FORMAT_CHECKER)


def _exact(text: str) -> Any:
    """Reads JSON with decimal numbers, so that 19.99 is a multiple of 0.01."""
    return json.loads(text, parse_float=_number, parse_constant=_refuse)


def _number(text: str) -> Decimal:
    """A number; with an exponent that `decimal` cannot hold, the largest or smallest of that sign."""
    try:
        return Decimal(text)
    except InvalidOperation:
        mantissa, exponent = text.lower().split("e")
        sign = "-" if text.startswith("-") else ""
        far = MIN_EMIN if exponent.startswith("-") else MAX_EMAX
        return Decimal(0) if Decimal(mantissa) == 0 else Decimal(f"{sign}1E{far}")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _is_number(checker: Any, value: Any) -> bool:
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def _is_integer(checker: Any, value: Any) -> bool:
    return _is_number(checker, value) and (isinstance(value, int) or value == value.to_integral_value())
