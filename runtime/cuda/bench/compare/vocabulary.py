"""Reads the tokens of a `tokenizer.json`: their bytes, which are special, and which one ends texts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

# Names of tokens that end a text, the likeliest first.
ENDS = (
    "<|eot_id|>",
    "<|im_end|>",
    "<|return|>",
    "<end_of_turn>",
    "<turn|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "</s>",
    "<eos>",
    "<｜end▁of▁sentence｜>",
)

BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class VocabularyError(Exception):
    """A tokenizer that cannot be read, and why."""


@dataclass(frozen=True)
class Vocabulary:
    """The tokens of a model; the text of a special token and of an id without one is `None`."""

    path: Path
    json: bytes
    texts: tuple[bytes | None, ...]
    end: int
    end_name: str

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def words(self) -> int:
        """The words of a mask."""
        return -(-len(self.texts) // 32)

    @cached_property
    def _ids(self) -> dict[bytes, int]:
        return {text: number for number, text in reversed(list(enumerate(self.texts))) if text}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._ids))

    def longest_matches(self, text: bytes) -> list[int] | None:
        """Returns tokens that write a text, the longest first at each place; `None` if there are none."""
        tokens, at = [], 0
        while at < len(text):
            ends = range(min(len(text), at + self._longest), at, -1)
            end = next((end for end in ends if text[at:end] in self._ids), None)
            if end is None:
                return None
            tokens.append(self._ids[text[at:end]])
            at = end
        return tokens

    def written(self, tokens: list[int]) -> bytes | None:
        """Returns what tokens write; `None` if one of them is no token of text."""
        texts = [self.texts[token] for token in tokens]
        return None if None in texts else b"".join(text for text in texts if text is not None)


def read(path: Path, end: str | None) -> Vocabulary:
    """Reads a vocabulary; texts end with the token of the name that is given, or with a well-known one."""
    try:
        content = path.read_bytes()
        given = json.loads(content)
        ids: dict[str, int] = given["model"]["vocab"]
        added: list[dict[str, Any]] = given["added_tokens"]
        is_byte_level = '"ByteLevel"' in json.dumps([given.get("decoder"), given.get("pre_tokenizer")])
        text = _byte_level if is_byte_level else _metaspace
        texts: dict[int, bytes | None] = {number: text(token) for token, number in ids.items()}
        texts |= {token["id"]: None if token["special"] else token["content"].encode() for token in added}
        names = ids | {token["content"]: token["id"] for token in added if token["special"]}
    except OSError as error:
        raise VocabularyError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise VocabularyError(f"{path}: no tokenizer of byte pairs: {type(error).__name__}: {error}") from error
    number, name = _end(path, names, end)
    texts[number] = None
    return Vocabulary(path, content, tuple(texts.get(number) for number in range(max(texts) + 1)), number, name)


def _end(path: Path, names: dict[str, int], end: str | None) -> tuple[int, str]:
    """Returns the token that ends texts, and its name."""
    for name in (end,) if end is not None else ENDS:
        if name in names:
            return names[name], name
    raise VocabularyError(f"{path}: no token is named {end or 'as those that end texts'}: name one with --end")


def _alphabet() -> dict[str, int]:
    """Returns the bytes that the characters of byte-level tokens stand for."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + at): byte for at, byte in enumerate(others)}


ALPHABET = _alphabet()


def _byte_level(token: str) -> bytes:
    """Returns the bytes of a token that spells each byte as a character."""
    known = all(character in ALPHABET for character in token)
    return bytes(ALPHABET[character] for character in token) if known else token.encode()


def _metaspace(token: str) -> bytes:
    """Returns the bytes of a token that spells spaces as a block, and single bytes by name."""
    byte = BYTE.fullmatch(token)
    return bytes([int(byte[1], 16)]) if byte else token.replace("▁", " ").encode()
