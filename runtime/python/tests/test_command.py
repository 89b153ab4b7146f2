"""Tests of the command that comes with the package."""

import subprocess
import sys

import ogc
from conftest import ROOT


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "ogc", *words], capture_output=True, text=True, check=False)


def test_the_python_command_runs_the_ogc_program() -> None:
    assert ogc.__version__ in run("--version").stdout
    checked = run("check", str(ROOT / "examples"))
    assert checked.returncode == 0, checked.stderr
    assert run("check", "nowhere.ogc").returncode == 3
    assert run("--no-such-flag").returncode == 2
