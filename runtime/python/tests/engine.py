"""Starts vLLM for tests: on a processor, with the small model that OGC_VLLM_MODEL names."""

from __future__ import annotations

import os
from typing import Any

import pytest
from samples import PROMPTS


def model() -> str:
    """The folder of the model; skips the calling module if there is none."""
    folder = os.environ.get("OGC_VLLM_MODEL")
    if not folder:
        pytest.skip("OGC_VLLM_MODEL names no model", allow_module_level=True)
    pytest.importorskip("vllm")
    return folder


def llm(folder: str | None = None, **options: Any) -> Any:
    """An engine in this process, as small as possible."""
    import vllm

    return vllm.LLM(model=folder or model(), enforce_eager=True, max_model_len=1024, dtype="float32", seed=3, **options)


def params(outputs: dict[str, Any], *, max_tokens: int = 80, temperature: float = 1.0, **options: Any) -> Any:
    from vllm.sampling_params import SamplingParams, StructuredOutputsParams

    outputs_of = StructuredOutputsParams(**outputs)
    return SamplingParams(temperature=temperature, max_tokens=max_tokens, structured_outputs=outputs_of, **options)


def write(engine: Any, outputs: dict[str, Any], *, count: int = 6, **options: Any) -> list[str]:
    """Texts of a format for several prompts."""
    prompts = [PROMPTS[at % len(PROMPTS)] for at in range(count)]
    return [answer.outputs[0].text for answer in engine.generate(prompts, params(outputs, **options), use_tqdm=False)]
