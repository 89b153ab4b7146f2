"""Calls the functions of slots in a real library whose device is the host and whose kernels compute nothing.

`python3 -m compare.slots_check LIBRARY TOKENIZER ARTIFACT` needs the standard library alone. A test of ogc-capi runs
it, and looks at the launches that the driver tells.
"""

from __future__ import annotations

import sys
from ctypes import addressof, c_int32, c_uint16, sizeof
from pathlib import Path

from .device_slots import DeviceSlots, RowMask, lists
from .header import LogitFormat, Logits
from .libogc import Library, LibraryError
from .vocabulary import read

SLOTS, ROWS, WIDTH = 4, 2, 64


def main(library: Path, tokenizer: Path, artifact: Path) -> None:
    """Adds formats, and launches all that the arms do."""
    vocabulary, built = read(tokenizer, None), artifact.read_bytes()
    slots = DeviceSlots(Library(library), vocabulary, SLOTS, WIDTH, [built, None, b"no artifact", built])
    first, refused, broken, second = slots.formats
    assert (first, refused, second) == (0, "`ogc build` refuses it", 1), slots.formats
    assert isinstance(broken, str) and broken.startswith("ogc_format_load: "), broken
    numbers, outcomes = (c_int32 * SLOTS)(), (c_int32 * SLOTS)()
    logits = (c_uint16 * (ROWS * WIDTH))()
    where = Logits(sizeof(Logits), addressof(logits), ROWS * WIDTH, WIDTH, LogitFormat.BF16, ROWS, WIDTH)
    slots.begin(0, lists(0, addressof(numbers), 0, SLOTS))
    slots.advance(0, lists(addressof(numbers), addressof(numbers), addressof(outcomes), 1))
    for mask in RowMask:
        slots.set_rows(ROWS, mask)
        slots.step(0, where)
    addresses = slots.addresses()
    assert addresses.next_tokens and addresses.outcomes and addresses.masks_len == SLOTS * addresses.mask_stride
    try:
        where.rows = ROWS - 1
        slots.step(0, where)
    except LibraryError as error:
        print(error)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
