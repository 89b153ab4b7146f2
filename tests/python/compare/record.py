"""The record of a request."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

#: `valid`: ended by itself, and valid by another validator. `truncated`: ended by `max_tokens`. `invalid`: ended by
#: itself, and not of the format. `refused`: a validation error (400). `failed`: another error, or no answer.
OUTCOMES = ("valid", "truncated", "invalid", "refused", "failed")


@dataclass(frozen=True)
class Record:
    arm: str
    group: str
    format: str
    temperature: float
    #: 0 for the request before all others, which starts the backend.
    concurrency: int
    is_new: bool
    outcome: str
    #: The validator's verdict about the text, also if it was truncated.
    is_valid: bool
    #: The reason why a request was refused or has failed, or vLLM's reason why a text ended.
    reason: str
    text: str
    tokens: int
    #: The time at which it was sent, in seconds since the arm's first request.
    start: float
    #: Seconds from that time to the first token, and to the last.
    first_token: float
    seconds: float

    def line(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"


def read(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as file:
        return [Record(**json.loads(line)) for line in file]


def count(records: Iterable[Record]) -> Counter[str]:
    return Counter(record.outcome for record in records)
