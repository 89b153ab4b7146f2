"""Tests of SGLang's own grammar layer with the plug-in: its configuration, manager, requests, batches of masks and trees of drafts, without its
model.

`tests/python/sglang` installs SGLang and sets OGC_SGLANG_MODEL to the folder of a model; otherwise the tests are skipped. Logits are random, because
a whole engine of SGLang does not start on a processor.
"""

from __future__ import annotations

import json
import os
import random
import re
from array import array
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from samples import PERSON, TAG, is_person

MODEL = os.environ.get("OGC_SGLANG_MODEL", "")
if not MODEL:
    pytest.skip("OGC_SGLANG_MODEL names no model", allow_module_level=True)

pytest.importorskip("sglang")
import torch  # noqa: E402
from ogc.sglang import OgcBackend, OgcGrammar  # noqa: E402
from sglang.srt.constrained import base_grammar_backend as base  # noqa: E402
from sglang.srt.constrained.grammar_manager import GrammarManager  # noqa: E402
from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend  # noqa: E402
from sglang.srt.managers.schedule_batch import FINISH_ABORT, FINISH_LENGTH, Req  # noqa: E402
from sglang.srt.managers.scheduler_components.batch_result_processor import SchedulerBatchResultProcessor  # noqa: E402
from sglang.srt.plugins import load_plugins  # noqa: E402
from sglang.srt.runtime_context import get_parallel, get_serving, publish  # noqa: E402
from sglang.srt.sampling.sampling_batch_info import SamplingBatchInfo  # noqa: E402
from sglang.srt.sampling.sampling_params import SamplingParams  # noqa: E402
from sglang.srt.server_args import ServerArgs  # noqa: E402
from sglang.srt.speculative import spec_utils  # noqa: E402

WALK_IN_PYTHON = spec_utils.traverse_tree
Given = dict[str, str]
FORMATS: dict[str, tuple[Given, Any]] = {
    "schema": ({"json_schema": json.dumps(PERSON)}, is_person),
    "any": ({"json_schema": "$$ANY$$"}, lambda text: json.loads(text) is not ...),
    "regex": ({"regex": "[A-Z][a-z]{2,8}, [0-9]{1,3}"}, re.compile("[A-Z][a-z]{2,8}, [0-9]{1,3}").fullmatch),
    "gbnf": ({"ebnf": 'root ::= ("ab" | "cd")+ "."'}, re.compile(r"(ab|cd)+\.").fullmatch),
    "lark": ({"ebnf": 'start: "x" DIGIT\nDIGIT: /[0-9]/'}, re.compile("x[0-9]").fullmatch),
    "tag": ({"structural_tag": json.dumps(TAG)}, re.compile('<f>("x"|1)</f>').fullmatch),
    "ogc": ({"ebnf": 'output A = "age: " age: int<0..99>'}, re.compile("age: [0-9]{1,2}").fullmatch),
}


class Scheduler:
    """Does with grammars what SGLang's scheduler does, by its own parts: requests, the manager, batches of masks, accepted tokens."""

    def __init__(self, tokenizer: Any, config: Any) -> None:
        group = SimpleNamespace(world_size=1, first_rank=0, is_first_rank=True)
        self.tokenizer, self.config = tokenizer, config
        self.manager = GrammarManager(
            SimpleNamespace(
                server_args=None, tokenizer=tokenizer, model_config=config, dp_tp_cpu_group=None, dp_tp_group=group, pp_group=None
            )
        )

    def request(self, given: Given, *, max_new_tokens: int = 80, thinks: bool = False, stops: list[int] | None = None) -> Req:
        params = SamplingParams(max_new_tokens=max_new_tokens, stop_token_ids=stops, **given)
        params.normalize(self.tokenizer)
        request = Req(
            rid=str(random.random()),
            origin_input_text="",
            origin_input_ids=array("q", [1, 2, 3]),
            sampling_params=params,
            eos_token_ids={self.config.hf_eos_token_id} if isinstance(self.config.hf_eos_token_id, int) else set(self.config.hf_eos_token_id),
            vocab_size=self.config.vocab_size,
            require_reasoning=thinks,
        )
        request.tokenizer = self.tokenizer
        if self.manager.process_req_with_grammar(request):
            while request not in self.manager.get_ready_grammar_requests():
                pass
        if request.to_finish:
            request.update_finish_state()
        return request

    def step(self, requests: list[Req], draw: random.Random) -> None:
        """Masks and samples the next token of each request, with random logits."""
        live = [request for request in requests if not request.finished()]
        batch = SimpleNamespace(
            grammars=[request.grammar for request in live],
            temperatures=torch.ones(len(live)),
            vocab_size=self.config.vocab_size,
            device="cpu",
        )
        SamplingBatchInfo.update_regex_vocab_mask(batch)
        logits = torch.randn(len(live), self.config.vocab_size, generator=torch.Generator().manual_seed(draw.randrange(1 << 30)))
        if batch.grammar_mask is not None:
            batch.grammar_mask.apply(logits)
        for request, token in zip(live, logits.argmax(-1).tolist()):
            request.output_ids.append(token)
            if request.grammar is not None:
                SchedulerBatchResultProcessor._accept_grammar_tokens(None, request, token)
            request.update_finish_state()
            if request.grammar is not None:
                request.grammar.finished = request.finished()

    def run(self, requests: list[Req], *, seed: int = 1) -> None:
        draw = random.Random(seed)
        while any(not request.finished() for request in requests):
            self.step(requests, draw)

    def text(self, request: Req) -> str:
        ids = request.output_ids[: request.finished_len]
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """The configuration of a scheduler, published as SGLang's own processes do it, and the model's tokenizer."""
    from sglang.srt.utils.hf_transformers_utils import get_tokenizer
    from transformers import AutoConfig

    load_plugins()
    publish(ServerArgs(model_path=MODEL, device="cpu", grammar_backend="ogc"), role="scheduler")
    get_parallel().override_permanently(tp_rank=0, pp_rank=0)
    config = AutoConfig.from_pretrained(MODEL)
    model = SimpleNamespace(vocab_size=config.vocab_size, hf_eos_token_id={config.eos_token_id}, think_end_ids=None)
    return SimpleNamespace(tokenizer=get_tokenizer(MODEL), config=model)


@pytest.fixture
def scheduler(engine: Any) -> Scheduler:
    return Scheduler(engine.tokenizer, engine.config)


def test_the_backend_can_be_selected_in_sglang(scheduler: Scheduler) -> None:
    assert isinstance(scheduler.manager.grammar_backend, OgcBackend)


@pytest.mark.parametrize("name", FORMATS)
def test_every_text_matches_its_format(scheduler: Scheduler, name: str) -> None:
    given, is_valid = FORMATS[name]
    requests = [scheduler.request(given) for _ in range(4)]
    scheduler.run(requests)
    for request in requests:
        assert is_valid(scheduler.text(request)), scheduler.text(request)
        assert not isinstance(request.finished_reason, FINISH_LENGTH)


@pytest.mark.parametrize("max_new_tokens", [40, 30, 24])
def test_texts_are_complete_within_max_new_tokens(scheduler: Scheduler, max_new_tokens: int) -> None:
    requests = [scheduler.request(FORMATS["schema"][0], max_new_tokens=max_new_tokens) for _ in range(4)]
    scheduler.run(requests)
    assert all(is_person(scheduler.text(request)) for request in requests)


def test_requests_with_different_formats_share_batches(scheduler: Scheduler) -> None:
    some = [FORMATS[name] for name in FORMATS] * 2
    requests = [scheduler.request(given) for given, _ in some]
    free = scheduler.request({}, max_new_tokens=5)
    scheduler.run([*requests, free])
    for request, (_, is_valid) in zip(requests, some):
        assert is_valid(scheduler.text(request)), scheduler.text(request)
    assert len(free.output_ids) == 5


def test_a_stop_token_of_the_request_does_not_cut_its_text(scheduler: Scheduler) -> None:
    (brace,) = scheduler.tokenizer.encode(" {", add_special_tokens=False)[:1]
    request = scheduler.request({"regex": r"[ {]{6}"}, stops=[brace])
    scheduler.run([request])
    assert re.fullmatch(r"[ {]{6}", scheduler.text(request))


@pytest.mark.parametrize(
    ("given", "max_new_tokens", "words"),
    [
        ({"json_schema": '{"type": "objekt"}'}, 40, ["objekt", "1:10", "Help"]),
        ({"regex": "(a"}, 40, ["<regex>"]),
        ({"ebnf": "output A = B"}, 40, ["`B`"]),
        ({"json_schema": json.dumps(PERSON)}, 5, ["takes", "5"]),
        ({"structural_tag": "{}"}, 40, ["structural tag"]),
    ],
)
def test_a_bad_request_is_refused_with_place_and_help(
    scheduler: Scheduler, given: Given, max_new_tokens: int, words: list[str]
) -> None:
    for _ in range(2):  # the second request finds the format, or its error, in SGLang's cache
        request = scheduler.request(given, max_new_tokens=max_new_tokens)
        assert isinstance(request.finished_reason, FINISH_ABORT)
        assert request.finished_reason.status_code == 400
        assert all(word in request.finished_reason.message for word in words), request.finished_reason.message


def test_a_token_that_is_not_allowed_ends_its_request(scheduler: Scheduler) -> None:
    request = scheduler.request(FORMATS["ogc"][0])
    (token,) = scheduler.tokenizer.encode("x", add_special_tokens=False)
    with pytest.raises(ValueError, match="token"):
        request.grammar.accept_token(token)


def test_formats_are_cached_up_to_a_limit(scheduler: Scheduler) -> None:
    backend = scheduler.manager.grammar_backend
    first, second = (scheduler.request(FORMATS["regex"][0]) for _ in range(2))
    assert not first.grammar.grammar_stats.is_cache_hit and second.grammar.grammar_stats.is_cache_hit
    for at in range(1_100):
        backend.cache["regex", str(at)] = first.grammar
    assert len(backend.cache) == 1_000
    scheduler.manager.clear()
    assert not backend.cache


def test_a_whitespace_pattern_is_refused_at_the_start(engine: Any) -> None:
    with get_serving().override(constrained_json_whitespace_pattern="[ ]?"), pytest.raises(ValueError, match="whitespace"):
        Scheduler(engine.tokenizer, engine.config)


# --- Thoughts ------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def thinker(engine: Any) -> Iterator[Scheduler]:
    with get_serving().override(reasoning_parser="deepseek-r1", enable_strict_thinking=True):
        yield Scheduler(engine.tokenizer, engine.config)


def test_thoughts_are_unconstrained_and_the_text_after_them_is_complete(thinker: Scheduler) -> None:
    backend = thinker.manager.grammar_backend
    assert isinstance(backend, ReasonerGrammarBackend) and isinstance(backend.grammar_backend, OgcBackend)
    draw = random.Random(2)
    for thoughts in (0, 3, 20):
        request = thinker.request(FORMATS["schema"][0], max_new_tokens=60, thinks=True)
        for _ in range(thoughts):
            thinker.step([request], draw)
        for token in backend.think_end_ids:
            request.output_ids.append(token)
            request.grammar.accept_token(token)
        begun = len(request.output_ids)
        thinker.run([request])
        assert is_person(thinker.tokenizer.decode(request.output_ids[begun:], skip_special_tokens=True))


def test_a_request_that_does_not_think_is_masked_from_its_first_token(thinker: Scheduler) -> None:
    request = thinker.request(FORMATS["regex"][0], max_new_tokens=30)
    thinker.run([request])
    assert FORMATS["regex"][1](thinker.text(request))


def test_a_token_filter_narrows_masks(thinker: Scheduler) -> None:
    mask = OgcGrammar.allocate_vocab_mask(64, 2, "cpu")
    OgcBackend.set_token_filter(mask, [33], 1, is_allowed=False)
    assert mask.tolist() == [[-1, -1], [-1, ~2]]


# --- Trees of drafts -----------------------------------------------------------------------------------------------------------------


def random_tree(draw: random.Random, nodes: int, *, in_order: bool) -> tuple[list[int], list[int]]:
    """First child and next sibling of each node; without ``in_order``, nodes may come before their parents."""
    names = list(range(1, nodes))
    if not in_order:
        draw.shuffle(names)
    first, sibling, known = [-1] * nodes, [-1] * nodes, [0]
    for node in names:
        parent = draw.choice(known)
        first[parent], sibling[node] = node, first[parent]
        known.append(node)
    return first, sibling


def likely(scheduler: Scheduler, request: Req, first: list[int], sibling: list[int], draw: random.Random) -> list[int]:
    """Tokens of a tree, most of them allowed at their places."""
    tokens = [0] * len(first)

    def visit(node: int, text: OgcGrammar) -> None:
        child = first[node]
        while child != -1:
            allowed = [] if text.is_terminated() else text.text.matcher.allowed_tokens()
            good = bool(allowed) and draw.random() < 0.8
            tokens[child] = draw.choice(allowed) if good else draw.randrange(scheduler.config.vocab_size + 40)
            if good:
                text.accept_token(tokens[child])
                visit(child, text)
                text.rollback(1)
            child = sibling[child]

    visit(0, request.grammar)
    return tokens


@pytest.mark.parametrize("in_order", [True, False])
def test_draft_trees_get_the_masks_of_a_walk_by_sglang(scheduler: Scheduler, in_order: bool) -> None:
    draw, refused = random.Random(3), 0
    for name in [*FORMATS] * 8:
        request = scheduler.request(FORMATS[name][0])
        for _ in range(draw.randrange(6)):
            if not request.finished():
                scheduler.step([request], draw)
        first, sibling = random_tree(draw, 12, in_order=in_order)
        tokens = likely(scheduler, request, first, sibling, draw)
        tree = [torch.tensor(part) for part in (first, sibling, tokens)]
        size = scheduler.config.vocab_size
        ours, theirs = (OgcGrammar.allocate_vocab_mask(size, 12, "cpu") for _ in range(2))
        before = len(request.grammar.text.matcher)
        request.grammar.current_token = None
        spec_utils.traverse_tree(*tree, request.grammar, ours, vocab_size=size)
        # The walk in Python accepts each token.
        assert request.grammar.current_token is None or not in_order
        WALK_IN_PYTHON(*tree, request.grammar, theirs, vocab_size=size)
        assert torch.equal(ours, theirs)
        assert len(request.grammar.text.matcher) == before
        refused += int((theirs == -1).all(-1).sum())
    assert refused > 20
    assert spec_utils.traverse_tree is not WALK_IN_PYTHON


def test_drafts_after_thoughts_get_the_masks_of_a_walk_by_sglang(thinker: Scheduler) -> None:
    backend = thinker.manager.grammar_backend
    request = thinker.request(FORMATS["ogc"][0], thinks=True, max_new_tokens=40)
    chain = [5, *backend.think_end_ids, *thinker.tokenizer.encode("age: 7", add_special_tokens=False)]
    tree = [torch.tensor([*range(1, len(chain)), -1]), torch.full((len(chain),), -1), torch.tensor(chain)]
    size = thinker.config.vocab_size
    for draft in (tree, tree):
        masks = OgcGrammar.allocate_vocab_mask(size, len(chain), "cpu")
        spec_utils.traverse_tree(*draft, request.grammar, masks, vocab_size=size)
        assert (masks[0] == -1).all() and (masks[-1] != -1).any()
    assert len(request.grammar.grammar.text.matcher) == 0


def test_an_untested_version_is_refused(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sglang.__version__", "0.6.0")
    with pytest.raises(ValueError, match="0.5.23"):
        base.create_grammar_backend(None, engine.tokenizer, engine.config.vocab_size, {2})
