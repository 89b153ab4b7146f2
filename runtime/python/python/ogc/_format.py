"""Formats from sources of all kinds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, cast

from ._errors import FormatError
from ._ogc import Format, Vocabulary
from ._types import TypeReader

Space = Literal["compact", "spaced", "pretty", "any"]
Order = Literal["declared", "any"]
Escapes = Literal["any", "canonical"]
TokenPolicy = Literal["canonical", "any"]
Numbers = Literal["printed", "plain", "json"]
Words = Literal["json", "python"]
Formats = Literal["assert", "all", "practical", "wide", "annotate"]
Objects = Literal["open", "closed"]
ToolStyle = Literal["hermes", "llama3", "mistral", "bare"]


def _given(
    language: str,
    definition: str | None = None,
    annotate: Sequence[str] = (),
    vocabulary: Vocabulary | None = None,
    **policies: str | None,
) -> dict[str, object]:
    """The options for reading a text, in the form of the extension module."""
    named = {**policies, "annotate": ",".join(annotate) or None}
    given = [(name, value) for name, value in named.items() if value is not None]
    return {"language": language, "definition": definition, "policies": given, "vocabulary": vocabulary}


def _compiled(
    language: str,
    text: str,
    *,
    name: str,
    definition: str | None = None,
    imports: Iterable[tuple[str, str]] = (),
    reader: TypeReader | None = None,
    annotate: Sequence[str] = (),
    vocabulary: Vocabulary | None = None,
    **policies: str | None,
) -> Format:
    return Format._compile((name, text), _given(language, definition, annotate, vocabulary, **policies), list(imports), reader)


def json_schema(
    schema: Mapping[str, Any] | bool | str,
    *,
    name: str = "<schema>",
    definition: str | None = None,
    space: Space | None = None,
    order: Order | None = None,
    escapes: Escapes | None = None,
    numbers: Numbers | None = None,
    words: Words | None = None,
    formats: Formats | None = None,
    annotate: Sequence[str] = (),
    objects: Objects | None = None,
    resources: Mapping[str, Mapping[str, Any] | bool | str] | None = None,
) -> Format:
    """The format of a JSON Schema, or of one of its definitions, as data or as text. ``resources`` are the schemas to which it refers, by URI or by file name;
    nothing is fetched.

    Keywords in ``annotate`` constrain nothing: values that break them are accepted, and ``warnings`` names each that is met. ``objects="closed"``
    allows only the members in ``properties``, where the schema does not mention others.

    >>> import ogc
    >>> ogc.Format.json_schema({"type": "integer", "minimum": 0})
    <Format <schema> (106 states)>
    """
    return _compiled(
        "json",
        _schema_text(schema),
        name=name,
        definition=definition,
        imports=[(uri, _schema_text(resource)) for uri, resource in (resources or {}).items()],
        space=space,
        order=order,
        escapes=escapes,
        numbers=numbers,
        words=words,
        formats=formats,
        annotate=annotate,
        objects=objects,
    )


def structural_tag(
    tag: Mapping[str, Any] | str,
    *,
    vocabulary: Vocabulary | None = None,
    name: str = "<structural tag>",
    space: Space | None = None,
    escapes: Escapes | None = None,
    numbers: Numbers | None = None,
    words: Words | None = None,
) -> Format:
    """The format of a structural tag of xgrammar, as data or as text: the form in which vLLM and SGLang describe calls of tools and reasoning.

    Names of special tokens in its texts become these tokens of the ``vocabulary``; without a vocabulary they are characters. The policies hold for
    its schemas; the tag decides the order of keys.

    >>> import ogc
    >>> tag = {"type": "tag", "begin": "<a>", "content": {"type": "any_text"}, "end": "</a>"}
    >>> answer = ogc.Format.structural_tag({"type": "structural_tag", "format": tag})
    """
    return _compiled(
        "json",
        _tag_text(tag),
        name=name,
        vocabulary=vocabulary,
        space=space,
        escapes=escapes,
        numbers=numbers,
        words=words,
    )


def _tag_text(tag: Mapping[str, Any] | str) -> str:
    """The text of a tag; any other JSON would be read as a schema."""
    try:
        known: Any = json.loads(tag) if isinstance(tag, str) else tag
    except ValueError as error:
        raise FormatError(f"a structural tag is JSON, and this is none: {error}") from error
    members: Mapping[str, Any] = cast("Mapping[str, Any]", known) if isinstance(known, Mapping) else {}
    is_tag = members.get("type") == "structural_tag" or {"structures", "triggers"} <= set(members)
    if not is_tag:
        raise FormatError('this is no structural tag: write `{"type": "structural_tag", "format": ...}`')
    return tag if isinstance(tag, str) else json.dumps(tag, ensure_ascii=False)


def _schema_text(schema: Mapping[str, Any] | bool | str) -> str:
    return schema if isinstance(schema, str) else json.dumps(schema, ensure_ascii=False)


def of(
    type_: Any,
    *,
    closed: bool = True,
    space: Space | None = None,
    order: Order | None = None,
    escapes: Escapes | None = None,
    numbers: Numbers | None = None,
    formats: Formats | None = None,
    annotate: Sequence[str] = (),
    objects: Objects | None = None,
) -> Format:
    """The format of a type: a pydantic model or ``TypeAdapter``, a dataclass, a ``TypedDict``, an enum, or any annotation.

    ``closed`` objects have no other keys than the type declares. ``parse`` reads texts of the format to objects of the type.

    >>> import ogc
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class City:
    ...     name: str
    ...     people: int
    >>> city = ogc.Format.of(City)
    >>> city.parse('{"name": "Oslo", "people": 717710}')
    City(name='Oslo', people=717710)
    """
    reader = TypeReader(type_)
    return _compiled(
        "json",
        reader.schema(closed=closed),
        name=getattr(type_, "__name__", "<type>"),
        reader=reader,
        space=space,
        order=order,
        escapes=escapes,
        numbers=numbers,
        formats=formats,
        annotate=annotate,
        objects=objects,
    )


def regex(pattern: str, *, name: str = "<regex>") -> Format:
    """The format of a regular expression of ECMA-262, for the whole text.

    >>> import ogc
    >>> ogc.Format.regex("[0-9]{4}-[0-9]{2}").least_tokens(ogc.Vocabulary.built_in())
    4
    """
    return _compiled("regex", pattern, name=name)


def gbnf(grammar: str, *, start: str | None = None, name: str = "<gbnf>") -> Format:
    """The format of a grammar as llama.cpp reads it. Texts begin with the rule ``root``, or with ``start``."""
    return _compiled("gbnf", grammar, name=name, definition=start)


def lark(grammar: str, *, start: str | None = None, name: str = "<lark>") -> Format:
    """The format of a Lark grammar, with llguidance's additions. Texts begin with the rule ``start``, or with the rule that is given."""
    return _compiled("lark", grammar, name=name, definition=start)


def ebnf(grammar: str, *, start: str | None = None, name: str = "<ebnf>") -> Format:
    """The format of an EBNF grammar as the W3C or ISO 14977 writes it, or of GBNF under that name: the content decides.

    Texts begin with its first rule (of GBNF with ``root``), or with ``start``.
    """
    return _compiled("ebnf", grammar, name=name, definition=start)


def abnf(grammar: str, *, start: str | None = None, name: str = "<abnf>") -> Format:
    """The format of a grammar in ABNF (RFC 5234 and 7405), the notation of the internet's standards.

    Texts begin with its first rule, or with ``start``.

    >>> import ogc
    >>> port = ogc.Format.abnf("port = 1*5DIGIT")
    """
    return _compiled("abnf", grammar, name=name, definition=start)


def source(
    text: str, *, definition: str | None = None, imports: Mapping[str, str] | None = None, name: str = "<source>"
) -> Format:
    """The format of an ``.ogc`` text: its only output, or the ``definition`` of that name. ``imports`` are texts by file name.

    >>> import ogc
    >>> ogc.Format.source('output Answer = "yes" | "no"')
    <Format <source> (5 states)>
    """
    return _compiled("ogc", text, name=name, definition=definition, imports=(imports or {}).items())


def tools(
    tools: Sequence[Mapping[str, Any]],
    *,
    style: ToolStyle = "hermes",
    calls: tuple[int, int] = (0, 16),
    text: bool = True,
) -> Format:
    """The format of replies that call tools. Tools are described as for OpenAI, Anthropic or MCP.

    With ``text``, calls are within free text; without it, the reply has only calls. ``calls`` is the minimum and the maximum number of calls.

    >>> import ogc
    >>> weather = {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}
    >>> reply = ogc.Format.tools([weather], calls=(1, 1), text=False)
    """
    fewest, most = calls
    call = f"std.{style}<tools>"
    body = f"mix<text, {call}, calls = {fewest}..{most}>" if text else f'{call}[{fewest}..{most}] % "\\n"'
    source = f'import tools from "tools.json"\nimport "std.tools" as std\noutput Reply = {body}\n'
    listed = json.dumps(list(tools), ensure_ascii=False)
    return _compiled("ogc", source, name="<tools>", imports=[("tools.json", listed)])


def file(
    path: str | PathLike[str],
    *,
    definition: str | None = None,
    space: Space | None = None,
    order: Order | None = None,
    escapes: Escapes | None = None,
    numbers: Numbers | None = None,
    words: Words | None = None,
    formats: Formats | None = None,
    annotate: Sequence[str] = (),
    objects: Objects | None = None,
) -> Format:
    """The format of a file: a source in the language of its extension, or an artifact (``.ogca``) that ``ogc build`` has written.

    An ``.ogc`` file may import other files. Policies that are not given come from the ``ogc.toml`` in the file's folder or above, as for
    ``ogc build``.
    """
    path = Path(fspath(path))
    language = path.suffix.removeprefix(".")
    if language == "ogca":
        return Format._load_file(path)
    given = _given(
        language,
        definition,
        annotate,
        space=space,
        order=order,
        escapes=escapes,
        numbers=numbers,
        words=words,
        formats=formats,
        objects=objects,
    )
    return Format._compile_file(path, given)


def artifact(data: bytes, *, name: str = "<artifact>") -> Format:
    """The format of the bytes of an artifact that ``ogc build --self-contained`` has written."""
    return Format._load(data, name)


def parse(format: Format, text: str | bytes) -> Any:
    """Reads a text of a format of a type (:func:`of`) to an object of the type, and of any other format of JSON to data.

    :raises pydantic.ValidationError: the type has rules that no format can express, and the text breaks one.
    """
    return _loaded(text) if format._reader is None else format._reader.read(text)


# A string, or a word of Python.
_WORD = re.compile(r'("(?:[^"\\]|\\.)*")|\b(?:None|True|False)\b')
_WORDS = {"None": "null", "True": "true", "False": "false"}


def _loaded(text: str | bytes) -> Any:
    """Reads JSON, with the words of Python where the format has the policy ``words``.

    >>> _loaded('{"a": [None, "None"]}')
    {'a': [None, 'None']}
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        given = text.decode() if isinstance(text, bytes) else text
        written = _WORD.sub(lambda found: _WORDS.get(found[0], found[0]), given)
        if written == given:
            raise
        return json.loads(written)
