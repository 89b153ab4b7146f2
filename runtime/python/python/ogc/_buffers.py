"""Reads address, shape and strides of arrays and tensors, so that a step passes numbers instead of views."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from ._ogc import LogitRows, MaskRows

_WORDS = {"int32", "uint32"}
_LOGITS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}


class _Memory(NamedTuple):
    """The place of a buffer's elements in memory."""

    #: The object that owns the memory: the memory does not move as long as the object lives.
    holder: Any
    address: int
    shape: tuple[int, ...]
    #: In bytes.
    strides: tuple[int, ...]
    #: The name of the elements' type; ``bytes`` for a buffer without one.
    dtype: str


def mask_rows(buffer: Any) -> MaskRows:
    """Rows of masks in a writable buffer of 32-bit words, of one or two dimensions.

    The buffer may be a torch tensor on the host, a numpy array, or anything with the buffer protocol, such as a ``bytearray``.

    >>> import ogc
    >>> ogc.mask_rows(bytearray(8))
    <MaskRows: 1 rows of 2 words>
    """
    memory = _memory(buffer)
    if memory.dtype == "bytes":
        memory = memory._replace(dtype="uint32", shape=(memory.shape[0] // 4,), strides=(4,))
    if memory.dtype not in _WORDS:
        raise TypeError(f"masks are words of 32 bits; this buffer has {memory.dtype}")
    rows, width, stride = _matrix(memory, 4)
    return MaskRows(memory.holder, memory.address, rows, width, stride)


def logit_rows(buffer: Any) -> LogitRows:
    """Rows of logits in a writable tensor or array of float32, float16 or bfloat16, of one or two dimensions."""
    memory = _memory(buffer)
    if memory.dtype not in _LOGITS:
        raise TypeError(f"logits are float32, float16 or bfloat16; this buffer has {memory.dtype}")
    format = _LOGITS[memory.dtype]
    rows, width, stride = _matrix(memory, 4 if format == "f32" else 2)
    return LogitRows(memory.holder, memory.address, rows, width, stride, format)


def _matrix(memory: _Memory, size: int) -> tuple[int, int, int]:
    """Rows, width and stride in elements of ``size`` bytes."""
    shape, strides = memory.shape, memory.strides
    if len(shape) == 1:
        shape, strides = (1, *shape), (shape[0] * size, *strides)
    if len(shape) != 2:
        raise ValueError(f"a buffer has one or two dimensions, not {len(shape)}")
    rows, width = shape
    if width > 1 and strides[1] != size:
        raise ValueError("the elements of a row must stand side by side")
    if rows > 1 and (strides[0] < 0 or strides[0] % size):
        raise ValueError("rows must stand one after the other")
    return rows, width, strides[0] // size if rows > 1 else width


def _memory(buffer: Any) -> _Memory:
    if hasattr(buffer, "data_ptr"):
        return _tensor(buffer)
    if hasattr(buffer, "__array_interface__"):
        return _array(buffer)
    if hasattr(buffer, "__dlpack__"):
        return _dlpack(buffer)
    return _bytes(buffer)


def _tensor(tensor: Any) -> _Memory:
    if tensor.device.type != "cpu":
        raise ValueError(f"the tensor is on {tensor.device}; masks are written in memory of the host")
    size = tensor.element_size()
    strides = tuple(stride * size for stride in tensor.stride())
    return _Memory(tensor, tensor.data_ptr(), tuple(tensor.shape), strides, str(tensor.dtype).removeprefix("torch."))


def _array(array: Any) -> _Memory:
    interface = array.__array_interface__
    address, is_read_only = interface["data"]
    if is_read_only:
        raise ValueError("the array is read-only")
    kind: str = interface["typestr"]
    names = {"<i4": "int32", "<u4": "uint32", "<f4": "float32", "<f2": "float16"}
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or _contiguous(shape, int(kind[2:]))
    return _Memory(array, address, shape, tuple(strides), names.get(kind, kind))


def _dlpack(buffer: Any) -> _Memory:
    try:
        import numpy
    except ImportError:
        raise TypeError("numpy reads DLPack buffers, and it is not installed") from None
    return _array(numpy.from_dlpack(buffer))


def _bytes(buffer: Any) -> _Memory:
    # As long as the view lives, a `bytearray` cannot be resized.
    view = memoryview(buffer)
    if view.readonly or not view.c_contiguous:
        raise ValueError("the buffer is read-only or has gaps")
    names = {"i": "int32", "I": "uint32", "f": "float32", "e": "float16"}
    format = view.format or "B"
    size = 1 if format == "B" else view.itemsize
    name = "bytes" if format == "B" else names.get(format, format)
    address = ctypes.addressof(ctypes.c_char.from_buffer(view)) if view.nbytes else 0
    shape = tuple(view.shape or (view.nbytes,))
    return _Memory(view, address, shape, _contiguous(shape, size), name)


def _contiguous(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, size)
        size *= length
    return tuple(strides)
