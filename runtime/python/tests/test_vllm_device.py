"""Tests of the logits processor of vLLM's second model runner against matchers. Slots and the runner are stand-ins, because both need a device."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import ogc
import pytest

torch = pytest.importorskip("torch")

from ogc._serving import format_of, space_of  # noqa: E402
from ogc.cuda import Outcome, vllm  # noqa: E402

PLACES, LENGTH, DRAFTS = 6, 64, 3
JSON = '{"enum": ["ab", "ba", 12, true, [1, 2]]}'
ASKED: list[dict[str, Any]] = [
    {"ogc_json": JSON},
    {"ogc_regex": "(ab|ba)+c?"},
    {"ogc_grammar": 'root ::= "a" root "b" | "ab"'},
    {"ogc_choice": ["ab.", "abab", "b"]},
    {},
]


@pytest.fixture(scope="module")
def vocabulary() -> ogc.Vocabulary:
    texts = [bytes([byte]) for byte in range(0x20, 0x7F)] + [b'{"', b'":', b"ab", b"ba", b"abab", b"true", b"12"]
    return ogc.Vocabulary.of_tokens(enumerate(texts), special={"</s>": len(texts)}, end_tokens=[len(texts)])


class FakeSlots:
    """A stand-in for `ogc.cuda.Slots`: each slot is a matcher, and tensors are in memory of the host."""

    def __init__(self, vocabulary: ogc.Vocabulary, count: int) -> None:
        self.vocabulary, self.device = vocabulary, self
        self.formats: dict[int, ogc.Format] = {}
        self.matchers: list[ogc.Matcher | None] = [None] * count
        #: Slots that the host steps from some number of tokens on.
        self.given_up: dict[int, int] = {}

    def add_format(self, format: ogc.Format) -> int:
        number = next(number for number in range(100) if number not in self.formats)
        self.formats[number] = format
        return number

    def remove_format(self, number: int) -> None:
        del self.formats[number]

    def begin(self, formats: Any, *, slots: Any) -> None:
        for slot, format in zip(self.listed(slots), formats.tolist(), strict=True):
            self.matchers[slot] = self.formats[format].matcher(self.vocabulary)

    def listed(self, slots: Any) -> list[int]:
        listed: list[int] = slots.tolist()
        assert slots.dtype == torch.int32 and len(set(listed)) == len(listed)
        return listed

    def is_hosts(self, slot: int) -> bool:
        matcher = self.matchers[slot]
        return matcher is not None and len(matcher) >= self.given_up.get(slot, 1_000)

    def moved(self, slot: int, token: int) -> Outcome:
        matcher = self.matchers[slot]
        if matcher is None or token < 0:
            return Outcome.NONE
        if self.is_hosts(slot):
            return Outcome.HOST
        if matcher.is_ended or not matcher.try_accept(token):
            return Outcome.REFUSED
        return Outcome.ENDED if matcher.is_ended else Outcome.ACCEPTED

    def run(self, tokens: Any, moved: Any, *, slots: Any) -> None:
        assert tokens.dtype == moved.dtype == torch.int32 and moved.shape == (len(tokens), 2)
        for slot, run in zip(self.listed(slots), tokens.tolist(), strict=True):
            for token in run:
                if token < 0 or self.moved(slot, token) != Outcome.ACCEPTED:
                    break

    def advance(self, tokens: Any, outcomes: Any, *, slots: Any) -> None:
        assert tokens.dtype == outcomes.dtype == torch.int32
        found = [self.moved(slot, token) for slot, token in zip(self.listed(slots), tokens.tolist(), strict=True)]
        outcomes.copy_(torch.tensor(found, dtype=torch.int32))

    def roll_back(self, counts: Any, outcomes: Any, *, slots: Any) -> None:
        for slot, count in zip(self.listed(slots), counts.tolist(), strict=True):
            matcher = self.matchers[slot]
            if count > 0 and matcher is not None:
                matcher.rollback(count)

    def fill(self, masks: Any, *, slots: Any) -> None:
        for row, slot in enumerate(self.listed(slots)):
            matcher = self.matchers[slot]
            if matcher is not None and not matcher.is_ended and not self.is_hosts(slot):
                matcher.fill_mask(masks, row)

    def mask_logits(self, logits: Any, masks: Any, rows: Any, *, tokens: int) -> None:
        assert rows.dtype == torch.int32 and len(rows) == len(logits)
        for row, mask in enumerate(rows.tolist()):
            if mask >= 0:
                assert mask < len(masks)
                ogc.mask_logits(masks, logits[row], [mask])


class Runner:
    """Calls a processor as vLLM's second model runner does, by its interface."""

    def __init__(self, vocabulary: ogc.Vocabulary, drafts: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.vocabulary, self.drafts = vocabulary, drafts
        self.slots = FakeSlots(vocabulary, PLACES)
        monkeypatch.setattr(vllm, "_slots", lambda *_: self.slots)
        monkeypatch.setattr(vllm, "_vocabulary", lambda *_: vocabulary)
        self.tokens, self.total = torch.zeros(PLACES, LENGTH, dtype=torch.int32), torch.zeros(PLACES, dtype=torch.int32)
        self.prompt, self.prefill = torch.zeros(PLACES, dtype=torch.int32), torch.zeros(PLACES, dtype=torch.int32)
        states = SimpleNamespace(
            device=torch.device("cpu"),
            max_num_reqs=PLACES,
            vocab_size=len(vocabulary),
            all_token_ids=SimpleNamespace(gpu=self.tokens),
            total_len=SimpleNamespace(gpu=self.total),
            prompt_len=SimpleNamespace(np=self.prompt.numpy()),
            prefill_len=SimpleNamespace(np=self.prefill.numpy()),
        )
        self.processor = vllm.LogitsProcessor(SimpleNamespace(num_speculative_tokens=drafts), states)
        self.judges: dict[int, ogc.Matcher | None] = {}

    def add(self, place: int, asked: dict[str, Any], prompt: list[int], judge: ogc.Matcher | None, written: list[int]) -> None:
        """Puts a request into a place, with the tokens that were written before."""
        history = [*prompt, *written]
        self.tokens[place, : len(history)] = torch.tensor(history, dtype=torch.int32)
        self.total[place] = self.prefill[place] = len(history)
        self.prompt[place] = len(prompt)
        self.judges[place] = judge
        assert self.processor.add_request(place, SimpleNamespace(extra_args=asked or None)) is bool(asked)

    def step(self, chosen: random.Random) -> int:
        """Masks a batch in any order, judges each row, and writes tokens; returns the number of drafted tokens that were kept."""
        self.processor.apply_staged_writes()
        batch = [place for place, judge in self.judges.items() if judge is None or not judge.is_ended]
        chosen.shuffle(batch)
        drafts = [self.draft(place, chosen) for place in batch]
        rows = [(place, at) for place, draft in zip(batch, drafts, strict=True) for at in range(1 + len(draft))]
        last = [int(self.tokens[place, int(self.total[place]) - 1]) for place in batch]
        fed = [token for first, draft in zip(last, drafts, strict=True) for token in (first, *draft)]
        ctx = SimpleNamespace(
            expanded_idx_mapping=torch.tensor([place for place, _ in rows], dtype=torch.int32),
            idx_mapping_np=torch.tensor(batch).numpy(),
            expanded_local_pos=torch.tensor([at for _, at in rows], dtype=torch.int32),
            input_ids=torch.tensor(fed, dtype=torch.int32),
        )
        logits = torch.rand(len(rows), len(self.vocabulary))
        masked = self.processor.apply(logits.clone(), ctx)
        kept = 0
        for place, draft in zip(batch, drafts, strict=True):
            first = rows.index((place, 0))
            kept += self.judge(place, draft, logits[first:], masked[first:])
        return kept

    def draft(self, place: int, chosen: random.Random) -> list[int]:
        """Guesses tokens, most of them allowed."""
        judge = self.judges[place]
        probe = judge.fork() if judge is not None else None
        draft: list[int] = []
        for _ in range(chosen.randint(0, self.drafts)):
            is_any = probe is None or probe.is_ended or chosen.random() < 0.2
            draft.append(chosen.randrange(len(self.vocabulary)) if is_any or probe is None else chosen.choice(probe.allowed_tokens()))
            if probe is not None and not probe.is_ended:
                probe.try_accept(draft[-1])
        return draft

    def judge(self, place: int, draft: list[int], logits: Any, masked: Any) -> int:
        """Compares the rows of a request up to the first rejected drafted token, and writes tokens; returns the number of kept drafted tokens."""
        judge = self.judges[place]
        for at in range(1 + len(draft)):
            if judge is None:
                assert torch.equal(masked[at], logits[at])
                allowed = list(range(len(self.vocabulary)))
            else:
                allowed = judge.allowed_tokens()
                assert torch.isfinite(masked[at]).nonzero().flatten().tolist() == allowed
            is_taken = at < len(draft) and draft[at] in allowed
            token = draft[at] if is_taken else int(masked[at].argmax())
            self.tokens[place, int(self.total[place])] = token
            self.total[place] += 1
            if judge is not None:
                judge.accept(token)
            if not is_taken or (judge is not None and judge.is_ended):
                return at
        return len(draft)

    def go_on_elsewhere(self, place: int, free: int, asked: dict[str, Any]) -> None:
        """Preempts a request, and continues it in another place."""
        history: list[int] = self.tokens[place, : int(self.total[place])].tolist()
        prompt, judge = int(self.prompt[place]), self.judges.pop(place)
        self.add(free, asked, history[:prompt], judge, history[prompt:])


def judge(asked: dict[str, Any], vocabulary: ogc.Vocabulary) -> ogc.Matcher | None:
    found = vllm.asked_format(SimpleNamespace(extra_args=asked))
    return None if found is None else format_of(*found, space=space_of(compact=False)).matcher(vocabulary)


@pytest.mark.parametrize("drafts", [0, DRAFTS])
@pytest.mark.parametrize("seed", range(8))
def test_rows_have_the_masks_of_matchers(seed: int, drafts: int, vocabulary: ogc.Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(seed)
    torch.manual_seed(seed)
    runner = Runner(vocabulary, drafts, monkeypatch)
    asked = {place: chosen.choice(ASKED) for place in range(PLACES - 1)}
    for place, ask in asked.items():
        runner.add(place, ask, [chosen.randrange(90) for _ in range(chosen.randint(1, 9))], judge(ask, vocabulary), [])
    if seed % 2:
        runner.slots.given_up = {chosen.randrange(PLACES): chosen.randint(0, 3)}
    kept = sum(runner.step(chosen) for _ in range(3))
    moved = chosen.randrange(PLACES - 1)
    runner.go_on_elsewhere(moved, PLACES - 1, asked[moved])
    # Another request gets the place at once.
    runner.add(moved, ASKED[0], [1, 2], judge(ASKED[0], vocabulary), [])
    kept += sum(runner.step(chosen) for _ in range(3))
    assert drafts == 0 or kept > 0


def test_formats_that_no_request_uses_make_room(vocabulary: ogc.Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(vllm.MAX_FORMATS, "2")
    runner = Runner(vocabulary, 0, monkeypatch)
    for number in range(5):
        ask = {"ogc_regex": "a" * (1 + number)}
        runner.add(0, ask, [1], judge(ask, vocabulary), [])
        runner.step(random.Random(number))
        assert len(runner.slots.formats) <= 2
    runner.add(1, {"ogc_regex": "b"}, [1], None, [])
    with pytest.raises(ValueError, match="all 2 formats on the device are in use: raise OGC_DEVICE_FORMATS"):
        runner.add(2, {"ogc_regex": "c"}, [1], None, [])


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"ogc_json": '{"type": "objekt"}'}, "objekt"),
        ({"ogc_json": {"type": "object"}}, "must be a text"),
        ({"ogc_yaml": "a"}, "names one format, as ogc_json, "),
        ({"ogc_regex": "a", "ogc_json": "{}"}, "this one has "),
        ({"ogc_regex": "("}, "ogc: "),
    ],
)
def test_requests_with_errors_are_refused_when_they_come_in(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        vllm.LogitsProcessor.validate_params(SimpleNamespace(extra_args=asked))


def test_requests_without_a_format_and_good_ones_are_taken(monkeypatch: pytest.MonkeyPatch, vocabulary: ogc.Vocabulary) -> None:
    for asked in (None, {}, {"other": 1}, *ASKED, {"ogc_json_object": True}):
        vllm.LogitsProcessor.validate_params(SimpleNamespace(extra_args=asked))
    assert vllm.LogitsProcessor.is_argmax_invariant(Runner(vocabulary, 0, monkeypatch).processor) is False
    with pytest.raises(ValueError, match="drafts of 16 tokens; slots on a device take at most 15"):
        vllm.LogitsProcessor(SimpleNamespace(num_speculative_tokens=16), SimpleNamespace())
