"""Tests of vLLM with thoughts before a text, by its reasoning parser: `tests/python/vllm`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from engine import llm, model, params
from samples import PERSON, is_person

MODEL = model()


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A model whose vocabulary has the marks of thoughts: two of its own special tokens under other names."""
    folder = tmp_path_factory.mktemp("thinking")
    for file in Path(MODEL).iterdir():
        if file.suffix in (".json", ".jinja") and file.is_file():
            text = file.read_text("utf-8").replace("<jupyter_start>", "<think>").replace("<jupyter_output>", "</think>")
            (folder / file.name).write_text(text, "utf-8")
        elif file.is_file():
            shutil.copy(file, folder)
    return llm(str(folder), structured_outputs_config={"reasoning_parser": "deepseek_r1"})


def written(engine: Any, asked: list[Any]) -> list[str]:
    return [answer.outputs[0].text for answer in engine.generate(["Think."] * len(asked), asked, use_tqdm=False)]


@pytest.mark.parametrize("bias", [100.0, 12.0, 9.0])
def test_a_text_after_thoughts_is_complete(thinking: Any, bias: float) -> None:
    """The model of the tests never ends its thoughts by itself, so the mark has a bias: with a larger bias, thoughts are shorter."""
    end = thinking.get_tokenizer().convert_tokens_to_ids("</think>")
    asked = [
        params({"json": PERSON}, max_tokens=70, temperature=1.0, seed=seed, logit_bias={end: bias}, skip_special_tokens=False)
        for seed in range(6)
    ]
    lengths = []
    for text in written(thinking, asked):
        thoughts, mark, answer = text.partition("</think>")
        lengths.append(len(thoughts))
        if mark and len(thinking.get_tokenizer().encode(answer)) > 20:
            assert is_person(answer.removesuffix("<|im_end|>").removesuffix("<|endoftext|>")), text
    assert lengths if bias < 100 else lengths == [0] * 6
