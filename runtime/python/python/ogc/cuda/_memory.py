"""Reads addresses, shapes and number types of tensors on a device, and streams."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

__all__ = ["DeviceArray", "LogitsAt", "MasksAt", "Stream", "logits_at", "masks_at", "stream_of", "words_at"]

#: A list in device memory: its address, and its number of entries of 32 bits.
ListAt = tuple[int, int]

_WORDS = ("int32", "uint32")
_LOGITS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}
_TYPES = {"<i4": "int32", "<u4": "uint32", "<f4": "float32", "<f2": "float16", "<i8": "int64"}


class DeviceArray:
    """Device memory that other libraries can read: ``torch.as_tensor(array, device="cuda")`` shares it, and keeps its owner alive."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], typestr: str, stride: int | None = None) -> None:
        self._owner = owner
        strides = None if stride is None else (stride * 4, 4)
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": typestr,
            "data": (address, False),
            "strides": strides,
            "version": 3,
        }

    @property
    def address(self) -> int:
        """The address of the first entry."""
        address: int = self.__cuda_array_interface__["data"][0]  # type: ignore[index,assignment]
        return address

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of entries of each dimension."""
        shape: tuple[int, ...] = self.__cuda_array_interface__["shape"]  # type: ignore[assignment]
        return shape

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} of {self.__cuda_array_interface__['typestr']} at {self.address:#x}>"


class LogitsAt(NamedTuple):
    """Logits in device memory, as the extension module reads them."""

    address: int
    len: int
    rows: int
    width: int
    stride: int
    format: str


class MasksAt(NamedTuple):
    """Rows of mask words in device memory, as the extension module reads them."""

    address: int
    len: int
    stride: int


class _Tensor(NamedTuple):
    address: int
    shape: tuple[int, ...]
    #: In elements.
    strides: tuple[int, ...]
    dtype: str


class Stream(NamedTuple):
    """A stream: its number, and the object of torch, if torch was used."""

    number: int
    of_torch: Any

    def hold(self, *tensors: Any) -> None:
        """Tells the allocator of torch that the stream uses tensors: their memory is not reused before the stream's work has ended."""
        for tensor in tensors:
            if self.of_torch is not None and hasattr(tensor, "record_stream"):
                tensor.record_stream(self.of_torch)

    @property
    def is_capturing(self) -> bool:
        """Whether torch is capturing a graph."""
        return self.of_torch is not None and bool(sys.modules["torch"].cuda.is_current_stream_capturing())


def stream_of(stream: Any, device: int) -> Stream:
    """Reads a stream: a number, an object with ``cuda_stream``, or ``None`` for the current stream of torch, if torch has used a device."""
    torch = sys.modules.get("torch")
    has_torch = torch is not None and torch.cuda.is_initialized()
    if stream is None:
        current = torch.cuda.current_stream(device) if torch is not None and has_torch else None
        return Stream(0 if current is None else int(current.cuda_stream), current)
    number = getattr(stream, "cuda_stream", stream)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise TypeError(f"stream is {stream!r}: give a stream of torch, its `cuda_stream`, or None for the current one")
    if torch is None or not has_torch:
        return Stream(number, None)
    return Stream(number, stream if hasattr(stream, "cuda_stream") else torch.cuda.ExternalStream(number, device=device))


def words_at(name: str, tensor: Any, device: int, shape: tuple[int | None, ...]) -> tuple[ListAt, tuple[int, ...]]:
    """Reads a contiguous list of 32-bit numbers with this shape, in which ``None`` is any length; returns the list and its shape."""
    found = _read(name, tensor, device)
    expected = f"int32 {_in_words(shape)}"
    if found.dtype not in _WORDS:
        raise TypeError(f"{name} has {found.dtype}, and kernels read {expected}: `.to(torch.int32)` makes a copy of it")
    fits = len(found.shape) == len(shape) and all(want in (None, has) for want, has in zip(shape, found.shape, strict=True))
    if not fits:
        raise ValueError(f"{name} has the shape {_in_words(found.shape)}, and kernels read {expected}")
    if not _is_contiguous(found):
        raise ValueError(f"{name} has gaps between its entries: `.contiguous()` makes a copy without")
    length = 1
    for size in found.shape:
        length *= size
    return (found.address, length), found.shape


def logits_at(name: str, tensor: Any, device: int) -> LogitsAt:
    """Reads logits [rows, width], or the logits of one row; the entries of a row must be contiguous."""
    found = _read(name, tensor, device)
    if found.dtype not in _LOGITS:
        raise TypeError(f"{name} has {found.dtype}, and kernels read float32, float16 or bfloat16")
    rows, width, stride = _matrix(name, found)
    return LogitsAt(found.address, _length(rows, width, stride), rows, width, stride, _LOGITS[found.dtype])


def masks_at(name: str, tensor: Any, device: int) -> tuple[MasksAt, int, int]:
    """Reads masks [rows, words of 32 bits]; returns them with the numbers of rows and words."""
    found = _read(name, tensor, device)
    if found.dtype not in _WORDS:
        raise TypeError(f"{name} has {found.dtype}, and kernels read words of int32")
    rows, width, stride = _matrix(name, found)
    return MasksAt(found.address, _length(rows, width, stride), stride), rows, width


def _length(rows: int, width: int, stride: int) -> int:
    return (rows - 1) * stride + width if rows else 0


def _matrix(name: str, found: _Tensor) -> tuple[int, int, int]:
    """Rows, width and the distance between the beginnings of two rows."""
    shape, strides = found.shape, found.strides
    if len(shape) == 1:
        shape, strides = (1, *shape), (shape[0], *strides)
    if len(shape) != 2:
        raise ValueError(f"{name} has the shape {_in_words(shape)}; it must have one or two dimensions")
    rows, width = shape
    if width > 1 and strides[1] != 1:
        raise ValueError(f"{name} has gaps between the entries of a row: `.contiguous()` makes a copy without")
    if rows > 1 and strides[0] < width:
        raise ValueError(f"the rows of {name} overlap: `.contiguous()` makes a copy in which they do not")
    return rows, width, strides[0] if rows > 1 else width


def _read(name: str, tensor: Any, device: int) -> _Tensor:
    if hasattr(tensor, "data_ptr"):
        return _read_torch(name, tensor, device)
    interface = getattr(tensor, "__cuda_array_interface__", None)
    if interface is None:
        kind = type(tensor).__name__
        raise TypeError(f"{name} is a {kind}: give a tensor of torch on the device, or an array with `__cuda_array_interface__`")
    address, is_read_only = interface["data"]
    if is_read_only:
        raise ValueError(f"{name} is read-only")
    typestr: str = interface["typestr"]
    shape = tuple(interface["shape"])
    size = int(typestr[2:])
    strides = interface.get("strides")
    strides = _contiguous(shape) if strides is None else tuple(stride // size for stride in strides)
    return _Tensor(address, shape, strides, _TYPES.get(typestr, typestr))


def _read_torch(name: str, tensor: Any, device: int) -> _Tensor:
    place = tensor.device
    if place.type != "cuda":
        raise ValueError(f"{name} is on {place}, and kernels read memory of device {device}: `.to('cuda:{device}')` makes a copy there")
    if (place.index or 0) != device:
        raise ValueError(f"{name} is on {place}, and the kernels run on device {device}")
    return _Tensor(tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()), str(tensor.dtype).removeprefix("torch."))


def _is_contiguous(found: _Tensor) -> bool:
    expected = _contiguous(found.shape)
    return all(has == want for size, has, want in zip(found.shape, found.strides, expected, strict=True) if size > 1)


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for length in reversed(shape):
        strides.insert(0, step)
        step *= length
    return tuple(strides)


def _in_words(shape: tuple[int | None, ...]) -> str:
    return f"[{', '.join('any' if size is None else str(size) for size in shape)}]"
