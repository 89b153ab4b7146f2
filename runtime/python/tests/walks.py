"""Random texts: a matcher, the tokens that it has accepted, and everything that may change it, against a replay from the beginning."""

from __future__ import annotations

import os
import pickle
import random
from dataclasses import dataclass

import numpy
import ogc

FORMATS = [
    ogc.Format.json_schema({"type": "array", "items": {"enum": ["a", "bc", 1, None]}, "maxItems": 4}),
    ogc.Format.of(dict[str, int], escapes="canonical"),
    ogc.Format.gbnf('root ::= "(" root ")" | [a-z]+'),
    ogc.Format.regex("(ab|a)*c{2,5}"),
]
#: The first seed of this landing.
SEED = int(os.environ.get("OGC_LANDING", "1")) * 1000


def letters() -> ogc.Vocabulary:
    texts = [bytes([byte]) for byte in range(32, 127)] + [b"ab", b'":', b'", "', b"]}", b"((", b"null"]
    return ogc.Vocabulary.of_tokens(enumerate(texts), special={"</s>": len(texts)}, end_tokens=[len(texts)])


def mask_of(matcher: ogc.Matcher) -> list[int]:
    words = numpy.zeros(8, numpy.int32)
    matcher.fill_mask(words)
    return words.tolist()


@dataclass
class Walk:
    """A matcher, and the tokens that it has accepted."""

    matcher: ogc.Matcher
    tokens: list[int]
    max_tokens: int | None

    @staticmethod
    def begin(draw: random.Random, vocabulary: ogc.Vocabulary) -> Walk:
        max_tokens = draw.choice([None, 14, 30])
        return Walk(draw.choice(FORMATS).matcher(vocabulary, max_tokens=max_tokens), [], max_tokens)

    def fork(self) -> Walk:
        return Walk(self.matcher.fork(), list(self.tokens), self.max_tokens)

    def fresh(self) -> ogc.Matcher:
        """A matcher that has accepted the same tokens, one after the other."""
        matcher = self.matcher.format.matcher(self.matcher.vocabulary, max_tokens=self.max_tokens)
        for token in self.tokens:
            matcher.accept(token)
        return matcher

    def check(self) -> None:
        fresh, matcher = self.fresh(), self.matcher
        assert (len(matcher), matcher.is_ended, matcher.is_complete) == (len(fresh), fresh.is_ended, fresh.is_complete)
        assert mask_of(matcher) == mask_of(fresh), self.tokens

    def step(self, draw: random.Random) -> None:
        """Does something to the matcher."""
        matcher, tokens = self.matcher, self.tokens
        match draw.randrange(9):
            case 0 | 1 | 2:
                allowed = [] if matcher.is_ended else matcher.allowed_tokens()
                if allowed:
                    tokens.append(draw.choice(allowed))
                    matcher.accept(tokens[-1])
            case 3:
                back = draw.randint(0, min(3, len(tokens)))
                matcher.rollback(back)
                del tokens[len(tokens) - back :]
            case 4:
                draft = [draw.randrange(len(matcher.vocabulary)) for _ in range(3)]
                fresh = self.fresh()
                accepted = [fresh.try_accept(token) for token in draft]
                assert matcher.validate(draft) == [*accepted, False].index(False)
            case 5:
                self.matcher = matcher.fork()
            case 6:
                self.matcher = matcher.format.matcher(matcher.vocabulary)
                self.matcher.restore(matcher.save())
            case 7 if draw.randrange(8) == 0:
                self.matcher = pickle.loads(pickle.dumps(matcher))
            case _:
                token = draw.randrange(len(matcher.vocabulary))
                if matcher.try_accept(token):
                    tokens.append(token)
