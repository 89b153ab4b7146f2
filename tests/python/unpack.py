"""Unpacks the Python files of a wheel, without its compiled parts: `unpack.py WHEEL FOLDER`."""

from __future__ import annotations

import sys
from zipfile import ZipFile


def main(wheel: str, folder: str) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".py") or ".dist-info/" in name])


if __name__ == "__main__":
    main(*sys.argv[1:])
