"""Tests of events and partial values of growing texts."""

import json
import random

import ogc
import pytest

PERSON = ogc.Format.json_schema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "a/b~c": {"type": "object", "properties": {"x": {"type": "number"}}},
            "known": {"type": ["boolean", "null"]},
        },
    }
)
VALUE = {"name": 'Zoë "Z"\n', "tags": ["a", "", "ü"], "a/b~c": {"x": -1.5e3}, "known": None}


@pytest.mark.parametrize("seed", range(20))
def test_the_last_partial_value_is_the_value(seed: int) -> None:
    draw, text, pieces = random.Random(seed), json.dumps(VALUE, ensure_ascii=seed % 2 == 0).encode(), list[bytes]()
    while text:
        cut = draw.randint(1, 6)
        pieces.append(text[:cut])
        text = text[cut:]
    values = list(ogc.partials(PERSON, pieces))
    assert values[-1] == VALUE
    for shorter, longer in zip(values, values[1:]):
        assert shorter != longer and set(shorter) <= set(longer)
        assert longer["name"].startswith(shorter["name"]) if "name" in shorter else True


def test_events_end_with_ended_and_incomplete_texts_raise() -> None:
    kinds = [event["event"] for event in ogc.events(PERSON, ['{"name": "A"}'])]
    assert kinds[0] == "value-begins" and kinds[-1] == "ended"
    with pytest.raises(ValueError):
        list(ogc.events(PERSON, ['{"name": "A']))


def test_partials_of_several_tool_calls_are_a_list() -> None:
    tool: dict[str, object] = {"name": "now", "parameters": {"type": "object", "properties": {}}}
    text = 'Hm. <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call> <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
    values = list(ogc.partials(ogc.Format.tools([tool]), [text]))
    assert values[-1] == [{"name": "now", "arguments": {}}] * 2
