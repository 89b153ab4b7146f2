"""vLLM as in `vllm serve`: requests are validated in this process, and the engine core runs in another."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from typing import Any

from vllm import SamplingParams
from vllm.engine.arg_utils import AsyncEngineArgs
from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
from vllm.v1.engine.async_llm import AsyncLLM

from .format import Format

#: `max_tokens` of a request; twice the tokens of the format's example if that is more.
MAX_TOKENS = 64


@dataclass
class Answer:
    """The result of a request; seconds are counted from the moment it was sent."""

    text: str = ""
    tokens: int = 0
    first_token: float = 0.0
    end: float = 0.0
    #: vLLM's reason why it ended.
    reason: str = ""


class Engine:
    def __init__(self, model: str, backend: dict[str, Any]) -> None:
        # No prefix caching: only the first request of a format would pay for its prompt.
        args = AsyncEngineArgs(
            model=model,
            dtype="float32",
            enforce_eager=True,
            max_model_len=1024,
            enable_prefix_caching=False,
            structured_outputs_config=backend,
            seed=3,
        )
        self._engine = AsyncLLM.from_engine_args(args)
        self._tokenizer: Any = self._engine.get_tokenizer()
        self._ids = itertools.count()

    async def write(self, format: Format, temperature: float, seed: int) -> Answer:
        """Sends a request and reads its answer as it arrives; raises if vLLM rejects the request."""
        params = SamplingParams(
            temperature=temperature,
            max_tokens=max(MAX_TOKENS, 2 * len(self._tokenizer.encode(format.example, add_special_tokens=False))),
            seed=seed,
            output_kind=RequestOutputKind.DELTA,
            structured_outputs=StructuredOutputsParams(**format.constraint()),
        )
        prompt = self._prompt(format.prompt)
        answer, start = Answer(), time.perf_counter()
        async for output in self._engine.generate(prompt, params, str(next(self._ids))):
            (piece,) = output.outputs
            answer.end = time.perf_counter() - start
            answer.first_token = answer.first_token or answer.end
            answer.text += piece.text
            answer.tokens += len(piece.token_ids)
            answer.reason = piece.finish_reason or ""
        return answer

    def close(self) -> None:
        self._engine.shutdown(timeout=20)

    def _prompt(self, text: str) -> Any:
        message = {"role": "user", "content": text}
        return self._tokenizer.apply_chat_template([message], add_generation_prompt=True, tokenize=False)
