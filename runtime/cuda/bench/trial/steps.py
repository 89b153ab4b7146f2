"""The steps in the order of their value: what each runs, for how long at most, and what of it the table shows."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

# What tests say that decides them.
TESTS = r"^test |FAILED|panicked at|mirror|^skipped|differs|^error|no device"
PASSED = r"Ran [1-9]\d* tests"
CLEAN = r"SUMMARY: 0 (errors|hazards)"
SANITIZER = r"SUMMARY|Invalid|[Hh]azard|Barrier error|Program hit|Internal|^test result|panicked at|^error"
EVERYTHING = r"."

# Tests of what the interpreter finds in kernels that were made wrong, of a driver that is none, and of the host alone.
NOT_FOR_DEVICES = ("off_by_one", "without_one_of", "missing_fences", "the_driver", "few_more_sectors")

# Tests of `generate-it` in which races are looked for by a process each, as they take the longest.
LONG = ("written_tokens_are_counted", "tokens_of_large_vocabularies", "steps_over_many")


@dataclass(frozen=True)
class Step:
    """A step: a command, and one that runs where there is no device, to see that the program starts."""

    name: str
    seconds: int
    command: list[str]
    without: list[str]
    shown: str = EVERYTHING
    lines: int = 20
    variables: dict[str, str] = field(default_factory=dict)
    # A file that the command writes as it goes on, which is shown as far as it came.
    table: Path | None = None
    needs: str = "a device"
    # What its log must have, too.
    must: str = ""


def stages(there: Path, out: Path) -> list[list[Step]]:
    """Returns the steps; those of a stage run at the same time."""
    return [
        [_machine(there)],
        [_loads(there, "loads by code", "code", 40)],
        [_opened(there)],
        _bits(there),
        [_packaged(there)],
        [_loads(there, "loads eagerly", "eager", 40), _loads(there, "loads by JIT", "jit", 75)],
        [_times(there, out)],
        _sanitized(there),
        [_compared(there, out)],
        [_bench(there)],
        [_weights(there, out)],
        [_generated(there, out, "cuda"), _generated(there, out, "cpu")],
    ]


def _machine(there: Path) -> Step:
    command = ["bash", str(there / "trial" / "machine")]
    return Step("machine", 30, command, command, lines=30, needs="nothing")


def _loads(there: Path, name: str, way: str, seconds: int) -> Step:
    command = [sys.executable, "-u", str(there / "trial" / "loads.py"), str(there / "kernels"), way]
    return Step(name, seconds, command, [*command[:-1], "probe"], lines=90)


def _opened(there: Path) -> Step:
    program = [str(there / "bin" / "device")]
    return Step("opens", 20, program, program)


def _tests(there: Path, name: str, program: str, which: list[str], seconds: int, threads: int) -> Step:
    skipped = [word for name in NOT_FOR_DEVICES for word in ("--skip", name)]
    path = str(there / "bin" / program)
    command = [path, f"--test-threads={threads}", *which, *skipped]
    variables = {"OGC_MIRROR": "device", "RUST_BACKTRACE": "0"}
    return Step(f"bits of {name}", seconds, command, [path, "--list", *which], TESTS, 30, variables)


def _bits(there: Path) -> list[Step]:
    """Each launch of the tests, in the interpreter and on the device: memory must be the same afterwards."""
    return [
        _tests(there, "apply", "cuda-it", ["masks::", "kernel::"], 100, 4),
        _tests(there, "advance and locate and fill", "cuda-it", ["advance::", "fill::"], 100, 4),
        _tests(there, "drafts and runs", "cuda-it", ["draft::", "slot_drafts::"], 120, 6),
        _tests(there, "slots", "cuda-it", ["slots::", "sequences::"], 120, 6),
        _tests(there, "the model", "cuda-unit", ["model::tests"], 100, 6),
        _tests(there, "sample and step", "generate-it", ["sampling::", "fused::"], 150, 6),
        _tests(there, "whole texts", "generate-it", ["drafts::", "device::"], 120, 6),
    ]


def _sanitized(there: Path) -> list[Step]:
    """All kernels under compute-sanitizer, with few rounds."""
    few = {"OGC_MIRROR": "device", "OGC_ROUNDS": "1", "OGC_TRIES": "1", "RUST_BACKTRACE": "0"}
    skipped = [word for name in NOT_FOR_DEVICES for word in ("--skip", name)]
    programs = {
        "cuda-it": [
            "masks::a_device",
            "advance::",
            "fill::",
            "slot_drafts::drafts_and_runs",
            "sequences::sequences_are",
        ],
        "generate-it": ["sampling::", "fused::"],
    }
    steps = []

    def add(tool: str, program: str, name: str, which: list[str]) -> None:
        path = str(there / "bin" / program)
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "9", path, "--test-threads=1", *which]
        # An H200 needs 90 s for the longest of them, side by side on 16 processors.
        step = Step(f"{tool} of {name}", 150, command, [path, "--list"], SANITIZER, 25, few, must=CLEAN)
        steps.append(step)

    for tool in ("racecheck", "memcheck", "synccheck"):
        for program, which in programs.items():
            long = LONG if tool == "racecheck" else ()
            add(tool, program, program, [*which, *skipped, *(word for test in long for word in ("--skip", test))])
    for test in LONG:
        add("racecheck", "generate-it", test.replace("_", " "), [test])
    return steps


def _python(there: Path, module: str, *given: str) -> list[str]:
    return [sys.executable, "-u", "-m", module, *given]


def _given(there: Path) -> list[str]:
    return ["--corpus", str(there / "corpus.jsonl"), "--tokenizer", str(there / "llama" / "tokenizer.json")]


def _paths(there: Path) -> dict[str, str]:
    paths = {"PYTHONPATH": f"{there / 'site'}:{there}", "PYTHONDONTWRITEBYTECODE": "1"}
    # It would compile a library with PyTorch for a minute, which is not used.
    paths |= {"TVM_FFI_DISABLE_TORCH_C_DLPACK": "1"}
    has_headers = (Path(sysconfig.get_path("include")) / "Python.h").exists()
    return paths if has_headers else paths | {"CPATH": str(there / "headers")}


def _packaged(there: Path) -> Step:
    """The Python package: masks, slots, steps, runs and drafts in tensors of PyTorch, beside matchers on the host."""
    command = [sys.executable, "-u", str(there / "trial" / "package.py"), str(there / "on_device")]
    shown = r"^ogc |^<Device|FAIL|ERROR|rror:|skipped|^Ran|^OK"
    return Step("Python", 60, command, [*command, "--dry-run"], shown, 30, _paths(there), must=PASSED)


def _times(there: Path, out: Path) -> Step:
    given = [*_given(there), "--rows", "1,8,64,256,1024", "--texts", "60"]
    command = _python(there, "compare.times", *given)
    return Step(
        "times of kernels", 130, command, _python(there, "compare.times", "--help"), r"^[^ ]", 200, _paths(there)
    )


def _compared(there: Path, out: Path) -> Step:
    table = out / "decode.md"
    given = [
        *_given(there),
        "--models",
        "1b",
        "--rows",
        "64,1,256",
        "--texts",
        "48",
        "--steps",
        "60",
        "--out",
        str(table),
    ]
    dry = _python(there, "compare", *given, "--dry-run")
    command = _python(there, "compare", *given, "--parts", "agreement,decode")
    return Step("decoding", 200, command, dry, r"rror|aise|no text", 20, _paths(there), table)


def _bench(there: Path) -> Step:
    program = str(there / "bin" / "ogc-cuda-bench")
    given = ["--rows", "1,8,64,256", "--launches", "100"]
    return Step("apply by launches", 40, [program, *given], [program, "--dry-run", "--rows", "1"], lines=50)


def _weights(there: Path, out: Path) -> Step:
    command = [sys.executable, "-u", str(there / "trial" / "weights.py"), str(there / "llama")]
    return Step("a model of random weights", 40, command, [*command, "--dry-run"])


def _generated(there: Path, out: Path, place: str) -> Step:
    tokens = {"cuda": "300", "cpu": "60"}[place]
    program = str(there / "bin" / "ogc")
    given = ["generate", str(there / "extraction.ogc"), "--model", str(there / "llama"), "--device", place, "--raw"]
    command = [program, *given, "--prompt", "Who was Ada Lovelace?", "--max-tokens", tokens]
    return Step(f"a text on {place}", 60, command, [program, "--version"], lines=25)
