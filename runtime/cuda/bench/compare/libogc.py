"""The C interface of ogc, as far as it is used here: `ogc.h` through `ctypes`. It needs the standard library alone."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_bool, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from pathlib import Path


class Language(IntEnum):
    """Languages of sources."""

    JSON_SCHEMA = 1


class SpaceCode(IntEnum):
    """White space of sources."""

    ANY = 0
    SPACED = 2


class LogitFormat(IntEnum):
    """What logits are."""

    F32 = 0
    F16 = 1
    BF16 = 2


class AllowedTokens(IntEnum):
    """What says which tokens of a row are allowed."""

    ALL = 0
    SLOT = 2


class SlotOutcome(IntEnum):
    """What became of a slot, in the lowest 8 bits of an outcome."""

    NONE = 0
    ACCEPTED = 1
    ENDED = 2
    REFUSED = 3
    HOST = 4


class Source(Structure):
    """`ogc_source`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("language", c_uint32),
        ("text", c_char_p),
        ("text_len", c_size_t),
        ("name", c_char_p),
        ("name_len", c_size_t),
        ("definition", c_char_p),
        ("definition_len", c_size_t),
        ("space", c_uint32),
        ("order", c_uint32),
        ("escapes", c_uint32),
    ]


class Options(Structure):
    """`ogc_options`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("max_tokens", c_uint32),
        ("rollback_window", c_size_t),
        ("stop_tokens", POINTER(c_uint32)),
        ("stop_tokens_len", c_size_t),
    ]


class Rows(Structure):
    """`ogc_rows`."""

    _fields_ = [("words", c_void_p), ("stride", c_size_t), ("count", c_size_t)]


class Facts(Structure):
    """`ogc_device_facts`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("name", c_char_p),
        ("kernels", c_char_p),
        ("capability_major", c_uint32),
        ("capability_minor", c_uint32),
        ("driver_major", c_uint32),
        ("driver_minor", c_uint32),
    ]


class Masking(Structure):
    """`ogc_masking`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("logits", c_uint64),
        ("logits_len", c_uint64),
        ("logits_stride", c_uint64),
        ("format", c_uint32),
        ("rows", c_uint32),
        ("width", c_uint32),
        ("vocabulary", c_uint32),
        ("masks", c_uint64),
        ("masks_len", c_uint64),
        ("mask_stride", c_uint64),
        ("row_map", c_uint64),
        ("row_map_len", c_uint64),
    ]


class SlotLimits(Structure):
    """`ogc_slot_limits`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("slots", c_uint32),
        ("formats", c_uint32),
        ("format_bytes", c_uint64),
        ("pool_rows", c_uint32),
        ("pool_blocks", c_uint32),
        ("logits", c_uint32),
        ("draft_tokens", c_uint32),
    ]


class SlotLists(Structure):
    """`ogc_slot_lists`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("slots", c_uint64),
        ("numbers", c_uint64),
        ("outcomes", c_uint64),
        ("count", c_uint32),
    ]


class Row(Structure):
    """`ogc_row`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("seed", c_uint64),
        ("request", c_uint64),
        ("position", c_uint64),
        ("is_sampled", c_uint32),
        ("temperature", c_float),
        ("allowed", c_uint32),
        ("allowed_number", c_uint32),
        ("slot", c_int32),
        ("repetition_penalty", c_float),
        ("presence_penalty", c_float),
        ("frequency_penalty", c_float),
        ("written", c_uint64),
        ("biases", c_uint64),
        ("written_len", c_uint32),
        ("biases_len", c_uint32),
        ("top_k", c_uint32),
        ("top_p", c_float),
        ("min_p", c_float),
        ("tells_probability", c_uint32),
    ]


class Logits(Structure):
    """`ogc_logits`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("address", c_uint64),
        ("len", c_uint64),
        ("stride", c_uint64),
        ("format", c_uint32),
        ("rows", c_uint32),
        ("width", c_uint32),
    ]


class SlotAddresses(Structure):
    """`ogc_slot_addresses`."""

    _fields_ = [
        ("struct_size", c_size_t),
        ("sampled", c_uint64),
        ("outcomes", c_uint64),
        ("next_tokens", c_uint64),
        ("probabilities", c_uint64),
        ("masks", c_uint64),
        ("masks_len", c_uint64),
        ("mask_stride", c_uint64),
    ]


# The names of the records in C.
RECORDS: dict[str, type[Structure]] = {
    "ogc_source": Source,
    "ogc_options": Options,
    "ogc_rows": Rows,
    "ogc_device_facts": Facts,
    "ogc_masking": Masking,
    "ogc_slot_limits": SlotLimits,
    "ogc_slot_lists": SlotLists,
    "ogc_row": Row,
    "ogc_logits": Logits,
    "ogc_slot_addresses": SlotAddresses,
}

# The names of the constants in C.
CONSTANTS: dict[str, IntEnum] = {
    "OGC_LANGUAGE_JSON_SCHEMA": Language.JSON_SCHEMA,
    "OGC_SPACE_ANY": SpaceCode.ANY,
    "OGC_SPACE_SPACED": SpaceCode.SPACED,
    "OGC_LOGIT_FORMAT_F32": LogitFormat.F32,
    "OGC_LOGIT_FORMAT_F16": LogitFormat.F16,
    "OGC_LOGIT_FORMAT_BF16": LogitFormat.BF16,
    "OGC_ALLOWED_TOKENS_ALL": AllowedTokens.ALL,
    "OGC_ALLOWED_TOKENS_SLOT": AllowedTokens.SLOT,
    "OGC_SLOT_OUTCOME_NONE": SlotOutcome.NONE,
    "OGC_SLOT_OUTCOME_ACCEPTED": SlotOutcome.ACCEPTED,
    "OGC_SLOT_OUTCOME_ENDED": SlotOutcome.ENDED,
    "OGC_SLOT_OUTCOME_REFUSED": SlotOutcome.REFUSED,
    "OGC_SLOT_OUTCOME_HOST": SlotOutcome.HOST,
}

# The arguments of the functions that return a status.
FUNCTIONS: dict[str, list[type]] = {
    "ogc_vocabulary_from_tokenizer_json": [c_char_p, c_size_t, POINTER(c_void_p)],
    "ogc_format_compile": [POINTER(Source), POINTER(c_void_p)],
    "ogc_format_load": [c_char_p, c_size_t, POINTER(c_void_p)],
    "ogc_matcher_new": [c_void_p, c_void_p, POINTER(Options), POINTER(c_void_p)],
    "ogc_accept_tokens": [POINTER(c_void_p), POINTER(c_uint32), POINTER(c_int32), c_size_t],
    "ogc_matcher_reset": [c_void_p],
    "ogc_fill_masks": [POINTER(c_void_p), c_size_t, Rows, c_size_t],
    "ogc_device_open": [c_uint32, POINTER(c_void_p)],
    "ogc_device_info": [c_void_p, POINTER(Facts)],
    "ogc_device_apply": [c_void_p, c_void_p, POINTER(Masking)],
    "ogc_slots_new": [c_void_p, c_void_p, POINTER(SlotLimits), POINTER(c_void_p)],
    "ogc_slots_add_format": [c_void_p, c_void_p, POINTER(c_uint32)],
    "ogc_slots_begin": [c_void_p, c_void_p, POINTER(SlotLists)],
    "ogc_slots_advance": [c_void_p, c_void_p, POINTER(SlotLists)],
    "ogc_slots_set_rows": [c_void_p, POINTER(Row), c_size_t],
    "ogc_slots_step": [c_void_p, c_void_p, POINTER(Logits)],
    "ogc_slots_addresses": [c_void_p, POINTER(SlotAddresses)],
}

FREES = ("ogc_vocabulary_free", "ogc_format_free", "ogc_matcher_free", "ogc_device_free", "ogc_slots_free")


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
    facts = Facts(ctypes.sizeof(Facts))
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
