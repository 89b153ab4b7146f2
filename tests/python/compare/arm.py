"""Runs the requests on one backend: `python -m compare.arm ARM MODEL OUT`.

ARM is `ogc`, or the name of one of vLLM's backends; with `-compact` at the end, it sets vLLM's `disable_any_whitespace`.
OGC_ONLY, if set, selects formats (see `formats`).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any, TextIO

from vllm.exceptions import VLLMValidationError
from vllm.v1.structured_output import StructuredOutputManager

from .engine import Answer, Engine
from .format import Format
from .formats import formats
from .record import Record, count
from .workload import Request, phases

#: Seconds after which a request counts as failed.
PATIENCE = 300

#: The request before all others. It starts the backend, so that no format's time to first token includes the start.
FIRST = Request(Format("", "start", "regex", "[a-z]{3}", "Hello", "abc", lambda text: True), 0.0, 0, 0, True)


def main(arm: str, model: str, out: str) -> None:
    # The plug-in reads it when vLLM loads plug-ins, here and in the processes that vLLM starts.
    os.environ["OGC_VLLM"] = "on" if is_ogc(arm) else "off"
    wanted = formats(os.environ.get("OGC_ONLY", ""))
    with Path(out).open("w", encoding="utf-8") as file:
        asyncio.run(run(arm, model, wanted, file))


async def run(arm: str, model: str, wanted: list[Format], file: TextIO) -> None:
    engine = Engine(model, backend(arm))
    if hasattr(StructuredOutputManager, "_ogc_is_here") != is_ogc(arm):
        sys.exit(f"{arm}: the plug-in is {'not ' if is_ogc(arm) else ''}loaded")
    try:
        await Arm(arm, engine, file).run([[FIRST], *phases(wanted)])
    finally:
        engine.close()


def is_ogc(arm: str) -> bool:
    return arm.partition("-")[0] == "ogc"


def backend(arm: str) -> dict[str, Any]:
    """vLLM's settings. The plug-in ignores the name, but vLLM accepts `disable_any_whitespace` only with some names."""
    name, _, compact = arm.partition("-")
    return {"backend": "xgrammar" if is_ogc(arm) else name, "disable_any_whitespace": compact == "compact"}


class Arm:
    def __init__(self, name: str, engine: Engine, file: TextIO) -> None:
        self._name = name
        self._engine = engine
        self._file = file
        self._start = time.perf_counter()

    async def run(self, phases: list[list[Request]]) -> None:
        for requests in phases:
            records: list[Record] = []
            left = deque(requests)
            await asyncio.gather(*(self._work(left, records) for _ in range(max(requests[0].concurrency, 1))))
            print(f"{self._name}: {requests[0].concurrency} in flight: {dict(count(records))}", file=sys.stderr)

    async def _work(self, left: deque[Request], records: list[Record]) -> None:
        """Sends one request after the other until none is left."""
        while left:
            record = await self._record(left.popleft())
            records.append(record)
            self._file.write(record.line())
            self._file.flush()

    async def _record(self, request: Request) -> Record:
        start = time.perf_counter() - self._start
        answer, outcome, reason, is_valid = Answer(), "failed", "", False
        try:
            writing = self._engine.write(request.format, request.temperature, request.seed)
            answer = await asyncio.wait_for(writing, PATIENCE)
            is_valid = request.format.is_valid(answer.text)
            outcome, reason = outcome_of(answer, is_valid), answer.reason
        except VLLMValidationError as error:
            outcome, reason = "refused", str(error)
        except asyncio.TimeoutError:
            reason = f"no answer in {PATIENCE} s"
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        return Record(
            arm=self._name,
            group=request.format.group,
            format=request.format.name,
            temperature=request.temperature,
            concurrency=request.concurrency,
            is_new=request.is_new,
            outcome=outcome,
            is_valid=is_valid,
            reason=reason,
            text=answer.text,
            tokens=answer.tokens,
            start=start,
            first_token=answer.first_token,
            seconds=answer.end,
        )


def outcome_of(answer: Answer, is_valid: bool) -> str:
    match answer.reason:
        case "length":
            return "truncated"
        case "stop":
            return "valid" if is_valid else "invalid"
        case _:
            return "failed"


if __name__ == "__main__":
    main(*sys.argv[1:])
