"""Tests all modes of generation in transformers, with ogc's processor, over the compared formats: `python -m compare.modes MODEL`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import ogc.hf
import torch
from ogc._serving import Kind, format_of
from transformers import AutoModelForCausalLM, AutoTokenizer

from .format import Format
from .formats import formats
from .report import markdown

#: Arguments of `generate`; `assistant_model` is the model itself.
MODES: dict[str, dict[str, Any]] = {
    "greedy": {"do_sample": False},
    "sampling, temperature 1": {"do_sample": True, "temperature": 1.0},
    "4 sequences": {"do_sample": True, "num_return_sequences": 4},
    "4 beams": {"do_sample": False, "num_beams": 4, "num_return_sequences": 4},
    "beam sampling": {"do_sample": True, "num_beams": 2},
    "assisted": {"do_sample": False, "assistant_model": ...},
    "prompt look-up": {"do_sample": False, "prompt_lookup_num_tokens": 4},
}


class Writer:
    def __init__(self, folder: str) -> None:
        self.model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.vocabulary = ogc.Vocabulary.of_transformers(self.tokenizer, model=self.model)

    def limit(self, format: Format) -> int:
        return 2 * len(self.tokenizer.encode(format.example)) + 8

    def write(self, format: Format, compiled: ogc.Format, **given: Any) -> list[torch.Tensor]:
        """The new tokens of each sequence."""
        inputs = self.tokenizer(format.prompt, return_tensors="pt")
        given = {key: self.model if value is ... else value for key, value in given.items()}
        ids = self.model.generate(
            **inputs, max_new_tokens=self.limit(format), pad_token_id=self.tokenizer.eos_token_id, **given
        )
        return [row[inputs["input_ids"].shape[1] :] for row in ids]

    def text(self, tokens: torch.Tensor) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))


def main(folder: str) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    writer, rows = Writer(folder), [["", "texts", "valid"]]
    compiled = dict(taken())
    for name, given in MODES.items():
        texts, bad = Counter[bool](), list[str]()
        for format, known in compiled.items():
            processor = ogc.hf.LogitsProcessor(known, writer.vocabulary, max_new_tokens=writer.limit(format))
            for tokens in writer.write(format, known, logits_processor=[processor], **given):
                is_valid = format.is_valid(writer.text(tokens))
                texts[is_valid] += 1
                bad += [] if is_valid else [f"{format.name}: {writer.text(tokens)!r}"]
        rows.append([name, str(texts.total()), str(texts[True])])
        print(name, texts, *bad, file=sys.stderr, flush=True)
    print(markdown(rows))
    print()
    print(forced(writer, compiled))


def taken() -> Iterator[tuple[Format, ogc.Format]]:
    """The formats that ogc accepts; others are printed."""
    for format in formats():
        try:
            yield format, format_of(Kind(format.kind), format.text)
        except ogc.FormatError as error:
            print(f"refused: {format.name}: {error}", file=sys.stderr)


def forced(writer: Writer, compiled: dict[Format, ogc.Format]) -> str:
    """Passes of the model with forced runs, and with masks alone."""
    valid, passes, tokens, plain = 0, 0, 0, 0
    for format, known in compiled.items():
        matcher = known.matcher(writer.vocabulary, max_tokens=writer.limit(format))
        given = {
            "custom_generate": ogc.hf.forced_generate,
            "ogc_matcher": matcher,
            "ogc_tokenizer": writer.tokenizer,
            "do_sample": False,
        }
        (written,) = writer.write(format, known, **given)
        valid += int(format.is_valid(writer.text(written)))
        passes, tokens = passes + int(writer.model.ogc_passes), tokens + len(written)
        processor = ogc.hf.LogitsProcessor(known, writer.vocabulary, max_new_tokens=writer.limit(format))
        plain += len(writer.write(format, known, logits_processor=[processor], do_sample=False)[0])
    head = ["forced runs, greedy", "valid", "tokens", "passes", "passes with masks alone"]
    return markdown([head, [f"{len(compiled)} formats", str(valid), str(tokens), str(passes), str(plain)]])


if __name__ == "__main__":
    main(*sys.argv[1:])
