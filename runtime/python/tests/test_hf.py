"""Tests of transformers with a small model: every mode of generation writes complete texts of the format.

`OGC_HF_MODEL` is a folder with SmolLM2; tests/python/run creates it. Without it, or without torch, the tests are skipped.
"""

from __future__ import annotations

import json
import os
from typing import Any

import jsonschema
import ogc
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
hf = pytest.importorskip("ogc.hf")

MODEL = os.environ.get("OGC_HF_MODEL")
if not MODEL:
    pytest.skip("OGC_HF_MODEL names no model", allow_module_level=True)

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 24},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["red", "green", "blue"]}, "maxItems": 3},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}
PERSON = ogc.Format.json_schema(SCHEMA, space="compact", escapes="canonical")
PROMPT = "Describe a person as JSON with name, age and tags."


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return transformers.AutoTokenizer.from_pretrained(MODEL)


@pytest.fixture(scope="module")
def model() -> Any:
    torch.manual_seed(0)
    return transformers.AutoModelForCausalLM.from_pretrained(MODEL, dtype=torch.float32).eval()


def asked(tokenizer: Any, prompts: list[str]) -> Any:
    tokenizer.padding_side = "left"
    chats = [[{"role": "user", "content": prompt}] for prompt in prompts]
    texts = [tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False) for chat in chats]
    return tokenizer(texts, return_tensors="pt", padding=True)


def written(tokenizer: Any, inputs: Any, ids: Any) -> list[str]:
    texts: list[str] = tokenizer.batch_decode(ids[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    return texts


MODES: dict[str, dict[str, Any]] = {
    "greedy": {},
    "sampling": {"do_sample": True, "temperature": 1.5, "top_k": 0},
    "several": {"do_sample": True, "num_return_sequences": 4},
    "beams": {"num_beams": 4, "num_return_sequences": 4},
    "beam sampling": {"num_beams": 3, "do_sample": True},
    "prompt look-up": {"prompt_lookup_num_tokens": 4},
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("limit", [24, 60])
def test_every_mode_generates_complete_texts(model: Any, tokenizer: Any, mode: str, limit: int) -> None:
    inputs = asked(tokenizer, [PROMPT])
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=limit)
    ids = model.generate(**inputs, logits_processor=[processor], max_new_tokens=limit, **MODES[mode])
    for text in written(tokenizer, inputs, ids):
        jsonschema.validate(json.loads(text), SCHEMA)


def test_assisted_generation_gives_the_same_text(model: Any, tokenizer: Any) -> None:
    inputs = asked(tokenizer, [PROMPT])
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=50)
    plain = model.generate(**inputs, logits_processor=[processor], max_new_tokens=50)
    processor.reset()
    config = transformers.LlamaConfig(**{**model.config.to_dict(), "num_hidden_layers": 2})
    assistant = transformers.LlamaForCausalLM(config).eval()
    ids = model.generate(**inputs, logits_processor=[processor], max_new_tokens=50, assistant_model=assistant)
    assert written(tokenizer, inputs, ids) == written(tokenizer, inputs, plain)


def test_batches_with_left_padding_generate_complete_texts(model: Any, tokenizer: Any) -> None:
    inputs = asked(tokenizer, ["A person.", PROMPT, "Someone who likes the sea, as JSON, with all that belongs to it."])
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=40)
    ids = model.generate(**inputs, logits_processor=[processor], max_new_tokens=40, do_sample=True)
    for text in written(tokenizer, inputs, ids):
        jsonschema.validate(json.loads(text), SCHEMA)


def test_each_prompt_can_have_its_own_format(model: Any, tokenizer: Any) -> None:
    inputs = asked(tokenizer, ["A person.", "Three digits."])
    formats = [PERSON, ogc.Format.regex("[0-9]{3}")]
    processor = hf.LogitsProcessor(formats, tokenizer, model=model, max_new_tokens=40)
    ids = model.generate(**inputs, logits_processor=[processor], max_new_tokens=40, num_beams=2, num_return_sequences=2)
    *people, first, second = written(tokenizer, inputs, ids)
    for text in people:
        jsonschema.validate(json.loads(text), SCHEMA)
    assert all(len(digits) == 3 and digits.isdigit() for digits in (first, second))


def test_tokens_forced_by_another_processor_are_refused(model: Any, tokenizer: Any) -> None:
    inputs = asked(tokenizer, [PROMPT])
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=40)

    def force(ids: Any, scores: Any) -> Any:
        return torch.zeros_like(scores).index_fill(1, torch.tensor([500]), 1.0)

    with pytest.raises(ogc.NotAllowedError, match="reset"):
        model.generate(**inputs, logits_processor=[processor, force], max_new_tokens=40)


def test_forced_runs_give_the_same_text_in_fewer_passes(model: Any, tokenizer: Any) -> None:
    inputs = asked(tokenizer, [PROMPT])
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=60)
    plain = model.generate(**inputs, logits_processor=[processor], max_new_tokens=60)
    vocabulary = ogc.Vocabulary.of_transformers(tokenizer, model=model)
    matcher = PERSON.matcher(vocabulary, max_tokens=60)
    forced = model.generate(
        **inputs, custom_generate=hf.forced_generate, ogc_matcher=matcher, ogc_tokenizer=tokenizer, max_new_tokens=60
    )
    (text,), (expected,) = written(tokenizer, inputs, forced), written(tokenizer, inputs, plain)
    jsonschema.validate(json.loads(text), SCHEMA)
    passes = plain.shape[1] - inputs["input_ids"].shape[1]
    print(f"{passes} passes became {model.ogc_passes}: {text}")
    assert json.loads(text).keys() == json.loads(expected).keys()
    assert model.ogc_passes < passes


def test_a_format_over_the_token_limit_is_refused_before_the_first_token(model: Any, tokenizer: Any) -> None:
    with pytest.raises(ogc.BudgetError):
        hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=4)


def test_pipelines_accept_the_processor(model: Any, tokenizer: Any) -> None:
    pipeline = transformers.pipeline("text-generation", model=model, tokenizer=tokenizer)
    processor = hf.LogitsProcessor(PERSON, tokenizer, model=model, max_new_tokens=40)
    (answer,) = pipeline(PROMPT, logits_processor=[processor], max_new_tokens=40, return_full_text=False)
    jsonschema.validate(json.loads(answer["generated_text"]), SCHEMA)
