"""Common fixtures of the tests: a vocabulary that is part of the package, and the project's own formats."""

from pathlib import Path

import ogc
import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def o200k() -> ogc.Vocabulary:
    return ogc.Vocabulary.built_in()


@pytest.fixture(scope="session")
def letters() -> ogc.Vocabulary:
    """The tokens a, b, ab, ba and an end."""
    tokens = enumerate([b"a", b"b", b"ab", b"ba"])
    return ogc.Vocabulary.of_tokens(tokens, special={"</s>": 4}, end_tokens=[4])
