"""What is run: arms, models, rows. It needs the standard library alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .arguments import Arguments, Part, Place
from .shapes import Shape


class EngineName(Enum):
    """An engine that makes masks on the host."""

    XGRAMMAR = "xgrammar"
    LLGUIDANCE = "llguidance"
    OGC = "ogc"


class Arm(Enum):
    """A way to decode; every arm has the same model, and the fused step another sampler than the rest.

    `UNCONSTRAINED` and `OGC_SAMPLER` are these two samplers without masks: what an arm takes more than the one of them
    with its sampler is its overhead.

    `SYNC`: one thread makes the masks, and only then the model starts. `OVERLAPPED`: all threads make them while the
    model runs.
    """

    UNCONSTRAINED = "unconstrained"
    XGRAMMAR_SYNC = "xgrammar, synchronous"
    XGRAMMAR_OVERLAPPED = "xgrammar, overlapped and batched"
    LLGUIDANCE_SYNC = "llguidance, synchronous"
    LLGUIDANCE_OVERLAPPED = "llguidance, overlapped and batched"
    OGC_SYNC = "ogc on the host, synchronous"
    OGC_OVERLAPPED = "ogc on the host, overlapped and batched"
    OGC_APPLY = "ogc on the host, overlapped and batched, `mask_logits`"
    OGC_SAMPLER = "unconstrained, sampler of ogc"
    OGC_STEP = "ogc on the device, fused `ogc_step`"

    @property
    def engine(self) -> EngineName | None:
        """The engine that makes masks on the host."""
        match self:
            case Arm.UNCONSTRAINED | Arm.OGC_SAMPLER | Arm.OGC_STEP:
                return None
            case Arm.XGRAMMAR_SYNC | Arm.XGRAMMAR_OVERLAPPED:
                return EngineName.XGRAMMAR
            case Arm.LLGUIDANCE_SYNC | Arm.LLGUIDANCE_OVERLAPPED:
                return EngineName.LLGUIDANCE
            case Arm.OGC_SYNC | Arm.OGC_OVERLAPPED | Arm.OGC_APPLY:
                return EngineName.OGC

    @property
    def is_overlapped(self) -> bool:
        """Whether masks are made while the model runs."""
        match self:
            case Arm.XGRAMMAR_OVERLAPPED | Arm.LLGUIDANCE_OVERLAPPED | Arm.OGC_OVERLAPPED | Arm.OGC_APPLY:
                return True
            case Arm.XGRAMMAR_SYNC | Arm.LLGUIDANCE_SYNC | Arm.OGC_SYNC:
                return False
            case Arm.UNCONSTRAINED | Arm.OGC_SAMPLER | Arm.OGC_STEP:
                return False

    @property
    def baseline(self) -> Arm | None:
        """The arm with the same sampler and without masks; `None` if it is one itself."""
        match self:
            case Arm.UNCONSTRAINED | Arm.OGC_SAMPLER:
                return None
            case Arm.OGC_STEP:
                return Arm.OGC_SAMPLER
            case _:
                return Arm.UNCONSTRAINED

    @property
    def is_peer(self) -> bool:
        """Whether it is another engine's."""
        return self.engine in (EngineName.XGRAMMAR, EngineName.LLGUIDANCE)

    @property
    def is_ours(self) -> bool:
        """Whether it is ogc's, with masks."""
        return self.baseline is not None and not self.is_peer

    @property
    def has_slots(self) -> bool:
        """Whether it needs slots on a device."""
        return self in (Arm.OGC_SAMPLER, Arm.OGC_STEP)


@dataclass(frozen=True)
class Run:
    """An arm with a model and a number of rows, and why it is left out, if it is."""

    shape: Shape
    rows: int
    arm: Arm
    bytes_needed: int
    skipped: str | None


def runs(arguments: Arguments, vocabulary: int) -> Iterator[Run]:
    """Yields all runs, the arms of a model and a number of rows one after the other."""
    width = 2 if arguments.place is Place.CUDA else 4
    for shape in arguments.shapes:
        for rows in arguments.rows:
            size = shape.bytes_needed(vocabulary, rows, arguments.context, width)
            for arm in Arm:
                yield Run(shape, rows, arm, size, skip_reason(arm, arguments))


def has_slots(arguments: Arguments) -> bool:
    """Returns whether formats are stepped on a device."""
    return arguments.is_fused and arguments.place is Place.CUDA


def skip_reason(arm: Arm, arguments: Arguments) -> str | None:
    """Returns why an arm does not run, if it does not."""
    place = arguments.place
    if arm.has_slots and not arguments.is_fused:
        return "--no-fused is given"
    if place is Place.CUDA:
        return None
    if arm is Arm.OGC_APPLY or arm.has_slots:
        return "needs a device"
    if arm.is_overlapped:
        return "needs a device: the processor would make masks and run the model at once"
    return None


def thread_counts(most: int) -> tuple[int, ...]:
    """Returns with how many threads masks on the host are measured: one, and all."""
    return (1,) if most == 1 else (1, most)


def lines(arguments: Arguments, vocabulary: int) -> Iterator[str]:
    """Yields a line for each thing that would be run."""
    for part in arguments.parts:
        match part:
            case Part.AGREEMENT:
                yield "would compare the masks of xgrammar, llguidance and ogc at each token of each text"
            case Part.HOST:
                for rows in arguments.rows:
                    for threads in thread_counts(arguments.threads):
                        for engine in EngineName:
                            yield f"would make masks on the host: {rows} rows, {threads} threads, {engine.value}"
            case Part.DECODE:
                if has_slots(arguments):
                    yield "would build masks, and leave texts out that the device cannot write"
                yield from map(_line, runs(arguments, vocabulary))


def _line(run: Run) -> str:
    what = f"{run.shape.name}, {run.rows} rows, {run.arm.value}"
    if run.skipped is not None:
        return f"skipped: {what}: {run.skipped}"
    return f"would decode: {what}, {run.bytes_needed / 1e9:.1f} GB"
