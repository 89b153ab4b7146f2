"""The examples of docstrings run, and so do those of the README."""

import doctest
import importlib
import os
import pkgutil
import re
from pathlib import Path

import ogc
import pytest
from conftest import ROOT

MODULES = ["ogc", *(f"ogc.{module.name}" for module in pkgutil.iter_modules(ogc.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if name not in ("ogc.hf", "ogc.__main__")])
def test_examples_of_docstrings(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(), re.S)


READMES = [ROOT / "README.md", ROOT / "runtime" / "python" / "README.md"]
BLOCKS = [(path.parent.name, block) for path in READMES for block in blocks(path)]


@pytest.mark.parametrize(("name", "block"), BLOCKS)
def test_blocks_of_the_readmes_run(name: str, block: str) -> None:
    if "transformers" in block:
        pytest.importorskip("transformers")
        model = os.environ.get("OGC_HF_MODEL") or pytest.skip("OGC_HF_MODEL names no model")
        block = block.replace("HuggingFaceTB/SmolLM2-135M-Instruct", str(model))
    exec(compile(block, name, "exec"), {"__name__": "block"})


def test_every_class_and_function_says_what_it_does() -> None:
    missing = []
    for name in ogc.__all__:
        thing = getattr(ogc, name)
        if name == "__version__":
            continue
        if not thing.__doc__:
            missing.append(name)
        if isinstance(thing, type) and thing.__module__.startswith("ogc"):
            members = [member for member in vars(thing) if not member.startswith("_")]
            missing += [f"{name}.{member}" for member in members if not getattr(thing, member).__doc__]
    assert not missing
