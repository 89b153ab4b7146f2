"""Tests that common validators accept every text of the practical formats: pydantic, and email-validator if it is installed."""

import datetime
import json
import random
from typing import Any

import ogc
import pytest

pydantic = pytest.importorskip("pydantic")

FORMATS: dict[str, Any] = {
    "date": datetime.date,
    "datetime": datetime.datetime,
    "time": datetime.time,
    "duration": datetime.timedelta,
    "email": str,
    "hostname": str,
}


def drawn(format: ogc.Format, vocabulary: ogc.Vocabulary, random: random.Random) -> str:
    """A random text of at most 90 tokens."""
    matcher = format.matcher(vocabulary, max_tokens=90)
    text: list[bytes] = []
    while not matcher.is_ended:
        token = random.choice(matcher.allowed_tokens())
        matcher.accept(token)
        text.append(vocabulary.token_bytes(token) or b"")
    return str(json.loads(b"".join(text)))


@pytest.mark.parametrize("name", FORMATS)
def test_validators_accept_generated_practical_formats(name: str) -> None:
    email_validator: Any = pytest.importorskip("email_validator") if name == "email" else None
    vocabulary = ogc.Vocabulary.of_tokens(
        ((code, bytes([code])) for code in range(32, 127)), special={"</s>": 127}, end_tokens=[127]
    )
    format = ogc.Format.source(f'policy escapes = "canonical"\noutput A = {name}')
    adapter, draw = pydantic.TypeAdapter(FORMATS[name]), random.Random(1)
    for _ in range(300):
        text = drawn(format, vocabulary, draw)
        adapter.validate_json(json.dumps(text))
        if email_validator:
            email_validator.validate_email(text, check_deliverability=False)


def test_schemas_use_practical_formats_only_on_request() -> None:
    schema = {"type": "string", "format": "email"}
    vocabulary = ogc.Vocabulary.built_in()
    for formats, takes in [(None, True), ("practical", False)]:
        matcher = ogc.Format.json_schema(schema, formats=formats).matcher(vocabulary)  # type: ignore[arg-type]
        tokens = vocabulary.encode('"ada@[127.0.0.1]"')
        assert tokens is not None
        assert (matcher.validate(tokens) == len(tokens)) is takes
