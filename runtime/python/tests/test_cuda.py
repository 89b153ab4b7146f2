"""Tests of errors without a device, and with the driver of ogc-cuda's tests, which fails on request. `on_device` tests the results of kernels."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

FAKE = ROOT / "runtime" / "cuda" / "tests" / "fake" / "cuda.c"

OPEN = """
import ogc.cuda
try:
    print(ogc.cuda.Device(0))
except ogc.cuda.DeviceError as error:
    print(error)
"""

MASK = """
import ctypes
import ogc.cuda

class Array:
    def __init__(self, numbers, typestr, shape):
        self.numbers = numbers
        data = (ctypes.addressof(numbers), False)
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": data, "version": 3}

def masked():
    logits, masks = (ctypes.c_float * 6)(*range(6)), (ctypes.c_int32 * 2)(0b101, 0b010)
    device = ogc.cuda.Device(0)
    try:
        device.mask_logits(Array(logits, "<f4", (2, 3)), Array(masks, "<i4", (2, 1)))
    except ogc.cuda.DeviceError as error:
        return error
    return list(logits)

print(masked())
"""

SLOTS = """
import ogc.cuda

def made():
    vocabulary = ogc.Vocabulary.of_tokens([(0, b"a")], special={"</s>": 1}, end_tokens=[1])
    try:
        return len(ogc.cuda.Slots(ogc.cuda.Device(0), vocabulary, 4))
    except ogc.cuda.DeviceError as error:
        return error

print(made())
"""


def said(program: str, behaviour: str | None, folder: Path) -> str:
    """The output of a program with a driver that behaves in some way, or without a driver."""
    environment = {name: value for name, value in os.environ.items() if name != "OGC_FAKE_DRIVER"}
    if behaviour is not None:
        compiler = shutil.which("cc")
        if compiler is None or sys.platform != "linux":
            pytest.skip("no C compiler `cc`, or no Linux")
        library = folder / "libcuda.so.1"
        subprocess.run([compiler, "-std=gnu11", "-shared", "-fPIC", "-o", library, FAKE], check=True)
        environment |= {"LD_LIBRARY_PATH": str(folder), "OGC_FAKE_DRIVER": behaviour}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("Works", "<Device 0: a fake device, compute capability 9.5>"),
        ("NoDevice", "the CUDA driver finds no device"),
        ("TooOldDriver", "the driver supports CUDA 11.8, the kernels need 12.0: update the driver"),
        ("OldDevice", "7.5"),
        ("RefusesKernels", "CUDA_ERROR_INVALID_PTX"),
    ],
)
def test_a_device_is_opened_or_the_reason_is_told(behaviour: str, words: str, tmp_path: Path) -> None:
    assert words in said(OPEN, behaviour, tmp_path)


def test_without_a_driver_the_reason_is_told(tmp_path: Path) -> None:
    if ctypes.util.find_library("cuda"):
        pytest.skip("there is a driver")
    assert said(OPEN, None, tmp_path) == "no CUDA driver was found: libcuda is not where the system looks for libraries\n"


def test_what_a_driver_refuses_is_an_error_of_the_device(tmp_path: Path) -> None:
    assert said(MASK, "Works", tmp_path) == "[0.0, -inf, 2.0, -inf, 4.0, -inf]\n"
    assert "cuLaunchKernel failed" in said(MASK, "RefusesLaunches", tmp_path)
    assert "CUDA_ERROR_OUT_OF_MEMORY" in said(SLOTS, "LittleMemory", tmp_path)
    assert said(SLOTS, "Works", tmp_path) == "4\n"
