"""Schemas of a corpus, chosen by a rule.

From each of the twelve largest splits with such a schema: the first schema, in the order of the SHA-256 of their names, that

* is no longer than 20,000 bytes,
* has a valid text of 160 bytes or less among its tests (so that one fits into a usual `max_tokens`), and
* has only tests that the validator agrees with (otherwise it could not judge).

The choice does not depend on any backend.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from .format import Format
from .schemas import prompt_of, validator

COUNT = 12
LONGEST_SCHEMA = 20_000
LONGEST_EXAMPLE = 160
BESIDE = Path(__file__).parents[4] / "shared" / "data"


def corpus() -> list[Format]:
    splits: dict[str, list[Any]] = defaultdict(list)
    for case in _cases():
        splits[case["split"]].append(case)
    largest = sorted(splits.values(), key=len, reverse=True)
    found = [first for split in largest if (first := _first(split))]
    return found[:COUNT]


def path() -> Path:
    return Path(os.environ.get("OGC_CORPORA", BESIDE), "maskbench-dev.jsonl.zst")


def _cases() -> Iterable[Any]:
    zstandard: Any = import_module("zstandard")
    with path().open("rb") as packed:
        text = zstandard.ZstdDecompressor().stream_reader(packed).read().decode()
    return map(json.loads, filter(None, text.split("\n")))


def _first(split: list[Any]) -> Format | None:
    ordered = sorted(split, key=lambda case: sha256(case["id"].encode()).digest())
    return next(filter(None, map(_format, ordered)), None)


def _format(case: Any) -> Format | None:
    schema = json.dumps(case["schema"], ensure_ascii=False)
    if len(schema.encode()) > LONGEST_SCHEMA:
        return None
    texts = [(_compact(test["data"]), bool(test["valid"])) for test in case["tests"]]
    example = min((text for text, is_valid in texts if is_valid), key=len, default=None)
    if example is None or len(example.encode()) > LONGEST_EXAMPLE:
        return None
    is_valid = validator(schema)
    try:
        if any(is_valid(text) != expected for text, expected in texts):
            return None
    except Exception:  # a pattern or a reference that the validator does not read
        return None
    return Format("maskbench", case["id"], "json", schema, prompt_of(case["schema"]), example, is_valid)


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
