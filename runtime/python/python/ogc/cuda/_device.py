"""Devices, and masks of logits there."""

from __future__ import annotations

from typing import Any

from ._memory import logits_at, masks_at, stream_of, words_at

try:
    from .._ogc import CudaDevice
except ImportError:
    raise ImportError(
        "this ogc was built without devices: install its wheel, or build it with `pip install --config-settings=build-args='--features module,cuda' .`"
    ) from None

__all__ = ["Device"]


class Device:
    """The NVIDIA device of a number, with the kernels loaded. It shares the context that torch uses there.

    Any number of threads may use it at once.

    :raises DeviceError: there is no driver, no such device, or one of them is too old; the message gives the reason.
    """

    def __init__(self, number: int = 0) -> None:
        #: The device of the extension module.
        self.inner = CudaDevice(number)
        self._number = number

    @property
    def number(self) -> int:
        """Its number, counted from 0."""
        return self._number

    @property
    def name(self) -> str:
        """Its name, such as ``NVIDIA H100``."""
        return self.inner.name

    @property
    def capability(self) -> tuple[int, int]:
        """Its compute capability, such as (9, 0)."""
        return self.inner.capability

    @property
    def driver(self) -> tuple[int, int]:
        """The version of CUDA that its driver supports, such as (13, 0)."""
        return self.inner.driver

    @property
    def kernels(self) -> str:
        """The form of the kernels that were loaded, in words: compiled code, or PTX that the driver compiled."""
        return self.inner.kernels

    def mask_logits(self, logits: Any, masks: Any, rows: Any = None, *, tokens: int | None = None, stream: Any = None) -> None:
        """Overwrites the logits of tokens that masks do not allow with minus infinity, in place, in one launch on ``stream``.

        ``logits`` [rows, width] are float32, float16 or bfloat16, ``masks`` [rows of masks, words] int32 words as ``ogc.fill_masks`` writes them. Row
        ``r`` of the logits gets row ``rows[r]`` of the masks, or no mask if that is negative; ``rows`` [rows] int32 must name existing rows of masks.
        Without ``rows``, row ``r`` gets mask ``r``. Masks have bits for ``tokens`` tokens; without ``tokens``, for as many as both masks and logits
        have room for. Logits beyond these tokens are not allowed.

        A graph that captured the launch contains the addresses of the tensors; they must live as long as the graph is launched.

        :raises TypeError, ValueError: a tensor has a wrong type or shape, or is not on this device; nothing was launched.
        :raises DeviceError: the driver refused the launch, or earlier work failed.
        """
        on = stream_of(stream, self._number)
        at = logits_at("logits", logits, self._number)
        masks_found, _, words = masks_at("masks", masks, self._number)
        row_map = None if rows is None else words_at("rows", rows, self._number, (at.rows,))[0]
        known = min(at.width, 32 * words) if tokens is None else tokens
        if known > 32 * words:
            raise ValueError(f"masks have {words} words, too few for {known} tokens: they need {(known + 31) // 32}")
        self.inner.mask_logits(on.number, at, masks_found, known, row_map)
        on.hold(logits, masks, rows)

    def __repr__(self) -> str:
        major, minor = self.capability
        return f"<Device {self._number}: {self.name}, compute capability {major}.{minor}>"
