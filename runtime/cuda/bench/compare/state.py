"""What the arms of a model and a number of rows share: tensors at fixed addresses, and runs of captured steps."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .engines import Masks
from .machine import Machine
from .model import Llama
from .replay import Schedule, schedule
from .sampler import FORCED, draw, force

if TYPE_CHECKING:
    from .decode import Bench


class State:
    """The tensors of a model and a number of rows: what graphs read and write lies at fixed addresses."""

    def __init__(self, bench: Bench, model: Llama, rows: int) -> None:
        device = bench.machine.device
        self.bench, self.model, self.machine = bench, model, bench.machine
        self.plan: Schedule = schedule(bench.selection.texts, rows, bench.arguments.steps)
        self.cache = model.cache(rows, bench.arguments.context)
        self.script = torch.tensor(self.plan.tokens, device=device)
        self.history = torch.zeros_like(self.script)
        self.step = torch.zeros(1, dtype=torch.int64, device=device)
        self.position = torch.zeros(1, dtype=torch.int64, device=device)
        self.tokens = torch.zeros(rows, dtype=torch.int64, device=device)
        self.on_host = torch.zeros(rows, dtype=torch.int64, pin_memory=self.machine.is_pinned)
        self.host_masks = Masks(rows, bench.vocabulary.words, self.machine.is_pinned)
        self.masks = self.host_masks.tensor.to(device)
        self.logits: Tensor = torch.zeros(rows, model.width, dtype=self.machine.dtype, device=device)

    def restart(self) -> None:
        """Moves all rows to the beginnings of their texts."""
        for number in (self.step, self.position, self.tokens, self.history):
            number.zero_()

    def compute(self) -> None:
        """Computes the logits, and gives the replayed tokens theirs; those behind the vocabulary are of no token."""
        self.model.write_logits(self.tokens, self.position, self.cache, self.logits)
        if self.logits.shape[1] > len(self.bench.vocabulary):
            self.logits[:, len(self.bench.vocabulary) :].fill_(-torch.inf)
        force(self.logits, self.script.index_select(0, self.step)[0])

    def tempt(self) -> None:
        """Makes tokens that the masks withhold likelier than the replayed one, and that one likelier than all others.

        Special tokens are among the others: vocabularies have more that end a text than the one that matchers are told.
        """
        size = len(self.bench.vocabulary)
        self.logits.fill_(-torch.inf)
        self.logits[:, :size] = torch.where(self.allowed() | self._special, 0.0, FORCED).to(self.logits.dtype)
        self.logits.scatter_(1, self.script.index_select(0, self.step).T, FORCED / 2)

    @cached_property
    def _special(self) -> Tensor:
        """Whether tokens are special, or no tokens."""
        return torch.tensor([text is None for text in self.bench.vocabulary.texts], device=self.logits.device)

    def sample(self) -> None:
        """Draws the tokens."""
        self.take(draw(self.logits))

    def take(self, tokens: Tensor) -> None:
        """Makes tokens those that the next step reads."""
        self.tokens.copy_(tokens)
        self.history.index_copy_(0, self.step, self.tokens.unsqueeze(0))
        self.step.add_(1).remainder_(self.plan.steps)
        self.position.add_(1).remainder_(self.bench.arguments.context)

    def send(self) -> None:
        """Sends the tokens to the host. Copies are not captured: not every version of PyTorch has them in graphs."""
        self.on_host.copy_(self.tokens, non_blocking=True)

    def allowed(self) -> Tensor:
        """Returns whether the masks have each token of the vocabulary, row by row."""
        bits = self.masks.unsqueeze(-1) >> torch.arange(32, dtype=torch.int32, device=self.masks.device) & 1
        return bits.flatten(1)[:, : len(self.bench.vocabulary)].bool()

    def check_tokens(self) -> None:
        """Raises unless each token that was drawn is the replayed one: a mask without it would have changed it."""
        wrong = int((self.history != self.script).sum())
        if wrong > 0:
            raise AssertionError(f"{wrong} tokens are not the replayed ones")

    def check_logits(self) -> None:
        """Raises unless the last step withheld the tokens that its masks do not have, and no others."""
        size = len(self.bench.vocabulary)
        is_withheld = torch.isneginf(self.logits[:, :size])
        wrong = int((is_withheld == self.allowed()).sum())
        if wrong > 0:
            raise AssertionError(f"{wrong} logits of the last step are not as the masks say")


@dataclass(frozen=True)
class Times:
    """What steps took, in seconds: each on the device, those that begin no text, masks on the host, the wall."""

    steps: list[float]
    steps_apart: list[float]
    masks: list[float]
    wall: float


class OneGraph(ABC):
    """An arm whose whole step is one graph, so that the host waits for none; it is sent the tokens as in other arms."""

    def __init__(self, state: State) -> None:
        self.state, self.machine = state, state.machine
        self.restart()
        self.launch = self.machine.capture(self._work)

    def _work(self) -> None:
        self.state.compute()
        self.choose()

    @abstractmethod
    def choose(self) -> None:
        """Chooses the tokens of a step."""

    def restart(self) -> None:
        """Moves all rows to the beginnings of their texts."""
        self.state.restart()

    def prepare(self, step: int) -> bool:
        """Does what comes before a step's graph; returns whether there is something."""
        return False

    def check(self) -> None:
        """Raises unless all steps were as they should be."""
        self.state.check_tokens()

    def run(self) -> Times:
        """Does all steps."""
        self.restart()
        marks = [self.machine.mark()]
        self.machine.wait(marks[0])
        begin = time.perf_counter()
        begins = []
        for step in range(self.state.plan.steps):
            begins.append(self.prepare(step))
            self.launch()
            self.state.send()
            marks.append(self.machine.mark())
        self.machine.wait(marks[-1])
        wall = time.perf_counter() - begin
        self.check()
        steps = intervals(self.machine, marks)
        apart = [step for step, is_more in zip(steps, begins, strict=True) if not is_more]
        return Times(steps, apart, [], wall / self.state.plan.steps)


class Unconstrained(OneGraph):
    """The model and the sampler alone."""

    def choose(self) -> None:
        """Draws the tokens."""
        self.state.sample()


def intervals(machine: Machine[Any], marks: list[Any]) -> list[float]:
    """Returns the seconds from each mark to the next."""
    return [machine.between(first, second) for first, second in zip(marks, marks[1:], strict=False)]
