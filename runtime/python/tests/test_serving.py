"""Tests of the common parts of plug-ins for serving engines, without an engine."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path

import numpy
import ogc
import pytest
from ogc._serving import FormatCache, Kind, RowsCache, SteppedText, format_of, space_of


def whole(format: ogc.Format, text: str) -> bool:
    matcher = format.matcher(ogc.Vocabulary.of_tokens([(0, b"x")], special={"</s>": 1}))
    try:
        matcher.accept_text(text)
    except ogc.NotAllowedError:
        return False
    return matcher.is_complete


@pytest.mark.parametrize(
    ("kind", "text", "good", "bad"),
    [
        (Kind.JSON, '{"type": "integer"}', "7", "x"),
        (Kind.JSON, '{"type": "number"}', "-0.5", "5e-1"),
        (Kind.JSON, '{"type": "string"}', '"n"', '"\\u006e"'),
        (Kind.JSON_OBJECT, "", '{"a": [1]}', "[]"),
        (Kind.REGEX, "[ab]{2}", "ab", "a"),
        (Kind.CHOICE, '["a+b", "(c)", "d\\n/e"]', "d\n/e", "aab"),
        (Kind.GRAMMAR, 'root ::= "x" "y"?', "xy", "y"),
        (Kind.GRAMMAR, 'start: "x" "y"', "xy", "x"),
        (Kind.GRAMMAR, '// of ogc\noutput A = "x" | "y"', "y", "z"),
        (Kind.GRAMMAR, "type Age = int<0..9>\noutput A = age: Age", "7", "70"),
    ],
)
def test_every_kind_of_request_format_compiles(kind: Kind, text: str, good: str, bad: str) -> None:
    format = format_of(kind, text)
    assert whole(format, good) and not whole(format, bad)


def test_formats_are_read_from_a_folder_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ogc.FormatError, match="no folder"):
        format_of(Kind.GRAMMAR, "%format a.ogc")
    folder = tmp_path / "formats"
    folder.mkdir()
    (folder / "a.ogc").write_text('output A = "a"\noutput B = "b"\n')
    (tmp_path / "secret.regex").write_text("x")
    monkeypatch.setenv("OGC_FORMATS", str(folder))
    assert whole(format_of(Kind.GRAMMAR, "%format a.ogc B"), "b")
    for name in ("../secret.regex", "nowhere.ogc", str(tmp_path / "secret.regex"), ""):
        with pytest.raises(ogc.FormatError, match="there is no format"):
            format_of(Kind.GRAMMAR, f"%format {name}")


def test_white_space_is_that_of_json_dumps_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = '{"type": "array", "items": {"type": "integer"}}'
    assert whole(format_of(Kind.JSON, schema, space=space_of(compact=False)), "[1, 2]")
    assert not whole(format_of(Kind.JSON, schema, space=space_of(compact=False)), "[1,2] ")
    assert whole(format_of(Kind.JSON, schema, space=space_of(compact=True)), "[1,2]")
    monkeypatch.setenv("OGC_SPACE", "any")
    assert whole(format_of(Kind.JSON, schema, space=space_of(compact=False)), "[ 1,2]")
    monkeypatch.setenv("OGC_SPACE", "wide")
    with pytest.raises(ValueError, match="compact, spaced, pretty, any"):
        space_of(compact=False)


def test_invalid_structural_tags_are_refused_with_advice() -> None:
    for text in ["{}", "[1]", "{"]:
        with pytest.raises(ogc.FormatError, match="structural tag"):
            format_of(Kind.STRUCTURAL_TAG, text)


def test_structural_tags_of_both_forms_are_read() -> None:
    schema = {"type": "object", "properties": {"city": {"enum": ["Oslo"]}}, "required": ["city"]}
    begin, end = "<f=find>", "</f>"
    tag = {"begin": begin, "content": {"type": "json_schema", "json_schema": schema}, "end": end}
    new = {"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f="], "tags": [tag]}}
    old = {"type": "structural_tag", "structures": [{"begin": begin, "schema": schema, "end": end}], "triggers": ["<f="]}
    for given in [new, old]:
        format = format_of(Kind.STRUCTURAL_TAG, json.dumps(given))
        assert whole(format, 'I look. <f=find>{"city": "Oslo"}</f> Done.')
        assert whole(format, "nothing to find")
        assert not whole(format, '<f=find>{"city": "Bergen"}</f>')


def test_structural_tags_can_name_special_tokens() -> None:
    texts = enumerate([b"a", b"<", b"t", b">", b"x"])
    vocabulary = ogc.Vocabulary.of_tokens(texts, special={"<t>": 5, "<end>": 6}, end_tokens=[6])
    text = json.dumps({"type": "structural_tag", "format": {"type": "const_string", "value": "a<t>x"}})
    for known, tokens in [(vocabulary, [0, 5, 4, 6]), (None, [0, 1, 2, 3, 4, 6])]:
        matcher = format_of(Kind.STRUCTURAL_TAG, text, vocabulary=known).matcher(vocabulary)
        for token in tokens:
            assert matcher.allowed_tokens() == [token]
            matcher.accept(token)


def test_a_format_is_compiled_once_and_failures_are_not_cached() -> None:
    compiled: list[str] = []

    def compile(kind: Kind, text: str) -> ogc.Format:
        compiled.append(text)
        time.sleep(0.01)
        return format_of(kind, text)

    cache = FormatCache(compile, limit=2)
    threads = [threading.Thread(target=cache.get, args=(Kind.REGEX, "a")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled == ["a"]
    cache.get(Kind.REGEX, "b")
    cache.get(Kind.REGEX, "a")
    cache.get(Kind.REGEX, "c")
    cache.get(Kind.REGEX, "a")
    assert compiled == ["a", "b", "c"]
    for _ in range(2):
        with pytest.raises(ogc.FormatError):
            cache.get(Kind.REGEX, "(")
    assert compiled[-2:] == ["(", "("]


def test_random_managers_agree_with_a_fresh_replay() -> None:
    """Accepts, validates, rolls back and fills like the managers of serving engines, also behind the end of texts."""
    letters = ogc.Vocabulary.of_tokens(enumerate([b"a", b"b", b"ab"]), special={"</s>": 3}, end_tokens=[3])
    format, draw, ended = ogc.Format.regex("(ab)*a{0,2}"), random.Random(4), 0
    for _ in range(200):
        text, tokens, buffer = SteppedText(format.matcher(letters)), list[int](), numpy.zeros((2, 1), numpy.int32)
        cache = RowsCache()
        for _ in range(30):
            step = draw.randrange(3)
            if step == 0:
                new = [draw.randrange(4) for _ in range(draw.randint(1, 3))]
                count = 0
                for token in new:
                    if not text.accept([token]):
                        break
                    count += 1
                tokens += new[:count]
            elif step == 1:
                back = draw.randint(0, len(tokens))
                text.rollback(back)
                del tokens[len(tokens) - back :]
            else:
                assert text.validate([0, 2, 3]) == SteppedText(replayed(format, letters, tokens)).validate([0, 2, 3])
            fresh = replayed(format, letters, tokens)
            assert text.is_ended == fresh.is_ended
            ended += fresh.is_ended
            text.fill(cache.of(buffer), 1)
            words = numpy.zeros(1, numpy.int32)
            fresh.fill_mask(words)
            assert buffer[1] == words and buffer[0] == 0
    assert ended > 100


def replayed(format: ogc.Format, letters: ogc.Vocabulary, tokens: list[int]) -> ogc.Matcher:
    matcher = format.matcher(letters)
    for token in tokens:
        if matcher.is_ended:
            break
        matcher.accept(token)
    return matcher


def test_the_budget_is_read_when_the_text_begins() -> None:
    letters = ogc.Vocabulary.of_tokens(enumerate([b"a", b"b"]), special={"</s>": 2}, end_tokens=[2])
    asked: list[int] = []

    def budget() -> int:
        asked.append(1)
        return 2

    text = SteppedText(ogc.Format.regex("a+b").matcher(letters), budget)
    assert not asked
    assert text.validate([0, 0]) == 1 and text.accept([0]) and not text.accept([0]) and text.accept([1])
    assert asked == [1, 1]
    text.rollback(2)
    assert text.validate([0, 1]) == 2 and asked == [1, 1, 1]
    late = SteppedText(ogc.Format.regex("a{9}").matcher(letters), lambda: 3)
    assert late.accept([0])
