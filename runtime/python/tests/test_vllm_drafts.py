"""Tests of vLLM with drafts, which are n-grams of the prompt: `tests/python/vllm`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from engine import llm, model, params
from samples import PERSON, is_person

model()

#: A prompt that texts of PERSON repeat in part, so that drafts are found, and rejected where a text differs from the prompt.
ECHO = 'Copy: {"name": "Ada Lovelace", "age": 36, "tags": ["red", "blue"]}\nCopy: {"name": "Ada", "age": 7, "tags": []}\nCopy:'


def texts(engine: Any, prompt: str, asked: list[Any]) -> list[str]:
    return [answer.outputs[0].text for answer in engine.generate([prompt] * len(asked), asked, use_tqdm=False)]


class Drafts:
    """Counts the drafts of the engine."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from vllm.v1.structured_output import StructuredOutputManager

        self.scheduled = 0
        fill = StructuredOutputManager.grammar_bitmask

        def grammar_bitmask(manager: Any, requests: Any, ids: Any, drafts: Any) -> Any:
            self.scheduled += sum(len(drafts.get(id, ())) for id in ids)
            return fill(manager, requests, ids, drafts)

        monkeypatch.setattr(StructuredOutputManager, "grammar_bitmask", grammar_bitmask)


@pytest.fixture(scope="module")
def drafting() -> Any:
    return llm(speculative_config={"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 3, "prompt_lookup_min": 1})


def test_drafts_are_used_and_every_text_is_complete(drafting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts = Drafts(monkeypatch)
    for temperature in (0.0, 1.0):
        for max_tokens in (80, 30, 24):
            asked = [params({"json": PERSON}, temperature=temperature, max_tokens=max_tokens) for _ in range(4)]
            assert all(is_person(text) for text in texts(drafting, ECHO, asked))
    assert drafts.scheduled > 100


def test_formats_with_and_without_drafts_share_a_batch(drafting: Any) -> None:
    formats: list[dict[str, Any]] = [{"regex": "(ab|cd){2,9}x"}, {"json_object": True}, {"choice": ["Copy", "Paste"]}, {"json": PERSON}]
    asked = [params(outputs, max_tokens=48) for outputs in formats * 2]
    found = texts(drafting, ECHO, asked)
    for text in found[1::4] + found[3::4]:
        json.loads(text)
    assert all(text in ("Copy", "Paste") for text in found[2::4])
