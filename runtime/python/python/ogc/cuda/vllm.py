"""ogc as a logits processor of vLLM's second model runner: formats are stepped and masked on the device, without vLLM's structured outputs.

It is used only if it is named when vLLM starts, and then only for requests that ask for it::

    vllm serve MODEL --logits-processors ogc.cuda.vllm:LogitsProcessor

A request names its format in ``vllm_xargs`` (``SamplingParams.extra_args`` in Python), under one of these names: ``ogc_json`` (a schema as text),
``ogc_json_object`` (any value), ``ogc_regex``, ``ogc_choice`` (a list of texts), ``ogc_grammar`` (GBNF, Lark, ``.ogc`` text, or ``%format NAME`` of the folder
``OGC_FORMATS``), ``ogc_structural_tag``. An error in a format is vLLM's validation error.

The runner gives a processor the written tokens in memory of the device, so that nothing goes through the host. At each step, slots are moved by these
tokens, masks are written as bits, and logits are masked in place. Drafted tokens are followed row by row, and taken back. Once a step, the host asks
for the rows whose texts the device cannot continue; a matcher masks these rows, exactly.

The masks of a format are built when its first request arrives; that step waits for them (60 ms on average). Then they are kept. Budgets
(``max_tokens``) and canonical tokens are only supported by vLLM's structured outputs with :mod:`ogc.vllm`. The interface was taken from the sources
of vLLM (0.33); it was tested with stand-ins, because the runner needs a device.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import torch

from .._errors import FormatError
from .._ogc import Format, Matcher, Vocabulary
from .._serving import FormatCache, Kind, format_of, space_of
from ._device import Device
from ._outcomes import Outcome
from ._slots import Slots

try:
    from vllm.v1.worker.gpu.sample.logits_processor import LogitsProcessor as _Base
except ImportError:
    _Base = object

__all__ = ["LogitsProcessor"]

#: Maximum number of drafted tokens: a slot can take back 16.
MOST_DRAFTED = 15

#: Number of tokens of a text that one launch reads, when the text continues after others had its place.
RUN = 64

#: Environment variable with the maximum number of formats on the device at a time.
MAX_FORMATS = "OGC_DEVICE_FORMATS"


def asked_format(params: Any) -> tuple[Kind, str] | None:
    """The format that a request asks for: its kind and its text.

    :raises ValueError: it asks for several formats, or not by a text.
    """
    given = {name: value for name, value in (params.extra_args or {}).items() if name.startswith("ogc_")}
    if not given:
        return None
    name, value = given.popitem()
    known = {f"ogc_{kind.value}": kind for kind in Kind}
    if given or name not in known:
        raise ValueError(f"ogc: a request names one format, as {', '.join(known)}; this one has {', '.join([*given, name])}")
    kind = known[name]
    if kind is Kind.CHOICE and isinstance(value, list):
        return kind, json.dumps(value)
    if kind is Kind.JSON_OBJECT:
        return kind, ""
    if not isinstance(value, str):
        raise ValueError(f"ogc: {name} is {value!r}; it must be a text")
    return kind, value


@dataclass
class _Request:
    """A request in a place of the batch."""

    format: Format
    number: int
    prompt: int
    #: The text on the host, if the device cannot go on with it, and its number of tokens.
    matcher: Matcher | None = None
    read: int = 0


@dataclass
class _Added:
    """A format on the device, and the number of requests that are in texts of it."""

    format: Format
    number: int
    requests: int = 0


class LogitsProcessor(_Base):  # type: ignore[misc,valid-type,unused-ignore]
    """Masks the logits of requests that name a format. vLLM makes it, by its full name: ``ogc.cuda.vllm:LogitsProcessor``."""

    def __init__(self, vllm_config: Any, req_states: Any) -> None:
        drafts = int(getattr(vllm_config, "num_speculative_tokens", 0) or 0)
        if drafts > MOST_DRAFTED:
            raise ValueError(f"ogc: drafts of {drafts} tokens; slots on a device take at most {MOST_DRAFTED}")
        self._states, self._drafts = req_states, drafts
        self._device: torch.device = req_states.device
        self._vocabulary = _vocabulary(vllm_config, int(req_states.vocab_size))
        self._most = int(os.environ.get(MAX_FORMATS, "1024"))
        self._slots = _slots(self._device, self._vocabulary, int(req_states.max_num_reqs), self._most)
        self._words = (len(self._vocabulary) + 31) // 32
        self._space = space_of(compact=False)
        self._cache = FormatCache(self._compiled)
        #: Formats on the device by their keys, in the order in which they were last asked for; requests by their places.
        self._added: dict[tuple[Kind, str], _Added] = {}
        self._requests: dict[int, tuple[tuple[Kind, str], _Request]] = {}
        #: Places of requests that arrived since the last step.
        self._staged: list[int] = []
        #: The number of tokens of the place that each slot has read, including the prompt.
        self._read = torch.zeros(int(req_states.max_num_reqs), dtype=torch.int64, device=self._device)

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Rejects a request whose format has errors, when it arrives.

        :raises ValueError: the format has errors.
        """
        asked = asked_format(sampling_params)
        if asked is not None:
            try:
                format_of(*asked, space=space_of(compact=False))
            except (FormatError, ValueError) as error:
                raise ValueError(f"ogc: {error}") from error

    def is_argmax_invariant(self) -> bool:
        """Whether the most likely token is never changed; false, because a mask may exclude it."""
        return False

    def add_request(self, req_idx: int, sampling_params: Any) -> bool:
        """Notes the format of a request that gets a place of the batch; returns whether it has a format."""
        self._leave(req_idx)
        asked = asked_format(sampling_params)
        if asked is None:
            return False
        added = self._on_device(asked)
        added.requests += 1
        prompt = int(self._states.prompt_len.np[req_idx])
        self._requests[req_idx] = (asked, _Request(added.format, added.number, prompt))
        self._staged.append(req_idx)
        return True

    def apply_staged_writes(self) -> None:
        """Begins the texts of new requests, and reads the tokens that were written before they were preempted."""
        places = sorted({place for place in self._staged if place in self._requests})
        self._staged = []
        if not places:
            return
        requests = [self._requests[place][1] for place in places]
        slots = self._ints(places)
        self._slots.begin(self._ints([request.number for request in requests]), slots=slots)
        self._read[slots.long()] = torch.tensor([request.prompt for request in requests], device=self._device)
        written = max(int(self._states.prefill_len.np[place]) - request.prompt for place, request in zip(places, requests, strict=True))
        for _ in range(0, written, RUN):
            self._read_on(slots, RUN)

    def apply(self, logits: torch.Tensor, ctx: Any) -> torch.Tensor:
        """Masks the rows of requests with a format, in place."""
        places = [int(place) for place in ctx.idx_mapping_np if int(place) in self._requests]
        if not places:
            return logits
        slots = self._ints(places)
        self._read_on(slots, 1 + self._drafts)
        rows, width = logits.shape
        masks = torch.zeros(rows, self._words, dtype=torch.int32, device=self._device)
        map_of_rows = torch.full((rows,), -1, dtype=torch.int32, device=self._device)
        first = _rows_of(ctx, slots, 0)
        self._fill(masks, slots, first)
        _keep(map_of_rows, first)
        self._follow(masks, map_of_rows, slots, ctx)
        self._mask_others(masks, map_of_rows, ctx)
        self._slots.device.mask_logits(logits, masks, map_of_rows, tokens=min(len(self._vocabulary), width))
        return logits

    # Formats and slots on the device.

    def _compiled(self, kind: Kind, text: str) -> Format:
        return format_of(kind, text, space=self._space, vocabulary=self._vocabulary).with_masks(self._vocabulary)

    def _on_device(self, asked: tuple[Kind, str]) -> _Added:
        """The format on the device; beyond the limit, a format that no request uses is removed."""
        added = self._added.pop(asked, None)
        if added is None:
            format = self._cache.get(*asked)
            if len(self._added) >= self._most:
                self._make_room()
            added = _Added(format, self._slots.add_format(format))
        self._added[asked] = added
        return added

    def _make_room(self) -> None:
        key = next((key for key, added in self._added.items() if added.requests == 0), None)
        if key is None:
            raise ValueError(f"ogc: all {self._most} formats on the device are in use: raise {MAX_FORMATS}")
        # Slots of finished requests may still be in texts of the format; no launch names these slots again before they begin a new text.
        self._wait()
        self._slots.remove_format(self._added.pop(key).number)

    def _leave(self, place: int) -> None:
        left = self._requests.pop(place, None)
        if left is not None:
            self._added[left[0]].requests -= 1

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)

    # A step.

    def _read_on(self, slots: torch.Tensor, most: int) -> None:
        """Moves slots by the tokens that were written since their last move, at most ``most`` tokens."""
        place = slots.long()
        ats = self._read[place, None] + torch.arange(most, device=self._device)
        tokens = self._states.all_token_ids.gpu
        written = ats < self._states.total_len.gpu[place, None]
        given = tokens[place[:, None], ats.clamp(max=tokens.shape[1] - 1)]
        runs = torch.where(written, given, -1).to(torch.int32)
        self._slots.run(runs, torch.empty(len(slots), 2, dtype=torch.int32, device=self._device), slots=slots)
        self._read[place] += written.sum(1)

    def _fill(self, masks: torch.Tensor, slots: torch.Tensor, rows: torch.Tensor) -> None:
        """Writes the masks of slots into rows; a row below 0 is left out."""
        filled = torch.zeros(len(slots), self._words, dtype=torch.int32, device=self._device)
        self._slots.fill(filled, slots=slots)
        masks.index_add_(0, rows.clamp(min=0), torch.where((rows >= 0)[:, None], filled, 0))

    def _follow(self, masks: torch.Tensor, map_of_rows: torch.Tensor, slots: torch.Tensor, ctx: Any) -> None:
        """Writes the masks behind drafted tokens, up to the first token that is rejected or ends the text, and takes the tokens back."""
        if not self._drafts:
            return
        accepted = torch.zeros(len(slots), dtype=torch.int32, device=self._device)
        outcomes = torch.empty(len(slots), dtype=torch.int32, device=self._device)
        goes_on = torch.ones(len(slots), dtype=torch.bool, device=self._device)
        for at in range(1, 1 + self._drafts):
            rows = torch.where(goes_on, _rows_of(ctx, slots, at), -1)
            drafted = ctx.input_ids[rows.clamp(min=0)].to(torch.int32)
            self._slots.advance(torch.where(rows >= 0, drafted, -1), outcomes, slots=slots)
            found = outcomes & 0xFF
            accepted += ((found == Outcome.ACCEPTED) | (found == Outcome.ENDED)).to(torch.int32)
            goes_on = (found == Outcome.ACCEPTED) | (found == Outcome.HOST)
            rows = torch.where(goes_on, rows, -1)
            self._fill(masks, slots, rows)
            _keep(map_of_rows, rows)
        self._slots.roll_back(accepted, outcomes, slots=slots)

    def _mask_others(self, masks: torch.Tensor, map_of_rows: torch.Tensor, ctx: Any) -> None:
        """Masks rows with matchers if the device does not know their mask: no bit of it was written."""
        unknown = ((masks == 0).all(1) & (map_of_rows >= 0)).nonzero().flatten().tolist()
        if not unknown:
            return
        places = ctx.expanded_idx_mapping[unknown].tolist()
        offsets = ctx.expanded_local_pos[unknown].tolist()
        for row, place, offset in zip(unknown, places, offsets, strict=True):
            mask = self._host_mask(place, [int(ctx.input_ids[row - offset + at]) for at in range(1, offset + 1)])
            if mask is None:
                map_of_rows[row] = -1
            else:
                masks[row] = mask.to(self._device)

    def _host_mask(self, place: int, drafted: list[int]) -> torch.Tensor | None:
        """The mask behind the text of a request and some drafted tokens; ``None`` if the text has ended before, or a drafted token is rejected."""
        request = self._requests[place][1]
        if request.matcher is None:
            request.matcher, request.read = request.format.matcher(self._vocabulary), request.prompt
        total = int(self._states.total_len.gpu[place])
        for token in self._states.all_token_ids.gpu[place, request.read : total].tolist():
            if not request.matcher.is_ended:
                request.matcher.accept(token)
        request.read = total
        matcher = request.matcher.fork() if drafted else request.matcher
        if not all(not matcher.is_ended and matcher.try_accept(token) for token in drafted) or matcher.is_ended:
            return None
        mask = torch.zeros(1, self._words, dtype=torch.int32)
        matcher.fill_mask(mask)
        return mask[0]

    def _ints(self, numbers: list[int]) -> torch.Tensor:
        return torch.tensor(numbers, dtype=torch.int32, device=self._device)


def _keep(map_of_rows: torch.Tensor, rows: torch.Tensor) -> None:
    """Notes that rows have masks, in the rows of their own numbers."""
    numbers = torch.arange(len(map_of_rows), dtype=torch.int32, device=map_of_rows.device)
    is_kept = (rows[:, None] == numbers[None, :]).any(0)
    map_of_rows.copy_(torch.where(is_kept, numbers, map_of_rows))


def _rows_of(ctx: Any, slots: torch.Tensor, offset: int) -> torch.Tensor:
    """For each slot, the row at an offset among its rows; -1 if the slot has no such row."""
    is_row = (ctx.expanded_idx_mapping[None, :] == slots[:, None]) & (ctx.expanded_local_pos == offset)[None, :]
    found = is_row.to(torch.int32).argmax(1)
    return torch.where(is_row.any(1), found, -1)


def _slots(device: torch.device, vocabulary: Vocabulary, count: int, formats: int) -> Slots:
    return Slots(Device(device.index or 0), vocabulary, count, formats=formats)


def _vocabulary(vllm_config: Any, size: int) -> Vocabulary:
    from vllm.tokenizers import cached_tokenizer_from_config

    return Vocabulary.of_transformers(cached_tokenizer_from_config(vllm_config.model_config), size=size)
