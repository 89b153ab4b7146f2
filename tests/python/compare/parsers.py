"""Parsers written by hand, for formats that no regex can check."""

from __future__ import annotations

import re

_NUMBER_OR_NAME = re.compile(r"(0|[1-9][0-9]{0,14})(\.[0-9]+)?|[a-z][a-z0-9_]{0,15}")
_ATOM = re.compile(r"[a-z]+|0|[1-9][0-9]*")
_BRACKET_OR_ATOM = re.compile(r"[()]|[^() ]+")


def is_arithmetic(text: str) -> bool:
    """Whether a text consists of lines of `arithmetic.gbnf`: equations of sums, products and factors."""
    return bool(text) and text.endswith("\n") and all(map(_is_equation, text[:-1].split("\n")))


def is_list(text: str) -> bool:
    """Whether a text is one list in parentheses, with one space between items."""
    depth, before = 0, ""
    for match in _BRACKET_OR_ATOM.finditer(text):
        word = match.group()
        if (match.start() > 0 and depth == 0) or not _stand_together(
            before, word, text[match.start() - 1 : match.start()]
        ):
            return False
        if word not in "()" and not _ATOM.fullmatch(word):
            return False
        depth += {"(": 1, ")": -1}.get(word, 0)
        before = word
    return depth == 0 and text.startswith("(") and text.endswith(")") and "  " not in text


def _stand_together(before: str, word: str, between: str) -> bool:
    """Whether a word may follow another: one space between items, none inside the brackets."""
    if before == "":
        return word == "("
    if before == "(":
        return word != ")" and between == "("
    return (between == " ") != (word == ")")


def _is_equation(line: str) -> bool:
    left, equals, right = line.partition(" = ")
    return bool(equals) and _sum(left, 0) == len(left) and _sum(right, 0) == len(right)


# Each returns the offset behind the text that it has read, or -1.


def _sum(text: str, at: int) -> int:
    at = _product(text, at)
    while at >= 0 and text[at : at + 3] in (" + ", " - "):
        at = _product(text, at + 3)
    return at


def _product(text: str, at: int) -> int:
    at = _factor(text, at)
    while at >= 0 and text[at : at + 3] in (" * ", " / "):
        at = _factor(text, at + 3)
    return at


def _factor(text: str, at: int) -> int:
    if text[at : at + 1] == "-":
        return _factor(text, at + 1)
    if text[at : at + 1] == "(":
        at = _sum(text, at + 1)
        return at + 1 if at >= 0 and text[at : at + 1] == ")" else -1
    atom = _NUMBER_OR_NAME.match(text, at)
    return atom.end() if atom else -1
