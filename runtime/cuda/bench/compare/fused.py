"""Steps of decoding that never wait for the host: the model and `ogc.cuda.Slots.step` in one graph.

Texts are replayed as in all other arms: the model's part of a step gives the replayed token the logit that makes it
certain (`sampler.force`), and the kernel draws from all logits at temperature 1, by its masks. A mask without the
replayed token would change what is drawn, and a slot that does not go along says so: both are looked for after each
run. Rows have no biases, which the kernel would read at each step. That the kernel withholds what matchers of the host
withhold is looked for at each step before the clock starts (`Fused.prove`).

Where a row begins its next text, two small kernels in front of the graph put its slot at the beginning of the text's
format. Their time is in that of the step, though matchers of other arms are at their beginnings before the clock
starts; so is that of a copy of what the kernel says of slots, in which the two arms here are alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch
from ogc.cuda import Outcome, host_reason

from .device_slots import RowMask, rows
from .machine import Machine
from .replay import Batch, Schedule, Text
from .state import OneGraph, State


@dataclass(frozen=True)
class OnDevice:
    """Slots, and the numbers that the formats of texts have there."""

    slots: Any
    numbers: list[int]


def leaving(slots: Any, formats: list[int | str], texts: list[Text], machine: Machine[Any]) -> dict[int, str]:
    """Moves slots along all texts, without a model; returns the texts that the device does not write, and why.

    `formats` are the numbers that the formats of the texts have there, or why they have none.

    Raises an `AssertionError` where it refuses a token: the text is one of the format.
    """
    reasons = {text: why for text, why in enumerate(formats) if isinstance(why, str)}
    added = iter([(text, number) for text, number in enumerate(formats) if isinstance(number, int)])
    while chunk := list(islice(added, len(slots))):
        told = _advanced(slots, [texts[text] for text, _ in chunk], [number for _, number in chunk], machine)
        for (text, _), outcomes in zip(chunk, told, strict=True):
            why = _why(texts[text], outcomes)
            if why is not None:
                reasons[text] = why
    return reasons


def _advanced(slots: Any, texts: list[Text], numbers: list[int], machine: Machine[Any]) -> list[list[int]]:
    """Writes texts side by side, and returns what became of each token of each."""
    steps = max(len(text.tokens) for text in texts)
    padded = [[*text.tokens, *[-1] * (steps - len(text.tokens))] for text in texts]
    formats = torch.tensor(numbers, dtype=torch.int32, device=machine.device)
    tokens = torch.tensor(padded, dtype=torch.int32).T.contiguous().to(machine.device)
    outcomes = torch.zeros_like(tokens)
    slots.begin(formats)
    for step in range(steps):
        slots.advance(tokens[step], outcomes[step])
    told: list[list[int]] = outcomes.T.tolist()
    return told


def _why(text: Text, outcomes: list[int]) -> str | None:
    """Returns why the device did not write a text; `None` if it did."""
    last = len(text.tokens) - 1
    for at in range(len(text.tokens)):
        outcome, reason = outcomes[at] & 0xFF, host_reason(outcomes[at])
        if reason is not None:
            return f"{reason}, at token {at} of {len(text.tokens)}"
        if outcome != (Outcome.ENDED if at == last else Outcome.ACCEPTED):
            raise AssertionError(f"{text.id}: the device says {outcome} of token {at} of {len(text.tokens)}")
    return None


class Beginnings:
    """The lists of slots that begin texts, step by step, in the memory of the device."""

    def __init__(self, plan: Schedule, numbers: list[int], device: torch.device) -> None:
        steps = plan.beginnings()
        words = [word for step in steps for word in (*(row for row, _ in step), *(numbers[text] for _, text in step))]
        self.memory = torch.tensor(words, dtype=torch.int32, device=device)
        # The slots of each step, and the formats that they begin.
        self.lists: list[tuple[torch.Tensor, torch.Tensor] | None] = []
        at = 0
        for count in map(len, steps):
            slots, formats = self.memory[at : at + count], self.memory[at + count : at + 2 * count]
            self.lists.append((slots, formats) if count > 0 else None)
            at += 2 * count


class DeviceSampler(OneGraph):
    """The model, and the kernel of the fused arm on rows that nothing masks and that move no slot."""

    mask = RowMask.NONE

    def __init__(self, state: State, on_device: OnDevice) -> None:
        count, steps = state.plan.rows, state.plan.steps
        self.slots = on_device.slots
        self.slots.set_rows(rows(count, self.mask))
        self.next_tokens = state.machine.shared(self.slots.next_tokens)[:count]
        self.outcomes = state.machine.shared(self.slots.outcomes)[:count]
        self.told = torch.zeros(steps, count, dtype=torch.int32, device=state.machine.device)
        super().__init__(state)

    def choose(self) -> None:
        """Chooses the tokens by the kernel, and keeps what it says of the slots."""
        self.slots.step(self.state.logits)
        self.told.index_copy_(0, self.state.step, self.outcomes.unsqueeze(0))
        self.state.take(self.next_tokens)


class Fused(DeviceSampler):
    """The model, and the kernel that masks, chooses, moves the slots and finds their next masks."""

    mask = RowMask.SLOTS

    def __init__(self, state: State, on_device: OnDevice) -> None:
        self.beginnings = Beginnings(state.plan, on_device.numbers, state.machine.device)
        super().__init__(state, on_device)

    def restart(self) -> None:
        """Forgets what was said of slots, too."""
        super().restart()
        self.told.zero_()

    def prepare(self, step: int) -> bool:
        """Begins texts; returns whether there are any."""
        beginning = self.beginnings.lists[step]
        if beginning is not None:
            slots, formats = beginning
            self.slots.begin(formats, slots=slots)
        return beginning is not None

    def prove(self, batch: Batch[Any, Any]) -> None:
        """Does all steps beside matchers; raises if the kernel chooses what they withhold, which is the likeliest."""
        state, plan = self.state, self.state.plan
        self.restart()
        batch.reset()
        for step, active in enumerate(batch.active):
            if step > 0:
                batch.engine.accept(batch.active[step - 1], plan.tokens[step - 1])
            batch.engine.fill(active, state.host_masks)
            state.masks.copy_(state.host_masks.tensor)
            state.tempt()
            self.prepare(step)
            self.choose()
        self.check()

    def check(self) -> None:
        """Raises unless each slot went along with each token, and the tokens are the replayed ones."""
        outcomes = self.told & 0xFF
        wrong = _wrong(outcomes.flatten().tolist())
        if wrong:
            raise AssertionError(f"the device did not move slots: {', '.join(wrong)}")
        super().check()


def _wrong(outcomes: Iterable[int]) -> list[str]:
    """Counts the outcomes of slots that did not go along."""
    counts: dict[int, int] = {}
    for outcome in outcomes:
        if outcome not in (Outcome.ACCEPTED, Outcome.ENDED):
            counts[outcome] = counts.get(outcome, 0) + 1
    return [f"{count} times {outcome}" for outcome, count in sorted(counts.items())]
