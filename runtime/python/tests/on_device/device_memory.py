"""Memory of the device that tests run on: torch's memory on an NVIDIA device, or memory of the driver for tests (``runtime/driver``), which
interprets kernels.

The tests use `unittest`, so that they run without pytest: ``python -m unittest`` in this folder.
"""

from __future__ import annotations

import ctypes
import math
import random
import unittest
from abc import ABC, abstractmethod
from types import SimpleNamespace
from typing import Any

import numpy
from numpy.typing import NDArray

Numbers = NDArray[Any]

#: Number types of logits by their names in torch, as numpy writes them; the bits of bfloat16 are the upper half of float32's.
LOGITS = {"float32": numpy.float32, "float16": numpy.float16, "bfloat16": numpy.uint16}


def as_bits(numbers: Numbers, dtype: str) -> Numbers:
    """The bits of numbers in a type of logits: float32 rounded down to it."""
    if dtype == "bfloat16":
        return (numbers.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)
    return numbers.astype(LOGITS[dtype])


def as_floats(numbers: Numbers, dtype: str) -> Numbers:
    """The float32 values of numbers in a type of logits."""
    if dtype == "bfloat16":
        return (numbers.astype(numpy.uint32) << 16).view(numpy.float32)
    return numbers.astype(numpy.float32)


def at(address: int, size: int, dtype: numpy.dtype[Any]) -> Numbers:
    """The numbers in ``size`` bytes of memory of the process."""
    memory: Any = (ctypes.c_uint8 * size).from_address(address)
    numbers: Numbers = numpy.frombuffer(memory, dtype=dtype)
    return numbers


class Memory(ABC):
    """Arrays in the memory of device 0."""

    @abstractmethod
    def put(self, numbers: Numbers, dtype: str) -> Any:
        """An array on the device with these numbers, whose type has this name in torch."""

    @abstractmethod
    def get(self, array: Any) -> Numbers:
        """The numbers of an array or of a `DeviceArray`, after all work."""

    def ints(self, *numbers: Any) -> Any:
        """An int32 array."""
        return self.put(numpy.array(numbers, dtype=numpy.int32), "int32")

    def zeros(self, *shape: int) -> Any:
        """An int32 array of zeros."""
        return self.put(numpy.zeros(shape, dtype=numpy.int32), "int32")


class Array:
    """An array of the driver for tests; its memory is that of the process."""

    def __init__(self, owner: DriverMemory, numbers: Numbers, dtype: str) -> None:
        address = ctypes.c_uint64()
        if owner.driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(numbers.nbytes, 1))) != 0:
            raise MemoryError
        self._owner, self._address, self.dtype = owner, address.value, dtype
        self.host: Numbers = at(address.value, numbers.nbytes, numbers.dtype).reshape(numbers.shape)
        self.host[...] = numbers
        typestr = numbers.dtype.str
        self.__cuda_array_interface__ = {"shape": numbers.shape, "typestr": typestr, "data": (address.value, False), "version": 3}

    def __del__(self) -> None:
        self._owner.driver.cuMemFree_v2(ctypes.c_uint64(self._address))


class Tensor:
    """An array of the driver for tests, with the attributes of torch; a view of some rows and columns, if strides are given."""

    def __init__(self, array: Array, shape: tuple[int, ...] | None = None, strides: tuple[int, ...] | None = None) -> None:
        self.array, self.dtype = array, f"torch.{array.dtype}"
        self.shape = array.host.shape if shape is None else shape
        self.device = SimpleNamespace(type="cuda", index=0)
        size = array.host.itemsize
        self._strides = tuple(stride // size for stride in array.host.strides) if strides is None else strides
        self.streams: list[Any] = []

    def data_ptr(self) -> int:
        address: int = self.array.__cuda_array_interface__["data"][0]  # type: ignore[index]
        return address

    def stride(self) -> tuple[int, ...]:
        return self._strides

    def record_stream(self, stream: Any) -> None:
        self.streams.append(stream)


class DriverMemory(Memory):
    """Memory of the driver for tests; arrays have the attributes of torch."""

    def __init__(self, driver: ctypes.CDLL) -> None:
        self.driver = driver

    def put(self, numbers: Numbers, dtype: str) -> Tensor:
        return Tensor(Array(self, numbers, dtype))

    def get(self, array: Any) -> Numbers:
        if isinstance(array, Tensor):
            return array.array.host.copy()
        interface = array.__cuda_array_interface__
        shape: tuple[int, ...] = interface["shape"]
        dtype, strides = numpy.dtype(str(interface["typestr"])), interface["strides"]
        rows, width = (shape[0], strides[0]) if strides else (1, dtype.itemsize * math.prod(shape))
        whole = at(interface["data"][0], rows * width, dtype)
        return whole.reshape(rows, -1)[:, : shape[1]].copy() if strides else whole.reshape(shape).copy()

    def launches(self) -> list[str]:
        """The launches since the previous call."""
        text = ctypes.create_string_buffer(1 << 20)
        written = self.driver.ogc_driver_launches(text, ctypes.c_uint(len(text)))
        return text.raw[:written].decode().splitlines()


class TorchMemory(Memory):
    """Memory of torch on an NVIDIA device."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def put(self, numbers: Numbers, dtype: str) -> Any:
        if dtype == "bfloat16":
            return self.torch.from_numpy(numbers.view(numpy.int16)).view(self.torch.bfloat16).to("cuda")
        return self.torch.from_numpy(numpy.ascontiguousarray(numbers)).to("cuda")

    def get(self, array: Any) -> Numbers:
        self.torch.cuda.synchronize()
        tensor = array if hasattr(array, "data_ptr") else self.torch.as_tensor(array, device="cuda")
        if tensor.dtype == self.torch.bfloat16:
            tensor = tensor.view(self.torch.int16)
        numbers: Numbers = tensor.cpu().numpy()
        return numbers.view(numpy.uint16) if tensor.dtype == self.torch.int16 else numbers


def memory() -> Memory:
    """The memory of the available device; skips the tests if there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise unittest.SkipTest("no driver: tests/python/run builds one for tests") from None
    if hasattr(driver, "ogc_driver_launches"):
        return DriverMemory(driver)
    try:
        import torch
    except ImportError:
        raise unittest.SkipTest("a device, and no torch") from None
    if not torch.cuda.is_available():
        raise unittest.SkipTest("torch finds no device")
    return TorchMemory(torch)


def shuffled(seed: int) -> tuple[random.Random, numpy.random.Generator]:
    """Random numbers of both kinds."""
    return random.Random(seed), numpy.random.default_rng(seed)
