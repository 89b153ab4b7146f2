"""The arguments of the program."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .shapes import SHAPES, Shape

MOST_ROWS = 4096
MOST_STEPS = 100_000


class Place(Enum):
    """Where the model runs."""

    CUDA = "cuda"
    CPU = "cpu"


class Space(Enum):
    """White space between the parts of JSON texts."""

    ANY = "any"
    SPACED = "spaced"


class Part(Enum):
    """What is compared."""

    AGREEMENT = "agreement"
    HOST = "host"
    DECODE = "decode"


@dataclass(frozen=True)
class Arguments:
    """What is asked for."""

    corpus: Path
    tokenizer: Path
    is_fused: bool
    out: Path
    place: Place
    parts: tuple[Part, ...]
    shapes: tuple[Shape, ...]
    rows: tuple[int, ...]
    texts: int
    steps: int
    context: int
    threads: int
    space: Space
    end: str | None
    seed: int
    dry_run: bool


def read(given: list[str]) -> Arguments:
    """Reads arguments; ends the program with their usage where they are wrong."""
    parser = _parser()
    read = parser.parse_args(given)
    place = Place(read.device)
    shapes = read.models or (SHAPES["tiny"],) if place is Place.CPU else read.models or (SHAPES["1b"], SHAPES["8b"])
    return Arguments(
        corpus=read.corpus,
        tokenizer=read.tokenizer,
        is_fused=not read.no_fused,
        out=read.out,
        place=place,
        parts=read.parts,
        shapes=shapes,
        rows=read.rows,
        texts=read.texts,
        steps=read.steps,
        context=read.context,
        threads=read.threads,
        space=Space(read.space),
        end=read.end,
        seed=read.seed,
        dry_run=read.dry_run,
    )


class TableError(Exception):
    """A place where no table can be written, and why."""


def prepare_table(out: Path) -> None:
    """Makes the folder of the table, and an empty table: that it cannot be written is known before hours of work."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("", encoding="utf-8")
        out.with_suffix(".json").write_text("", encoding="utf-8")
    except OSError as error:
        raise TableError(f"{error.filename}: {error.strerror}: name another place with --out") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="compare", description=(__package__ or "") + ": decode steps with formats")
    add = parser.add_argument
    add("--corpus", type=Path, required=True, help="schemas with texts, one JSON object a line, plain or .zst")
    add("--tokenizer", type=Path, required=True, help="a tokenizer.json")
    add("--no-fused", action="store_true", help="leaves out the arms that step formats on the device")
    add("--out", type=Path, default=Path("compare.md"), help="the table; the figures are beside it, as .json")
    add("--device", choices=[place.value for place in Place], default=Place.CUDA.value)
    add("--parts", type=_parts, default=tuple(Part), help="agreement,host,decode")
    add("--models", type=_shapes, help="1b,8b, or tiny; by default both, and tiny on the cpu")
    add("--rows", type=_rows, default=(1, 4, 16, 64, 256), help="batch sizes, such as 1,4,16,64,256")
    add("--texts", type=_count(MOST_STEPS), default=300, help="how many texts of different schemas are replayed")
    add("--steps", type=_count(MOST_STEPS), default=200, help="how many decode steps are measured")
    add("--context", type=_count(1 << 20), default=512, help="how many positions each step attends to")
    add("--threads", type=_count(1024), default=os.cpu_count() or 1, help="the most threads that make masks")
    add("--space", choices=[space.value for space in Space], default=Space.ANY.value, help="white space in JSON")
    add("--end", help="the name of the token that ends texts; by default a well-known one")
    add("--seed", type=int, default=1)
    add("--dry-run", action="store_true", help="says what would run, and needs only the standard library")
    return parser


def _parts(text: str) -> tuple[Part, ...]:
    try:
        return tuple(Part(name) for name in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}; there are {', '.join(part.value for part in Part)}") from error


def _shapes(text: str) -> tuple[Shape, ...]:
    names = text.split(",")
    unknown = [name for name in names if name not in SHAPES]
    if unknown:
        raise argparse.ArgumentTypeError(f"no model is named {unknown[0]!r}; there are {', '.join(SHAPES)}")
    return tuple(SHAPES[name] for name in names)


def _rows(text: str) -> tuple[int, ...]:
    count = _count(MOST_ROWS)
    return tuple(count(part) for part in text.split(","))


class _count:
    """Reads a number from 1 to the most."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() else 0
        if not 1 <= number <= self.most:
            raise argparse.ArgumentTypeError(f"a number from 1 to {self.most}, not {text!r}")
        return number
