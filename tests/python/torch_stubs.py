"""Makes PyPI's torch importable without the CUDA libraries that it is linked with (several GB): `torch_stubs.py SITE_PACKAGES`.

For each missing library it compiles an empty one with the symbols, and their versions, that torch's libraries ask for. Every function
returns 100, which CUDA calls `cudaErrorNoDevice`, so that torch finds no device and works on the processor. Needs gcc and objdump.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

MISSING = re.compile(r"lib(cu|nv|nccl)")
CUDA_NAME = re.compile(r"(__cuda|cuda|cu[A-Z]|cublas|cudnn|curand|cusparse|cufft|cusolver|nvrtc|nccl|nvshmem|cupti)")
TEXT_NAME = re.compile(r"(Error|Status)(String|Name)$")


class Wanted:
    """What torch's libraries want of those that are missing."""

    def __init__(self, folder: Path) -> None:
        self.versions: dict[str, set[str]] = defaultdict(set)  # of each library
        self.symbols: dict[str, set[str]] = defaultdict(set)  # of each version
        self.unversioned: set[str] = set()
        for file in sorted(folder.glob("*.so*")):
            if not MISSING.match(file.name):
                self.read(file)

    def read(self, file: Path) -> None:
        head = output("objdump", "-p", str(file))
        for name in re.findall(r"NEEDED\s+(\S+)", head):
            if MISSING.match(name):
                self.versions[name] |= set()
        for name, body in re.findall(r"required from (\S+):\n((?:\s+0x.*\n)+)", head):
            if MISSING.match(name):
                self.versions[name] |= set(re.findall(r"\s(\S+)$", body, re.M))
        for line in output("objdump", "-T", str(file)).splitlines():
            if "*UND*" not in line:
                continue
            symbol, version = line.split()[-1], re.search(r"\(([^)]+)\)\s+\S+$", line)
            if version:
                self.symbols[version[1]].add(symbol)
            elif CUDA_NAME.match(symbol):
                self.unversioned.add(symbol)

    def of(self, library: str) -> set[str]:
        loose = self.unversioned if library.startswith("libcudart") else set()
        return loose.union(*(self.symbols[version] for version in self.versions[library]))


def output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def function(name: str) -> str:
    if TEXT_NAME.search(name):
        return f'const char *{name}(void) {{ return "no CUDA here"; }}\n'
    return f"long {name}(void) {{ return 100; }}\n"


def compile_stub(folder: Path, library: str, wanted: Wanted) -> None:
    with tempfile.TemporaryDirectory() as name:
        source, script = Path(name, "stub.c"), Path(name, "versions.map")
        source.write_text("".join(map(function, sorted(wanted.of(library)))))
        command = ["gcc", "-shared", "-fPIC", "-w", "-o", str(folder / library), f"-Wl,-soname,{library}", str(source)]
        versions = sorted(wanted.versions[library])
        if versions:
            block = "{} {{ global: {} }};\n"
            symbols = {version: " ".join(f"{symbol};" for symbol in sorted(wanted.symbols[version])) for version in versions}
            script.write_text("".join(block.format(version, symbols[version]) for version in versions))
            command.append(f"-Wl,--version-script={script}")
        subprocess.run(command, check=True)


def main(site_packages: Path) -> None:
    folder = site_packages / "torch" / "lib"
    wanted = Wanted(folder)
    for library in sorted(wanted.versions):
        compile_stub(folder, library, wanted)
    print(f"{len(wanted.versions)} stub libraries in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
