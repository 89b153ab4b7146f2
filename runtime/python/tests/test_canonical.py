"""Canonical tokens: what a format determines is written with the tokens of the vocabulary's tokenizer."""

import pickle

import ogc
import pytest

ANSWER = ogc.Format.json_schema(
    {"type": "object", "properties": {"temperature": {"enum": ["cold", "warm"]}}, "required": ["temperature"], "additionalProperties": False},
    escapes="canonical",
    space="compact",
)


def test_constants_are_written_as_the_tokenizer_writes_them(o200k: ogc.Vocabulary) -> None:
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
