# Generated from runtime/capi/include/ogc.h by the tests of ogc-capi, with OGC_BLESS=1; do not edit.
"""The records, constants and functions of the C interface, in `ctypes`."""

from __future__ import annotations

from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_float,
    c_int32,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from enum import IntEnum


class Status(IntEnum):
    """What came of a call."""

    # It was done.
    OK = 0
    # The format does not allow the token or the text; nothing has changed.
    NOT_ALLOWED = 1
    # The text has ended.
    ENDED = 2
    # No completion fits into the budget; nothing has changed.
    BUDGET = 3
    # Fewer tokens were accepted, or are remembered, than should be taken back; nothing has changed.
    ROLLBACK = 4
    # The format is so ambiguous here that it takes too much memory or time, or the system has no more of them.
    LIMIT = 5
    # An argument is null, or a size does not fit.
    ARGUMENT = 6
    # The bytes are no vocabulary, no artifact or no saved state, or what is given does not fit together.
    DATA = 7
    # A defect of this library. The objects of the call must only be freed.
    DEFECT = 8
    # A function of another library is not there.
    NO_LIBRARY = 9
    # The source text of a format has errors.
    SOURCE = 10
    # There is no device, or its driver refused a call.
    DEVICE = 11


class Tokens(IntEnum):
    """The policy of a format for tokens."""

    # The format does not say which tokens write its texts.
    UNSAID = 0
    # Canonical tokens, those that the model's tokenizer writes (`tokens = "canonical"`).
    CANONICAL = 1
    # Any tokens of the same bytes (`tokens = "any"`).
    ANY = 2


class TokenKind(IntEnum):
    """What a token is."""

    # No token has this id.
    NONE = 0
    # A token of text, which may have a name too.
    TEXT = 1
    # A special token, known by its name alone.
    SPECIAL = 2


class Language(IntEnum):
    """A language of formats."""

    # ogc's own.
    OGC = 0
    # JSON Schema, drafts 4 to 2020-12.
    JSON_SCHEMA = 1
    # The grammars of llama.cpp.
    GBNF = 2
    # EBNF of the W3C or of ISO 14977, or GBNF under that name: the content tells.
    EBNF = 3
    # The grammars of Lark.
    LARK = 4
    # One regular expression of ECMA-262, for the whole text.
    REGEX = 5
    # ABNF, the notation of RFC 5234 and 7405.
    ABNF = 6


class Space(IntEnum):
    """White space between the parts of a JSON text."""

    # What JSON allows, in runs of at most 32.
    ANY = 0
    # None.
    COMPACT = 1
    # One space behind each comma and colon.
    SPACED = 2


class KeyOrder(IntEnum):
    """The order of the keys of an object."""

    # As the schema declares them.
    DECLARED = 0
    # Any.
    ANY = 1


class Escapes(IntEnum):
    """Escapes in strings."""

    # Each character in one way: as it is, where JSON allows it. So that keys and constants have one spelling, which is
    # forced.
    CANONICAL = 0
    # All that JSON allows: for texts of others.
    ANY = 1


class EventKind(IntEnum):
    """What became certain of a text."""

    # Nothing: all events were taken.
    NONE = 0
    # More text outside of values: `text` has it.
    TEXT_GROWS = 1
    # A token that the format asks for by name, outside of values: `text` has its name.
    TOKEN = 2
    # A capture begins, whose name is in `text`.
    CAPTURE_BEGINS = 3
    # The capture ends that began last.
    CAPTURE_ENDS = 4
    # A call of a tool begins, whose name is in `text`.
    CALL_BEGINS = 5
    # The call ends that began last.
    CALL_ENDS = 6
    # A JSON value begins, one by itself or one inside of another.
    VALUE_BEGINS = 7
    # The key of a member is known; its value, whose place is `path`, follows.
    FIELD_BEGINS = 8
    # A string that is a value grows: `text` has the characters that were added, without escapes.
    STRING_GROWS = 9
    # A JSON value is complete: `text` has a number as it is written, `true`, `false` or `null`; it is empty for others.
    VALUE_COMPLETE = 10
    # The text is complete and has ended.
    ENDED = 11


class ValueKind(IntEnum):
    """What a JSON value is."""

    # The event is not of one that begins or is complete.
    NONE = 0
    # An object.
    OBJECT = 1
    # An array.
    ARRAY = 2
    # A string.
    STRING = 3
    # A number.
    NUMBER = 4
    # `true` or `false`.
    BOOL = 5
    # `null`.
    NULL = 6


class LogitFormat(IntEnum):
    """The number format of logits."""

    # IEEE binary32.
    F32 = 0
    # IEEE binary16.
    F16 = 1
    # bfloat16.
    BF16 = 2


class SlotOutcome(IntEnum):
    """What became of a slot."""

    # It was told nothing, or was never begun.
    NONE = 0
    # The token was accepted, or the tokens were taken back.
    ACCEPTED = 1
    # The token ended the text.
    ENDED = 2
    # The token is not allowed, or there are not as many tokens to take back: the slot is as it was.
    REFUSED = 3
    # A matcher has to go on from before the token: the device takes no more of them.
    HOST = 4


class SlotStatus(IntEnum):
    """Who steps a slot."""

    # Nobody: it was never begun.
    FREE = 0
    # The device.
    DEVICE = 1
    # A matcher has to, as the device could not go on, or does not find the mask of the next token.
    HOST = 2


class DraftEnd(IntEnum):
    """What a text does behind the tokens that were verified."""

    # There is no slot, or it was never begun.
    NOTHING = 0
    # It goes on.
    GOES_ON = 1
    # Its last token ended it.
    ENDED = 2
    # Nothing can follow it but an end.
    COMPLETE = 3
    # No token that is allowed has a logit.
    NO_TOKEN = 4
    # The token that was sampled behind them is not allowed: it was sampled without the mask.
    REFUSED = 5
    # A matcher has to go on from where the slot stands: with the last token, if the slot has not moved by it.
    HOST = 6


class AllowedTokens(IntEnum):
    """What says which tokens of a row are allowed."""

    # All of the vocabulary.
    ALL = 0
    # A row of the bits that `ogc_slots_fill` writes to the slots' own masks, or `ogc_slots_write_mask`.
    BITS = 1
    # The mask of a slot.
    SLOT = 2
    # The mask of a row of drafts, which `ogc_slots_draft` finds: row `j` of draft `i` has number `i * (1 + most) + j`.
    DRAFT = 3


class Token(Structure):
    """A token, as the source of a vocabulary gives it.

    What it points to is copied before the source is asked again.
    """

    _fields_ = [
        # An `ogc_token_kind`.
        ("kind", c_uint32),
        # The bytes of its text; not for special tokens.
        ("text", c_char_p),
        # How many there are.
        ("text_len", c_size_t),
        # Its name in UTF-8, such as `<|im_end|>`; null for tokens of text without a name.
        ("name", c_char_p),
        # The bytes of the name.
        ("name_len", c_size_t),
    ]


class VocabularySource(Structure):
    """The tokens of a model."""

    _fields_ = [
        # `sizeof(ogc_vocabulary_source)`.
        ("struct_size", c_size_t),
        # The number of ids, from 0 on: the length of the model's logits, or less.
        ("tokens", c_uint32),
        # Writes a token, which is of the kind `OGC_TOKEN_KIND_NONE` before.
        ("token", c_void_p),
        # Is given to `token`.
        ("user", c_void_p),
        # The tokens that end a sequence, which are special; null to guess them by well-known names.
        ("end_tokens", POINTER(c_uint32)),
        # How many there are; 0 for null.
        ("end_tokens_len", c_size_t),
    ]


class Resource(Structure):
    """A text that a source imports, or a schema to which it refers."""

    _fields_ = [
        # The name that the source calls it, in UTF-8: a path relative to the source's name, or the URI of a schema.
        ("name", c_char_p),
        # Its bytes.
        ("name_len", c_size_t),
        # The text, in UTF-8.
        ("text", c_char_p),
        # Its bytes.
        ("text_len", c_size_t),
    ]


class Source(Structure):
    """The source text of a format.

    Fields that are zero have no effect.
    """

    _fields_ = [
        # `sizeof(ogc_source)`.
        ("struct_size", c_size_t),
        # An `ogc_language`.
        ("language", c_uint32),
        # The text, in UTF-8.
        ("text", c_char_p),
        # Its bytes.
        ("text_len", c_size_t),
        # The name that messages call it, in UTF-8; null for none.
        ("name", c_char_p),
        # Its bytes.
        ("name_len", c_size_t),
        # The definition that is compiled: of an `.ogc` text an output, or a type or rule without parameters; of a
        # schema one of its definitions; of a grammar the start rule. Null for the only output, the whole schema, or the
        # start rule that the notation says.
        ("definition", c_char_p),
        # Its bytes.
        ("definition_len", c_size_t),
        # An `ogc_space`, for JSON Schema alone.
        ("space", c_uint32),
        # An `ogc_key_order`, for JSON Schema alone.
        ("order", c_uint32),
        # An `ogc_escapes`, for JSON Schema alone.
        ("escapes", c_uint32),
        # An `ogc_numbers`, for JSON Schema alone.
        ("numbers", c_uint32),
        # An `ogc_formats`, for JSON Schema alone.
        ("formats", c_uint32),
        # An `ogc_objects`, for JSON Schema alone.
        ("objects", c_uint32),
        # Names of keywords of JSON Schema that are read as annotations, separated by commas; null for none. Values that
        # break them are of the format, and `ogc_format_warnings` names each that is met.
        ("annotate", c_char_p),
        # Its bytes.
        ("annotate_len", c_size_t),
        # Texts that it imports, and schemas to which it refers; null for none. Nothing is fetched, and no file is read.
        ("resources", POINTER(Resource)),
        # Their number.
        ("resources_len", c_size_t),
        # The vocabulary whose special tokens the texts of a structural tag name; null to read them as characters. For
        # structural tags alone, which are of the language `OGC_LANGUAGE_JSON_SCHEMA`.
        ("vocabulary", c_void_p),
    ]


class Options(Structure):
    """Options of a matcher."""

    _fields_ = [
        # `sizeof(ogc_options)`.
        ("struct_size", c_size_t),
        # The most tokens that may be written, stop tokens not counted; 0 for any number. The text is never cut off:
        # tokens after which it could not be completed are withheld.
        ("max_tokens", c_uint32),
        # The number of tokens that can be taken back at least; 0 for all. A small number bounds the memory of long
        # texts.
        ("rollback_window", c_size_t),
        # The tokens that end the text instead of the vocabulary's; null for the vocabulary's.
        ("stop_tokens", POINTER(c_uint32)),
        # How many there are; 0 for null.
        ("stop_tokens_len", c_size_t),
        # The canonical tokens (`ogc_canonical_new`, `ogc_llama_canonical`) with which what the format determines is
        # written, as `ogc_matcher_set_canonical` says, unless the format's own policy is `tokens = "any"`; null for any
        # tokens.
        ("canonical", c_void_p),
    ]


class Event(Structure):
    """Something that became certain of a text.

    Texts are UTF-8 without a zero at the end; those that an event does not have are empty.
    """

    _fields_ = [
        # `sizeof(ogc_event)`.
        ("struct_size", c_size_t),
        # An `ogc_event_kind`.
        ("kind", c_uint32),
        # An `ogc_value_kind`, where a value begins or is complete.
        ("value", c_uint32),
        # The first byte of the text that it is about, counted from 0; where the text grows, 0.
        ("start", c_size_t),
        # The byte behind the last, where something ends; else the same as `start`.
        ("end", c_size_t),
        # The place of a value in the outermost value around it, as a JSON pointer (RFC 6901); empty for the outermost.
        ("path", c_char_p),
        # The bytes of the path.
        ("path_len", c_size_t),
        # What the kind says.
        ("text", c_char_p),
        # The bytes of the text.
        ("text_len", c_size_t),
    ]


class Tokenizer(Structure):
    """A tokenizer."""

    _fields_ = [
        # `sizeof(ogc_tokenizer)`.
        ("struct_size", c_size_t),
        # Writes the tokens that the model's tokenizer makes of a text that goes on, at most `room` of them, which is as
        # many as the text has bytes, and returns their number; 0 if it cannot.
        ("encode", c_void_p),
        # Is given to `encode`.
        ("user", c_void_p),
    ]


class Rows(Structure):
    """A buffer of masks: `count` rows, of which row `r` begins at word `r * stride`; token `t` is bit `t % 32` of
    word `t / 32` of a row.

    Every word of a row is overwritten; those beyond the vocabulary are cleared.
    """

    _fields_ = [
        # The words.
        ("words", c_void_p),
        # The words of a row.
        ("stride", c_size_t),
        # The number of rows.
        ("count", c_size_t),
    ]


class HostLogits(Structure):
    """Logits in memory of the host: `count` rows, of which row `r` begins at number `r * stride`."""

    _fields_ = [
        # `sizeof(ogc_host_logits)`.
        ("struct_size", c_size_t),
        # The numbers.
        ("numbers", c_void_p),
        # The numbers of a row. Those beyond the vocabulary are never allowed.
        ("width", c_size_t),
        # The numbers from the beginning of a row to that of the next: `width` or more.
        ("stride", c_size_t),
        # The number of rows.
        ("count", c_size_t),
        # An `ogc_logit_format`.
        ("format", c_uint32),
        # The value of logits that are not allowed, rounded to the format; `-INFINITY` usually.
        ("fill", c_float),
    ]


class DeviceFacts(Structure):
    """The name of a device, its abilities, and the kernels that were loaded on it."""

    _fields_ = [
        # `sizeof(ogc_device_facts)`.
        ("struct_size", c_size_t),
        # Its name, which lives as long as the device.
        ("name", c_char_p),
        # What was loaded on it, in words: code, or PTX that the driver compiled. It lives as long as the device.
        ("kernels", c_char_p),
        # Its compute capability, the part before the point.
        ("capability_major", c_uint32),
        # The part after it.
        ("capability_minor", c_uint32),
        # The version of CUDA that the driver supports, the part before the point.
        ("driver_major", c_uint32),
        # The part after it.
        ("driver_minor", c_uint32),
    ]


class Masking(Structure):
    """Logits and what masks them, by addresses in device memory.

    Row `r` of the logits begins at number `r * logits_stride`, row `m` of the masks at word `m * mask_stride`; token
    `t` is allowed if bit `t % 32` of word `t / 32` of its mask is set, as `ogc_fill_masks` writes them.
    """

    _fields_ = [
        # `sizeof(ogc_masking)`.
        ("struct_size", c_size_t),
        # Where the first logit lies, a multiple of its bytes.
        ("logits", c_uint64),
        # The number of logits in that memory, from there on.
        ("logits_len", c_uint64),
        # The number of logits from the beginning of a row to that of the next.
        ("logits_stride", c_uint64),
        # An `ogc_logit_format`.
        ("format", c_uint32),
        # The number of rows that are masked.
        ("rows", c_uint32),
        # The number of logits of a row; those beyond the vocabulary are never allowed.
        ("width", c_uint32),
        # The number of tokens, for each of which a mask has a bit.
        ("vocabulary", c_uint32),
        # Where the first word of the masks lies, a multiple of 4.
        ("masks", c_uint64),
        # The number of words of 32 bits in that memory, from there on.
        ("masks_len", c_uint64),
        # The number of words from the beginning of a row to that of the next.
        ("mask_stride", c_uint64),
        # Where the row map lies, a multiple of 4: the number of a mask row, of 32 bits with a sign, for each row of
        # logits; a row whose number is negative is not masked. 0 if row `r` is masked by mask row `r`.
        ("row_map", c_uint64),
        # The number of entries of the row map.
        ("row_map_len", c_uint64),
    ]


class SlotLimits(Structure):
    """How much there is room for; all of it is reserved at once."""

    _fields_ = [
        # `sizeof(ogc_slot_limits)`.
        ("struct_size", c_size_t),
        # The most sequences at a time.
        ("slots", c_uint32),
        # The most formats at a time.
        ("formats", c_uint32),
        # The bytes that the tables of all formats take.
        ("format_bytes", c_uint64),
        # The most rows of masks, which formats share: 40,000 are many.
        ("pool_rows", c_uint32),
        # The most blocks of 64 bytes that their contents take: 2^20 are 64 MB.
        ("pool_blocks", c_uint32),
        # The most logits of a row that is sampled, those beyond the vocabulary included.
        ("logits", c_uint32),
        # The most tokens of a draft, at most 15: there is room for `slots * (1 + draft_tokens)` rows.
        ("draft_tokens", c_uint32),
    ]


class SlotLists(Structure):
    """Lists in device memory, with `count` entries of 32 bits each: entry `i` of each is of the same slot."""

    _fields_ = [
        # `sizeof(ogc_slot_lists)`.
        ("struct_size", c_size_t),
        # The address of the numbers of slots, none twice; 0 if entry `i` is slot `i`.
        ("slots", c_uint64),
        # The address of what each slot is told.
        ("numbers", c_uint64),
        # The address at which it is written what became of each slot: an `ogc_slot_outcome` in the lowest 8 bits, and
        # above them for `OGC_SLOT_OUTCOME_HOST` why: 1 too many readings, 2 frames, 3 sets of keys, 4 too much work, 5
        # too many keys, 0 as the host stepped it before.
        ("outcomes", c_uint64),
        # How many entries there are.
        ("count", c_uint32),
    ]


class Row(Structure):
    """How the token of a row of logits is chosen, and which slot is moved by it.

    Zeros are a row whose token is not chosen.
    """

    _fields_ = [
        # `sizeof(ogc_row)`.
        ("struct_size", c_size_t),
        # The seed of the draws, and what tells them from those of others with the same seed.
        ("seed", c_uint64),
        # See `seed`.
        ("request", c_uint64),
        # The position of the token in the output; it grows by one on the device with each token that is chosen.
        ("position", c_uint64),
        # Whether a token is chosen; not if it is 0.
        ("is_sampled", c_uint32),
        # The temperature; 0 takes the highest logit.
        ("temperature", c_float),
        # An `ogc_allowed_tokens`.
        ("allowed", c_uint32),
        # The number of the row of bits, of the slot, or of the row of drafts.
        ("allowed_number", c_uint32),
        # The slot that is moved by the token; below 0 none.
        ("slot", c_int32),
        # The divisor of positive logits, and factor of negative ones, of tokens that were written; 1 or 0 is none.
        ("repetition_penalty", c_float),
        # What is taken from logits of tokens that were written.
        ("presence_penalty", c_float),
        # What is taken for each time that a token was written.
        ("frequency_penalty", c_float),
        # The address of the tokens that were written, ascending, each of 32 bits with how often, of 32 bits; 0 for
        # none.
        ("written", c_uint64),
        # The address of tokens, ascending, each of 32 bits with the number of binary32 that is added to its logit; 0
        # for none.
        ("biases", c_uint64),
        # How many tokens were written.
        ("written_len", c_uint32),
        # How many biases there are.
        ("biases_len", c_uint32),
        # How many of the likeliest tokens are drawn from; 0 is all. This and the next two change draws only, in their
        # order.
        ("top_k", c_uint32),
        # The share that the likeliest tokens, which are drawn from, have together; 1 or 0 is all.
        ("top_p", c_float),
        # How likely tokens are at least, relative to the likeliest; 0 is all.
        ("min_p", c_float),
        # Whether the probability of the token is told, as the model gives it: before biases, penalties and masks; not
        # if it is 0.
        ("tells_probability", c_uint32),
    ]


class Logits(Structure):
    """Logits in device memory: row `r` begins at number `r * stride`."""

    _fields_ = [
        # `sizeof(ogc_logits)`.
        ("struct_size", c_size_t),
        # Where the first logit lies, a multiple of its bytes.
        ("address", c_uint64),
        # How many logits there are from there on.
        ("len", c_uint64),
        # How many numbers after a row's beginning the next one begins.
        ("stride", c_uint64),
        # An `ogc_logit_format`.
        ("format", c_uint32),
        # How many rows there are.
        ("rows", c_uint32),
        # How many logits a row has.
        ("width", c_uint32),
    ]


class SlotAddresses(Structure):
    """Where in device memory lies what `ogc_slots_step` says of rows, entry `i` of row `i`, and the slots' own
    masks."""

    _fields_ = [
        # `sizeof(ogc_slot_addresses)`.
        ("struct_size", c_size_t),
        # 8 bytes for each row: 0 no token was asked for, 1 one was chosen, 2 no token is allowed, 3 the host steps the
        # slot; then the token, 4 bytes.
        ("sampled", c_uint64),
        # 4 bytes for each row: what became of the token in its slot, as `ogc_slot_lists` has it.
        ("outcomes", c_uint64),
        # 4 bytes for each row: the token that was chosen, or the one before if none was.
        ("next_tokens", c_uint64),
        # 4 bytes for each row: the natural logarithm of the token's probability, binary32, where it is told.
        ("probabilities", c_uint64),
        # Masks as bits, a row for each slot that there is room for.
        ("masks", c_uint64),
        # How many words of 32 bits there are.
        ("masks_len", c_uint64),
        # How many words after a row's beginning the next one begins.
        ("mask_stride", c_uint64),
    ]


class SlotRuns(Structure):
    """Runs of tokens in device memory, with `count` entries: entry `i` of each list is of the same slot."""

    _fields_ = [
        # `sizeof(ogc_slot_runs)`.
        ("struct_size", c_size_t),
        # The address of the numbers of slots, of 32 bits with a sign, below 0 none, none twice; 0 if entry `i` is slot
        # `i`.
        ("slots", c_uint64),
        # The address of `most` tokens for each, of 32 bits with a sign; one below 0 ends a run before.
        ("tokens", c_uint64),
        # The address at which it is written what became of each, 8 bytes: of the last token that was tried, as
        # `ogc_slot_lists` has it, and how many were accepted, 4 bytes each.
        ("moved", c_uint64),
        # How many entries there are.
        ("count", c_uint32),
        # The most tokens of a run.
        ("most", c_uint32),
    ]


class SlotDrafts(Structure):
    """Tokens that are guessed for slots, in device memory, with `count` entries: entry `i` of each list is of the
    same slot."""

    _fields_ = [
        # `sizeof(ogc_slot_drafts)`.
        ("struct_size", c_size_t),
        # The address of the numbers of slots, of 32 bits with a sign, below 0 none, none twice; 0 if entry `i` is slot
        # `i`.
        ("slots", c_uint64),
        # The address of `most` tokens for each, of 32 bits with a sign; one below 0 ends a draft before.
        ("tokens", c_uint64),
        # The address at which it is written what formats say of each, 8 bytes, as `ogc_slot_runs` has it: how many
        # tokens are allowed.
        ("drafted", c_uint64),
        # The address at which it is written what was verified of each, 12 bytes: an `ogc_draft_end` in the lowest 8
        # bits, and above them for `OGC_DRAFT_END_HOST` why, as `ogc_slot_lists` has it; how many of the sampled tokens,
        # from the first row on, are the text's; and by how many of them the slot has moved: all, or all but the last.
        ("verified", c_uint64),
        # How many entries there are.
        ("count", c_uint32),
        # The places of each draft, at most 15.
        ("most", c_uint32),
    ]


# The records by their names in C.
RECORDS: dict[str, type[Structure]] = {
    "ogc_token": Token,
    "ogc_vocabulary_source": VocabularySource,
    "ogc_resource": Resource,
    "ogc_source": Source,
    "ogc_options": Options,
    "ogc_event": Event,
    "ogc_tokenizer": Tokenizer,
    "ogc_rows": Rows,
    "ogc_host_logits": HostLogits,
    "ogc_device_facts": DeviceFacts,
    "ogc_masking": Masking,
    "ogc_slot_limits": SlotLimits,
    "ogc_slot_lists": SlotLists,
    "ogc_row": Row,
    "ogc_logits": Logits,
    "ogc_slot_addresses": SlotAddresses,
    "ogc_slot_runs": SlotRuns,
    "ogc_slot_drafts": SlotDrafts,
}

# What the names of constants in C begin with.
ENUMS: dict[str, type[IntEnum]] = {
    "OGC_STATUS_": Status,
    "OGC_TOKENS_": Tokens,
    "OGC_TOKEN_KIND_": TokenKind,
    "OGC_LANGUAGE_": Language,
    "OGC_SPACE_": Space,
    "OGC_KEY_ORDER_": KeyOrder,
    "OGC_ESCAPES_": Escapes,
    "OGC_EVENT_KIND_": EventKind,
    "OGC_VALUE_KIND_": ValueKind,
    "OGC_LOGIT_FORMAT_": LogitFormat,
    "OGC_SLOT_OUTCOME_": SlotOutcome,
    "OGC_SLOT_STATUS_": SlotStatus,
    "OGC_DRAFT_END_": DraftEnd,
    "OGC_ALLOWED_TOKENS_": AllowedTokens,
}

# The constants by their names in C.
CONSTANTS = {begin + value.name: value for begin, kind in ENUMS.items() for value in kind}

# The arguments of the functions that return a status.
FUNCTIONS: dict[str, list[type]] = {
    "ogc_vocabulary_from_tokenizer_json": [c_char_p, c_size_t, POINTER(c_void_p)],
    "ogc_vocabulary_from_tokens": [POINTER(VocabularySource), POINTER(c_void_p)],
    "ogc_vocabulary_limit_masks": [c_void_p, c_size_t],
    "ogc_format_load": [c_char_p, c_size_t, POINTER(c_void_p)],
    "ogc_format_build_masks": [c_void_p, c_void_p, c_uint32, POINTER(c_void_p)],
    "ogc_pool_open": [c_char_p, c_size_t, POINTER(c_void_p)],
    "ogc_format_load_with": [c_char_p, c_size_t, c_void_p, POINTER(c_void_p)],
    "ogc_format_compile": [POINTER(Source), POINTER(c_void_p)],
    "ogc_matcher_new": [c_void_p, c_void_p, POINTER(Options), POINTER(c_void_p)],
    "ogc_matcher_fork": [c_void_p, POINTER(c_void_p)],
    "ogc_matcher_accept_token": [c_void_p, c_uint32],
    "ogc_matcher_accept_bytes": [c_void_p, c_char_p, c_size_t],
    "ogc_matcher_rollback": [c_void_p, c_size_t],
    "ogc_matcher_reset": [c_void_p],
    "ogc_matcher_allows": [c_void_p, c_uint32, POINTER(c_bool)],
    "ogc_matcher_set_budget": [c_void_p, c_uint32],
    "ogc_matcher_least_budget": [c_void_p, POINTER(c_uint32)],
    "ogc_matcher_validate": [c_void_p, POINTER(c_uint32), c_size_t, POINTER(c_size_t)],
    "ogc_matcher_warm_up": [c_void_p],
    "ogc_matcher_forced_bytes": [c_void_p, POINTER(c_uint8), c_size_t, POINTER(c_size_t)],
    "ogc_matcher_explain": [c_void_p, c_uint32, POINTER(c_uint8), c_size_t, POINTER(c_size_t)],
    "ogc_matcher_set_canonical": [c_void_p, c_void_p],
    "ogc_matcher_save": [c_void_p, POINTER(c_uint8), c_size_t, POINTER(c_size_t)],
    "ogc_matcher_restore": [c_void_p, c_char_p, c_size_t],
    "ogc_events_new": [c_void_p, c_void_p, POINTER(c_void_p)],
    "ogc_events_fork": [c_void_p, POINTER(c_void_p)],
    "ogc_events_read_token": [c_void_p, c_uint32],
    "ogc_events_read_bytes": [c_void_p, c_char_p, c_size_t],
    "ogc_events_finish": [c_void_p],
    "ogc_events_next": [c_void_p, POINTER(Event)],
    "ogc_matcher_forced_tokens": [c_void_p, POINTER(Tokenizer), POINTER(c_uint32), c_size_t, POINTER(c_size_t)],
    "ogc_canonical_new": [c_void_p, POINTER(Tokenizer), POINTER(c_void_p)],
    "ogc_matcher_fill_mask": [c_void_p, POINTER(c_uint32), c_size_t],
    "ogc_matcher_fill_draft": [c_void_p, POINTER(c_uint32), POINTER(c_int32), c_size_t, Rows, POINTER(c_bool)],
    "ogc_accept_tokens": [POINTER(c_void_p), POINTER(c_uint32), POINTER(c_int32), c_size_t],
    "ogc_fill_masks": [POINTER(c_void_p), c_size_t, Rows, c_size_t],
    "ogc_fill_masks_at": [POINTER(c_void_p), POINTER(c_uint32), c_size_t, Rows, c_size_t],
    "ogc_mask_logits": [Rows, POINTER(c_uint32), HostLogits],
    "ogc_device_open": [c_uint32, POINTER(c_void_p)],
    "ogc_device_info": [c_void_p, POINTER(DeviceFacts)],
    "ogc_device_apply": [c_void_p, c_void_p, POINTER(Masking)],
    "ogc_slots_new": [c_void_p, c_void_p, POINTER(SlotLimits), POINTER(c_void_p)],
    "ogc_slots_add_format": [c_void_p, c_void_p, POINTER(c_uint32)],
    "ogc_slots_remove_format": [c_void_p, c_uint32],
    "ogc_slots_begin": [c_void_p, c_void_p, POINTER(SlotLists)],
    "ogc_slots_advance": [c_void_p, c_void_p, POINTER(SlotLists)],
    "ogc_slots_rollback": [c_void_p, c_void_p, POINTER(SlotLists)],
    "ogc_slots_fill": [c_void_p, c_void_p, POINTER(SlotLists), c_uint64, c_uint64, c_uint64],
    "ogc_slots_place": [c_void_p, c_uint32, c_uint32, c_void_p],
    "ogc_slots_status": [c_void_p, c_uint32, POINTER(c_uint32)],
    "ogc_slots_write_mask": [c_void_p, c_uint32, POINTER(c_uint32), c_size_t],
    "ogc_slots_set_rows": [c_void_p, POINTER(Row), c_size_t],
    "ogc_slots_step": [c_void_p, c_void_p, POINTER(Logits)],
    "ogc_slots_addresses": [c_void_p, POINTER(SlotAddresses)],
    "ogc_slots_run": [c_void_p, c_void_p, POINTER(SlotRuns)],
    "ogc_slots_draft": [c_void_p, c_void_p, POINTER(SlotDrafts)],
    "ogc_slots_verify": [c_void_p, c_void_p, POINTER(SlotDrafts)],
    "ogc_llama_vocabulary": [c_void_p, POINTER(c_void_p)],
    "ogc_llama_canonical": [c_void_p, c_void_p, POINTER(c_void_p)],
    "ogc_llama_sampler": [c_void_p, c_void_p, POINTER(Options), POINTER(c_void_p)],
}

# The functions that free an object.
FREES = (
    "ogc_vocabulary_free",
    "ogc_format_free",
    "ogc_pool_free",
    "ogc_matcher_free",
    "ogc_events_free",
    "ogc_canonical_free",
    "ogc_device_free",
    "ogc_slots_free",
)
