"""Tests of an unmodified vLLM with the plug-in, on a processor and with a small model: `tests/python/vllm`."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from engine import llm, model, params, write
from samples import PERSON, PROMPTS, TAG, is_person

MODEL = model()
from vllm.exceptions import VLLMValidationError  # noqa: E402
from vllm.sampling_params import SamplingParams  # noqa: E402


@pytest.fixture(scope="module")
def engine() -> Any:
    return llm()


FORMATS: dict[str, tuple[dict[str, Any], Any]] = {
    "schema": ({"json": PERSON}, is_person),
    "object": ({"json_object": True}, lambda text: isinstance(json.loads(text), dict)),
    "regex": ({"regex": "[A-Z][a-z]{2,8}, [0-9]{1,3}"}, re.compile("[A-Z][a-z]{2,8}, [0-9]{1,3}").fullmatch),
    "choice": ({"choice": ["red", "green", "a+b?"]}, lambda text: text in ("red", "green", "a+b?")),
    "gbnf": ({"grammar": 'root ::= ("ab" | "cd")+ "."'}, re.compile(r"(ab|cd)+\.").fullmatch),
    "lark": ({"grammar": 'start: "x" DIGIT\nDIGIT: /[0-9]/'}, re.compile("x[0-9]").fullmatch),
    "tag": ({"structural_tag": json.dumps(TAG)}, re.compile('<f>("x"|1)</f>').fullmatch),
    "ogc": ({"grammar": 'output A = "age: " age: int<0..99>'}, re.compile("age: [0-9]{1,2}").fullmatch),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("temperature", [0.0, 1.3])
def test_every_text_matches_its_format(engine: Any, name: str, temperature: float) -> None:
    outputs, is_valid = FORMATS[name]
    for text in write(engine, outputs, temperature=temperature):
        assert is_valid(text), text


@pytest.mark.parametrize("max_tokens", [40, 30, 24])
def test_texts_are_complete_within_max_tokens(engine: Any, max_tokens: int) -> None:
    for text in write(engine, {"json": PERSON}, max_tokens=max_tokens, temperature=1.5, count=4):
        assert is_person(text)


def test_requests_with_different_formats_run_together(engine: Any) -> None:
    some = [FORMATS[name] for name in FORMATS] * 3
    prompts = [PROMPTS[at % len(PROMPTS)] for at in range(len(some))]
    answers = engine.generate(prompts, [params(outputs, max_tokens=60) for outputs, _ in some], use_tqdm=False)
    for answer, (_, is_valid) in zip(answers, some):
        assert is_valid(answer.outputs[0].text), answer.outputs[0].text


@pytest.mark.parametrize(
    ("outputs", "max_tokens", "words"),
    [
        ({"json": {"type": "objekt"}}, 40, ["objekt", "1:10", "Help"]),
        ({"regex": "(a"}, 40, ["<regex>"]),
        ({"grammar": "output A = B"}, 40, ["`B`"]),
        ({"json": PERSON}, 5, ["max_tokens is 5"]),
        ({"structural_tag": "{}"}, 40, ["structural tag"]),
    ],
)
def test_a_bad_request_is_refused_with_place_and_help(
    engine: Any, outputs: dict[str, Any], max_tokens: int, words: list[str]
) -> None:
    with pytest.raises(VLLMValidationError) as caught:
        write(engine, outputs, max_tokens=max_tokens, count=1)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_texts_without_a_format_are_unconstrained(engine: Any) -> None:
    (answer,) = engine.generate(["The sea is"], SamplingParams(temperature=0.0, max_tokens=8), use_tqdm=False)
    assert len(answer.outputs[0].token_ids) == 8
