"""Runs the examples of docstrings, of README and of the documentation."""

import doctest
import importlib
import os
import pkgutil
import re
from pathlib import Path

import ogc
import ogc.cuda
import pytest
from conftest import ROOT

MODULES = [module.name for module in pkgutil.walk_packages(ogc.__path__, "ogc.") if module.name != "ogc.__main__"]


@pytest.mark.parametrize("name", ["ogc", *MODULES])
def test_docstring_examples_run(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as missing:
        pytest.skip(f"{missing.name} is not installed")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def blocks(path: Path) -> list[str]:
    """The blocks of Python in a page; blocks that need a server have the fence `python,recorded` and are left out."""
    return re.findall(r"```python\n(.*?)```", path.read_text(), re.S)


PAGES = [ROOT / "README.md", ROOT / "runtime" / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [(str(path.relative_to(ROOT)), block) for path in PAGES for block in blocks(path)]


@pytest.mark.parametrize(("name", "block"), BLOCKS)
def test_blocks_of_the_documentation_run(name: str, block: str) -> None:
    if "transformers" in block:
        pytest.importorskip("transformers")
        model = os.environ.get("OGC_HF_MODEL") or pytest.skip("OGC_HF_MODEL names no model")
        block = block.replace("HuggingFaceTB/SmolLM2-135M-Instruct", str(model))
    if "ogc.cuda" in block:
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("no device")
    exec(compile(block, name, "exec"), {"__name__": "block"})


def test_every_class_and_function_has_a_docstring() -> None:
    missing: list[str] = []
    for module, name in [*((ogc, name) for name in ogc.__all__), *((ogc.cuda, name) for name in ogc.cuda.__all__)]:
        thing = getattr(module, name)
        if name == "__version__":
            continue
        if not thing.__doc__:
            missing.append(name)
        if isinstance(thing, type) and thing.__module__.startswith("ogc"):
            fields = getattr(thing, "__dataclass_fields__", {})
            members = [member for member in vars(thing) if not member.startswith("_") and member not in fields]
            missing += [f"{name}.{member}" for member in members if not getattr(thing, member).__doc__]
    assert not missing
