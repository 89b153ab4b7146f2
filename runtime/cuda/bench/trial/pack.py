"""Puts all that a verdict needs into a folder: stripped programs, kernels, wheels, a tokenizer and some texts."""

from __future__ import annotations

import glob
import json
import lzma
import os
import random
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent.parent.parent

# The most that can be carried, in bytes, with all files of the repository.
MOST = 64 << 20

# What cargo builds: arguments, and how the programs are named in the folder.
BUILDS = {
    "cuda-it": ["test", "-p", "ogc-cuda", "--test", "it", "--no-run"],
    "cuda-unit": ["test", "-p", "ogc-cuda", "--lib", "--no-run"],
    "generate-it": ["test", "-p", "ogc-generate", "--features", "cuda", "--test", "it", "--no-run"],
    "ogc-cuda-bench": ["build", "-p", "ogc-cuda", "--bin", "ogc-cuda-bench"],
    "device": ["build", "-p", "ogc-cuda", "--example", "device"],
    "ogc": ["build", "-p", "ogc", "--features", "cuda"],
}

# Where the programs lie that are not named by a hash.
PLACES = {
    "ogc-cuda-bench": "ogc-cuda-bench",
    "device": "examples/device",
    "ogc": "ogc",
}

# The Python package as a folder of programs for a rehearsal may have it, and its tests for devices.
WHEEL = "ogc.whl"
TESTS = ROOT / "runtime" / "python" / "tests" / "on_device"

# Engines to compare with, and what they import that does not come with PyTorch. Versions of the engines are those of
# requirements.txt.
PEERS = ("xgrammar", "llguidance", "tokenizers")
BESIDE = ("apache-tvm-ffi", "pydantic", "typing_extensions", "typing_inspection", "annotated_types")
PLATFORMS = [f"manylinux_2_{minor}_x86_64" for minor in (17, 24, 27, 28, 31, 34)] + ["manylinux2014_x86_64", "any"]

# What xgrammar and llguidance name of transformers, of which nothing is used here. The machine may have a transformers
# of its own, which would ask for other versions of what is carried: it is not imported.
TRANSFORMERS = '''"""The names that engines import of transformers; nothing of it is used."""


class LogitsProcessor:
    """No processor."""


class PreTrainedTokenizerBase:
    """No tokenizer."""


class PreTrainedTokenizerFast(PreTrainedTokenizerBase):
    """No tokenizer."""
'''

# Where a Python of the machine's version has its headers; the machine may have none, and Triton compiles with them.
HEADERS = ("/usr/include/python3.12", "~/.pyenv/versions/3.12.*/include/python3.12")

# How many schemas are carried, and how long they and their texts are at most.
SCHEMAS, MOST_SCHEMA, TEXT = 150, 4_000, range(100, 1_501)


# The programs hold the same code, ten megabytes from one another: a dictionary that reaches across halves the file.
COMPRESSION = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 128 << 20}]

# What is done with the folder of a rehearsal, which is not carried.
QUICK = [{"id": lzma.FILTER_LZMA2, "preset": 1}]


class PackError(Exception):
    """What is missing."""


def pack(folder: Path, builds: bool, programs: Path | None = None) -> int:
    """Makes the folder; returns the exit code.

    For a rehearsal a folder has the programs, which may be scripts, and the wheel of ogc; wheels of others are left
    out, and texts where there are none.
    """
    work = folder.resolve() / "packing"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("bin", "kernels", "llama", "site", "trial", "compare"):
        (work / name).mkdir(parents=True)
    if programs is None:
        _programs(work, builds)
        _wheels(work)
        _package(work, builds)
    else:
        _given(work, programs)
    _kernels(work)
    _modules(work)
    _texts(work, programs is not None)
    shutil.copy(ROOT / "examples" / "extraction.ogc", work)
    _compress(work, folder / "payload.tar.xz", COMPRESSION if programs is None else QUICK)
    shutil.rmtree(work)
    shutil.copy(BENCH / "verdict", folder)
    shutil.copytree(BENCH / "trial", folder / "trial", ignore=shutil.ignore_patterns("__pycache__", "rehearsal.py"))
    return _weigh(folder)


def _compress(work: Path, to: Path, filters: list[dict[str, int]]) -> None:
    with lzma.open(to, "wb", filters=filters) as file, tarfile.open(fileobj=file, mode="w") as archive:
        for path in sorted(work.iterdir()):
            archive.add(path, path.name)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise PackError(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return done.stdout


def _programs(work: Path, builds: bool) -> None:
    """Builds the programs, and copies them without their symbols."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release"
    for name, given in BUILDS.items():
        path = target / PLACES[name] if name in PLACES else None
        if builds or path is None:
            said = _run(["cargo", given[0], "--release", "--message-format=json", *given[1:]])
            path = path or _tests(said)
        if not path.is_file():
            raise PackError(f"{path}: cargo has not built it")
        _strip(path, work / "bin" / name)


def _given(work: Path, programs: Path) -> None:
    """Copies the programs of a folder; those that are no scripts without their symbols."""
    for name in BUILDS:
        path = programs / name
        if not path.is_file():
            raise PackError(f"{path}: it is not there")
        if path.read_bytes()[:4] == b"\x7fELF":
            _strip(path, work / "bin" / name)
        else:
            shutil.copy(path, work / "bin" / name)
    _unpack_wheel(work, programs / WHEEL)


def _package(work: Path, builds: bool) -> None:
    """Builds the Python package, and unpacks it beside the engines of others; it is for all versions of Python."""
    wheels = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "python" / "wheels"
    if builds:
        shutil.rmtree(wheels, ignore_errors=True)
        ask = ["python3", "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        _run([*ask, "--wheel-dir", str(wheels), str(ROOT / "runtime" / "python")])
    found = sorted(wheels.glob("ogc-*.whl"))
    if len(found) != 1:
        raise PackError(f"{wheels} has {len(found)} wheels of ogc, where one is asked for: tests/python/run builds it")
    _unpack_wheel(work, found[0])


def _unpack_wheel(work: Path, wheel: Path) -> None:
    if not wheel.is_file():
        raise PackError(f"{wheel}: it is not there")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / "site")


def _strip(path: Path, to: Path) -> None:
    _run(["strip", "-o", str(to), str(path)])


def _tests(said: str) -> Path:
    """Returns the program of tests that cargo says it has built; it builds those that tests run, too."""
    built = [json.loads(line) for line in said.splitlines()]
    tests = [one for one in built if one.get("executable") and one["profile"]["test"]]
    if len(tests) != 1:
        raise PackError(f"cargo has built {len(tests)} programs of tests, where one was asked for")
    return Path(tests[0]["executable"])


def _kernels(work: Path) -> None:
    """Copies the kernels as the driver takes them, and the sources that tests compile for the host."""
    kernels = ROOT / "runtime" / "cuda" / "kernels"
    for path in [*kernels.glob("ptx/*.ptx"), *kernels.glob("code/*.fatbin")]:
        shutil.copy(path, work / "kernels")
    tree = work / "tree"
    for path in [*kernels.glob("**/*.cuh"), *kernels.glob("*.cu"), *kernels.parent.glob("tests/*/main.cpp")]:
        to = tree / path.relative_to(ROOT)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    (work / "built-in").write_text(str(ROOT), encoding="utf-8")


def _modules(work: Path) -> None:
    """Copies this, the comparison, and the tests of the Python package."""
    ignored = shutil.ignore_patterns("__pycache__", "rehearsal.py")
    for name in ("trial", "compare"):
        shutil.copytree(BENCH / name, work / name, ignore=ignored, dirs_exist_ok=True)
    shutil.copytree(TESTS, work / "on_device", ignore=ignored)


def _wheels(work: Path) -> None:
    """Unpacks the engines of others for Python 3.12."""
    lines = (BENCH / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0]: line.split("#")[0].strip() for line in lines if "==" in line}
    wheels = ROOT / "target" / "cuda" / "verdict-wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    platforms = [word for platform in PLATFORMS for word in ("--platform", platform)]
    ask = ["python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    ask += ["--python-version", "3.12", "--only-binary", ":all:", *platforms, "--dest", str(wheels)]
    if not any(wheels.iterdir()):
        for name in [*(pinned[name] for name in PEERS), *BESIDE]:
            _run([*ask, name])
        # The version that pydantic names.
        _run([*ask, _core(wheels)])
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(work / "site")
    headers = [path for pattern in HEADERS for path in glob.glob(os.path.expanduser(pattern))]
    if headers:
        shutil.copytree(headers[0], work / "headers")
    else:
        print(f"no headers of Python 3.12 in {' or '.join(HEADERS)}: Triton needs those of the machine")
    (work / "site" / "transformers").mkdir()
    (work / "site" / "transformers" / "__init__.py").write_text(TRANSFORMERS, encoding="utf-8")


def _core(wheels: Path) -> str:
    with zipfile.ZipFile(next(wheels.glob("pydantic-*.whl"))) as archive:
        name = next(name for name in archive.namelist() if name.endswith("dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    return next(line.split(":")[1].strip() for line in lines if line.startswith("Requires-Dist: pydantic-core=="))


def _texts(work: Path, may_lack: bool) -> None:
    """Copies a tokenizer, and schemas with texts that are short."""
    corpora = Path(os.environ.get("OGC_CORPORA") or ROOT.parent / "shared" / "data")
    if may_lack and not corpora.is_dir():
        return
    shutil.copy(corpora / "tokenizers" / "llama-3.1" / "tokenizer.json", work / "llama")
    text = _run(["zstd", "-dcq", str(corpora / "maskbench-dev.jsonl.zst")])
    lines = [line for line in text.lstrip("\ufeff").split("\n") if line]
    random.Random(7).shuffle(lines)
    chosen: list[str] = []
    for line in lines:
        case = json.loads(line)
        valid = [test for test in case["tests"] if test["valid"]][:1]
        fits = valid and len(json.dumps(case["schema"])) <= MOST_SCHEMA and len(json.dumps(valid[0]["data"])) in TEXT
        if fits and len(chosen) < SCHEMAS:
            chosen.append(json.dumps({"id": case["id"], "schema": case["schema"], "tests": valid}))
    (work / "corpus.jsonl").write_text("\n".join(chosen) + "\n", encoding="utf-8")


def weights(folder: Path) -> tuple[int, int]:
    """Returns how many bytes of a folder there are to be carried, and of the repository."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    tracked = _run(["git", "ls-files", "-z"]).split("\0")
    return size, sum((ROOT / name).stat().st_size for name in tracked if name and (ROOT / name).is_file())


def _weigh(folder: Path) -> int:
    """Says how much there is to be carried; returns 1 if it is too much."""
    size, repository = weights(folder)
    print(f"{folder}: {size / 2**20:.1f} MiB, and {repository / 2**20:.1f} MiB of the repository, of {MOST >> 20} MiB")
    return 0 if size + repository < MOST else 1
