"""Compiles the formats that requests ask for."""

from __future__ import annotations

import json
import os
import re
from enum import Enum
from pathlib import Path
from typing import cast, get_args

from .._errors import FormatError
from .._format import Space
from .._ogc import Format, Vocabulary

#: Environment variable with the white space of JSON: a value of the policy ``space`` of formats.
SPACE = "OGC_SPACE"

#: Environment variable with the folder of the formats that requests may name with ``%format NAME``.
FORMATS = "OGC_FORMATS"

_OGC = re.compile(r"(\s|//[^\n]*\n)*(import|output|type|rule|policy|tokens)\b")
_SYNTAX = re.compile(r"[\\^$.*+?()\[\]{}|/]")


class Kind(Enum):
    """What a request says its text is."""

    JSON = "json"
    JSON_OBJECT = "json_object"
    REGEX = "regex"
    CHOICE = "choice"
    GRAMMAR = "grammar"
    STRUCTURAL_TAG = "structural_tag"


def space_of(*, compact: bool) -> Space:
    """The white space of JSON: none if the engine asks for none, else the value of ``OGC_SPACE``, else as ``json.dumps`` writes it.

    Any white space would also be correct, but costs tokens: models write pages of it.
    """
    space = "compact" if compact else os.environ.get(SPACE, "spaced")
    if space not in get_args(Space):
        raise ValueError(f"{SPACE} is {space!r}; it can be {', '.join(get_args(Space))}")
    return cast(Space, space)


def format_of(kind: Kind, text: str, *, space: Space = "spaced", vocabulary: Vocabulary | None = None) -> Format:
    """Compiles the format of a request: JSON with canonical escapes, so that as much as possible is forced, and numbers without exponents.

    Names of special tokens of the vocabulary in a structural tag become these tokens.

    :raises FormatError: the format has errors, or its kind is not supported.
    """
    match kind:
        case Kind.JSON:
            return Format.json_schema(text, escapes="canonical", numbers="plain", space=space)
        case Kind.JSON_OBJECT:
            return Format.json_schema({"type": "object"}, escapes="canonical", numbers="plain", space=space)
        case Kind.REGEX:
            return Format.regex(text)
        case Kind.CHOICE:
            return Format.regex("|".join(_SYNTAX.sub(r"\\\g<0>", choice) for choice in json.loads(text)), name="<choice>")
        case Kind.GRAMMAR:
            return _grammar(text)
        case Kind.STRUCTURAL_TAG:
            return Format.structural_tag(text, vocabulary=vocabulary, escapes="canonical", numbers="plain", space=space)


def _grammar(text: str) -> Format:
    """Compiles a grammar: a named format, `.ogc` text, GBNF or Lark. The text itself decides which."""
    if text.startswith("%format"):
        return _named(text.removeprefix("%format").strip())
    if _OGC.match(text):
        return Format.source(text, name="<grammar>")
    return Format.gbnf(text, name="<grammar>") if "::=" in text else Format.lark(text, name="<grammar>")


def _named(name: str) -> Format:
    """A format of the folder that the server's owner has set: ``order.ogc``, or ``order.ogc Output``."""
    folder = os.environ.get(FORMATS)
    if not folder:
        raise FormatError(f"this server has no folder of formats: send the text of the format, or set {FORMATS}")
    file, _, definition = name.partition(" ")
    path = Path(folder, file)
    if not path.resolve().is_relative_to(Path(folder).resolve()) or not path.is_file():
        raise FormatError(f"there is no format {file!r}")
    return Format.file(path, definition=definition or None)
