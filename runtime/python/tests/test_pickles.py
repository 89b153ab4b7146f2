"""Tests of pickles and copies: restored objects behave like the originals, in this process and in its child processes."""

from __future__ import annotations

import copy
import dataclasses
import json
import multiprocessing
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

import ogc
import pydantic
import pytest
from conftest import ROOT
from walks import SEED, Walk, letters, mask_of

Thing = TypeVar("Thing")


class Person(pydantic.BaseModel):
    name: str
    age: Annotated[int, pydantic.Field(ge=0)] = 0


@dataclasses.dataclass
class Pair:
    left: int
    right: int


def back(thing: Thing) -> Thing:
    """The object, pickled and unpickled."""
    made: Thing = pickle.loads(pickle.dumps(thing))
    assert made is not thing and type(made) is type(thing)
    return made


def masks(format: ogc.Format, vocabulary: ogc.Vocabulary) -> list[list[int]]:
    """The masks along a random text."""
    draw, matcher, seen = random.Random(7), format.matcher(vocabulary), list[list[int]]()
    while len(seen) < 30 and not matcher.is_ended:
        seen.append(matcher.allowed_tokens())
        matcher.accept(draw.choice(seen[-1]))
    return seen


def artifact(folder: Path) -> ogc.Format:
    """A format with its masks for the built-in vocabulary."""
    (folder / "size.ogc").write_text('output size = "small" | "large"\n')
    build = ["build", "--self-contained", str(folder / "size.ogc")]
    subprocess.run([sys.executable, "-m", "ogc", *build], check=True, capture_output=True)
    (built,) = folder.glob("*.ogca")
    return ogc.Format.file(built)


FORMATS = {
    "schema": ogc.Format.json_schema({"type": "string", "format": "no-such"}, escapes="canonical", space="compact"),
    "regex": ogc.Format.regex("(ab)*c{2,5}"),
    "imports": ogc.Format.source('import B from "b.ogc"\noutput A = "a" B', imports={"b.ogc": 'type B = "b" | "c"\n'}),
    "definition": ogc.Format.source('output A = "a"\noutput B = "b"', definition="B"),
    "tools": ogc.Format.tools([{"name": "now", "parameters": {"type": "object", "properties": {}}}]),
    "model": ogc.Format.of(Person, order="any"),
    "dataclass": ogc.Format.of(Pair),
    "adapter": ogc.Format.of(pydantic.TypeAdapter(dict[str, Pair])),
    "annotation": ogc.Format.of(Annotated[int, pydantic.Field(le=9)]),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_survives_pickling(name: str, o200k: ogc.Vocabulary) -> None:
    format = FORMATS[name]
    made = back(format)
    assert (repr(made), made.warnings) == (repr(format), format.warnings)
    assert masks(made, o200k) == masks(format, o200k)
    assert masks(back(made), letters()) == masks(format, letters())
    assert copy.copy(format) is format and copy.deepcopy({"format": format})["format"] is format


def test_a_pickled_format_of_a_type_still_parses_objects() -> None:
    assert back(FORMATS["model"]).parse('{"name": "Ada", "age": 36}') == Person(name="Ada", age=36)
    assert back(FORMATS["adapter"]).parse('{"a": {"left": 1, "right": 2}}') == {"a": Pair(1, 2)}
    with pytest.raises(pydantic.ValidationError):
        back(FORMATS["model"]).parse('{"name": "Ada", "age": -1}')

    class Local(pydantic.BaseModel):
        name: str

    with pytest.raises((AttributeError, pickle.PicklingError), match="Local"):
        pickle.dumps(ogc.Format.of(Local))


def test_an_artifact_survives_pickling_with_its_masks(tmp_path: Path, o200k: ogc.Vocabulary) -> None:
    size = artifact(tmp_path)
    assert masks(back(size), o200k) == masks(size, o200k)
    with pytest.raises(ValueError, match="vocabulary"):
        back(size).matcher(letters())
    load, (data, *more) = cast("tuple[Callable[..., ogc.Format], tuple[Any, ...]]", size.__reduce__())
    assert masks(load(data, *more), o200k) == masks(size, o200k)
    with pytest.raises(ValueError, match="altered"):
        load(data[:-1] + bytes([data[-1] ^ 1]), *more)


def test_findings_and_errors_survive_pickling() -> None:
    with pytest.raises(ogc.FormatError) as caught:
        ogc.Format.json_schema({"type": "objekt"}, name="answer.json")
    for error in (back(caught.value), copy.copy(caught.value), copy.deepcopy(caught.value)):
        assert (error.args, error.findings) == (caught.value.args, caught.value.findings)
    (finding,) = caught.value.findings
    made = back(finding)
    names = ["code", "severity", "message", "help", "file", "line", "column", "span", "text"]
    assert [getattr(made, name) for name in names] == [getattr(finding, name) for name in names]
    assert (str(made), repr(made), hash(made)) == (str(finding), repr(finding), hash(finding))
    assert made != ogc.Format.json_schema({"type": "string", "format": "no-such"}).warnings[0]
    assert str(back(ogc.NotAllowedError("no"))) == "no"


def tokenizer_json() -> bytes:
    """A small tokenizer, which merges `a` and `b`; the space of the model's `</x>` is hidden by the added token of that name."""
    vocabulary = {"a": 0, "b": 1, "ab": 2, "\u0120": 3, "</x>": 4, '"': 5}
    model = {"type": "BPE", "vocab": vocabulary, "merges": ["a b"], "unk_token": None}
    added = [
        {"id": 6, "content": "<think>", "special": False},
        {"id": 7, "content": "</s>", "special": True},
        {"id": 8, "content": "</x>", "special": True},
    ]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    whole = {"version": "1.0", "added_tokens": [token | flags for token in added], "model": model}
    parts = {"normalizer": None, "pre_tokenizer": byte_level, "post_processor": None, "decoder": byte_level}
    return json.dumps(whole | parts).encode()


def same(made: ogc.Vocabulary, vocabulary: ogc.Vocabulary) -> None:
    assert (len(made), repr(made), made.end_tokens) == (len(vocabulary), repr(vocabulary), vocabulary.end_tokens)
    for token in [*range(min(len(made), 999)), len(made) - 1, len(made)]:
        assert made.token_bytes(token) == vocabulary.token_bytes(token)
        assert made.token_name(token) == vocabulary.token_name(token)
    format = ogc.Format.regex("(a|b|ab| )*")
    assert masks(format, made) == masks(format, vocabulary)
    # The state of a matcher fits only vocabularies with exactly the same tokens.
    format.matcher(made).restore(format.matcher(vocabulary).save())
    assert copy.copy(vocabulary) is vocabulary and copy.deepcopy([vocabulary])[0] is vocabulary


def test_vocabularies_of_tokens_survive_pickling(letters: ogc.Vocabulary) -> None:
    ended = ogc.Vocabulary.of_tokens([(0, b"a"), (3, b"b"), (5, b"\xff")], special={"<x>": 1, "<y>": 9}, end_tokens=[3, 9], size=64)
    endless = ogc.Vocabulary.of_tokens([(0, b"a")], special={"</s>": 1}, end_tokens=[])
    for vocabulary in (letters, ended, endless):
        same(back(vocabulary), vocabulary)
        same(back(back(vocabulary)), vocabulary)


def test_vocabularies_of_files_survive_pickling_with_their_tokenizer(tmp_path: Path, o200k: ogc.Vocabulary) -> None:
    (tmp_path / "tokenizer.json").write_bytes(tokenizer_json())
    (tmp_path / "small.tiktoken").write_text("YQ== 0\nYg== 1\nYWI= 2\nIA== 3\n")
    whole = ogc.Vocabulary.of_file(tmp_path, end_tokens=[7, 8], size=32)
    ranked = ogc.Vocabulary.of_file(tmp_path / "small.tiktoken")
    (tmp_path / "tokenizer.json").unlink()
    for vocabulary in (whole, ranked, o200k):
        made = back(vocabulary)
        same(made, vocabulary)
        assert made.encode("ab ab") == vocabulary.encode("ab ab") is not None
    assert whole.encode("ab") == [2]


def test_a_matcher_survives_pickling_with_all_settings() -> None:
    vocabulary = letters()
    matcher = ogc.Format.regex("[a-z]{1,9}!").matcher(vocabulary, max_tokens=4, stop_tokens=[0], rollback_window=1)
    for token in (65, 66):
        matcher.accept(token)
    made = back(matcher)
    assert (len(made), made.stop_tokens, mask_of(made)) == (2, [0], mask_of(matcher))
    made.accept(67)
    made.accept(1)
    assert made.is_complete and made.allowed_tokens() == [0] and len(matcher) == 2
    made.rollback(4)
    with pytest.raises(IndexError):
        made.rollback()
    for fork in (copy.copy(matcher), copy.deepcopy(matcher)):
        fork.accept(67)
        assert (len(fork), len(matcher)) == (3, 2) and fork.format is matcher.format


@pytest.mark.parametrize("seed", range(SEED, SEED + 8))
def test_matchers_survive_pickling_anywhere_in_a_text(seed: int) -> None:
    draw = random.Random(seed)
    walk = Walk.begin(draw, letters())
    for _ in range(30):
        walk.step(draw)
        made = Walk(back(walk.matcher), list(walk.tokens), walk.max_tokens)
        made.check()
        for _ in range(3):
            made.step(draw)
        made.check()


def test_unpickled_matchers_share_their_format_and_vocabulary(letters: ogc.Vocabulary) -> None:
    format = ogc.Format.regex("ab")
    one, two = back([format.matcher(letters), format.matcher(letters)])
    assert one.format is two.format and one.vocabulary is two.vocabulary


def test_readers_and_buffers_are_not_pickled(letters: ogc.Vocabulary) -> None:
    format = ogc.Format.regex("ab")
    for thing in (format.matcher(letters).events(), ogc.RowFollower(format.matcher(letters)), ogc.mask_rows(bytearray(8))):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(thing)


def stepped(matcher: ogc.Matcher) -> tuple[list[int], ogc.Matcher]:
    """The task of another process: it returns a mask, and continues the text."""
    allowed = matcher.allowed_tokens()
    matcher.accept(allowed[0])
    return allowed, matcher


def parsed(format: ogc.Format, text: str) -> object:
    return format.parse(text)


def refused(schema: str) -> None:
    ogc.Format.json_schema(schema)


def test_pickled_matchers_continue_in_other_processes() -> None:
    matcher = ogc.Format.regex("[a-c]{3}").matcher(letters(), max_tokens=3)
    matcher.accept(65)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        allowed, made = pool.apply(stepped, (matcher,))
        assert allowed == matcher.allowed_tokens() and (len(made), len(matcher)) == (2, 1)
        matcher.accept(allowed[0])
        assert mask_of(made) == mask_of(matcher)
        assert pool.apply(parsed, (FORMATS["dataclass"], '{"left": 1, "right": 2}')) == Pair(1, 2)
        with pytest.raises(ogc.FormatError, match="objekt") as caught:
            pool.apply(refused, ('{"type": "objekt"}',))
        assert caught.value.findings[0].code == "unknown-type"


def test_an_example_of_the_project_survives_pickling(o200k: ogc.Vocabulary) -> None:
    format = ogc.Format.file(ROOT / "examples" / "invoice.schema.json", escapes="canonical")
    assert masks(back(format), o200k) == masks(format, o200k)
