"""A format that a request asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["json", "regex", "choice", "grammar"]


@dataclass(frozen=True)
class Format:
    """A format in the notation of vLLM's requests: every backend gets the same text."""

    group: str
    name: str
    kind: Kind
    #: A choice is a list in JSON.
    text: str
    prompt: str
    #: A short text of the format; `max_tokens` follows from its length.
    example: str
    #: A validator that shares no code with the backends.
    is_valid: Callable[[str], bool]

    def constraint(self) -> dict[str, Any]:
        """Arguments for vLLM's `StructuredOutputsParams`."""
        return {self.kind: json.loads(self.text) if self.kind == "choice" else self.text}
