"""Loads the shared library as a program in another language does: vocabulary, format, masks. Arguments: library, artifact."""

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
library.ogc_matcher_free(matcher)
library.ogc_format_free(artifact)
library.ogc_vocabulary_free(vocabulary)
print("ok")
