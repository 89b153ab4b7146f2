"""Writes what was found: a table in Markdown, and all figures in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from enum import Enum
from itertools import groupby
from pathlib import Path

from .agreement import SPARSE
from .arguments import Part, Place
from .decode import Decoded
from .host import ROUNDS, HostTime
from .plan import Arm, EngineName
from .selection import Selection


@dataclass
class Report:
    """All that was found."""

    head: dict[str, str]
    place: Place
    parts: tuple[Part, ...]
    selection: Selection
    host: list[HostTime] = field(default_factory=list)
    decoded: list[Decoded] = field(default_factory=list)
    # The texts that the device does not write, with the reasons; `None` if none was tried there.
    left: dict[str, str] | None = None


def write(report: Report, out: Path) -> None:
    """Writes both files."""
    out.write_text("\n".join(_lines(report)) + "\n", encoding="utf-8")
    out.with_suffix(".json").write_text(json.dumps(_figures(report), indent=1) + "\n", encoding="utf-8")


def _lines(report: Report) -> Iterator[str]:
    yield "# Decode steps with and without formats"
    yield ""
    for name, value in report.head.items():
        yield f"- {name}: {value}"
    yield from _selected(report.selection)
    if Part.AGREEMENT in report.parts:
        yield from _agreed(report.selection)
    if report.host:
        yield from _on_host(report.host)
    yield from _left(report)
    if report.decoded:
        yield from _decoded(report)
    if report.decoded and report.place is Place.CUDA:
        yield from _overheads(report.decoded)


def _selected(selection: Selection) -> Iterator[str]:
    tokens = sum(len(text.tokens) for text in selection.texts)
    yield ""
    yield "## Texts"
    yield ""
    yield f"{len(selection.texts)} texts of {tokens} tokens, each of another schema, were taken by all engines,"
    yield f"of {selection.tried} that were tried. {selection.too_long} more are too long or cannot be written."
    yield "All engines replay the same ones."
    yield ""
    yield "| engine | schemas refused | texts refused | compiling, mean | compiling, greatest |"
    yield "|---|---:|---:|---:|---:|"
    for name in EngineName:
        refused, times = selection.refused[name], selection.compiling[name]
        mean = f"{1e3 * sum(times) / len(times):.1f} ms" if times else "-"
        greatest = f"{1e3 * max(times):.0f} ms" if times else "-"
        yield f"| {name.value} | {refused['schema']} | {refused['text']} | {mean} | {greatest} |"
    yield ""
    for name in EngineName:
        yield from (f"- {name.value}: `{_plain(reason)}`" for reason in selection.reasons[name])


def _agreed(selection: Selection) -> Iterator[str]:
    agreement = selection.agreement
    share = 100 * agreement.sparse / max(agreement.masks, 1)
    yield ""
    yield "## Agreement"
    yield ""
    yield f"Of {agreement.masks} masks along these texts, {agreement.same_in_all} are the same in all engines."
    yield f"{share:.0f} % of ogc's allow at most {SPARSE} tokens. Where an engine differs from ogc:"
    yield ""
    yield "| engine | masks differ | apart from white space | allow more | tokens more | allow fewer | tokens fewer |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, difference in agreement.differences.items():
        masks = (difference.masks, difference.masks_apart_from_space)
        more = (difference.masks_with_more, difference.more)
        fewer = (difference.masks_with_fewer, difference.fewer)
        yield f"| {name.value} | {' | '.join(map(str, masks + more + fewer))} |"
    yield ""
    for name, difference in agreement.differences.items():
        yield from (f"- {name.value}: `{_plain(example)}`" for example in difference.examples)


def _on_host(times: list[HostTime]) -> Iterator[str]:
    yield ""
    yield "## Masks on the host"
    yield ""
    yield "Time to accept a token in each row and to write all masks:"
    yield f"of each step the least of {ROUNDS} rounds, after one over the same texts that does not count."
    yield ""
    yield "| rows | threads | engine | median | mean | p99 | greatest | of processors: median | mean | p99 | steps |"
    yield "|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for time in sorted(times, key=lambda time: (time.rows, time.threads)):
        wall, used = time.step, time.processors
        figures = (wall.median, wall.mean, wall.p99, wall.greatest, used.median, used.mean, used.p99)
        numbers = " | ".join(f"{figure:.1f} us" for figure in figures)
        yield f"| {time.rows} | {time.threads} | {time.engine.value} | {numbers} | {wall.count} |"


def _decoded(report: Report) -> Iterator[str]:
    for (model, rows), group in groupby(report.decoded, key=lambda one: (one.run.shape.name, one.run.rows)):
        arms = list(group)
        yield ""
        yield f"## Decode steps: {model}, {rows} rows"
        yield ""
        yield "| arm | step, median | p99 | wall | masks on the host, median | p99 | overhead against its sampler |"
        yield "|---|---:|---:|---:|---:|---:|---:|"
        yield from (_arm(arm, arms) for arm in arms)
        yield ""
        for arm in arms:
            yield from _apart(arm)
        match report.place:
            case Place.CUDA:
                yield best(arms)
            case Place.CPU:
                yield "On a processor this shows that the arms work. Its times say nothing of devices:"
                yield "no arms are compared."


def _arm(arm: Decoded, arms: list[Decoded]) -> str:
    name = arm.run.arm.value
    if arm.step is None or arm.wall is None:
        return f"| {name} | {_plain(arm.problem or '')} | | | | | |"
    masks = f"{arm.masks.median:.1f} us | {arm.masks.p99:.1f} us" if arm.masks else "- | -"
    times = f"{arm.step.median:.1f} us | {arm.step.p99:.1f} us | {1e6 * arm.wall:.1f} us"
    found = overhead(arm, arms)
    return f"| {name} | {times} | {masks} | {found.words() if found else '-'} |"


def _apart(arm: Decoded) -> Iterator[str]:
    """Tells of steps that begin texts, if the step of an arm has that in it."""
    if arm.step is None or (arm.step_apart is not None and arm.step_apart.count == arm.step.count):
        return
    apart = arm.step_apart
    others = f"the {apart.count} others take {apart.median:.1f} us in the median" if apart else "there are no others"
    count = arm.step.count - (apart.count if apart else 0)
    yield f"{arm.run.arm.value}: {count} of {arm.step.count} steps begin texts, which is in their time; {others}."
    yield ""


@dataclass(frozen=True)
class Overhead:
    """What an arm takes more than the model with the same sampler and without masks, in the median of steps."""

    arm: Arm
    microseconds: float
    share: float

    def words(self) -> str:
        """Returns it in words."""
        return f"{self.microseconds:+.1f} us ({100 * self.share:+.1f} %)"


def overhead(arm: Decoded, arms: list[Decoded]) -> Overhead | None:
    """Returns the overhead of an arm among those with its model and rows; `None` if it has none, or did not run."""
    base = next((one.step for one in arms if one.run.arm is arm.run.arm.baseline), None)
    if arm.step is None or base is None:
        return None
    more = arm.step.median - base.median
    return Overhead(arm.run.arm, more, more / base.median)


def least(arms: list[Decoded], is_wanted: Callable[[Arm], bool]) -> Overhead | None:
    """Returns the least overhead of the arms that are wanted; `None` if none of them ran."""
    found = (overhead(arm, arms) for arm in arms if is_wanted(arm.run.arm))
    return min(filter(None, found), default=None, key=lambda one: one.microseconds)


def _overheads(decoded: list[Decoded]) -> Iterator[str]:
    """Puts the overheads of all models and rows side by side."""
    yield ""
    yield "## Overhead of a step with masks against the identical sampler without"
    yield ""
    yield "Medians of steps. The fused arm is measured against its own kernel without masks, the others against theirs."
    yield "A win counts only against the best arm of the others, which is named."
    yield ""
    yield "| model | rows | ogc, fused | best of ogc | best of the others |"
    yield "|---|---:|---:|---:|---:|"
    for (model, rows), group in groupby(decoded, key=lambda one: (one.run.shape.name, one.run.rows)):
        arms = list(group)
        fused = least(arms, lambda arm: arm is Arm.OGC_STEP)
        ours, theirs = least(arms, lambda arm: arm.is_ours), least(arms, lambda arm: arm.is_peer)
        named = (f"{one.arm.value}: {one.words()}" if one else "-" for one in (ours, theirs))
        yield f"| {model} | {rows} | {fused.words() if fused else '-'} | {' | '.join(named)} |"


def _left(report: Report) -> Iterator[str]:
    """Tells of texts that no arm replays, as the device does not write them."""
    if report.left is None:
        return
    yield ""
    yield "## Texts on the device"
    yield ""
    share = f"{len(report.left)} of the {len(report.selection.texts)}"
    yield f"{share} texts leave the device or have no format there: a server goes on with them on the host."
    yield "No arm of the decode steps below replays them."
    yield ""
    yield from (f"- {name}: `{_plain(why)}`" for name, why in report.left.items())


def best(arms: list[Decoded]) -> str:
    """Compares the best arm of ogc with the best of the others: a win counts only against that one."""
    ran = [(arm.step.median, arm.run.arm) for arm in arms if arm.step is not None]
    ours = min((pair for pair in ran if pair[1].is_ours), default=None, key=lambda pair: pair[0])
    theirs = min((pair for pair in ran if pair[1].is_peer), default=None, key=lambda pair: pair[0])
    if ours is None or theirs is None:
        return "No comparison of best arms: " + ("no arm of ogc ran." if ours is None else "no other engine's arm ran.")
    ratio = theirs[0] / ours[0]
    said = (
        f"Best of ogc: {ours[1].value}. Best of the others: {theirs[1].value}, which takes {ratio:.3f} times as long."
    )
    is_same = ours[1].baseline is theirs[1].baseline
    return said if is_same else f"{said} Their samplers differ, so that only overheads compare masks."


def _plain(text: str) -> str:
    """Returns text that breaks no table."""
    return text.replace("|", "/").replace("`", "'").replace("\n", " ")


def _figures(report: Report) -> dict[str, object]:
    selection = report.selection
    return {
        "head": report.head,
        "selection": {
            "tried": selection.tried,
            "too_long": selection.too_long,
            "texts": [{"id": text.id, "tokens": len(text.tokens)} for text in selection.texts],
            "refused": {name.value: dict(counts) for name, counts in selection.refused.items()},
            "reasons": {name.value: reasons for name, reasons in selection.reasons.items()},
            "compiling_seconds": {name.value: times for name, times in selection.compiling.items()},
        },
        "agreement": _named(asdict(selection.agreement)),
        "left_by_the_device": report.left,
        "host": [_named(asdict(time)) for time in report.host],
        "decoded": [_named(asdict(one)) for one in report.decoded],
    }


def _named(value: object) -> object:
    """Returns the value with the names of enums in their place."""
    match value:
        case Enum():
            return value.value
        case dict():
            return {str(_named(key)): _named(member) for key, member in value.items()}
        case list() | tuple():
            return [_named(member) for member in value]
        case _:
            return value
