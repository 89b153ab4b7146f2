"""Reads what is asked for."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def main(given: list[str]) -> int:
    """Returns the exit code: 0 if all was done, 1 if not, 2 if what is asked for cannot be."""
    if (HERE / "payload.tar.xz").exists():
        from .runner import Limits, run

        arguments = _there().parse_args(given)
        return run(HERE, arguments.out, arguments.only, Limits(arguments.limit, arguments.most))
    from .pack import PackError, pack

    arguments = _here().parse_args(given)
    try:
        return pack(arguments.folder, not arguments.no_build, arguments.programs)
    except PackError as error:
        print(error)
        return 1


def _here() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="verdict")
    commands = parser.add_subparsers(required=True, metavar="pack")
    pack = commands.add_parser("pack", help="puts all that is needed into a folder")
    pack.add_argument("folder", type=Path, help="the folder; what was packed there before is replaced")
    pack.add_argument("--no-build", action="store_true", help="takes the programs that cargo has built last")
    pack.add_argument(
        "--programs", type=Path, help="takes the programs and the ogc.whl of this folder: for a rehearsal"
    )
    return parser


def _there() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="verdict", description="judges the kernels of ogc on the first device")
    out = Path(os.environ.get("OUT") or HERE / "out")
    parser.add_argument(
        "--out", type=Path, default=out, help="where table.md and logs are written [default: %(default)s]"
    )
    parser.add_argument("--only", type=lambda text: text.split(","), help="the names of steps, with commas between")
    parser.add_argument(
        "--limit", type=int, default=570, help="the seconds after which all ends [default: %(default)s]"
    )
    parser.add_argument(
        "--most", type=int, default=570, help="the seconds that a step takes at most [default: %(default)s]"
    )
    return parser
