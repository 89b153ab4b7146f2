"""Loads the shared library as a program in another language does: vocabulary, format, masks, events, a saved state.

Arguments: library, artifact.
"""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.ogc_last_error.restype = ctypes.c_char_p


class Token(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_uint32),
        ("text", ctypes.c_char_p),
        ("text_len", ctypes.c_size_t),
        ("name", ctypes.c_char_p),
        ("name_len", ctypes.c_size_t),
    ]


GIVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.POINTER(Token))


class Source(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("tokens", ctypes.c_uint32),
        ("token", GIVE),
        ("user", ctypes.c_void_p),
        ("end_tokens", ctypes.POINTER(ctypes.c_uint32)),
        ("end_tokens_len", ctypes.c_size_t),
    ]


class Event(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("kind", ctypes.c_uint32),
        ("value", ctypes.c_uint32),
        ("start", ctypes.c_size_t),
        ("end", ctypes.c_size_t),
        ("path", ctypes.c_void_p),
        ("path_len", ctypes.c_size_t),
        ("text", ctypes.c_void_p),
        ("text_len", ctypes.c_size_t),
    ]


def check(status):
    assert status == 0, library.ogc_last_error().decode()


TEXTS = [b"a", b"b", b"ab", b"ba"]


def give(_user, number, token):
    if number < len(TEXTS):
        token[0].kind, token[0].text, token[0].text_len = 1, TEXTS[number], len(TEXTS[number])
    else:
        token[0].kind, token[0].name, token[0].name_len = 2, b"</s>", 4


source = Source(ctypes.sizeof(Source), 5, GIVE(give))
vocabulary, artifact, matcher = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(library.ogc_vocabulary_from_tokens(ctypes.byref(source), ctypes.byref(vocabulary)))
with open(sys.argv[2], "rb") as file:
    content = file.read()
check(library.ogc_format_load(content, ctypes.c_size_t(len(content)), ctypes.byref(artifact)))
check(library.ogc_matcher_new(artifact, vocabulary, None, ctypes.byref(matcher)))
words = (ctypes.c_uint32 * 1)()
for token, mask in [(2, 0b101), (1, 0b10010), (4, 0b10010), (None, 0)]:
    check(library.ogc_matcher_fill_mask(matcher, words, ctypes.c_size_t(1)))
    assert words[0] == mask, (token, words[0])
    if token is not None:
        check(library.ogc_matcher_accept_token(matcher, ctypes.c_uint32(token)))
needed = ctypes.c_size_t()
check(library.ogc_matcher_save(matcher, None, ctypes.c_size_t(0), ctypes.byref(needed)))
state = (ctypes.c_uint8 * needed.value)()
check(library.ogc_matcher_save(matcher, state, needed, ctypes.byref(needed)))
library.ogc_matcher_free(matcher)
check(library.ogc_matcher_new(artifact, vocabulary, None, ctypes.byref(matcher)))
check(library.ogc_matcher_restore(matcher, state, needed))
check(library.ogc_matcher_rollback(matcher, ctypes.c_size_t(1)))
check(library.ogc_matcher_fill_mask(matcher, words, ctypes.c_size_t(1)))
assert words[0] == 0b10010, words[0]


def events_of(reader):
    """Takes the events that wait: kind, path, text, end."""
    event = Event(ctypes.sizeof(Event))
    while True:
        check(library.ogc_events_next(reader, ctypes.byref(event)))
        if event.kind == 0:
            return
        path, text = ctypes.string_at(event.path, event.path_len), ctypes.string_at(event.text, event.text_len)
        yield event.kind, path, text, event.end


reader = ctypes.c_void_p()
check(library.ogc_events_new(artifact, vocabulary, ctypes.byref(reader)))
for token in [2, 1]:
    check(library.ogc_events_read_token(reader, ctypes.c_uint32(token)))
check(library.ogc_events_finish(reader))
assert list(events_of(reader)) == [(1, b"", b"ab", 0), (1, b"", b"b", 0), (11, b"", b"", 3)]
library.ogc_events_free(reader)
library.ogc_matcher_free(matcher)
library.ogc_format_free(artifact)
library.ogc_vocabulary_free(vocabulary)
print("ok")
