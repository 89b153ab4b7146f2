"""Calls the C interface of ogc, as far as it is used here. It needs the standard library alone."""

from __future__ import annotations

import ctypes
from ctypes import c_bool, c_char_p, c_size_t, c_void_p
from pathlib import Path

from .header import FREES, FUNCTIONS, DeviceFacts


class LibraryError(Exception):
    """A call that failed, or a library that cannot be loaded: what it says."""


class Library:
    """The loaded library; `call` names its functions, and raises what they say."""

    def __init__(self, path: Path) -> None:
        try:
            self.loaded = ctypes.CDLL(str(path))
        except OSError as error:
            raise LibraryError(f"{error}: build it with `cargo build --release -p ogc-capi --features cuda`") from error
        self.loaded.ogc_last_error.restype = c_char_p
        self.loaded.ogc_vocabulary_len.argtypes, self.loaded.ogc_vocabulary_len.restype = [c_void_p], c_size_t
        self.loaded.ogc_matcher_is_ended.argtypes, self.loaded.ogc_matcher_is_ended.restype = [c_void_p], c_bool
        for name in FREES:
            if self.has(name):
                function = getattr(self.loaded, name)
                function.argtypes, function.restype = [c_void_p], None
        for name, arguments in FUNCTIONS.items():
            if self.has(name):
                getattr(self.loaded, name).argtypes = arguments

    def has(self, name: str) -> bool:
        """Returns whether the library has a function."""
        return hasattr(self.loaded, name)

    def call(self, name: str, *arguments: object) -> None:
        """Calls a function that returns a status; raises unless it is good."""
        if not self.has(name):
            raise LibraryError(f"{name}: the library has no such function: build it with `--features cuda`")
        if getattr(self.loaded, name)(*arguments) != 0:
            raise LibraryError(f"{name}: {self.loaded.ogc_last_error().decode(errors='replace')}")

    def make(self, name: str, *arguments: object) -> Handle:
        """Calls a function that makes an object, which the last argument points to."""
        made = c_void_p()
        self.call(name, *arguments, ctypes.byref(made))
        kind = next(free for free in FREES if name.startswith(free.removesuffix("_free")))
        return Handle(self, made, kind)


def device_in_words(library: Library) -> str:
    """Returns what the library says about the first device: its name, the driver, and what was loaded."""
    device = library.make("ogc_device_open", 0)
    facts = DeviceFacts(ctypes.sizeof(DeviceFacts))
    library.call("ogc_device_info", device.pointer, ctypes.byref(facts))
    capability = f"compute capability {facts.capability_major}.{facts.capability_minor}"
    driver = f"CUDA {facts.driver_major}.{facts.driver_minor}"
    return f"{facts.name.decode()}, {capability}, the driver supports {driver}, {facts.kernels.decode()}"


class Handle:
    """An object of the library, freed when nothing refers to it."""

    def __init__(self, library: Library, pointer: c_void_p, free: str) -> None:
        self.pointer = pointer
        self.free = getattr(library.loaded, free)

    def __del__(self) -> None:
        self.free(self.pointer)
