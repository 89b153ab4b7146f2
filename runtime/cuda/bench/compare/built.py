"""Builds formats with their masks ahead of time, as devices need them: the C interface has no function for that.

All are built by one run of the program `ogc`. It needs the standard library alone.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from .arguments import Space


class BuildError(Exception):
    """A program that cannot be run, or that built nothing: what it says."""


def artifacts(program: Path, tokenizer: Path, space: Space, schemas: list[str]) -> list[bytes | None]:
    """Returns the artifact of each schema; `None` where `ogc build` refuses it."""
    with tempfile.TemporaryDirectory(prefix="ogc-compare-") as folder:
        sources, built = Path(folder) / "schemas", Path(folder) / "built"
        sources.mkdir()
        names = [f"{number:06}.json" for number in range(len(schemas))]
        for name, schema in zip(names, schemas, strict=True):
            (sources / name).write_text(schema, encoding="utf-8")
        said = _run(command(program, tokenizer, space, sources, built))
        found = [_bytes(built / f"{name}.ogca") for name in names]
    if not any(found):
        raise BuildError(f"{program} built no format: {' '.join(said.split())[:300]}")
    return found


def command(program: Path, tokenizer: Path, space: Space, sources: Path, built: Path) -> list[str]:
    """Returns the command line that builds the formats of a folder, each with rows of its own."""
    given = ["--language", "json-schema", "--space", space.value, "--vocab", str(tokenizer.resolve())]
    return [str(program), "build", "--self-contained", "--output", str(built), *given, str(sources)]


def _run(command: list[str]) -> str:
    """Runs a command, and returns what it complains of. It fails where one of many formats is refused."""
    try:
        return subprocess.run(command, capture_output=True, check=False).stderr.decode(errors="replace")
    except OSError as error:
        raise BuildError(f"{command[0]}: {error.strerror}: build it with `cargo build --release -p ogc`") from error


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
