"""Reads schemas with texts: one JSON object a line, `{id, schema, tests: [{valid, data}]}`."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class CorpusError(Exception):
    """A corpus that cannot be read: where, and why."""


class Number(str):
    """A number as it is written."""


@dataclass(frozen=True)
class Case:
    """A schema, and a text that is valid by it."""

    id: str
    schema: str
    text: str


def cases(path: Path, seed: int) -> Iterator[Case]:
    """Yields the cases that have a valid text, in an order that the seed chooses; the text is the first valid one."""
    lines = [(number, line) for number, line in enumerate(_content(path).split("\n"), start=1) if line]
    random.Random(seed).shuffle(lines)
    for number, line in lines:
        case = _case(path, number, line)
        if case is not None:
            yield case


def _content(path: Path) -> str:
    """Returns what is in a file, unpacked."""
    try:
        if path.suffix == ".zst":
            # The standard library reads zstd from Python 3.14 on.
            unpacked = subprocess.run(["zstd", "-dcq", "--", str(path)], check=True, capture_output=True).stdout
            return unpacked.decode()
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CorpusError(f"{error.filename}: there is no such file or program") from error
    except subprocess.CalledProcessError as error:
        raise CorpusError(f"{path}: {error.stderr.decode(errors='replace').strip()}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from error


def _case(path: Path, number: int, line: str) -> Case | None:
    try:
        read = json.loads(line, parse_int=Number, parse_float=Number)
        valid = next((test["data"] for test in read["tests"] if test["valid"]), None)
        if valid is None and not any(test["valid"] for test in read["tests"]):
            return None
        return Case(read["id"], spelled(read["schema"]), spelled(valid))
    except (ValueError, KeyError, TypeError) as error:
        kind = type(error).__name__
        raise CorpusError(f"{path}:{number}: no line of a schema with tests: {kind}: {error}") from error


def spelled(value: object) -> str:
    """Returns JSON as `json.dumps` spells it, which models are mostly trained on; numbers stay as they were written."""
    match value:
        case Number():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)}: {spelled(member)}" for key, member in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case _:
            return json.dumps(value)
