"""Durations, summed up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Summary:
    """What is told of durations, in microseconds."""

    count: int
    mean: float
    median: float
    p99: float
    greatest: float


def summary(seconds: list[float]) -> Summary:
    """Sums up durations; there must be one."""
    ordered = sorted(1e6 * duration for duration in seconds)
    mean = sum(ordered) / len(ordered)
    return Summary(len(ordered), mean, percentile(ordered, 500), percentile(ordered, 990), ordered[-1])


def percentile(ordered: list[float], thousandths: int) -> float:
    """Returns the least number that this many in a thousand do not exceed (nearest rank)."""
    rank = -(-len(ordered) * thousandths // 1000)
    return ordered[max(rank, 1) - 1]
