"""An unmodified vLLM with the plug-in, on a processor and with a small model.

`tests/python/run --vllm` installs it and sets what it needs: OGC_VLLM_MODEL is the folder of the model. Skipped otherwise. The engine lives in
this process, so that it is started once.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any

import jsonschema
import pytest

MODEL = os.environ.get("OGC_VLLM_MODEL")
if not MODEL:
    pytest.skip("OGC_VLLM_MODEL names no model", allow_module_level=True)

vllm = pytest.importorskip("vllm")
from vllm.exceptions import VLLMValidationError  # noqa: E402
from vllm.sampling_params import SamplingParams, StructuredOutputsParams  # noqa: E402

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


@pytest.fixture(scope="module")
def engine() -> Any:
    return vllm.LLM(model=MODEL, enforce_eager=True, max_model_len=1024, dtype="float32", seed=3)


def write(engine: Any, outputs: dict[str, Any], *, max_tokens: int = 80, temperature: float = 1.0, count: int = 6) -> list[str]:
    params = SamplingParams(
        temperature=temperature, max_tokens=max_tokens, structured_outputs=StructuredOutputsParams(**outputs)
    )
    prompts = [PROMPTS[at % len(PROMPTS)] for at in range(count)]
    return [answer.outputs[0].text for answer in engine.generate(prompts, params, use_tqdm=False)]


def is_person(text: str) -> bool:
    jsonschema.validate(json.loads(text), PERSON)
    return True


FORMATS: dict[str, tuple[dict[str, Any], Any]] = {
    "schema": ({"json": PERSON}, is_person),
    "object": ({"json_object": True}, lambda text: isinstance(json.loads(text), dict)),
    "regex": ({"regex": "[A-Z][a-z]{2,8}, [0-9]{1,3}"}, re.compile("[A-Z][a-z]{2,8}, [0-9]{1,3}").fullmatch),
    "choice": ({"choice": ["red", "green", "a+b?"]}, lambda text: text in ("red", "green", "a+b?")),
    "gbnf": ({"grammar": 'root ::= ("ab" | "cd")+ "."'}, re.compile(r"(ab|cd)+\.").fullmatch),
    "lark": ({"grammar": 'start: "x" DIGIT\nDIGIT: /[0-9]/'}, re.compile("x[0-9]").fullmatch),
    "ogc": ({"grammar": 'output A = "age: " age: int<0..99>'}, re.compile("age: [0-9]{1,2}").fullmatch),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("temperature", [0.0, 1.3])
def test_every_text_is_of_its_format(engine: Any, name: str, temperature: float) -> None:
    outputs, is_valid = FORMATS[name]
    for text in write(engine, outputs, temperature=temperature):
        assert is_valid(text), text


@pytest.mark.parametrize("max_tokens", [40, 30, 24])
def test_texts_are_whole_within_max_tokens(engine: Any, max_tokens: int) -> None:
    for text in write(engine, {"json": PERSON}, max_tokens=max_tokens, temperature=1.5, count=4):
        assert is_person(text)


def test_requests_with_formats_of_their_own_run_together(engine: Any) -> None:
    def params(outputs: dict[str, Any]) -> SamplingParams:
        return SamplingParams(temperature=1.0, max_tokens=60, structured_outputs=StructuredOutputsParams(**outputs))

    some = [FORMATS[name] for name in FORMATS] * 3
    prompts = [PROMPTS[at % len(PROMPTS)] for at in range(len(some))]
    answers = engine.generate(prompts, [params(outputs) for outputs, _ in some], use_tqdm=False)
    for answer, (_, is_valid) in zip(answers, some):
        assert is_valid(answer.outputs[0].text), answer.outputs[0].text


@pytest.mark.parametrize(
    ("outputs", "max_tokens", "words"),
    [
        ({"json": {"type": "objekt"}}, 40, ["objekt", "1:10", "Help"]),
        ({"regex": "(a"}, 40, ["<regex>"]),
        ({"grammar": "output A = B"}, 40, ["`B`"]),
        ({"json": PERSON}, 5, ["max_tokens is 5"]),
        ({"structural_tag": "{}"}, 40, ["structural tags"]),
    ],
)
def test_a_bad_request_is_refused_with_place_and_help(
    engine: Any, outputs: dict[str, Any], max_tokens: int, words: list[str]
) -> None:
    with pytest.raises(VLLMValidationError) as caught:
        write(engine, outputs, max_tokens=max_tokens, count=1)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_texts_without_a_format_are_left_alone(engine: Any) -> None:
    (answer,) = engine.generate(["The sea is"], SamplingParams(temperature=0.0, max_tokens=8), use_tqdm=False)
    assert len(answer.outputs[0].token_ids) == 8
