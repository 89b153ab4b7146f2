"""Tests of canonical tokens: text that a format determines is written with the tokens of the vocabulary's tokenizer."""

import json
import pickle
from typing import Any

import ogc
import pytest

ANSWER = ogc.Format.json_schema(
    {"type": "object", "properties": {"temperature": {"enum": ["cold", "warm"]}}, "required": ["temperature"], "additionalProperties": False},
    escapes="canonical",
    space="compact",
)


def test_constants_are_written_in_canonical_tokens(o200k: ogc.Vocabulary) -> None:
    text = '{"temperature":"warm"}'
    written = o200k.encode(text)
    assert written is not None and o200k.has_tokenizer
    matcher = ANSWER.matcher(o200k, tokens="canonical")
    other = ANSWER.matcher(o200k)
    assert (matcher.tokens, other.tokens) == ("canonical", "any")
    alone = list[bool]()
    for token in written:
        allowed, all_allowed = matcher.allowed_tokens(), other.allowed_tokens()
        assert token in allowed and set(allowed) <= set(all_allowed)
        alone.append(len(allowed) == 1)
        spelled = next((some for some in all_allowed if some not in allowed), None)
        if spelled is not None:
            with pytest.raises(ogc.NotAllowedError, match="is not one that the tokenizer writes"):
                matcher.accept(spelled)
        matcher.accept(token)
        other.accept(token)
    assert matcher.is_complete and sum(alone) > 1


def test_copies_and_pickles_keep_the_policy(o200k: ogc.Vocabulary) -> None:
    matcher = ANSWER.matcher(o200k, tokens="canonical", max_tokens=30)
    first = matcher.allowed_tokens()
    copies = [matcher.fork(), pickle.loads(pickle.dumps(matcher))]
    assert all((copy.tokens, copy.allowed_tokens()) == ("canonical", first) for copy in copies)


def test_a_vocabulary_without_a_tokenizer_knows_no_canonical_tokens(letters: ogc.Vocabulary) -> None:
    assert not letters.has_tokenizer
    with pytest.raises(ValueError, match='give `tokens="any"`'):
        ogc.Format.regex("ab+").matcher(letters, tokens="canonical")
    with pytest.raises(ValueError, match="no policy for tokens is named `odd`"):
        ogc.Format.regex("ab+").matcher(letters, tokens="odd")  # type: ignore[arg-type]


def test_a_format_has_a_token_policy_that_matchers_can_override(o200k: ogc.Vocabulary, letters: ogc.Vocabulary) -> None:
    def of(policy: str) -> ogc.Format:
        return ogc.Format.source(f'{policy}output A = {{ temperature: "cold" }}')

    said = {"": None, 'policy tokens = "any"\n': "any", '@tokens("canonical") ': "canonical"}
    for policy, tokens in said.items():
        format = of(policy)
        assert format.tokens == pickle.loads(pickle.dumps(format)).tokens == tokens
        assert format.matcher(o200k, tokens=None).tokens == (tokens or "canonical")
        # By default, a matcher takes any tokens, whatever the format's policy is; a policy that is given has precedence.
        assert format.matcher(o200k).tokens == "any"
        assert format.matcher(o200k, tokens="canonical").tokens == "canonical"
    assert ogc.Format.regex("ab+").matcher(letters, tokens=None).tokens == "any"
    with pytest.raises(ValueError, match='give `tokens="any"`'):
        ogc.Format.source('@tokens("canonical") output A = "a" "b"').matcher(letters, tokens=None)


def spaced_tokenizer(**steps: dict[str, object]) -> ogc.Vocabulary:
    """A tokenizer in the manner of Llama 2, which puts a space in front of each text."""
    texts = ["<unk>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", *'{}":abcdlmopruetw']
    merges = [("\u2581", "{"), ("a", "t"), ("c", "o"), ("co", "l"), ("col", "d"), ("w", "a"), ('"', ":"), ('":', '"'), ("{", '"'), ('"', "}")]
    texts += [one + other for one, other in merges]
    model = {
        "type": "BPE",
        "unk_token": "<unk>",
        "byte_fallback": True,
        "fuse_unk": True,
        "vocab": {text: at for at, text in enumerate(texts)},
        "merges": [" ".join(merge) for merge in merges],
    }
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    decoders: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    added = [{"id": at, "content": text, **special} for at, text in enumerate(texts[:2])]
    whole = {"version": "1.0", "added_tokens": added, "model": model, "decoder": {"type": "Sequence", "decoders": decoders}, **steps}
    return ogc.Vocabulary._parse(json.dumps(whole).encode(), [1])


PREPEND = {"type": "Prepend", "prepend": "\u2581"}
SPACES = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
METASPACE = {"type": "Metaspace", "replacement": "\u2581", "split": False}
SPACED: list[dict[str, Any]] = [
    {"normalizer": {"type": "Sequence", "normalizers": [PREPEND, SPACES]}},
    {"pre_tokenizer": {**METASPACE, "prepend_scheme": "first"}},
    {"pre_tokenizer": {**METASPACE, "prepend_scheme": "always"}},
    {"normalizer": {"type": "Sequence", "normalizers": [SPACES]}},
]


@pytest.mark.parametrize("steps", SPACED)
def test_a_leading_space_of_the_tokenizer_is_not_part_of_the_format(steps: dict[str, Any]) -> None:
    vocabulary = spaced_tokenizer(**steps)
    text = '{"temperature":"cold"}'
    whole = vocabulary.encode(text)
    is_spaced = "normalizer" not in steps or PREPEND in steps["normalizer"]["normalizers"]
    assert whole is not None and (vocabulary.token_bytes(whole[0]) == b" {") == is_spaced
    matcher = ANSWER.matcher(vocabulary, tokens=None)
    assert matcher.tokens == "canonical"
    written, alone = list[bytes](), 0
    while not matcher.is_complete:
        allowed = matcher.allowed_tokens()
        # The format leaves the value free, so it is written like the tokenizer does.
        spelled = {vocabulary.token_bytes(token) or b"": token for token in allowed}
        rest = text.encode()[len(b"".join(written)) :]
        token = max((some for some in spelled if rest.startswith(some)), key=len)
        alone += len(allowed) == 1
        written.append(token)
        matcher.accept(spelled[token])
    assert written == [b'{"', b"t", b"e", b"m", b"p", b"e", b"r", b"at", b"u", b"r", b"e", b'":"', b"cold", b'"}']
    assert alone >= len(written) - 2
    start = ANSWER.matcher(vocabulary, tokens=None)
    assert [vocabulary.token_bytes(token) for token in start.forced_tokens()][:3] == [b'{"', b"t", b"e"]
