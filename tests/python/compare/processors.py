"""Logits processors of three libraries for one format: `make` compiles it; each `generate` gets a processor of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .format import Format

#: Makes a processor for a generation with this cap on new tokens.
Maker = Callable[[int], Any]


class NotOffered(Exception):
    """The library has no notation for formats of this kind."""


class Ogc:
    def __init__(self, model: Any, tokenizer: Any) -> None:
        import ogc

        self._vocabulary = ogc.Vocabulary.of_transformers(tokenizer, model=model)

    def make(self, format: Format) -> Maker:
        import ogc.hf
        from ogc._serving import Kind, format_of

        compiled = format_of(Kind(format.kind), format.text)
        return lambda max_new_tokens: ogc.hf.LogitsProcessor(compiled, self._vocabulary, max_new_tokens=max_new_tokens)


class Xgrammar:
    def __init__(self, model: Any, tokenizer: Any) -> None:
        import xgrammar

        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=model.config.vocab_size)
        self._compiler = xgrammar.GrammarCompiler(info)

    def make(self, format: Format) -> Maker:
        from xgrammar.contrib.hf import LogitsProcessor

        compiled = self._compiled(format)
        return lambda max_new_tokens: LogitsProcessor(compiled)

    def _compiled(self, format: Format) -> Any:
        match format.kind:
            case "json":
                return self._compiler.compile_json_schema(format.text)
            case "regex":
                return self._compiler.compile_regex(format.text)
            case "choice":
                return self._compiler.compile_grammar(
                    f"root ::= {' | '.join(map(json.dumps, json.loads(format.text)))}"
                )
            case "grammar":
                return self._compiler.compile_grammar(format.text)


class Outlines:
    """Outlines with its own engine, outlines-core, which takes no grammars."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        from outlines import from_transformers
        from outlines.backends.outlines_core import OutlinesCoreBackend

        self._backend = OutlinesCoreBackend(from_transformers(model, tokenizer))

    def make(self, format: Format) -> Maker:
        made = self._made(format)

        def fresh(max_new_tokens: int) -> Any:
            made.reset()
            return made

        return fresh

    def _made(self, format: Format) -> Any:
        match format.kind:
            case "json":
                return self._backend.get_json_schema_logits_processor(format.text)
            case "regex":
                return self._backend.get_regex_logits_processor(format.text)
            case "choice":
                return self._backend.get_regex_logits_processor("|".join(map(_escaped, json.loads(format.text))))
            case "grammar":
                raise NotOffered("outlines-core takes no grammars")


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in r"\^$.*+?()[]{}|" else c for c in text)


LIBRARIES = {"ogc": Ogc, "xgrammar": Xgrammar, "outlines": Outlines}
