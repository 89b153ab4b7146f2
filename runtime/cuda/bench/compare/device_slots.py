"""The slots of a device, with the formats of texts: where arms step texts without the host.

Launches go to the current stream of PyTorch, which can capture them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

import ogc
import ogc.cuda

# Room for formats: their tables, and the rows of masks that they share. Three hundred formats take a tenth of it.
FORMAT_BYTES = 1 << 30
POOL_ROWS = 200_000
POOL_BLOCKS = 1 << 22

SEED = 1


class RowMask(Enum):
    """What masks the rows of a step."""

    SLOTS = "the slots of the rows"
    NONE = "nothing"


def opened(vocabulary: ogc.Vocabulary, slots: int, width: int, formats: int) -> ogc.cuda.Slots:
    """Returns slots on the first device, for rows of a width and a number of formats."""
    return ogc.cuda.Slots(
        ogc.cuda.Device(),
        vocabulary,
        slots,
        formats=max(formats, 1),
        format_bytes=FORMAT_BYTES,
        pool_rows=POOL_ROWS,
        pool_blocks=POOL_BLOCKS,
        logits=width,
    )


def added(slots: Any, vocabulary: ogc.Vocabulary, formats: Iterable[Any], threads: int) -> list[int | str]:
    """Builds the masks of formats, and copies them to the device: the numbers there, or why there is none."""
    numbers: list[int | str] = []
    for format in formats:
        try:
            numbers.append(slots.add_format(format.with_masks(vocabulary, threads=threads)))
        except (ValueError, ogc.LimitError) as error:
            numbers.append(str(error))
    return numbers


def rows(count: int, mask: RowMask, temperature: float = 1.0, moves: bool | None = None) -> list[ogc.cuda.Row]:
    """Returns rows that are drawn at a temperature, by the masks of the slots of the same numbers, or without.

    Rows with masks move their slots, unless `moves` says otherwise.
    """
    made = []
    for number in range(count):
        by_slot = mask is RowMask.SLOTS
        slot = number if (by_slot if moves is None else moves) else None
        masks: Any = ("slot", number) if by_slot else "all"
        made.append(ogc.cuda.Row(seed=SEED, request=number, temperature=temperature, mask=masks, slot=slot))
    return made


def device_in_words(device: ogc.cuda.Device) -> str:
    """Returns the device, its driver, and what was loaded on it."""
    (major, minor), (driver_major, driver_minor) = device.capability, device.driver
    driver = f"the driver supports CUDA {driver_major}.{driver_minor}"
    return f"{device.name}, compute capability {major}.{minor}, {driver}, {device.kernels}"
