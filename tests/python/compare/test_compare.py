"""Tests of the comparison itself: validators, requests and the report."""

from __future__ import annotations

import json

import pytest

from .corpus import path
from .format import Format
from .formats import formats
from .grammars import grammars
from .parsers import is_arithmetic, is_list
from .patterns import patterns
from .record import Record
from .report import report
from .schemas import validator
from .workload import phases

FORMATS = formats() if path().exists() else []


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: str(format.name))
def test_an_example_is_valid_and_broken_ones_are_not(format: Format) -> None:
    assert format.is_valid(format.example)
    for broken in ["", format.example + "\n}", "?" + format.example]:
        assert not format.is_valid(broken)


@pytest.mark.skipif(not FORMATS, reason="no corpus")
def test_there_are_300_requests_of_30_formats() -> None:
    requests = [request for phase in phases(FORMATS) for request in phase]
    assert len({format.name for format in FORMATS}) == 30
    assert len(requests) == 300
    assert sum(request.is_new for request in requests) == 30


@pytest.mark.parametrize("text", ["x = 1\n", "x = (1 + 2) * -3.5\n1 / 2 = y\n", "-(-a) = 0.10\n"])
def test_valid_arithmetic_is_accepted(text: str) -> None:
    assert is_arithmetic(text)


@pytest.mark.parametrize(
    "text", ["", "\n", "x = 1", "x = 1\n\n", "x=1\n", "x = 01\n", "x = (1\n", "x = 1 +\n", "x = y = z\n", "x = 1.\n"]
)
def test_invalid_arithmetic_is_refused(text: str) -> None:
    assert not is_arithmetic(text)


@pytest.mark.parametrize("text", ["(a)", "(a b 10)", "((a) (b (c)))", "(((0)))"])
def test_valid_lists_are_accepted(text: str) -> None:
    assert is_list(text)


@pytest.mark.parametrize(
    "text",
    ["", "a", "()", "(a", "(a))", "(a)(b)", "(a  b)", "( a)", "(a )", "(a(b))", "(01)", "(a1)", "(A)", "(a) ", " (a)"],
)
def test_invalid_lists_are_refused(text: str) -> None:
    assert not is_list(text)


def test_numbers_are_exact_and_formats_are_checked() -> None:
    price = validator('{"type": "number", "multipleOf": 0.01}')
    assert price("19.99") and price("3") and not price("19.999") and not price("NaN")
    assert validator('{"type": "integer"}')("2.0") and not validator('{"type": "integer"}')("2.5")
    assert validator('{"type": "integer"}')("1e400") and not validator('{"type": "number"}')("true")
    for format in ["date-time", "email", "uuid", "uri", "ipv4", "time", "hostname", "json-pointer"]:
        assert not validator(json.dumps({"format": format}))('"not / one"')


def test_choices_and_grammars_have_the_notation_of_vllm() -> None:
    assert all(isinstance(format.constraint()["choice"], list) for format in patterns() if format.kind == "choice")
    assert all("::=" in format.constraint()["grammar"] for format in grammars())


def record(arm: str, format: str, outcome: str, concurrency: int = 1, is_new: bool = True) -> Record:
    tokens = 0 if outcome == "refused" else 10
    return Record(
        arm, "tools", format, 0.0, concurrency, is_new, outcome, outcome == "valid", "why", "", tokens, 1.0, 0.5, 2.0
    )


def test_the_report_counts_outcomes_and_names_failures() -> None:
    ours = [record("ogc", "start", "valid", 0), record("ogc", "a", "valid"), record("ogc", "b", "valid", 4, False)]
    theirs = [record("xgrammar", "a", "truncated"), record("xgrammar", "b", "refused", 4, False)]
    table, groups, our_faults, their_faults = report({"ogc": ours, "xgrammar": theirs})
    assert "| valid | 2 | 0 |" in table and "| truncated | 0 | 1 (1 format) |" in table
    assert "| tokens/s at concurrency 1 | 5.0 | 5.0 |" in table
    assert "| ms to first token, new format (median, max) | 500, 500 | 500, 500 |" in table
    assert "2 / 2 | 0 / 2" in groups
    assert our_faults == "**ogc**: all valid" and "* refused: b (1): why" in their_faults


def test_numbers_that_decimal_cannot_hold_are_compared() -> None:
    huge = "9" * 30
    assert validator('{"type": "number"}')(f"-1.5E+{huge}")
    assert validator('{"type": "number", "minimum": 5}')(f"1e{huge}")
    assert not validator('{"type": "number", "maximum": 5}')(f"1e{huge}")
    assert validator('{"type": "number", "maximum": 5}')(f"1e-{huge}")
    assert validator('{"const": 0.0}')(f"0e{huge}")
