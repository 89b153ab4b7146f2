"""ogc as the engine of structured output inside an unmodified vLLM.

Nothing changes unless ``OGC_VLLM=on`` is set when vLLM starts. Then JSON Schemas, regexes, choices and grammars of requests (GBNF, Lark, `.ogc` text,
or ``%format NAME`` of the folder ``OGC_FORMATS``) are compiled by ogc, for any configured backend of vLLM. An error in a format is vLLM's own
validation error, with its place. Every text is complete within ``max_tokens``.

vLLM has no interface for this. It calls :func:`register` as a plug-in in each of its processes; the function wraps three functions of vLLM:

* ``SamplingParams._validate_structured_outputs``: the request is checked when it arrives;
* ``StructuredOutputManager.grammar_init``: the backend is this one;
* ``StructuredOutputManager._create_grammar``: the backend's interface has no room for the request's ``max_tokens``.
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from dataclasses import dataclass
from typing import Any

from ._errors import BudgetError, FormatError
from ._format import Space
from ._ogc import Format, Vocabulary, __version__, fill_masks
from ._serving import FormatCache, Kind, RowsCache, SteppedText, format_of, rollback_window, space_of, with_room_for_the_end

__all__ = ["TESTED", "register"]

#: The versions of vLLM that the plug-in was tested with.
TESTED = ("0.32", "0.33")

#: The name of a backend that vLLM knows, with which requests are marked: vLLM accepts no other values.
_MARK = "guidance"


def is_on() -> bool:
    return os.environ.get("OGC_VLLM", "off") == "on"


def register() -> None:
    """Entry point of the group ``vllm.general_plugins``."""
    if not is_on():
        return
    import vllm
    from vllm.sampling_params import SamplingParams
    from vllm.v1.structured_output import StructuredOutputManager

    version = ".".join(vllm.__version__.split(".")[:2])
    if version not in TESTED:
        known = ", ".join(f"{tested}.x" for tested in TESTED)
        raise RuntimeError(f"ogc was not tested with vLLM {vllm.__version__}: use {known}, or unset OGC_VLLM")
    if getattr(StructuredOutputManager, "_ogc_is_here", False):
        return
    StructuredOutputManager._ogc_is_here = True
    _wrap_validation(SamplingParams)
    _wrap_manager(StructuredOutputManager)
    # Plug-ins are loaded before vLLM sets up its own log; until then, the log shows only warnings.
    logging.getLogger("ogc").warning("ogc %s is on: it writes structured outputs", __version__)


def _wrap_validation(params_class: Any) -> None:
    from vllm.exceptions import VLLMValidationError
    from vllm.v1.structured_output.request import get_structured_output_key

    original = params_class._validate_structured_outputs
    vocabularies = _Vocabularies()
    formats: dict[tuple[Space, Vocabulary], FormatCache] = {}

    def validate(self: Any, model_config: Any, structured_outputs_config: Any, tokenizer: Any) -> None:
        outputs = self.structured_outputs
        if outputs is None or structured_outputs_config is None or tokenizer is None or model_config.is_diffusion:
            return original(self, model_config, structured_outputs_config, tokenizer)  # type: ignore[no-any-return]
        space = space_of(compact=bool(structured_outputs_config.disable_any_whitespace))
        vocabulary = vocabularies.of(tokenizer, model_config.get_vocab_size())
        cache = formats.setdefault((space, vocabulary), _cache(space, vocabulary))
        kind, text = get_structured_output_key(outputs)
        try:
            format = cache.get(Kind[kind.name], text)
            if self.max_tokens is not None and not structured_outputs_config.reasoning_parser:
                least = format.least_tokens(vocabulary)
                if least is None:
                    raise BudgetError("no text of the format is known that the model's tokens can write")
                if least > self.max_tokens:
                    raise BudgetError(f"a text of the format takes {least} tokens or more, and max_tokens is {self.max_tokens}")
        except (FormatError, BudgetError, ValueError) as error:
            raise VLLMValidationError(f"ogc: {error}", parameter="structured_outputs") from error
        outputs._backend = _MARK
        outputs._backend_was_auto = True
        return None

    params_class._validate_structured_outputs = validate


def _cache(space: Space, vocabulary: Vocabulary) -> FormatCache:
    return FormatCache(lambda kind, text: format_of(kind, text, space=space, vocabulary=vocabulary))


class _Vocabularies:
    """The vocabulary of a tokenizer, made once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[Any, int, Vocabulary] | None = None

    def of(self, tokenizer: Any, size: int) -> Vocabulary:
        with self._lock:
            if self._known is None or self._known[0] is not tokenizer or self._known[1] != size:
                self._known = (tokenizer, size, Vocabulary.of_transformers(tokenizer, size=size))
            return self._known[2]


def _wrap_manager(manager_class: Any) -> None:
    backend_class = _backend_class()
    init, create, fill = manager_class.grammar_init, manager_class._create_grammar, manager_class._fill_bitmasks

    def grammar_init(self: Any, request: Any) -> None:
        outputs = request.structured_output_request
        if self.backend is None and outputs is not None:
            size = self.vllm_config.model_config.get_vocab_size()
            self.backend = backend_class(self.vllm_config, tokenizer=self.tokenizer, vocab_size=size)
            if hasattr(self, "backend_name"):
                self.backend_name = request.sampling_params.structured_outputs._backend
        return init(self, request)  # type: ignore[no-any-return]

    def create_grammar(self: Any, request: Any) -> Any:
        if not isinstance(self.backend, backend_class):
            return create(self, request)
        with self.backend.for_request(request, waits=_thinks_first(self, request)):
            return create(self, request)

    def fill_bitmasks(self: Any, batch: Any) -> None:
        if not isinstance(self.backend, backend_class):
            return fill(self, batch)  # type: ignore[no-any-return]
        texts, indices, others = [], [], []
        for row in batch:
            # The grammar, its index, and whether it is applied. Later versions add tokens that end thoughts.
            grammar, index, is_applied = row[:3]
            if is_applied and not grammar.is_terminated():
                grammar.text.begin()
                texts.append(grammar.text.matcher)
                indices.append(index)
            else:
                others.append(row)
        fill_masks(texts, self.backend.rows.of(self._grammar_bitmask), indices)
        return fill(self, others)  # type: ignore[no-any-return]

    manager_class.grammar_init = grammar_init
    manager_class._create_grammar = create_grammar
    manager_class._fill_bitmasks = fill_bitmasks


def _thinks_first(manager: Any, request: Any) -> bool:
    """Whether tokens may come before the text of the format begins."""
    if manager.enable_in_reasoning or manager.reasoner_cls is None:
        return False
    return request.structured_output_request.reasoning_ended is not True


def _tokens_left(request: Any, max_model_len: int) -> int:
    """The tokens that the request may still write; its end token is one of them."""
    limit = min(request.max_tokens, max_model_len - request.num_prompt_tokens)
    return max(int(limit) - int(request.num_output_tokens), 0)


def _backend_class() -> Any:
    import torch
    from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar

    class OgcGrammar(StructuredOutputGrammar):
        """The text of one request."""

        def __init__(self, text: SteppedText, rows: RowsCache) -> None:
            self.text = text
            self._rows = rows

        def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
            return self.text.accept(tokens)

        def validate_tokens(self, tokens: list[int]) -> list[int]:
            return tokens[: self.text.validate(tokens)]

        def rollback(self, num_tokens: int) -> None:
            self.text.rollback(num_tokens)

        def fill_bitmask(self, bitmask: Any, batch_index: int) -> None:
            self.text.fill(self._rows.of(bitmask), batch_index)

        def is_terminated(self) -> bool:
            return self.text.is_ended

        def reset(self) -> None:
            self.text.reset()

    # The base class is a dataclass; its generated constructor does not call `__post_init__`, because this class is not a dataclass.
    @dataclass
    class OgcBackend(StructuredOutputBackend):
        """Formats of one engine."""

        def __post_init__(self) -> None:
            config = self.vllm_config.structured_outputs_config
            self._space = space_of(compact=bool(config.disable_any_whitespace))
            self.vocabulary = Vocabulary.of_transformers(self.tokenizer, size=self.vocab_size)
            self.rows = RowsCache()
            self._formats = FormatCache(self._compiled)
            self._here = threading.local()

        def _compiled(self, kind: Kind, text: str) -> Format:
            format = format_of(kind, text, space=self._space, vocabulary=self.vocabulary)
            format.warm_up(self.vocabulary)
            return format

        def for_request(self, request: Any, *, waits: bool) -> _ForRequest:
            return _ForRequest(self._here, weakref.ref(request), waits)

        def compile_grammar(self, request_type: Any, grammar_spec: str, stop_token_ids: set[int] | None = None) -> OgcGrammar:
            format = self._formats.get(Kind[request_type.name], grammar_spec)
            stops = sorted(stop_token_ids) if stop_token_ids else None
            window = rollback_window(self.vllm_config.num_speculative_tokens)
            matcher = format.matcher(self.vocabulary, stop_tokens=stops, rollback_window=window, tokens=None)
            known, waits = getattr(self._here, "request", None), getattr(self._here, "waits", False)
            if known is None:
                return OgcGrammar(SteppedText(matcher), self.rows)
            max_model_len = self.vllm_config.model_config.max_model_len

            def budget() -> int | None:
                request = known()
                return None if request is None or request.max_tokens is None else _tokens_left(request, max_model_len)

            drafts = self.vllm_config.num_speculative_tokens if waits else 0

            def budget_of_text() -> int | None:
                return with_room_for_the_end(matcher.least_budget(), budget(), drafts=drafts)

            if waits:
                return OgcGrammar(SteppedText(matcher, budget_of_text), self.rows)
            matcher.set_budget(budget_of_text())
            return OgcGrammar(SteppedText(matcher), self.rows)

        def allocate_token_bitmask(self, max_num_seqs: int) -> Any:
            return torch.full((max_num_seqs, (self.vocab_size + 31) // 32), -1, dtype=torch.int32)

        def destroy(self) -> None:
            self._formats.clear()

    return OgcBackend


class _ForRequest:
    """Tells a backend, on this thread, the request whose format it compiles."""

    def __init__(self, here: threading.local, request: Any, waits: bool) -> None:
        self._here, self._request, self._waits = here, request, waits

    def __enter__(self) -> None:
        self._here.request, self._here.waits = self._request, self._waits

    def __exit__(self, *_: object) -> None:
        self._here.request = None
