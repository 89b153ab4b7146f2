"""Constructors of vocabularies: from files, from tokens, and from tokenizers of transformers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ._ogc import Vocabulary

_FILES = ("tokenizer.json", "tekken.json", "tokenizer.model")


def built_in() -> Vocabulary:
    """The vocabulary of ``o200k``, which is part of the package.

    >>> import ogc
    >>> ogc.Vocabulary.built_in()
    <Vocabulary of 200019 tokens, end tokens 199999>
    """
    return Vocabulary._built_in()


def of_file(path: str | PathLike[str], *, end_tokens: Iterable[int] | None = None, size: int | None = None) -> Vocabulary:
    """The vocabulary of a ``tokenizer.json``, ``tekken.json``, ``.tiktoken``, ``tokenizer.model`` or ``.gguf`` file, or of a model's folder.

    The end tokens come from the ``generation_config.json`` or ``config.json`` beside the file, unless ``end_tokens`` are given. ``size`` is the width
    of the model's logits, if that is more than the number of tokens.
    """
    path = Path(fspath(path))
    if path.is_dir():
        path = _file_in(path)
    ends = list(end_tokens) if end_tokens is not None else _end_tokens_beside(path)
    if path.suffix == ".gguf":
        return Vocabulary._gguf(path, end_tokens=ends, size=size)
    return Vocabulary._parse(path.read_bytes(), ends, size)


def of_tokens(
    tokens: Iterable[tuple[int, bytes]],
    *,
    special: Mapping[str, int] | None = None,
    end_tokens: Iterable[int] | None = None,
    size: int | None = None,
) -> Vocabulary:
    """The vocabulary of tokens by their ids, and of special tokens by name.

    >>> import ogc
    >>> ogc.Vocabulary.of_tokens([(0, b"a"), (1, b"b")], special={"</s>": 2}, end_tokens=[2])
    <Vocabulary of 3 tokens, end tokens 2>
    """
    ends = None if end_tokens is None else list(end_tokens)
    names = {token: name for name, token in (special or {}).items()}
    return Vocabulary._tokens(dict(tokens), list((special or {}).values()), names, ends, size)


def of_transformers(
    tokenizer: Any, *, model: Any = None, end_tokens: Iterable[int] | None = None, size: int | None = None
) -> Vocabulary:
    """The vocabulary of a tokenizer of transformers, with the end tokens of the ``model`` and the width of its logits."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise TypeError("this tokenizer has no fast backend: load it with AutoTokenizer.from_pretrained(..., use_fast=True)")
    if end_tokens is None:
        end_tokens = _end_tokens_of(tokenizer, model)
    if size is None and model is not None:
        size = _width_of(model)
    ends = list(end_tokens)
    return Vocabulary._parse(backend.to_str().encode(), end_tokens=ends or None, size=size)


def _end_tokens_of(tokenizer: Any, model: Any) -> list[int]:
    config = getattr(model, "generation_config", None)
    ends = getattr(config, "eos_token_id", None)
    if ends is None:
        ends = tokenizer.eos_token_id
    return _listed(ends)


def _width_of(model: Any) -> int | None:
    config = model.config
    text_config = config.get_text_config() if hasattr(config, "get_text_config") else config
    width = getattr(text_config, "vocab_size", None)
    return width if isinstance(width, int) else None


def _listed(ends: int | list[int] | None) -> list[int]:
    if ends is None:
        return []
    return [ends] if isinstance(ends, int) else list(ends)


def _file_in(folder: Path) -> Path:
    for name in _FILES:
        if (folder / name).is_file():
            return folder / name
    found = sorted([*folder.glob("*.gguf"), *folder.glob("*.tiktoken")])
    if len(found) != 1:
        raise FileNotFoundError(f"{folder} has no tokenizer.json, no tekken.json, no tokenizer.model, and {len(found)} .gguf or .tiktoken files")
    return found[0]


def _end_tokens_beside(path: Path) -> list[int] | None:
    for name in ("generation_config.json", "config.json"):
        config = path.parent / name
        if config.is_file() and path.suffix != ".gguf":
            ends = _listed(json.loads(config.read_text("utf-8")).get("eos_token_id"))
            if ends:
                return ends
    return None
