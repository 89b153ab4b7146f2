"""Makes tables of the records of the backends: `python -m compare.report FILE...`, a file for each backend."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

from .record import OUTCOMES, Record, count, read
from .workload import PHASES

Measure = Callable[[list[Record]], str]


def main(*files: str) -> None:
    arms = {records[0].arm: records for records in map(read, map(Path, files))}
    for part in report(arms):
        print(part, end="\n\n")
    if not all(is_sound(records) for arm, records in arms.items() if arm.startswith("ogc")):
        sys.exit("ogc: a text is truncated or not valid")


def report(arms: dict[str, list[Record]]) -> list[str]:
    shared = shared_formats(arms)
    measures: dict[str, Measure] = {"requests": lambda records: str(len(counted(records)))}
    for outcome in OUTCOMES:
        measures[outcome] = tally(outcome)
    for concurrency in PHASES:
        measures[f"tokens/s at concurrency {concurrency}"] = speed(concurrency)
    measures["ms to first token, new format (median, max)"] = first_token(is_new=True)
    measures["ms to first token, known format"] = first_token(is_new=False)
    measures[f"new, of {len(shared)} formats that all took"] = first_token(is_new=True, only=shared)
    measures["known, of these"] = first_token(is_new=False, only=shared)
    measures["ms to first token, first request of all"] = start_of_backend
    return [table(arms, measures), by_group(arms), *map(faults, arms.values())]


def is_sound(records: list[Record]) -> bool:
    """Whether each text is complete and valid; a request may be refused."""
    return {record.outcome for record in records} <= {"valid", "refused"}


def table(arms: dict[str, list[Record]], measures: dict[str, Measure]) -> str:
    """One row for each measure, one column for each backend."""
    rows = [["", *arms]] + [[name, *map(measure, arms.values())] for name, measure in measures.items()]
    return markdown(rows)


def by_group(arms: dict[str, list[Record]]) -> str:
    groups = dict.fromkeys(record.group for records in arms.values() for record in counted(records))
    rows = [[f"valid / requests, {group}", *(share(records, group) for records in arms.values())] for group in groups]
    return markdown([["", *arms], *rows])


def share(records: list[Record], group: str) -> str:
    of_group = [record for record in counted(records) if record.group == group]
    return f"{count(of_group)['valid']} / {len(of_group)}"


def markdown(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def counted(records: Iterable[Record]) -> list[Record]:
    """All requests but the one that started the backend."""
    return [record for record in records if record.concurrency > 0]


def tally(outcome: str) -> Measure:
    def measure(records: list[Record]) -> str:
        found = [record for record in counted(records) if record.outcome == outcome]
        formats = len({record.format for record in found})
        whole = sum(record.is_valid for record in found)
        if outcome == "valid" or not found:
            return str(len(found))
        of_formats = f"{len(found)} ({formats} format{'s' if formats > 1 else ''})"
        return f"{of_formats}, {whole} of them valid as they stand" if outcome == "truncated" and whole else of_formats

    return measure


def speed(concurrency: int) -> Measure:
    """Tokens a second at a concurrency, from its first request to the end of its last."""

    def measure(records: list[Record]) -> str:
        phase = [record for record in records if record.concurrency == concurrency and record.tokens]
        if not phase:
            return "-"
        seconds = max(record.start + record.seconds for record in phase) - min(record.start for record in phase)
        return f"{sum(record.tokens for record in phase) / seconds:.1f}"

    return measure


def first_token(*, is_new: bool, only: set[str] | None = None) -> Measure:
    """Time to first token at concurrency 1, in ms: median and maximum."""

    def measure(records: list[Record]) -> str:
        times = [
            1_000 * record.first_token
            for record in records
            if record.concurrency == 1
            and record.is_new == is_new
            and record.tokens
            and (only is None or record.format in only)
        ]
        return f"{median(times):.0f}, {max(times):.0f}" if times else "-"

    return measure


def start_of_backend(records: list[Record]) -> str:
    return ", ".join(f"{1_000 * record.first_token:.0f}" for record in records if record.concurrency == 0)


def shared_formats(arms: dict[str, list[Record]]) -> set[str]:
    """Formats that every backend wrote texts of."""
    written = [{record.format for record in counted(records) if record.tokens} for records in arms.values()]
    return set.intersection(*written)


def faults(records: list[Record]) -> str:
    """Names the formats that are not `valid`, each with the number of requests, and the reason or invalid text of the first one."""
    lines: list[str] = []
    for outcome in OUTCOMES[1:]:
        found = [record for record in counted(records) if record.outcome == outcome]
        for format in dict.fromkeys(record.format for record in found):
            of_format = [record for record in found if record.format == format]
            lines.append(f"* {outcome}: {format} ({len(of_format)}){why(of_format[0])}")
    return "\n".join([f"**{records[0].arm}**{'' if lines else ': all valid'}", *lines])


def why(record: Record) -> str:
    words = {"refused": record.reason, "failed": record.reason, "invalid": json.dumps(record.text)}.get(
        record.outcome, ""
    )
    return f": {' '.join(words.split())[:200]}" if words else ""


if __name__ == "__main__":
    main(*sys.argv[1:])
