"""ogc as the grammar backend of an unmodified SGLang: ``--grammar-backend ogc``.

JSON Schemas, regexes and grammars of requests (GBNF, Lark, `.ogc` text, or ``%format NAME`` of the folder ``OGC_FORMATS``) are compiled by ogc. An
error in a format ends its request with 400; the message has its place and a way to fix it. Every text is complete within ``max_new_tokens``.

SGLang has an interface for grammar backends, with two gaps. For each gap, :func:`create_backend` wraps a function when the backend is created:

* ``GrammarManager._apply_request_reasoning_config``, which gets both a grammar and its request: formats know neither ``max_new_tokens`` nor the
  stop tokens of a request;
* ``spec_utils.traverse_tree``, which walks a tree of drafts in Python: one call fills all its rows.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Sequence
from typing import Any

import sglang
import torch
from sglang.srt.arg_groups import choices
from sglang.srt.constrained import base_grammar_backend as base
from sglang.srt.constrained.torch_ops.token_filter_torch_ops import set_token_filter_torch
from sglang.srt.runtime_context import max_speculative_num_draft_tokens

from ._errors import BudgetError, FormatError
from ._format import Space
from ._ogc import Format, Vocabulary, fill_masks
from ._serving import (
    MAX_FORMATS,
    FormatCache,
    Kind,
    LeastRecentlyUsed,
    RowsCache,
    SteppedText,
    format_of,
    rollback_window,
    space_of,
    with_room_for_the_end,
)
from ._torch import mask_in_place

__all__ = ["TESTED", "OgcBackend", "OgcGrammar", "create_backend", "register"]

_LOG = logging.getLogger("ogc")

#: The versions of SGLang that the plug-in was tested with.
TESTED = ("0.5.23",)

NAME = "ogc"

#: SGLang's name of any JSON value.
_ANY_JSON = "$$ANY$$"


def register() -> None:
    """Entry point of the group ``sglang.srt.plugins``: makes ``ogc`` a choice of ``--grammar-backend``."""
    base.register_grammar_backend(NAME, create_backend)
    if NAME not in choices.GRAMMAR_BACKEND_CHOICES:
        choices.add_grammar_backend_choices([NAME])


def create_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: set[int] | None = None) -> Any:
    """The backend of a scheduler; wrapped in SGLang's own backend for reasoning, if reasoning is on.

    :raises ValueError: another version of SGLang, or an option that ogc does not know.
    """
    version = sglang.__version__
    if version not in TESTED:
        raise ValueError(f"ogc was not tested with SGLang {version}: use {', '.join(TESTED)}, or another --grammar-backend")
    serving = base.get_serving()
    if serving.constrained_json_whitespace_pattern is not None:
        raise ValueError("ogc knows no --constrained-json-whitespace-pattern: leave it out, or use --constrained-json-disable-any-whitespace")
    stops = {*(eos_token_ids or ()), *(getattr(tokenizer, "additional_stop_token_ids", None) or ())}
    if tokenizer.eos_token_id is not None:
        stops.add(tokenizer.eos_token_id)
    vocabulary = Vocabulary.of_transformers(tokenizer, end_tokens=sorted(stops), size=vocab_size)
    space = space_of(compact=bool(serving.constrained_json_disable_any_whitespace))
    backend = OgcBackend(vocabulary, space=space, drafts=max_speculative_num_draft_tokens() or 0)
    _wrap_manager()
    _wrap_tree()
    return _with_reasoning(backend, serving, tokenizer)


def _with_reasoning(backend: OgcBackend, serving: Any, tokenizer: Any) -> Any:
    """Wraps the backend for reasoning: SGLang wraps only its own backends, and returns a registered backend as it is."""
    if not serving.reasoning_parser:
        return backend
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend

    parser = base.ReasoningParser(model_type=serving.reasoning_parser, stream_reasoning=False, tokenizer=tokenizer)
    if not parser.detector.get_think_end_token_ids(tokenizer):
        return backend
    reasoner = ReasonerGrammarBackend(backend, parser, tokenizer, enable_strict_thinking=serving.enable_strict_thinking)
    reasoner.cache = LeastRecentlyUsed(MAX_FORMATS)
    return reasoner


def _allocated(vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
    """Masks that allow everything, in pinned memory if there is a device."""
    is_pinned = torch.cuda.is_available()
    return torch.full((batch_size, (vocab_size + 31) // 32), -1, dtype=torch.int32, pin_memory=is_pinned)


def _moved(vocab_mask: torch.Tensor, device: Any) -> torch.Tensor:
    return vocab_mask.to(device, non_blocking=True)


def _apply(logits: torch.Tensor, vocab_mask: torch.Tensor) -> None:
    if logits.device.type == "cuda":
        from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton

        apply_token_bitmask_inplace_triton(logits, vocab_mask)
    else:
        mask_in_place(logits, vocab_mask)


class OgcGrammar(base.BaseGrammarObject):
    """The text of one request; SGLang copies it from an object that it keeps for each format."""

    allocate_vocab_mask = staticmethod(_allocated)
    move_vocab_mask = staticmethod(_moved)
    apply_vocab_mask = staticmethod(_apply)

    def __init__(self, format: Format, backend: OgcBackend, kind: Kind, *, is_cached: bool = False) -> None:
        super().__init__()
        self.grammar_stats = base.GrammarStats(dispatch_type=kind.value, is_cache_hit=is_cached)
        self._format, self._backend, self._kind = format, backend, kind
        vocabulary = backend.vocabulary
        matcher = format.matcher(vocabulary, rollback_window=rollback_window(backend.drafts), tokens=None)
        self.text = SteppedText(matcher)

    def copy(self) -> OgcGrammar:
        return OgcGrammar(self._format, self._backend, self._kind, is_cached=True)

    def serve(self, request: Any, *, waits: bool) -> None:
        """Makes this the text of a request: complete within its ``max_new_tokens``, and ended also by its stop tokens.

        ``waits`` is true if tokens come before the text; then its budget is known only when it begins.

        :raises BudgetError: no text of the format is that short.
        """
        vocabulary = self._backend.vocabulary
        stops = {*vocabulary.end_tokens, *(request.sampling_params.stop_token_ids or ())}
        window = rollback_window(self._backend.drafts)
        matcher = self._format.matcher(vocabulary, stop_tokens=sorted(stops), rollback_window=window, tokens=None)
        known = weakref.ref(request)

        def budget() -> int | None:
            request = known()
            if request is None:
                return None
            left = request.sampling_params.max_new_tokens - len(request.output_ids)
            return with_room_for_the_end(matcher.least_budget(), max(left, 0), drafts=self._backend.drafts if waits else 0)

        if not waits:
            matcher.set_budget(budget())
        self.text = SteppedText(matcher, budget if waits else None)

    def accept_token(self, token: int) -> None:
        self.current_token = token
        if not self.text.accept([token]):
            raise ValueError(f"token {token} is {self.text.matcher.explain(token)}")

    def rollback(self, k: int) -> None:
        self.text.rollback(k)

    def is_terminated(self) -> bool:
        return self.text.is_ended

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        self.text.fill(self._backend.rows.of(vocab_mask), idx)

    @staticmethod
    def fill_vocab_mask_batched(entries: Sequence[Any], vocab_mask: torch.Tensor) -> None:
        if not all(isinstance(entry.grammar, OgcGrammar) for entry in entries):
            base.BaseGrammarObject.fill_vocab_mask_batched(entries, vocab_mask)
            return
        if not entries:
            return
        for entry in entries:
            entry.grammar.text.begin()
        rows = entries[0].grammar._backend.rows.of(vocab_mask)
        fill_masks([entry.grammar.text.matcher for entry in entries], rows, [entry.row for entry in entries])

    @staticmethod
    def reset_vocab_mask(vocab_mask: torch.Tensor) -> None:
        vocab_mask.fill_(-1)

    def fill_tree(self, parents: Sequence[int], tokens: Sequence[int], vocab_mask: torch.Tensor) -> None:
        """Fills the rows of a tree of drafts: row 0 behind the last token of the text, row ``i`` behind node ``i``.

        ``tokens`` and ``parents`` belong to nodes 1, 2, ...; parents are counted from 0 there, and -1 is node 0. Rows of nodes that are rejected or
        end the text stay unchanged.
        """
        if self.text.is_ended:
            return
        rows = self._backend.rows.of(vocab_mask)
        stops = self.text.matcher.stop_tokens
        for at, is_allowed in enumerate(self.text.fill_draft(tokens, rows, parents)):
            if not is_allowed or tokens[at] in stops:
                rows.allow_all(at + 1)


class OgcBackend(base.BaseGrammarBackend):
    """Formats of one scheduler."""

    allocate_vocab_mask = staticmethod(_allocated)
    move_vocab_mask = staticmethod(_moved)
    apply_vocab_mask = staticmethod(_apply)
    set_token_filter = staticmethod(set_token_filter_torch)
    is_support_token_filter = True

    def __init__(self, vocabulary: Vocabulary, *, space: Space, drafts: int = 0) -> None:
        super().__init__()
        #: Maximum number of tokens of a draft.
        self.drafts = drafts
        self.cache: LeastRecentlyUsed[tuple[str, str], Any] = LeastRecentlyUsed(MAX_FORMATS)
        self.vocabulary = vocabulary
        self.rows = RowsCache()
        self._space = space
        # Requests with the same new format arrive together, and each asks for it.
        self._formats = FormatCache(self._compiled)

    def _compiled(self, kind: Kind, text: str) -> Format:
        format = format_of(kind, text, space=self._space, vocabulary=self.vocabulary)
        format.warm_up(self.vocabulary)
        return format

    def _dispatched(self, kind: Kind, text: str) -> Any:
        try:
            return OgcGrammar(self._formats.get(kind, text), self, kind)
        except (FormatError, ValueError) as error:
            return base.InvalidGrammarObject(f"ogc: {error}")

    def dispatch_json(self, key_string: str) -> Any:
        return self._dispatched(Kind.JSON, "true" if key_string == _ANY_JSON else key_string)

    def dispatch_regex(self, key_string: str) -> Any:
        return self._dispatched(Kind.REGEX, key_string)

    def dispatch_ebnf(self, key_string: str) -> Any:
        return self._dispatched(Kind.GRAMMAR, key_string)

    def dispatch_structural_tag(self, key_string: str) -> Any:
        return self._dispatched(Kind.STRUCTURAL_TAG, key_string)

    def reset(self) -> None:
        super().reset()
        self._formats.clear()


def _text_now(grammar: Any) -> OgcGrammar | None:
    """The text that a grammar masks now, unless it masks thoughts."""
    if isinstance(grammar, OgcGrammar):
        return grammar
    inner = getattr(grammar, "grammar", None)
    if isinstance(inner, OgcGrammar) and grammar.tokens_after_end >= 0 and not grammar.reasoning_in_grammar:
        return inner
    return None


def _wrap_manager() -> None:
    from sglang.srt.constrained.grammar_manager import GrammarManager

    if hasattr(GrammarManager, "_ogc_is_here"):
        return
    GrammarManager._ogc_is_here = True
    original = GrammarManager._apply_request_reasoning_config

    def apply_config(self: Any, req: Any) -> None:
        original(self, req)
        grammar = req.grammar
        inner = getattr(grammar, "grammar", grammar)
        if not isinstance(inner, OgcGrammar):
            return
        try:
            inner.serve(req, waits=_text_now(grammar) is None and not grammar.reasoning_in_grammar)
        except BudgetError as error:
            req.set_finish_with_abort(f"ogc: {error}")

    GrammarManager._apply_request_reasoning_config = apply_config


def _wrap_tree() -> None:
    from sglang.srt.speculative import spec_utils

    original = spec_utils.traverse_tree
    if hasattr(original, "_ogc_is_here"):
        return

    def traverse_tree(
        retrieve_next_token: torch.Tensor,
        retrieve_next_sibling: torch.Tensor,
        draft_tokens: torch.Tensor,
        grammar: Any,
        allocate_token_bitmask: torch.Tensor,
        vocab_size: int | None = None,
    ) -> None:
        text = _text_now(grammar)
        parents = None if text is None else parents_of(retrieve_next_token.tolist(), retrieve_next_sibling.tolist())
        if text is None or parents is None:
            original(retrieve_next_token, retrieve_next_sibling, draft_tokens, grammar, allocate_token_bitmask, vocab_size)
            return
        limit = vocab_size or 1 << 31
        tokens = [token if 0 <= token < limit else _NO_TOKEN for token in draft_tokens[1:].tolist()]
        text.fill_tree(parents, tokens, allocate_token_bitmask)

    traverse_tree._ogc_is_here = True  # type: ignore[attr-defined]
    spec_utils.traverse_tree = traverse_tree


#: No vocabulary has it.
_NO_TOKEN = (1 << 32) - 1


def parents_of(first_child: Sequence[int], next_sibling: Sequence[int]) -> list[int] | None:
    """The parents of nodes 1, 2, ... of a tree in which each node names its first child and its next sibling, or -1.

    Parents are counted from node 1, so -1 is node 0. A node that no other names is its own parent. ``None`` if a node comes before its parent.

    >>> from ogc.sglang import parents_of
    >>> parents_of([1, 3, -1, -1], [-1, 2, -1, -1])
    [-1, -1, 0]
    """
    parents = list(range(len(first_child) - 1))
    if next_sibling[0] != -1:
        return None
    for node, child in enumerate(first_child):
        while child != -1:
            if child <= node:
                return None
            parents[child - 1] = node - 1
            child = next_sibling[child]
    return parents
