"""Regexes and choices, validated by `re` and by look-up."""

from __future__ import annotations

import json
import re

from .format import Format

#: Name, prompt, pattern, and a text of it.
REGEXES = [
    (
        "version",
        "What is the newest version of the program?",
        r"(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})(-(alpha|beta|rc)\.[0-9]{1,2})?",
        "1.12.0-rc.1",
    ),
    ("sentence", "Write one sentence about the sea.", r"[A-Z][a-z]+( [a-z]+){3,12}\.", "The sea is deep and blue."),
    (
        "log line",
        "Write a line of a log about a full disk.",
        r"(DEBUG|INFO|WARN|ERROR) [a-z]+(\.[a-z]+)*: [^\n]{1,80}",
        "ERROR disk.writer: no space left",
    ),
]

#: Name, prompt, and the choices.
CHOICES = [
    ("mood", "Is this review good? The lamp broke after a day.", ["positive", "neutral", "negative"]),
    (
        "reply",
        "Can you come to the party tomorrow?",
        ["Yes, I will be there.", "No, I can't.", 'I don\'t know (yet): ask me "later"!'],
    ),
]


def patterns() -> list[Format]:
    return [_regex(*words) for words in REGEXES] + [_choice(*words) for words in CHOICES]


def _regex(name: str, prompt: str, pattern: str, example: str) -> Format:
    return Format("patterns", name, "regex", pattern, prompt, example, lambda text: bool(re.fullmatch(pattern, text)))


def _choice(name: str, prompt: str, choices: list[str]) -> Format:
    return Format("patterns", name, "choice", json.dumps(choices), prompt, choices[-1], lambda text: text in choices)
