"""The formats of the comparison."""

from __future__ import annotations

from .corpus import corpus
from .examples import examples
from .format import Format
from .grammars import grammars
from .patterns import patterns
from .tools import tools


def formats(only: str = "") -> list[Format]:
    """All formats, or only formats whose group and name contain one of these words, separated by commas."""
    found = examples() + corpus() + patterns() + grammars() + tools()
    words = only.split(",")
    return [format for format in found if any(word in f"{format.group} {format.name}" for word in words)]
