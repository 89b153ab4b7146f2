"""Runs the steps, each in a process group that ends with its time, and writes what came of them at once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from .steps import Step, stages

# What is left of the time so that a step is begun.
LEAST = 5


@dataclass(frozen=True)
class Limits:
    """The seconds after which all ends, and a step."""

    all: int
    step: int


class Table:
    """The table, which is written line by line, and shown as it grows."""

    def __init__(self, out: Path, limits: Limits) -> None:
        out.mkdir(parents=True, exist_ok=True)
        self.out, self.path, self.lock = out, out / "table.md", Lock()
        self.begin, self.limits = time.monotonic(), limits
        self.failed = 0
        self.path.write_text("")
        self.write("# Verdict on a device")

    def write(self, text: str) -> None:
        """Adds lines."""
        with self.lock, self.path.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
            file.flush()
            os.fsync(file.fileno())
            print(text, flush=True)

    def left(self) -> float:
        """Returns the seconds that are left."""
        return self.limits.all - self.passed()

    def passed(self) -> float:
        """Returns the seconds that have passed."""
        return time.monotonic() - self.begin


def run(here: Path, out: Path, only: list[str] | None, limits: Limits) -> int:
    """Runs all steps, or those of some names; returns the exit code."""
    table = Table(out.resolve(), limits)
    there = _unpack(here)
    environment = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:/usr/local/cuda/bin:{there / 'bin'}"}
    lack = _lack(there, environment)
    table.write(f"\n{'There is a device.' if lack is None else lack} Steps in the order of their value:\n")
    for stage in stages(there, table.out):
        steps = [step for step in stage if only is None or step.name in only]
        with ThreadPoolExecutor(max(len(steps), 1)) as pool:
            list(pool.map(lambda step: _do(step, lack, table, environment), steps))
    table.write(f"\n{table.passed():.0f} s in all, {table.failed} steps failed.")
    return 1 if table.failed > 0 else 0


def _unpack(here: Path) -> Path:
    """Unpacks what was carried; and the sources that tests compile for the host, where they were once built."""
    there = here / "unpacked"
    if not there.exists():
        with tarfile.open(here / "payload.tar.xz") as archive:
            # Pythons that have filters ask for one.
            if hasattr(tarfile, "tar_filter"):
                archive.extraction_filter = tarfile.tar_filter
            archive.extractall(here / "unpacking")
        (here / "unpacking").rename(there)
    built = Path((there / "built-in").read_text(encoding="utf-8"))
    try:
        if not built.exists():
            built.parent.mkdir(parents=True, exist_ok=True)
            built.symlink_to(there / "tree")
        (built / "target" / "tmp").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"{built} cannot be made: {error.strerror}; tests that compile for the host fail")
    return there


def _lack(there: Path, environment: dict[str, str]) -> str | None:
    """Returns why there is no device, if there is none."""
    probe = [str(there / "bin" / "device")]
    try:
        said = subprocess.run(probe, capture_output=True, text=True, timeout=60, env=environment, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no device: {error}"
    text = (said.stdout + said.stderr).strip()
    return text if text.startswith("no device") else None


def _do(step: Step, lack: str | None, table: Table, environment: dict[str, str]) -> None:
    """Runs a step, and writes what came of it; nothing that it does ends the others."""
    has_none = lack is not None and step.needs == "a device"
    seconds = min(step.seconds, table.limits.step, table.left())
    if table.left() < LEAST:
        table.failed += 1
        table.write(f"\n## {step.name}: no time was left\n")
        return
    begin = time.monotonic()
    log = table.out / f"{re.sub('[^a-z0-9]+', '-', step.name.lower())}.log"
    code = _ended(step.without if has_none else step.command, log, seconds, environment | step.variables)
    took = time.monotonic() - begin
    lacks = not has_none and code == 0 and not re.search(step.must, log.read_text("utf-8", "replace"))
    good = code == 0 and not lacks
    said = "done" if good else "out of time" if code is None else f"FAILED with {code}"
    if lacks:
        said = f"FAILED, as its log has no `{step.must}`"
    if has_none:
        said = "no device; its program starts" if good else f"no device; its program does not start: {code}"
    # Without a device only what does not start is a failure.
    table.failed += int(not good)
    shown = [] if has_none and good else _shown(step, log)
    table.write("\n".join([f"\n## {step.name}: {said}, {took:.1f} s of {step.seconds}\n", *shown]))


def _ended(command: list[str], log: Path, seconds: float, environment: dict[str, str]) -> int | None:
    """Runs a command; returns its exit code, or none if it was ended by its time."""
    with log.open("wb") as file:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment, start_new_session=True
            )
        except OSError as error:
            file.write(f"error: {error}\n".encode())
            return 127
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                pass


def _shown(step: Step, log: Path) -> list[str]:
    """Returns the lines of a step that decide it; and the end of its log if there are none."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [line for line in lines if re.search(step.shown, line)]
    chosen = found[: step.lines] or lines[-8:]
    cut = [f"... {len(found) - step.lines} more in {log.name}"] if len(found) > step.lines else []
    shown = [f"    {line[:300]}" for line in [*chosen, *cut]]
    if step.table is not None and step.table.exists():
        shown += ["", step.table.read_text(encoding="utf-8", errors="replace").replace("\n#", "\n##")]
    return shown
