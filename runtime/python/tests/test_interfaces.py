"""Tests that the interfaces of engines are still those that the plug-ins were written for; they need an installed engine."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

MANAGER = "vllm.v1.structured_output:StructuredOutputManager"
TYPES = "vllm.v1.structured_output.backend_types"
SGLANG = "sglang.srt.constrained"
GRAMMAR = f"{SGLANG}.base_grammar_backend:BaseGrammarObject"
BACKEND = f"{SGLANG}.base_grammar_backend:BaseGrammarBackend"

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
    "sglang.srt.arg_groups.choices:add_grammar_backend_choices": ["iterable"],
    "sglang.srt.runtime_context:max_speculative_num_draft_tokens": [],
    "sglang.srt.speculative.spec_utils:traverse_tree": [
        "retrieve_next_token",
        "retrieve_next_sibling",
        "draft_tokens",
        "grammar",
        "allocate_token_bitmask",
        "vocab_size",
    ],
    f"{SGLANG}.base_grammar_backend:register_grammar_backend": ["name", "init_func"],
    f"{SGLANG}.grammar_manager:GrammarManager._apply_request_reasoning_config": ["self", "req"],
    f"{SGLANG}.reasoner_grammar_backend:ReasonerGrammarBackend.__init__": [
        "self",
        "grammar_backend",
        "reasoning_parser",
        "tokenizer",
        "enable_strict_thinking",
    ],
    f"{SGLANG}.torch_ops.token_filter_torch_ops:set_token_filter_torch": [
        "vocab_mask",
        "token_ids",
        "batch_idx",
        "is_allowed",
        "reset_vocab_mask",
    ],
    f"{GRAMMAR}.accept_token": ["self", "token"],
    f"{GRAMMAR}.rollback": ["self", "k"],
    f"{GRAMMAR}.is_terminated": ["self"],
    f"{GRAMMAR}.copy": ["self"],
    f"{GRAMMAR}.allocate_vocab_mask": ["self", "vocab_size", "batch_size", "device"],
    f"{GRAMMAR}.fill_vocab_mask": ["self", "vocab_mask", "idx"],
    f"{GRAMMAR}.fill_vocab_mask_batched": ["entries", "vocab_mask"],
    f"{GRAMMAR}.reset_vocab_mask": ["vocab_mask"],
    f"{GRAMMAR}.move_vocab_mask": ["vocab_mask", "device"],
    f"{GRAMMAR}.apply_vocab_mask": ["logits", "vocab_mask"],
    **{f"{BACKEND}.dispatch_{kind}": ["self", "key_string"] for kind in ("json", "regex", "ebnf", "structural_tag")},
    f"{BACKEND}.reset": ["self"],
}


def found(path: str) -> Any:
    module, _, names = path.partition(":")
    pytest.importorskip(module.partition(".")[0])
    thing: Any = importlib.import_module(module)
    for name in names.split("."):
        thing = getattr(thing, name)
    return thing


@pytest.mark.parametrize("path", PARAMETERS)
def test_functions_of_engines_still_have_the_expected_parameters(path: str) -> None:
    assert list(inspect.signature(found(path)).parameters) == PARAMETERS[path]


def test_a_vllm_request_still_has_the_fields_of_a_budget() -> None:
    request = found("vllm.v1.request:Request")
    assert isinstance(request.num_output_tokens, property)
    assert all(f"self.{name} = " in inspect.getsource(request.__init__) for name in ("max_tokens", "num_prompt_tokens"))


def test_the_abstract_grammar_of_vllm_has_no_unknown_methods() -> None:
    for name in ("StructuredOutputGrammar", "StructuredOutputBackend"):
        known = {path.rpartition(".")[2] for path in PARAMETERS if f"{TYPES}:{name}." in path}
        assert found(f"{TYPES}:{name}").__abstractmethods__ == known
