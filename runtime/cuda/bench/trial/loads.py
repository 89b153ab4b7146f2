"""Loads every file of kernels by the driver itself: `loads.py FOLDER code|eager|jit|probe`; a line each, at once.

The folder has `NAME.ptx` and `NAME.sm_NN.fatbin`. `code` loads code as programs do by default, `eager` all kernels of
it at once, `jit` the PTX, without what the driver has kept.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import time
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path

# The attributes of a function, by their numbers.
ATTRIBUTES = {"shared": 1, "constant": 2, "local": 3, "registers": 4, "PTX": 5, "code": 6}


class DriverError(Exception):
    """A call that failed."""


class Driver:
    """The driver's library."""

    def __init__(self) -> None:
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise DriverError(f"no driver: {error}") from error

    def call(self, name: str, *given: object) -> None:
        """Calls a function, and raises what it says."""
        code = getattr(self.library, name)(*given)
        if code != 0:
            text = c_char_p()
            self.library.cuGetErrorName(code, byref(text))
            raise DriverError(f"{name}: {(text.value or b'?').decode()} ({code})")

    def start(self) -> tuple[int, int]:
        """Opens the first device; returns its compute capability."""
        self.call("cuInit", 0)
        self.device, context, major, minor = c_int(), c_void_p(), c_int(), c_int()
        self.call("cuDeviceGet", byref(self.device), 0)
        self.call("cuDeviceGetAttribute", byref(major), 75, self.device)
        self.call("cuDeviceGetAttribute", byref(minor), 76, self.device)
        self.call("cuDevicePrimaryCtxRetain", byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        return major.value, minor.value

    def end(self) -> None:
        """Gives back what was opened."""
        self.call("cuCtxSetCurrent", None)
        self.call("cuDevicePrimaryCtxRelease_v2", self.device)


def load(driver: Driver, image: bytes, kernels: list[str]) -> tuple[list[str], float, float]:
    """Loads an image and finds its kernels; returns a line for each, and what loading and finding took."""
    module = c_void_p()
    # The driver reads words of 64 bits.
    words = (ctypes.c_uint64 * (len(image) // 8 + 1)).from_buffer_copy(image.ljust(len(image) // 8 * 8 + 8, b"\0"))
    begin = time.perf_counter()
    driver.call("cuModuleLoadData", byref(module), words)
    loaded = time.perf_counter()
    lines, found_in = [], 0.0
    for kernel in kernels:
        begun = time.perf_counter()
        function, number = c_void_p(), c_int()
        driver.call("cuModuleGetFunction", byref(function), module, kernel.encode())
        facts = []
        for name, attribute in ATTRIBUTES.items():
            driver.call("cuFuncGetAttribute", byref(number), attribute, function)
            facts.append(f"{name} {number.value}")
        found_in += time.perf_counter() - begun
        blocks = c_int()
        for threads in (32, 256):
            driver.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", byref(blocks), function, threads, c_size_t(0))
            facts.append(f"blocks of {threads}: {blocks.value}")
        lines.append(f"{kernel}: {', '.join(facts)}")
    driver.call("cuModuleUnload", module)
    return lines, loaded - begin, found_in


def main(folder: Path, way: str) -> int:
    """Loads all files; returns 1 if one of them is not loaded."""
    if way == "eager":
        os.environ["CUDA_MODULE_LOADING"] = "EAGER"
    os.environ["CUDA_CACHE_DISABLE"] = "1"
    try:
        driver = Driver()
        if way == "probe":
            print("the driver's library is there")
            return 0
        major, minor = driver.start()
    except DriverError as error:
        print(error)
        return 0 if way == "probe" else 1
    failed, all_lines, total = 0, [], 0.0
    files = sorted(folder.glob("*.ptx"), key=lambda path: path.stat().st_size)
    for ptx in files:
        kernels = re.findall(r"^\.visible \.entry (\w+)\(", ptx.read_text(), re.MULTILINE)
        path = ptx if way == "jit" else folder / f"{ptx.stem}.sm_{major}0.fatbin"
        try:
            lines, took, found = load(driver, path.read_bytes() + b"\0", kernels)
            total += took + found
            print(
                f"{path.name}: {1e3 * took:.1f} ms, and {1e3 * found:.1f} ms to find {len(kernels)} kernels", flush=True
            )
            all_lines += lines
        except (DriverError, OSError) as error:
            failed += 1
            print(f"{path.name}: error: {error}", flush=True)
    try:
        driver.end()
    except DriverError as error:
        failed += 1
        print(f"error: {error}", flush=True)
    print(f"{len(files)} files, {failed} not loaded, {total:.2f} s, device {major}.{minor}", flush=True)
    if way != "eager":
        print("\n".join(all_lines))
    return 1 if failed > 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
