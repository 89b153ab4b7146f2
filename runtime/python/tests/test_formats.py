"""Tests of formats from all sources, and of findings as data."""

import dataclasses
import enum
import json
import pickle
import typing
from pathlib import Path

import ogc
import pydantic
import pytest
import typing_extensions
from conftest import ROOT


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Item(pydantic.BaseModel):
    name: str = pydantic.Field(max_length=20)
    size: Size
    tags: list[str] = pydantic.Field(max_length=3)
    price: float | None = None


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Movie(typing_extensions.TypedDict):
    title: str
    year: int


def accepts(format: ogc.Format, text: str) -> bool:
    matcher = format.matcher(ogc.Vocabulary.of_tokens([(0, b"x")], special={"</s>": 1}))
    try:
        matcher.accept_text(text)
    except ogc.NotAllowedError:
        return False
    return matcher.is_complete


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        (ogc.Format.json_schema({"type": "integer"}), "12", "1.5"),
        (ogc.Format.json_schema('{"enum": ["a", 1]}'), "1", "2"),
        (ogc.Format.json_schema(True), '{"a": []}', "{"),
        (ogc.Format.regex("[ab]+c"), "abac", "ab"),
        (ogc.Format.gbnf('root ::= "x" [0-9]'), "x7", "x"),
        (ogc.Format.lark('start: "x" DIGIT\nDIGIT: /[0-9]/'), "x7", "y7"),
        (ogc.Format.ebnf('root ::= "x" [0-9]'), "x7", "x77"),
        (ogc.Format.abnf('root = "x" DIGIT'), "X7", "x77"),
        (ogc.Format.abnf('root = "x"\nother = "y" DIGIT', start="other"), "y1", "x"),
        (ogc.Format.lark('a: "x" B\nB: "y"', start="a"), "xy", "y"),
        (ogc.Format.source('output A = "yes" | "no"'), "no", "maybe"),
        (ogc.Format.of(Size), '"small"', '"medium"'),
        (ogc.Format.of(Point), '{"x": 1, "y": -2}', '{"x": 1, "y": 2, "z": 3}'),
        (ogc.Format.of(Movie), '{"title": "M", "year": 1931}', '{"title": "M"}'),
        (ogc.Format.of(list[int]), "[1, 2]", '["1"]'),
        (ogc.Format.of(Point, closed=False), '{"x": 1, "y": 2, "z": 3}', '{"x": 1}'),
        (ogc.Format.of(pydantic.TypeAdapter(dict[str, bool])), '{"a": true}', '{"a": 1}'),
        (ogc.Format.json_schema({"type": "array"}, space="compact"), "[1,2]", "[1, 2]"),
        (ogc.Format.json_schema({"type": "string"}, escapes="canonical"), '"a"', '"\\u0061"'),
        (ogc.Format.json_schema({"enum": [True, None]}, words="python"), "True", "true"),
        (ogc.Format.of(Point, order="any"), '{"y": 1, "x": 2}', '{"y": 1}'),
    ],
)
def test_every_source_compiles(format: ogc.Format, good: str, bad: str) -> None:
    assert accepts(format, good)
    assert not accepts(format, bad)


def test_texts_of_a_type_parse_to_its_objects() -> None:
    item = ogc.Format.of(Item)
    text = '{"name": "cup", "size": "small", "tags": ["new"], "price": null}'
    assert accepts(item, text)
    assert item.parse(text) == Item(name="cup", size=Size.SMALL, tags=["new"])
    assert ogc.Format.json_schema({"type": "integer"}).parse("5") == 5
    python = ogc.Format.source('@words("python") output O = { a: bool | null, b: string }')
    assert python.parse('{"a":None,"b":"None"}') == {"a": None, "b": "None"}
    assert python.parse(b'{"a":True,"b":"\\" False"}') == {"a": True, "b": '" False'}


def test_findings_have_code_position_and_text() -> None:
    with pytest.raises(ogc.FormatError) as caught:
        ogc.Format.json_schema({"type": "objekt"}, name="answer.json")
    (finding,) = caught.value.findings
    assert (finding.severity, finding.file, finding.line) == ("error", "answer.json", 1)
    assert finding.column == 10
    assert json.dumps({"type": "objekt"}).encode()[slice(*finding.span)] == b'"objekt"'
    assert "objekt" in finding.message and finding.code in finding.text
    assert finding.text in str(caught.value)


def test_missing_definitions_files_and_choices_are_errors() -> None:
    with pytest.raises(ogc.FormatError, match="several outputs"):
        ogc.Format.source('output A = "a"\noutput B = "b"')
    with pytest.raises(ogc.FormatError, match="the definitions are A"):
        ogc.Format.source('output A = "a"', definition="C")
    with pytest.raises(ValueError, match=r"\"compact\", \"spaced\", \"pretty\", \"any\""):
        ogc.Format.json_schema(True, space="tight")  # type: ignore[arg-type]
    with pytest.raises(OSError, match="nowhere"):
        ogc.Format.file("nowhere.ogc")
    with pytest.raises(ValueError, match="artifact"):
        ogc.Format.artifact(b"no", name="artifact")


def test_files_are_read_with_the_policies_of_their_settings(tmp_path: Path) -> None:
    (tmp_path / "ogc.toml").write_text('[policy]\nspace = "compact"\nformats = "annotate"\n')
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "days.json").write_text('{"type": "array", "items": {"type": "string", "format": "date"}}')
    days = ogc.Format.file(folder / "days.json")
    assert accepts(days, '["a","b"]') and not accepts(days, '["a", "b"]')
    spaced = ogc.Format.file(folder / "days.json", space="spaced", formats="assert")
    assert accepts(spaced, '["2026-11-25", "2026-11-26"]') and not accepts(spaced, '["a", "b"]')
    (folder / "days.ogc").write_text('import root as Days from "days.json"\noutput D = Days\n')
    named = ogc.Format.file(folder / "days.ogc")
    assert accepts(named, '["a","b"]') and not accepts(named, '["a", "b"]')
    (folder / "digits.regex").write_text("[0-9]+")
    assert accepts(ogc.Format.file(folder / "digits.regex"), "12")
    with pytest.raises(ValueError, match="for JSON Schema"):
        ogc.Format.file(folder / "digits.regex", space="compact")
    (tmp_path / "ogc.toml").write_text('[policy]\nspace = "tight"\n')
    with pytest.raises(OSError, match="ogc.toml: the settings have 1 mistake"):
        ogc.Format.file(folder / "days.json")


def test_warnings_come_with_the_format() -> None:
    (warning,) = ogc.Format.json_schema({"type": "string", "format": "no-such"}).warnings
    assert (warning.severity, warning.code) == ("warning", "unknown-format")


EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.is_file() and "ogca" not in path.name)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_compile(path: typing.Any) -> None:
    if path.name.endswith(".ogc"):
        for line in path.read_text().splitlines():
            if line.startswith("output "):
                ogc.Format.file(path, definition=line.split()[1])
    else:
        ogc.Format.file(path)


def test_formats_can_be_made_of_request_tools() -> None:
    weather = {
        "name": "weather",
        "description": "The weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
    call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
    assert accepts(ogc.Format.tools([weather]), "Let me see. " + call)
    only = ogc.Format.tools([weather], calls=(1, 2), text=False)
    assert accepts(only, call)
    assert not accepts(only, "Let me see.")
    assert not accepts(only, call.replace("city", "town"))


def test_policies_change_how_schemas_are_read() -> None:
    schema = {"properties": {"a": {"type": "array", "uniqueItems": True}}, "type": "object"}
    weak = ogc.Format.json_schema(schema, annotate=["uniqueItems"], objects="closed")
    assert [finding.code for finding in weak.warnings if "uniqueItems" in finding.message] == ["weakened-keyword"]
    assert accepts(weak, '{"a":[1,1]}') and not accepts(weak, '{"b":1}')
    with pytest.raises(ValueError, match="did you mean `uniqueItems`"):
        ogc.Format.json_schema(schema, annotate=["uniqueItem"])


def test_masks_are_built_ahead_for_a_vocabulary(letters: ogc.Vocabulary) -> None:
    item = ogc.Format.of(Point)
    built = item.with_masks(ogc.Vocabulary.of_tokens([(at, bytes([0x20 + at])) for at in range(95)], special={"</s>": 95}), threads=1)
    assert built.parse('{"x":1,"y":2}') == item.parse('{"x":1,"y":2}') and repr(built) == repr(item)
    format = ogc.Format.regex("a(b|ba)*", name="letters").with_masks(letters)
    for again in (format, pickle.loads(pickle.dumps(format))):
        matcher, plain = again.matcher(letters), ogc.Format.regex("a(b|ba)*").matcher(letters)
        for token in (0, 1, 3, 1):
            assert matcher.allowed_tokens() == plain.allowed_tokens()
            matcher.accept(token)
            plain.accept(token)
    assert len(pickle.dumps(format)) > len(pickle.dumps(ogc.Format.regex("a(b|ba)*", name="letters")))
