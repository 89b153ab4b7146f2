"""The verdict from end to end, where there is neither a device nor a network: `python3 -m unittest trial.rehearsal`.

OGC_PROGRAMS, if set, is a folder of programs by the names of the payload; scripts stand in for those that are not
there, which succeed, fail, crash or hang. OGC_FAKE_DRIVER and LD_LIBRARY_PATH, if set, give a driver that is none.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

from .main import main
from .pack import BUILDS, MOST, WHEEL, weights
from .steps import stages

# What the programs and wheels take of a folder that scripts stand in for here, in bytes.
REST = 28 << 20

# Programs that take no part in a rehearsal.
NOT_THERE = ("cargo", "rustc", "rustup", "nvidia-smi", "compute-sanitizer")

# A process that a program leaves behind: its argument tells it from all others.
LEFT = f"86{os.getpid()}"

SCRIPTS = {
    "cuda-it": "echo 'test result: ok. 5 passed'",
    "cuda-unit": "kill -SEGV $$",
    "generate-it": f"""[ "$1" = --list ] && exit 0
trap '' TERM
echo 'test sampling::first ... ok'
sleep {LEFT} &
wait""",
    "ogc-cuda-bench": "echo 'a line'",
    "device": 'echo "${OGC_STANDS_IN:-no device: none}"',
    "ogc": r"printf '\377\376 is no text\n'",
    # racecheck finds nothing, memcheck does not say, synccheck finds something.
    "compute-sanitizer": """case "$2" in
racecheck) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)' ;;
memcheck) echo '========= COMPUTE-SANITIZER' ;;
*) echo '========= ERROR SUMMARY: 3 errors'; exit 9 ;;
esac""",
}


def write_script(path: Path, text: str) -> None:
    """Writes a script that can be run."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


class Rehearsal(unittest.TestCase):
    """Packs once; each test runs what was packed."""

    @classmethod
    def setUpClass(cls) -> None:
        """Packs, with scripts for programs that are not there."""
        cls.work = Path(tempfile.mkdtemp(dir=os.environ.get("OGC_WORK") or None))
        cls.addClassCleanup(shutil.rmtree, cls.work, ignore_errors=True)
        programs, cls.tools = cls.work / "programs", cls.work / "tools"
        programs.mkdir()
        cls.tools.mkdir()
        given = Path(os.environ.get("OGC_PROGRAMS") or cls.work)
        cls.real = {name for name in BUILDS if (given / name).is_file()}
        for name in BUILDS:
            if name in cls.real:
                (programs / name).symlink_to(given / name)
            else:
                write_script(programs / name, SCRIPTS[name])
        with zipfile.ZipFile(programs / WHEEL, "w") as wheel:
            wheel.writestr("ogc/__init__.py", "raise SystemExit(3)\n")
        cls._link_tools()
        cls.folder = cls.work / "verdict"
        if main(["pack", str(cls.folder), "--programs", str(programs)]) != 0:
            raise AssertionError("it was not packed")
        cls.size, cls.repository = weights(cls.folder)

    @classmethod
    def _link_tools(cls) -> None:
        """Makes a PATH without cargo and the tools of devices."""
        for name in os.environ["PATH"].split(":"):
            for path in Path(name or ".").glob("*"):
                link = cls.tools / path.name
                if path.name not in NOT_THERE and not link.is_symlink():
                    link.symlink_to(path.resolve() if path.name == "python3" else path)
        (cls.tools / "python3").unlink(missing_ok=True)
        (cls.tools / "python3").symlink_to(sys.executable)
        write_script(cls.tools / "compute-sanitizer", SCRIPTS["compute-sanitizer"])

    def run_verdict(self, *given: str, device: str | None = "device 0: a script") -> tuple[int, str, float]:
        """Runs the folder; returns the exit code, the table, and how long it took."""
        out = self.work / self.id()
        environment = {name: value for name, value in os.environ.items() if name not in ("OGC_SKIPPED", "OUT")}
        environment |= {"PATH": str(self.tools), "OGC_STANDS_IN": device or ""}
        if device is None:
            environment.pop("OGC_FAKE_DRIVER", None)
            environment.pop("LD_LIBRARY_PATH", None)
        command = [*without_network(), str(self.folder / "verdict"), "--out", str(out), *given]
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=300)
        table = (out / "table.md").read_text(encoding="utf-8")
        self.assertEqual(done.stdout, table, done.stderr)
        return done.returncode, table, time.monotonic() - begin

    def outcomes(self, table: str) -> dict[str, str]:
        """Returns what came of each step; all have exactly one line."""
        lines = re.findall(r"^## ([^:\n]+): (.*?)(?:, \d+\.\d s of \d+)?$", table, re.MULTILINE)
        there = self.folder / "unpacked"
        names = sorted(step.name for stage in stages(there, self.work) for step in stage)
        self.assertEqual(sorted(name for name, _ in lines), names, table)
        found = dict(lines)
        bad = sum(1 for text in found.values() if not re.search(r"^done$|its program starts$", text))
        self.assertRegex(table, rf"\n\d+ s in all, {bad} steps failed\.\n$")
        return found

    def test_a_table_is_written_despite_failures_hangs_and_crashes(self) -> None:
        """Each step has its line, whatever comes of it."""
        code, table, _ = self.run_verdict("--most", "8")
        found = self.outcomes(table)
        good = ["machine", "opens", "a text on cuda", "a text on cpu", "racecheck of cuda-it"]
        if "OGC_FAKE_DRIVER" in os.environ:
            good += ["loads by code", "loads eagerly", "loads by JIT"]
            self.assertIn("22 files, 0 not loaded", table)
        for name in good:
            self.assertEqual(found[name], "done", f"{name}\n{table}")
        self.assertEqual(found["memcheck of cuda-it"], "FAILED, as its log has no `SUMMARY: 0 (errors|hazards)`")
        self.assertEqual(found["synccheck of cuda-it"], "FAILED with 9")
        # Real programs take longer than they may, or run into what the driver does not have.
        for name, program in {"bits of apply": "cuda-it", "apply by launches": "ogc-cuda-bench"}.items():
            self.assertTrue(found[name] == "done" or program in self.real, table)
        self.assertEqual(found["bits of the model"], f"FAILED with -{signal.SIGSEGV.value}")
        self.assertEqual(found["bits of whole texts"], "out of time")
        self.assertEqual(found["Python"], "FAILED with 3")
        self.assertIn("    test sampling::first ... ok\n", table)
        self.assertEqual(code, 1)
        self.assertFalse(is_running(LEFT), "what a step starts ends with it")

    def test_the_trial_ends_at_its_time_limit(self) -> None:
        """What has no time left says so."""
        _, table, took = self.run_verdict("--limit", "9")
        found = self.outcomes(table)
        # A busy machine has no time left before.
        self.assertIn(found["bits of whole texts"], ("out of time", "no time was left"))
        self.assertEqual(found["decoding"], "no time was left")
        self.assertLess(took, 40, table)

    def test_without_a_device_all_programs_are_started(self) -> None:
        """A table without a device says which programs would not have started."""
        code, table, _ = self.run_verdict("--most", "20", device=None)
        found = self.outcomes(table)
        self.assertRegex(table, r"\nno device: .* Steps in the order of their value:\n")
        self.assertEqual(found["bits of apply"], "no device; its program starts")
        self.assertEqual(found["bits of the model"], f"no device; its program does not start: -{signal.SIGSEGV.value}")
        self.assertEqual(found["Python"], "no device; its program does not start: 3")
        self.assertEqual((found["machine"], code), ("done", 1))

    def test_selected_steps_run_alone(self) -> None:
        """Only what was asked for runs."""
        code, table, _ = self.run_verdict("--only", "machine,opens")
        self.assertEqual((re.findall(r"^## (.*?):", table, re.MULTILINE), code), (["machine", "opens"], 0), table)

    def test_the_trial_fits_the_size_limit_of_transfers(self) -> None:
        """It, the repository, and what scripts stand in for have less than what can be carried."""
        self.assertLess(self.size + self.repository + REST, MOST, f"{self.size} and {self.repository}")


def without_network() -> list[str]:
    """Returns what runs a command where no network is; nothing if that is not allowed."""
    for way in (["unshare", "-n"], ["unshare", "-rn"]):
        try:
            if subprocess.run([*way, "true"], capture_output=True, check=False).returncode == 0:
                return way
        except OSError:
            break
    return []


def is_running(argument: str) -> bool:
    """Returns whether a process has an argument."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in path.read_bytes().split(b"\0"):
                return True
        except OSError:
            pass
    return False


if __name__ == "__main__":
    unittest.main()
