"""Random interleavings of everything that changes a matcher, from several threads, against a replay from the beginning."""

import os
import random
import threading

import numpy
import ogc

FORMATS = [
    ogc.Format.json_schema({"type": "array", "items": {"enum": ["a", "bc", 1, None]}, "maxItems": 4}),
    ogc.Format.of(dict[str, int], escapes="canonical"),
    ogc.Format.gbnf('root ::= "(" root ")" | [a-z]+'),
    ogc.Format.regex("(ab|a)*c{2,5}"),
]
SEED = int(os.environ.get("OGC_LANDING", "1"))


def vocabulary() -> ogc.Vocabulary:
    texts = [bytes([byte]) for byte in range(32, 127)] + [b"ab", b'":', b'", "', b"]}", b"((", b"null"]
    return ogc.Vocabulary.of_tokens(enumerate(texts), special={"</s>": len(texts)}, end_tokens=[len(texts)])


def mask_of(matcher: ogc.Matcher) -> list[int]:
    words = numpy.zeros(8, numpy.int32)
    matcher.fill_mask(words)
    return words.tolist()


def replayed(format: ogc.Format, tokens: list[int], letters: ogc.Vocabulary) -> ogc.Matcher:
    matcher = format.matcher(letters)
    for token in tokens:
        matcher.accept(token)
    return matcher


def walk(seed: int, letters: ogc.Vocabulary, failed: list[object]) -> None:
    try:
        draw = random.Random(seed)
        format = draw.choice(FORMATS)
        matcher, tokens = format.matcher(letters), list[int]()
        for _ in range(120):
            match draw.randrange(6):
                case 0 | 1:
                    allowed = matcher.allowed_tokens() if not matcher.is_ended else []
                    if allowed:
                        tokens.append(draw.choice(allowed))
                        matcher.accept(tokens[-1])
                case 2:
                    back = draw.randint(0, min(4, len(tokens)))
                    matcher.rollback(back)
                    del tokens[len(tokens) - back :]
                case 3:
                    draft = [draw.randrange(len(letters)) for _ in range(3)]
                    count = matcher.validate(draft)
                    assert count == len(accepted(format, tokens, draft, letters))
                case 4:
                    matcher = matcher.fork()
                case _:
                    token = draw.randrange(len(letters))
                    if matcher.try_accept(token):
                        tokens.append(token)
            fresh = replayed(format, tokens, letters)
            assert (len(matcher), matcher.is_ended) == (len(fresh), fresh.is_ended)
            assert mask_of(matcher) == mask_of(fresh), (seed, tokens)
    except BaseException as error:  # a thread's failure is the test's
        failed.append((seed, error))


def accepted(format: ogc.Format, tokens: list[int], draft: list[int], letters: ogc.Vocabulary) -> list[int]:
    matcher = replayed(format, tokens, letters)
    taken: list[int] = []
    for token in draft:
        if not matcher.try_accept(token):
            break
        taken.append(token)
    return taken


def test_random_interleavings_are_a_fresh_replay() -> None:
    letters, failed = vocabulary(), list[object]()
    for first in range(SEED * 1000, SEED * 1000 + 24, 4):
        threads = [threading.Thread(target=walk, args=(seed, letters, failed)) for seed in range(first, first + 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed


def resident() -> int:
    """Bytes of the process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_formats_give_their_memory_back() -> None:
    letters = vocabulary()

    def make(count: int) -> None:
        for at in range(count):
            format = ogc.Format.regex(f"[a-z]{{{at % 7}}}x{at % 5}")
            format.matcher(letters).allowed_tokens()

    make(300)
    before = resident()
    make(1_500)
    assert resident() - before < 60 << 20
