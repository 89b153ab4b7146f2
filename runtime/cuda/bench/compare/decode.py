"""Measures whole decode steps, an arm after the other, with the same model, texts and sampler."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ogc
import ogc.cuda
import torch
import xgrammar

from .arguments import Arguments
from .device_slots import added, opened
from .engines import Engine, Refusal
from .figures import Summary, summary
from .fused import DeviceSampler, Fused, OnDevice, leaving
from .host import without_collection
from .machine import Machine
from .model import Llama
from .plan import Arm, EngineName, Run, runs
from .replay import Batch
from .selection import Engines, Selection
from .shapes import padded
from .state import OneGraph, State, Times, Unconstrained, intervals
from .vocabulary import Vocabulary

# Memory that is left to libraries and graphs.
SPARE_BYTES = 3 << 30


@dataclass(frozen=True)
class Decoded:
    """What an arm took for each step, and for each that begins no text, or why it did not run."""

    run: Run
    step: Summary | None = None
    step_apart: Summary | None = None
    masks: Summary | None = None
    wall: float | None = None
    problem: str | None = None


class Bench:
    """All that arms share."""

    def __init__(
        self,
        arguments: Arguments,
        machine: Machine[Any],
        vocabulary: Vocabulary,
        engines: Engines,
        selection: Selection,
    ) -> None:
        self.arguments, self.machine = arguments, machine
        self.vocabulary, self.engines, self.selection = vocabulary, engines, selection
        self.on_device: OnDevice | str = "no texts were tried on a device"

    @torch.inference_mode()
    def prepare(self) -> dict[str, str] | None:
        """Puts all formats on the device, and tries all texts there.

        Returns the names of those that it does not write, with the reasons; `None` if that cannot be told. No arm
        replays them, so that all have the same work.
        """
        texts = self.selection.texts
        try:
            slots, formats = self._slots()
            left = leaving(slots, formats, texts, self.machine)
        except (ValueError, RuntimeError, AssertionError) as error:
            self.on_device = _in_short(error)
            print(f"decode: {self.on_device}", file=sys.stderr)
            return None
        if len(left) == len(texts):
            self.on_device = f"the device writes none of the texts; {texts[0].id}: {left[0]}"
            return None
        numbers = [number for text, number in enumerate(formats) if text not in left and isinstance(number, int)]
        self.on_device, self.selection = OnDevice(slots, numbers), self.selection.without(left)
        return {texts[text].id: why for text, why in left.items()}

    def _slots(self) -> tuple[Any, list[int | str]]:
        """Returns slots for the greatest number of rows, and the numbers of the formats of all texts there."""
        of_ogc: Any = self.engines[EngineName.OGC]
        vocabulary: ogc.Vocabulary = of_ogc.vocabulary
        formats = self.selection.formats[EngineName.OGC]
        slots = opened(vocabulary, max(self.arguments.rows), padded(len(self.vocabulary)), len(formats))
        return slots, added(slots, vocabulary, formats, self.arguments.threads)

    @torch.inference_mode()
    def measure(self) -> Iterator[Decoded]:
        """Measures all runs; models and states are made once for the arms that share them."""
        model: Llama | None = None
        state: State | None = None
        for run in runs(self.arguments, len(self.vocabulary)):
            if state is not None and (state.model.shape is not run.shape or state.plan.rows != run.rows):
                state = None
            if model is not None and model.shape is not run.shape:
                model = None
            problem = run.skipped or (self._lack(run, model is not None) if state is None else None)
            if problem is not None:
                yield Decoded(run, problem=f"skipped: {problem}")
                continue
            model = model or Llama(run.shape, len(self.vocabulary), self.machine, self.arguments.seed)
            state = state or State(self, model, run.rows)
            print(f"decode: {run.shape.name}, {run.rows} rows, {run.arm.value}", file=sys.stderr)
            yield self._measured(run, state)

    def _lack(self, run: Run, has_model: bool) -> str | None:
        """Says how much memory there is too little, if a run needs more than there is."""
        free = self.machine.free_bytes()
        weights = run.shape.weights(len(self.vocabulary)) * self.machine.dtype.itemsize
        needed = run.bytes_needed + SPARE_BYTES - (weights if has_model else 0)
        if free is None or needed <= free:
            return None
        return f"needs {needed / 1e9:.0f} GB, and {free / 1e9:.0f} GB are free"

    def _measured(self, run: Run, state: State) -> Decoded:
        """Measures an arm; what fails is told, and the other arms run all the same."""
        try:
            arm = _arm(run.arm, state)
            arm.run()
            with without_collection():
                times = arm.run()
            apart, masks = (summary(some) if some else None for some in (times.steps_apart, times.masks))
            return Decoded(run, summary(times.steps), apart, masks, times.wall)
        except (Refusal, RuntimeError, AssertionError) as error:
            return Decoded(run, problem=f"failed: {_in_short(error)}")


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


class HostMasks:
    """Masks of an engine on the host, copied to the device and applied there."""

    def __init__(self, state: State, arm: Arm, engine: Engine[Any, Any], formats: list[Any]) -> None:
        self.state, self.machine, self.engine = state, state.machine, engine
        self.is_overlapped = arm.is_overlapped
        engine.use_threads(state.bench.arguments.threads if arm.is_overlapped else 1)
        self.batch: Batch[Any, Any] = Batch(engine, formats, state.plan)
        self.apply = _ogc_apply(state) if arm is Arm.OGC_APPLY else self._peer_apply
        state.host_masks.tensor.fill_(-1)
        state.restart()
        self.compute = self.machine.capture(state.compute)
        self.mask_and_sample = self.machine.capture(self._mask_and_sample)

    def _peer_apply(self) -> None:
        """Applies masks by the kernel of xgrammar, which servers use for other engines' masks too."""
        size = len(self.state.bench.vocabulary)
        xgrammar.apply_token_bitmask_inplace(self.state.logits, self.state.masks, vocab_size=size)

    def _mask_and_sample(self) -> None:
        self.apply()
        self.state.sample()

    def run(self) -> Times:
        """Does all steps; each waits for the tokens of the one before."""
        self.batch.reset()
        self.state.restart()
        marks, times = [self.machine.mark()], []
        self.machine.wait(marks[0])
        begin = time.perf_counter()
        for step in range(self.state.plan.steps):
            if self.is_overlapped:
                self.compute()
            self.machine.wait(marks[-1])
            times.append(self._make_masks(step))
            if not self.is_overlapped:
                self.compute()
            self.state.masks.copy_(self.state.host_masks.tensor, non_blocking=True)
            self.mask_and_sample()
            self.state.send()
            marks.append(self.machine.mark())
        self.machine.wait(marks[-1])
        wall = time.perf_counter() - begin
        self.state.check_tokens()
        self.state.check_logits()
        steps = intervals(self.machine, marks)
        return Times(steps, steps, times, wall / self.state.plan.steps)

    def _make_masks(self, step: int) -> float:
        """Accepts the tokens that came to the host, and writes the masks behind them; returns how long it took."""
        begin = time.perf_counter()
        if step > 0:
            self.engine.accept(self.batch.active[step - 1], self.state.on_host.tolist())
        self.engine.fill(self.batch.active[step], self.state.host_masks)
        return time.perf_counter() - begin


def _arm(arm: Arm, state: State) -> OneGraph | HostMasks:
    """Makes an arm ready, its graphs captured."""
    bench = state.bench
    if arm is Arm.UNCONSTRAINED:
        return Unconstrained(state)
    if arm.engine is not None:
        return HostMasks(state, arm, bench.engines[arm.engine], bench.selection.formats[arm.engine])
    if isinstance(bench.on_device, str):
        raise RuntimeError(bench.on_device)
    if arm is Arm.OGC_SAMPLER:
        return DeviceSampler(state, bench.on_device)
    fused = Fused(state, bench.on_device)
    fused.prove(Batch(bench.engines[EngineName.OGC], bench.selection.formats[EngineName.OGC], state.plan))
    return fused


def _ogc_apply(state: State) -> Callable[[], None]:
    """Returns what masks the logits by the kernel of ogc, on the current stream."""
    device, size = ogc.cuda.Device(), len(state.bench.vocabulary)
    return lambda: device.mask_logits(state.logits, state.masks, tokens=size)
