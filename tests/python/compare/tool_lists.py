"""Measures xgrammar on the lists of tools that `ogc-bench tools --write LISTS` has written: `tool_lists.py LISTS TOKENIZER`.

Each list is a structural tag with a tag for each tool. The columns are the same as in the bench: compiling, compiling after a change of
one tool with the same compiler, and masks along calls. One thread is used. Tools whose schemas xgrammar rejects are left out. Its cache
is off: with it, xgrammar 0.2.8 fails a check of its own on such lists.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import cache
from statistics import mean, median
from typing import Any

import numpy as np
import xgrammar
from tokenizers import Tokenizer


def main(lists: str, tokenizer_json: str) -> None:
    tokenizer = Tokenizer.from_file(tokenizer_json)
    by_number = sorted(tokenizer.get_vocab(with_added_tokens=True).items(), key=lambda entry: entry[1])
    words = [word for word, _ in by_number]
    info = xgrammar.TokenizerInfo(words, vocab_type=xgrammar.VocabType.BYTE_LEVEL, vocab_size=len(words))
    print("tools taken  compile ms  changed p50   max ms   first us   later us    p99 us     max us   refused")
    with open(lists, encoding="utf-8") as file:
        for entry in json.load(file):
            measure(entry, info, tokenizer, len(words))


def measure(entry: Any, info: xgrammar.TokenizerInfo, tokenizer: Tokenizer, width: int) -> None:
    compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    lists = [[tool for tool in json.loads(text) if is_taken(tool)] for text in [entry["tools"], *entry["changed"]]]
    first_ms, _ = timed(lambda: compiler.compile_structural_tag(tag(lists[0])))
    changed = [timed(lambda tools=tools: compiler.compile_structural_tag(tag(tools)))[0] for tools in lists[1:]]
    grammar = compiler.compile_structural_tag(tag(lists[-1]))
    bitmask = np.zeros((1, (width + 31) // 32), dtype=np.int32)
    first, later, refused = [], [], 0
    for call in entry["calls"]:
        begin = time.perf_counter()
        matcher = xgrammar.GrammarMatcher(grammar)
        matcher.fill_next_token_bitmask(bitmask)
        first.append((time.perf_counter() - begin) * 1e6)
        for token in tokenizer.encode(call, add_special_tokens=False).ids:
            begin = time.perf_counter()
            if not matcher.accept_token(token):
                refused += 1
                break
            if not matcher.is_terminated():
                matcher.fill_next_token_bitmask(bitmask)
            later.append((time.perf_counter() - begin) * 1e6)
    later.sort()
    print(
        f"{len(lists[0]):>11} {first_ms:>11.1f} {median(changed):>12.2f} {max(changed):>8.2f} {first[0]:>10.0f}"
        f" {mean(later):>10.1f} {later[int(len(later) * 0.99)]:>9.0f} {later[-1]:>10.0f} {refused:>9}"
    )


def tag(tools: list[Any]) -> dict[str, Any]:
    """A call of one of the tools, in the style of Hermes."""
    tags = [
        {
            "type": "tag",
            "begin": f'<tool_call>\n{{"name": "{tool["function"]["name"]}", "arguments": ',
            "content": {"type": "json_schema", "json_schema": tool["function"]["parameters"]},
            "end": "}\n</tool_call>",
        }
        for tool in tools
    ]
    format_ = {"type": "tags_with_separator", "tags": tags, "separator": "", "at_least_one": True, "stop_after_first": True}
    return {"type": "structural_tag", "format": format_}


@cache
def takes(schema: str) -> bool:
    try:
        xgrammar.Grammar.from_json_schema(schema)
    except RuntimeError:
        return False
    return True


def is_taken(tool: Any) -> bool:
    return takes(json.dumps(tool["function"]["parameters"]))


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    made = call()
    return (time.perf_counter() - begin) * 1e3, made


if __name__ == "__main__":
    main(*sys.argv[1:])
