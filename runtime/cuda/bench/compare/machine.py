"""Where the model runs: an NVIDIA device, whose work is queued and captured in graphs, or the processor."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from ctypes import c_uint8
from math import prod
from typing import Any, Generic, TypeVar

import torch

from .arguments import Place

Mark = TypeVar("Mark")


class Machine(ABC, Generic[Mark]):
    """What a run needs of a place."""

    device: torch.device
    dtype: torch.dtype
    is_pinned: bool

    @abstractmethod
    def capture(self, work: Callable[[], None]) -> Callable[[], None]:
        """Returns what does the work again; the work is done some times before, and its state must be restored."""

    @abstractmethod
    def mark(self) -> Mark:
        """Marks the end of what was queued so far."""

    @abstractmethod
    def wait(self, mark: Mark) -> None:
        """Waits for a mark."""

    @abstractmethod
    def between(self, first: Mark, second: Mark) -> float:
        """Returns the seconds between two marks that were waited for."""

    @abstractmethod
    def shared(self, array: Any) -> torch.Tensor:
        """Returns an array of a library where it lies."""

    @abstractmethod
    def free_bytes(self) -> int | None:
        """Returns how much memory is free; `None` if it is not known."""

    @abstractmethod
    def describe(self) -> str:
        """Returns the machine in words."""


class Cuda(Machine[torch.cuda.Event]):
    """The first NVIDIA device."""

    def __init__(self) -> None:
        self.device = torch.device("cuda:0")
        self.dtype, self.is_pinned = torch.bfloat16, True

    def capture(self, work: Callable[[], None]) -> Callable[[], None]:
        """Captures a graph, after three rounds in which kernels are compiled and chosen."""
        side: torch.cuda.Stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                work()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            work()
        torch.cuda.synchronize()
        replay: Callable[[], None] = graph.replay
        return replay

    def mark(self) -> torch.cuda.Event:
        """Records an event."""
        event: torch.cuda.Event = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
        event.record()
        return event

    def wait(self, mark: torch.cuda.Event) -> None:
        """Waits for an event, without sleeping."""
        mark.synchronize()

    def between(self, first: torch.cuda.Event, second: torch.cuda.Event) -> float:
        """Returns the time between two events, by the clock of the device."""
        milliseconds: float = first.elapsed_time(second)
        return milliseconds / 1e3

    def shared(self, array: Any) -> torch.Tensor:
        """Returns an array in memory of the device."""
        tensor = torch.as_tensor(array, device=self.device)
        if tensor.data_ptr() != array.__cuda_array_interface__["data"][0]:
            raise RuntimeError("PyTorch has copied memory that it was to share")
        return tensor

    def free_bytes(self) -> int | None:
        """Returns what is free on the device, once what is not used is given back."""
        torch.cuda.empty_cache()
        return torch.cuda.mem_get_info()[0]

    def describe(self) -> str:
        """Returns the name of the device and the version of PyTorch."""
        facts = torch.cuda.get_device_properties(0)
        memory = facts.total_memory / 1e9
        return f"{facts.name}, {memory:.0f} GB, PyTorch {torch.__version__} with CUDA {torch.version.cuda}"


class Processor(Machine[float]):
    """The processor: work is done at once, and a mark is a time."""

    def __init__(self, threads: int) -> None:
        self.device = torch.device("cpu")
        self.dtype, self.is_pinned = torch.float32, False
        self.threads = threads
        torch.set_num_threads(threads)

    def capture(self, work: Callable[[], None]) -> Callable[[], None]:
        """Returns the work itself, done once before."""
        work()
        return work

    def mark(self) -> float:
        """Returns the time."""
        return time.perf_counter()

    def wait(self, mark: float) -> None:
        """Returns at once: all work is done."""

    def between(self, first: float, second: float) -> float:
        """Returns the time between two marks."""
        return second - first

    def shared(self, array: Any) -> torch.Tensor:
        """Returns an array of int32 in memory of the process."""
        interface = array.__cuda_array_interface__
        memory = (c_uint8 * (4 * prod(interface["shape"]))).from_address(interface["data"][0])
        return torch.frombuffer(memory, dtype=torch.int32).view(interface["shape"])

    def free_bytes(self) -> int | None:
        """Returns that it is not known."""
        return None

    def describe(self) -> str:
        """Returns the threads and the version of PyTorch."""
        return f"processor, {self.threads} threads, no graphs, PyTorch {torch.__version__}"


class NoDevice(Exception):
    """There is no device, or PyTorch finds none."""


def open_machine(place: Place, threads: int) -> Cuda | Processor:
    """Opens the machine of a place."""
    match place:
        case Place.CPU:
            return Processor(threads)
        case Place.CUDA:
            if not torch.cuda.is_available():
                raise NoDevice("PyTorch finds no NVIDIA device; `--device cpu` runs what can run without one")
            return Cuda()
