"""The interfaces of engines that the plug-ins use, as they were when the plug-ins were written: drift is seen where an engine is installed."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

MANAGER = "vllm.v1.structured_output:StructuredOutputManager"
TYPES = "vllm.v1.structured_output.backend_types"

#: The names of the parameters of each function.
PARAMETERS = {
    "transformers:LogitsProcessor.__call__": ["self", "input_ids", "scores"],
    "vllm.sampling_params:SamplingParams._validate_structured_outputs": [
        "self",
        "model_config",
        "structured_outputs_config",
        "tokenizer",
    ],
    "vllm.v1.structured_output.request:get_structured_output_key": ["params"],
    f"{MANAGER}.grammar_init": ["self", "request"],
    f"{MANAGER}._create_grammar": ["self", "request"],
    f"{MANAGER}._fill_bitmasks": ["self", "batch"],
    f"{TYPES}:StructuredOutputBackend.compile_grammar": ["self", "request_type", "grammar_spec", "stop_token_ids"],
    f"{TYPES}:StructuredOutputBackend.allocate_token_bitmask": ["self", "max_num_seqs"],
    f"{TYPES}:StructuredOutputBackend.destroy": ["self"],
    f"{TYPES}:StructuredOutputGrammar.accept_tokens": ["self", "request_id", "tokens"],
    f"{TYPES}:StructuredOutputGrammar.validate_tokens": ["self", "tokens"],
    f"{TYPES}:StructuredOutputGrammar.rollback": ["self", "num_tokens"],
    f"{TYPES}:StructuredOutputGrammar.fill_bitmask": ["self", "bitmask", "batch_index"],
    f"{TYPES}:StructuredOutputGrammar.is_terminated": ["self"],
    f"{TYPES}:StructuredOutputGrammar.reset": ["self"],
}


def found(path: str) -> Any:
    module, _, names = path.partition(":")
    pytest.importorskip(module.partition(".")[0])
    thing: Any = importlib.import_module(module)
    for name in names.split("."):
        thing = getattr(thing, name)
    return thing


@pytest.mark.parametrize("path", PARAMETERS)
def test_functions_take_what_they_took(path: str) -> None:
    assert list(inspect.signature(found(path)).parameters) == PARAMETERS[path]


def test_a_request_still_has_what_a_budget_is_made_of() -> None:
    request = found("vllm.v1.request:Request")
    assert isinstance(request.num_output_tokens, property)
    assert all(f"self.{name} = " in inspect.getsource(request.__init__) for name in ("max_tokens", "num_prompt_tokens"))


def test_an_abstract_grammar_has_no_method_that_the_plug_in_does_not_know() -> None:
    for name in ("StructuredOutputGrammar", "StructuredOutputBackend"):
        known = {path.rpartition(".")[2] for path in PARAMETERS if f"{TYPES}:{name}." in path}
        assert found(f"{TYPES}:{name}").__abstractmethods__ == known
