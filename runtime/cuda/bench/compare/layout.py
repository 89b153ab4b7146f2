"""Prints C that compiles with `ogc.h` if `header.py` has the same records, constants and arguments of functions.

`python3 -m compare.layout`; a test of ogc-cuda compiles it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

from .header import CONSTANTS, FUNCTIONS, RECORDS

NAMES = {record: name for name, record in RECORDS.items()}


def lines() -> Iterator[str]:
    """Yields the lines of a C program."""
    yield '#include "ogc.h"'
    for name, record in RECORDS.items():
        yield _same(f"sizeof({name})", ctypes.sizeof(record))
        for field, *_ in record._fields_:
            place = getattr(record, field)
            yield _same(f"offsetof({name}, {field})", place.offset)
            yield _same(f"sizeof((({name} *)0)->{field})", place.size)
    for name, constant in CONSTANTS.items():
        yield _same(name, constant.value)
    yield "void calls(void);"
    yield "void calls(void) {"
    for name, arguments in FUNCTIONS.items():
        yield f"    enum ogc_status of_{name} = {name}({', '.join(map(_argument, arguments))});"
        yield f"    (void)of_{name};"
    yield "}"


def _argument(kind: type) -> str:
    """Returns an argument that no parameter of another kind takes: a pointer to a record, another pointer, a number."""
    if kind in NAMES:
        return f"({NAMES[kind]}){{0}}"
    target = getattr(kind, "_type_", None)
    if target in NAMES:
        return f"({NAMES[target]} *)0"
    is_number = kind in (ctypes.c_uint32, ctypes.c_size_t, ctypes.c_uint64)
    return "1" if is_number else "(void *)0"


def _same(what: str, expected: int) -> str:
    return f'_Static_assert({what} == {expected}, "{what}");'


if __name__ == "__main__":
    print("\n".join(lines()))
