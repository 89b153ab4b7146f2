// ogc.h: token masks of formats, for programs in C and for samplers of llama.cpp.
//
// The life of a program:
//
//   1. A vocabulary, once for a model:      ogc_vocabulary_from_tokenizer_json, ogc_vocabulary_from_tokens, ogc_llama_vocabulary
//   2. A format, once for all its texts:    ogc_format_load (of `ogc build`), ogc_format_load_with (with a pool), ogc_format_compile
//   3. A matcher, once for each sequence:   ogc_matcher_new, with a bound on its tokens in ogc_options
//   4. For each token of the sequence:      ogc_matcher_fill_mask, sample an allowed token, ogc_matcher_accept_token
//   5. Until the matcher has ended:         ogc_matcher_is_ended
//   6. Each object is freed once by its own function, in any order: ogc_matcher_free, ogc_format_free, ogc_vocabulary_free
//
// A mask is an array of 32-bit words: token `t` is allowed if bit `t % 32` of word `t / 32` is set. `ogc_fill_masks` fills the masks of a
// batch on several threads, and `ogc_mask_logits` applies them to logits on the host.
//
//   ogc_vocabulary *vocabulary;
//   ogc_format *format;
//   ogc_matcher *matcher;
//   ogc_options options = {.struct_size = sizeof options, .max_tokens = 200};
//   if (ogc_vocabulary_from_tokenizer_json(json, json_len, &vocabulary) != OGC_STATUS_OK ||
//       ogc_format_load(artifact, artifact_len, &format) != OGC_STATUS_OK ||
//       ogc_matcher_new(format, vocabulary, &options, &matcher) != OGC_STATUS_OK)
//     return fail(ogc_last_error());
//   while (!ogc_matcher_is_ended(matcher)) {
//     ogc_matcher_fill_mask(matcher, words, words_len);
//     ogc_matcher_accept_token(matcher, sample(words));
//   }
//
// Functions return an ogc_status; ogc_last_error returns the message of this thread's last error. Structs that a caller fills begin with their
// size, so that later versions can add fields. A vocabulary and a format may be used by many threads at once, a matcher by one at a time.
//
// Beyond masks: ogc_events_* report values, captures and tool calls while a text grows, ogc_llama_sampler makes a sampler for llama.cpp, and
// ogc_device_* and ogc_slots_* work on NVIDIA devices.


#ifndef OGC_H
#define OGC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The result of a call.
typedef enum ogc_status {
  // The call succeeded.
  OGC_STATUS_OK = 0,
  // The format does not allow the token or the text; nothing has changed.
  OGC_STATUS_NOT_ALLOWED = 1,
  // The text has ended.
  OGC_STATUS_ENDED = 2,
  // No completion fits into the budget; nothing has changed.
  OGC_STATUS_BUDGET = 3,
  // Fewer tokens can be rolled back than asked for: fewer were accepted, or are remembered; nothing has changed.
  OGC_STATUS_ROLLBACK = 4,
  // The format is so ambiguous here that a step takes too much memory or time, or the system has no more of them.
  OGC_STATUS_LIMIT = 5,
  // An argument is null, or a size does not fit.
  OGC_STATUS_ARGUMENT = 6,
  // The bytes are no vocabulary, no artifact or no saved state, or the arguments do not fit together.
  OGC_STATUS_DATA = 7,
  // A defect of this library. After it, the objects of the call must only be freed.
  OGC_STATUS_DEFECT = 8,
  // A function of another library is missing.
  OGC_STATUS_NO_LIBRARY = 9,
  // The source text of a format has errors.
  OGC_STATUS_SOURCE = 10,
  // There is no device, or its driver refused a call.
  OGC_STATUS_DEVICE = 11,
} ogc_status;

// The token policy of a format.
typedef enum ogc_tokens {
  // The format has no policy.
  OGC_TOKENS_UNSAID = 0,
  // Canonical tokens only: those that the model's tokenizer writes (`tokens = "canonical"`).
  OGC_TOKENS_CANONICAL = 1,
  // Any tokens that spell the same bytes (`tokens = "any"`).
  OGC_TOKENS_ANY = 2,
} ogc_tokens;

// The kind of a token.
typedef enum ogc_token_kind {
  // No token has this id.
  OGC_TOKEN_KIND_NONE = 0,
  // A token of text, which may have a name too.
  OGC_TOKEN_KIND_TEXT = 1,
  // A special token, which has a name and no text.
  OGC_TOKEN_KIND_SPECIAL = 2,
} ogc_token_kind;

// A language of formats.
typedef enum ogc_language {
  // ogc's own.
  OGC_LANGUAGE_OGC = 0,
  // JSON Schema, drafts 4 to 2020-12.
  OGC_LANGUAGE_JSON_SCHEMA = 1,
  // The grammars of llama.cpp.
  OGC_LANGUAGE_GBNF = 2,
  // EBNF of the W3C or of ISO 14977, or GBNF in a file of that name; the content decides.
  OGC_LANGUAGE_EBNF = 3,
  // The grammars of Lark.
  OGC_LANGUAGE_LARK = 4,
  // One regular expression of ECMA-262, for the whole text.
  OGC_LANGUAGE_REGEX = 5,
  // ABNF, the notation of RFC 5234 and 7405.
  OGC_LANGUAGE_ABNF = 6,
} ogc_language;

// White space between the parts of a JSON text.
typedef enum ogc_space {
  // Any that JSON allows, in runs of at most 32.
  OGC_SPACE_ANY = 0,
  // None.
  OGC_SPACE_COMPACT = 1,
  // One space after each comma and colon.
  OGC_SPACE_SPACED = 2,
} ogc_space;

// The order of the keys of an object.
typedef enum ogc_key_order {
  // As the schema declares them.
  OGC_KEY_ORDER_DECLARED = 0,
  // Any.
  OGC_KEY_ORDER_ANY = 1,
} ogc_key_order;

// Escapes in strings.
typedef enum ogc_escapes {
  // One spelling for each character: unescaped where JSON allows it. Keys and constants then have one spelling, which is forced.
  OGC_ESCAPES_CANONICAL = 0,
  // Every escape that JSON allows: to check texts of other writers.
  OGC_ESCAPES_ANY = 1,
} ogc_escapes;

// Spellings of numbers.
typedef enum ogc_numbers {
  // With or without an exponent, as printers of numbers write them.
  OGC_NUMBERS_PRINTED = 0,
  // Without exponents.
  OGC_NUMBERS_PLAIN = 1,
} ogc_numbers;

// The words for `null`, `true` and `false`.
typedef enum ogc_words {
  // As in JSON.
  OGC_WORDS_JSON = 0,
  // As in Python: `None`, `True` and `False`. Escapes are then canonical.
  OGC_WORDS_PYTHON = 1,
} ogc_words;

// The effect of the keyword `format`.
typedef enum ogc_formats {
  // Enforces the formats that the schema's draft defines.
  OGC_FORMATS_ASSERT = 0,
  // Enforces the formats of all drafts.
  OGC_FORMATS_ALL = 1,
  // Enforces no formats: the keyword is an annotation.
  OGC_FORMATS_ANNOTATE = 2,
  // As `OGC_FORMATS_ASSERT`, and of dates, times, durations, host names and email addresses only their practical forms.
  OGC_FORMATS_PRACTICAL = 3,
  // As `OGC_FORMATS_ASSERT`; host names have any labels with `xn--` and times any leap seconds, instead of none that cannot be checked.
  OGC_FORMATS_WIDE = 4,
} ogc_formats;

// Members of objects that their schema does not name.
typedef enum ogc_objects {
  // Any, unless the schema forbids them.
  OGC_OBJECTS_OPEN = 0,
  // None, where the schema has `properties` and says nothing of others.
  OGC_OBJECTS_CLOSED = 1,
} ogc_objects;

// The kind of an event: what became certain of a text.
typedef enum ogc_event_kind {
  // No event is left to take.
  OGC_EVENT_KIND_NONE = 0,
  // Text outside of values grew by `text`.
  OGC_EVENT_KIND_TEXT_GROWS = 1,
  // A special token, outside of values, that the format requires; `text` is its name.
  OGC_EVENT_KIND_TOKEN = 2,
  // A capture begins; `text` is its name.
  OGC_EVENT_KIND_CAPTURE_BEGINS = 3,
  // The innermost open capture ends.
  OGC_EVENT_KIND_CAPTURE_ENDS = 4,
  // A tool call begins; `text` is the name of the tool.
  OGC_EVENT_KIND_CALL_BEGINS = 5,
  // The innermost open call ends.
  OGC_EVENT_KIND_CALL_ENDS = 6,
  // A JSON value begins, by itself or inside of another one.
  OGC_EVENT_KIND_VALUE_BEGINS = 7,
  // The key of a member is known; its value follows, at `path`.
  OGC_EVENT_KIND_FIELD_BEGINS = 8,
  // A string value grew by the characters of `text`, unescaped.
  OGC_EVENT_KIND_STRING_GROWS = 9,
  // A JSON value is complete. `text` is a number as written, or `true`, `false` or `null`; empty for strings, arrays and objects.
  OGC_EVENT_KIND_VALUE_COMPLETE = 10,
  // The text is complete and has ended.
  OGC_EVENT_KIND_ENDED = 11,
} ogc_event_kind;

// The type of a JSON value.
typedef enum ogc_value_kind {
  // The event is not about a value that begins or is complete.
  OGC_VALUE_KIND_NONE = 0,
  // An object.
  OGC_VALUE_KIND_OBJECT = 1,
  // An array.
  OGC_VALUE_KIND_ARRAY = 2,
  // A string.
  OGC_VALUE_KIND_STRING = 3,
  // A number.
  OGC_VALUE_KIND_NUMBER = 4,
  // `true` or `false`.
  OGC_VALUE_KIND_BOOL = 5,
  // `null`.
  OGC_VALUE_KIND_NULL = 6,
} ogc_value_kind;

// The number format of logits.
typedef enum ogc_logit_format {
  // IEEE binary32.
  OGC_LOGIT_FORMAT_F32 = 0,
  // IEEE binary16.
  OGC_LOGIT_FORMAT_F16 = 1,
  // bfloat16.
  OGC_LOGIT_FORMAT_BF16 = 2,
} ogc_logit_format;

// The outcome of an operation on a slot.
typedef enum ogc_slot_outcome {
  // Nothing was asked of the slot, or it was never begun.
  OGC_SLOT_OUTCOME_NONE = 0,
  // The token was accepted, or the tokens were rolled back.
  OGC_SLOT_OUTCOME_ACCEPTED = 1,
  // The token ended the text.
  OGC_SLOT_OUTCOME_ENDED = 2,
  // The token is not allowed, or fewer tokens can be rolled back; the slot is unchanged.
  OGC_SLOT_OUTCOME_REFUSED = 3,
  // The slot left the device: a matcher must continue from before the token.
  OGC_SLOT_OUTCOME_HOST = 4,
} ogc_slot_outcome;

// Who steps a slot.
typedef enum ogc_slot_status {
  // Nobody: the slot was never begun.
  OGC_SLOT_STATUS_FREE = 0,
  // The device.
  OGC_SLOT_STATUS_DEVICE = 1,
  // A matcher on the host, as the device could not continue, or cannot find the mask of the next token.
  OGC_SLOT_STATUS_HOST = 2,
} ogc_slot_status;

// Continuation of a text after its verified tokens.
typedef enum ogc_draft_end {
  // There is no slot, or it was never begun.
  OGC_DRAFT_END_NOTHING = 0,
  // It continues.
  OGC_DRAFT_END_GOES_ON = 1,
  // Its last token ended it.
  OGC_DRAFT_END_ENDED = 2,
  // Only its end can follow.
  OGC_DRAFT_END_COMPLETE = 3,
  // No allowed token has a logit.
  OGC_DRAFT_END_NO_TOKEN = 4,
  // The token sampled after them is not allowed, as it was sampled without the mask.
  OGC_DRAFT_END_REFUSED = 5,
  // A matcher must continue from the state of the slot: with the last token, if the slot has not moved by it.
  OGC_DRAFT_END_HOST = 6,
} ogc_draft_end;

// The mask that decides which tokens of a row are allowed.
typedef enum ogc_allowed_tokens {
  // All of the vocabulary.
  OGC_ALLOWED_TOKENS_ALL = 0,
  // A row of the slots' own bit masks, which `ogc_slots_fill` and `ogc_slots_write_mask` write.
  OGC_ALLOWED_TOKENS_BITS = 1,
  // The mask of a slot.
  OGC_ALLOWED_TOKENS_SLOT = 2,
  // The mask of a draft row, which `ogc_slots_draft` finds: row `j` of draft `i` has number `i * (1 + most) + j`.
  OGC_ALLOWED_TOKENS_DRAFT = 3,
} ogc_allowed_tokens;

// A sampler of llama.cpp, as `llama.h` declares it.
typedef struct llama_sampler llama_sampler;

// A vocabulary of llama.cpp, as `llama.h` declares it.
typedef struct llama_vocab llama_vocab;

// The canonical tokens of a tokenizer, shared by all matchers of a vocabulary; results are cached.
typedef struct ogc_canonical ogc_canonical;

// An NVIDIA device with the kernels loaded. It shares the context that other libraries use on the device (the primary one).
//
// Any number of threads may use it at once; whichever context a thread has is current again after each call.
typedef struct ogc_device ogc_device;

// A reader of one growing text, with the events not yet taken.
typedef struct ogc_events ogc_events;

// A compiled format, with its masks if the artifact has them.
typedef struct ogc_format ogc_format;

// The state of one sequence in a format.
typedef struct ogc_matcher ogc_matcher;

// Mask rows that several artifacts share.
typedef struct ogc_pool ogc_pool;

// Sequence slots and formats in the memory of a device, each numbered from 0 on. One thread at a time may use them.
//
// Functions that take a stream launch kernels on it and return at once. They allocate and copy nothing, so that a graph can capture them. The
// others copy, and return when the copy is done; work on a stream that uses what they change must have ended before.
typedef struct ogc_slots ogc_slots;

// A vocabulary and its cached masks.
typedef struct ogc_vocabulary ogc_vocabulary;

// A token as a vocabulary source gives it. Its bytes are copied before the source is called again.
typedef struct ogc_token {
  // An `ogc_token_kind`.
  uint32_t kind;
  // The bytes of its text; unused for special tokens.
  const uint8_t *text;
  // The length of the text in bytes.
  size_t text_len;
  // Its name in UTF-8, such as `<|im_end|>`; null for tokens of text without a name.
  const uint8_t *name;
  // The length of the name in bytes.
  size_t name_len;
} ogc_token;

// The tokens of a model.
typedef struct ogc_vocabulary_source {
  // `sizeof(ogc_vocabulary_source)`.
  size_t struct_size;
  // The number of ids, which begin at 0: at most the length of the model's logits.
  uint32_t tokens;
  // Writes the token of an id to `token`, whose kind is `OGC_TOKEN_KIND_NONE` before.
  void (*token)(void *user, uint32_t id, struct ogc_token *token);
  // The first argument of `token`.
  void *user;
  // The special tokens that end a sequence; null to guess them by well-known names.
  const uint32_t *end_tokens;
  // The number of these tokens; 0 for null.
  size_t end_tokens_len;
} ogc_vocabulary_source;

// A text that a source imports, or a schema that it references.
typedef struct ogc_resource {
  // The name that the source uses for it, in UTF-8: a path relative to the source's name, or the URI of a schema.
  const uint8_t *name;
  // Its length in bytes.
  size_t name_len;
  // The text, in UTF-8.
  const uint8_t *text;
  // Its length in bytes.
  size_t text_len;
} ogc_resource;

// The source text of a format. A field of zero has no effect.
typedef struct ogc_source {
  // `sizeof(ogc_source)`.
  size_t struct_size;
  // An `ogc_language`.
  uint32_t language;
  // The text, in UTF-8.
  const uint8_t *text;
  // Its length in bytes.
  size_t text_len;
  // The name of the text in messages, in UTF-8; null for none.
  const uint8_t *name;
  // Its length in bytes.
  size_t name_len;
  // The definition that is compiled: of an `.ogc` text an output, or a type or rule without parameters; of a schema one of its definitions; of a
  // grammar the start rule. Null for the only output, the whole schema, or the start rule that the notation says.
  const uint8_t *definition;
  // Its length in bytes.
  size_t definition_len;
  // An `ogc_space`; JSON Schema only.
  uint32_t space;
  // An `ogc_key_order`; JSON Schema only.
  uint32_t order;
  // An `ogc_escapes`; JSON Schema only.
  uint32_t escapes;
  // An `ogc_numbers`; JSON Schema only.
  uint32_t numbers;
  // An `ogc_formats`; JSON Schema only.
  uint32_t formats;
  // An `ogc_objects`; JSON Schema only.
  uint32_t objects;
  // An `ogc_words`; JSON Schema only.
  uint32_t words;
  // Names of keywords of JSON Schema that are read as annotations, separated by commas; null for none. Values that break them are
  // of the format, and `ogc_format_warnings` names each that is met.
  const uint8_t *annotate;
  // Its length in bytes.
  size_t annotate_len;
  // Texts that it imports, and schemas that it references; null for none. Nothing is fetched, and no file is read.
  const struct ogc_resource *resources;
  // Their number.
  size_t resources_len;
  // For structural tags only (language `OGC_LANGUAGE_JSON_SCHEMA`): the vocabulary whose special tokens the texts of the tag may name; null to
  // read such names as characters.
  const struct ogc_vocabulary *vocabulary;
} ogc_source;

// Options of a matcher.
typedef struct ogc_options {
  // `sizeof(ogc_options)`.
  size_t struct_size;
  // Cap on the tokens that may be written, not counting stop tokens; 0 for none. The text is never cut off: tokens after which it
  // could not be completed are withheld.
  uint32_t max_tokens;
  // The minimum number of tokens that can be rolled back; 0 for all. A small number bounds the memory of long texts.
  size_t rollback_window;
  // The tokens that end the text in place of the vocabulary's end tokens; null for the vocabulary's.
  const uint32_t *stop_tokens;
  // The number of these tokens; 0 for null.
  size_t stop_tokens_len;
  // The canonical tokens (`ogc_canonical_new`, `ogc_llama_canonical`) for the parts that the format determines: see
  // `ogc_matcher_set_canonical`. Not used if the format's own policy is `tokens = "any"`; null for any tokens.
  const struct ogc_canonical *canonical;
} ogc_options;

// An event: something that became certain of a text. Texts are UTF-8 without a terminating zero; texts that an event lacks are empty.
typedef struct ogc_event {
  // `sizeof(ogc_event)`.
  size_t struct_size;
  // An `ogc_event_kind`.
  uint32_t kind;
  // An `ogc_value_kind`, where a value begins or is complete.
  uint32_t value;
  // The offset of the first byte of the text that the event is about; 0 for events of growing text.
  size_t start;
  // The offset behind the last byte, for events of an end; else equal to `start`.
  size_t end;
  // The position of a value in the outermost value around it, as a JSON pointer (RFC 6901); empty for the outermost.
  const uint8_t *path;
  // The length of the path in bytes.
  size_t path_len;
  // The text that the kind describes.
  const uint8_t *text;
  // The length of the text in bytes.
  size_t text_len;
} ogc_event;

// A tokenizer.
typedef struct ogc_tokenizer {
  // `sizeof(ogc_tokenizer)`.
  size_t struct_size;
  // Writes the tokens that the model's tokenizer makes of a text in the middle of a sequence, at most `room`, which is as many as the text has
  // bytes, and returns their number; 0 if it cannot.
  size_t (*encode)(void *user, const uint8_t *text, size_t text_len, uint32_t *tokens, size_t room);
  // The first argument of `encode`.
  void *user;
} ogc_tokenizer;

// A buffer of masks: `count` rows, of which row `r` begins at word `r * stride`; token `t` is bit `t % 32` of word `t / 32` of a row.
// Every word of a row is overwritten; those beyond the vocabulary are cleared.
typedef struct ogc_rows {
  // The words.
  uint32_t *words;
  // The distance between the beginnings of two rows, in words.
  size_t stride;
  // The number of rows.
  size_t count;
} ogc_rows;

// Logits in memory of the host: `count` rows, of which row `r` begins at number `r * stride`.
typedef struct ogc_host_logits {
  // `sizeof(ogc_host_logits)`.
  size_t struct_size;
  // The numbers.
  void *numbers;
  // The numbers of a row. Numbers beyond the vocabulary are never allowed.
  size_t width;
  // The distance between the beginnings of two rows, in numbers: at least `width`.
  size_t stride;
  // The number of rows.
  size_t count;
  // An `ogc_logit_format`.
  uint32_t format;
  // The value written to disallowed logits, rounded to the format; usually `-INFINITY`.
  float fill;
} ogc_host_logits;

// The name and abilities of a device, and the kernels loaded on it.
typedef struct ogc_device_facts {
  // `sizeof(ogc_device_facts)`.
  size_t struct_size;
  // Its name, valid as long as the device.
  const char *name;
  // A description of the loaded kernels: code, or PTX that the driver compiled. Valid as long as the device.
  const char *kernels;
  // The major number of its compute capability.
  uint32_t capability_major;
  // The minor number of its compute capability.
  uint32_t capability_minor;
  // The major number of the CUDA version that the driver supports.
  uint32_t driver_major;
  // The minor number of that CUDA version.
  uint32_t driver_minor;
} ogc_device_facts;

// Logits and their masks, by addresses in device memory. Row `r` of the logits begins at number `r * logits_stride`, row `m` of the
// masks at word `m * mask_stride`; token `t` is allowed if bit `t % 32` of word `t / 32` of its mask is set, as `ogc_fill_masks` writes them.
typedef struct ogc_masking {
  // `sizeof(ogc_masking)`.
  size_t struct_size;
  // The address of the first logit, a multiple of its size.
  uint64_t logits;
  // The number of logits in memory from that address on.
  uint64_t logits_len;
  // The distance between the beginnings of two rows, in logits.
  uint64_t logits_stride;
  // An `ogc_logit_format`.
  uint32_t format;
  // The number of rows that are masked.
  uint32_t rows;
  // The number of logits of a row; those beyond the vocabulary are never allowed.
  uint32_t width;
  // The number of tokens, for each of which a mask has a bit.
  uint32_t vocabulary;
  // The address of the first word of the masks, a multiple of 4.
  uint64_t masks;
  // The number of 32-bit words in memory from that address on.
  uint64_t masks_len;
  // The distance between the beginnings of two rows, in words.
  uint64_t mask_stride;
  // The address of the row map, a multiple of 4: for each row of logits the number of its mask row, a signed 32-bit integer; a row with a
  // negative number is not masked. 0 if row `r` is masked by mask row `r`.
  uint64_t row_map;
  // The number of entries of the row map.
  uint64_t row_map_len;
} ogc_masking;

// The capacity of slots; all memory is reserved at once.
typedef struct ogc_slot_limits {
  // `sizeof(ogc_slot_limits)`.
  size_t struct_size;
  // The maximum number of sequences at a time.
  uint32_t slots;
  // The maximum number of formats at a time.
  uint32_t formats;
  // The bytes reserved for the tables of all formats.
  uint64_t format_bytes;
  // The maximum number of mask rows, which formats share; 40,000 is a lot.
  uint32_t pool_rows;
  // The maximum number of 64-byte blocks of row contents; 2^20 blocks take 64 MB.
  uint32_t pool_blocks;
  // The maximum number of logits of a sampled row, including logits beyond the vocabulary.
  uint32_t logits;
  // The maximum number of tokens of a draft, at most 15: there is room for `slots * (1 + draft_tokens)` rows.
  uint32_t draft_tokens;
} ogc_slot_limits;

// Lists in device memory, with `count` entries of 32 bits each; entries `i` of all lists belong to the same slot.
typedef struct ogc_slot_lists {
  // `sizeof(ogc_slot_lists)`.
  size_t struct_size;
  // The address of slot numbers, without duplicates; 0 if entry `i` is slot `i`.
  uint64_t slots;
  // The address of the argument of each slot: a format, a token or a count.
  uint64_t numbers;
  // The address to which the outcome of each slot is written: an `ogc_slot_outcome` in the lowest 8 bits; above them, for
  // `OGC_SLOT_OUTCOME_HOST`, the reason: 1 too many readings, 2 frames, 3 sets of keys, 4 too much work, 5 too many keys, 0 because the host
  // stepped it before.
  uint64_t outcomes;
  // The number of entries.
  uint32_t count;
} ogc_slot_lists;

// Sampling of one row of logits, and the slot that its token moves. A row of zeros is not sampled.
typedef struct ogc_row {
  // `sizeof(ogc_row)`.
  size_t struct_size;
  // The seed of the draws; together with `request` it distinguishes the draws of a row from those of others.
  uint64_t seed;
  // Distinguishes the draws of requests with equal seeds.
  uint64_t request;
  // The position of the token in the output; the device increments it with each sampled token.
  uint64_t position;
  // Whether the row is sampled; 0 means no.
  uint32_t is_sampled;
  // The temperature; 0 is greedy (the highest logit).
  float temperature;
  // An `ogc_allowed_tokens`.
  uint32_t allowed;
  // The number of the row of bits, of the slot, or of the row of drafts.
  uint32_t allowed_number;
  // The slot that the token moves; negative for none.
  int32_t slot;
  // The divisor of positive logits, and factor of negative logits, of tokens already written; 1 or 0 has no effect.
  float repetition_penalty;
  // The amount subtracted from logits of tokens already written.
  float presence_penalty;
  // The amount subtracted for each time that a token was written.
  float frequency_penalty;
  // The address of the written tokens in ascending order, each followed by its count, 32 bits each; 0 for none.
  uint64_t written;
  // The address of the biased tokens in ascending order, 32 bits each, each followed by the binary32 added to its logit; 0 for none.
  uint64_t biases;
  // The number of entries at `written`.
  uint32_t written_len;
  // The number of entries at `biases`.
  uint32_t biases_len;
  // The number of likeliest tokens to draw from; 0 is all. This field and the next two affect draws only, in this order.
  uint32_t top_k;
  // The share of probability that the likeliest tokens to draw from have together; 1 or 0 is all.
  float top_p;
  // The minimum probability of a token relative to the likeliest; 0 is all.
  float min_p;
  // Whether the token's probability under the model is written, before biases, penalties and masks; 0 means no.
  uint32_t tells_probability;
} ogc_row;

// Logits in device memory: row `r` begins at number `r * stride`.
typedef struct ogc_logits {
  // `sizeof(ogc_logits)`.
  size_t struct_size;
  // The address of the first logit, a multiple of its size.
  uint64_t address;
  // The number of logits in memory from that address on.
  uint64_t len;
  // The distance between the beginnings of two rows, in logits.
  uint64_t stride;
  // An `ogc_logit_format`.
  uint32_t format;
  // The number of rows.
  uint32_t rows;
  // The number of logits of a row.
  uint32_t width;
} ogc_logits;

// Device addresses of the results of `ogc_slots_step`, entry `i` for row `i`, and of the slots' own masks.
typedef struct ogc_slot_addresses {
  // `sizeof(ogc_slot_addresses)`.
  size_t struct_size;
  // 8 bytes for each row: a status (0 not sampled, 1 sampled, 2 no token is allowed, 3 the host steps the slot), then the token, 4 bytes each.
  uint64_t sampled;
  // 4 bytes for each row: the outcome of the token in its slot, encoded as in `ogc_slot_lists`.
  uint64_t outcomes;
  // 4 bytes for each row: the sampled token, or the previous one if none was sampled.
  uint64_t next_tokens;
  // 4 bytes for each row: the natural logarithm of the token's probability as binary32, where the row asks for it.
  uint64_t probabilities;
  // Bit masks, one row for each possible slot.
  uint64_t masks;
  // The number of 32-bit words.
  uint64_t masks_len;
  // The distance between the beginnings of two rows, in words.
  uint64_t mask_stride;
} ogc_slot_addresses;

// Runs of tokens in device memory, with `count` entries; entries `i` of all lists belong to the same slot.
typedef struct ogc_slot_runs {
  // `sizeof(ogc_slot_runs)`.
  size_t struct_size;
  // The address of slot numbers, signed 32-bit integers without duplicates, negative for none; 0 if entry `i` is slot `i`.
  uint64_t slots;
  // The address of `most` tokens per entry, signed 32-bit integers; a negative token ends a shorter run.
  uint64_t tokens;
  // The address of the results, 8 bytes per entry: the outcome of the last token tried, encoded as in `ogc_slot_lists`, and the number of accepted
  // tokens, 4 bytes each.
  uint64_t moved;
  // The number of entries.
  uint32_t count;
  // The maximum number of tokens of a run.
  uint32_t most;
} ogc_slot_runs;

// Draft tokens of slots in device memory, with `count` entries; entries `i` of all lists belong to the same slot.
typedef struct ogc_slot_drafts {
  // `sizeof(ogc_slot_drafts)`.
  size_t struct_size;
  // The address of slot numbers, signed 32-bit integers without duplicates, negative for none; 0 if entry `i` is slot `i`.
  uint64_t slots;
  // The address of `most` tokens per entry, signed 32-bit integers; a negative token ends a shorter draft.
  uint64_t tokens;
  // The address of the formats' verdicts, 8 bytes per entry, encoded as `moved` of `ogc_slot_runs`: how many tokens are allowed.
  uint64_t drafted;
  // The address of the results of verification, 12 bytes per entry: an `ogc_draft_end` in the lowest 8 bits, above them, for
  // `OGC_DRAFT_END_HOST`, the reason as in `ogc_slot_lists`; the number of sampled tokens, from the first row on, that belong to the text; and the
  // number of those by which the slot has moved: all, or all but the last.
  uint64_t verified;
  // The number of entries.
  uint32_t count;
  // The maximum number of tokens of each draft, at most 15.
  uint32_t most;
} ogc_slot_drafts;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of this library, `MAJOR.MINOR.PATCH`: zero-terminated UTF-8, valid as long as the library is loaded.
const char *ogc_version(void);

// Returns the error message of this thread's last call whose status was not `OGC_STATUS_OK`: zero-terminated UTF-8, empty if
// there was none. It is valid until the next such call of the thread.
const char *ogc_last_error(void);

// Reads a vocabulary from the bytes of a Hugging Face `tokenizer.json`.
//
// # Safety
//
// `json` points to `len` bytes, `out` to a pointer.
enum ogc_status ogc_vocabulary_from_tokenizer_json(const uint8_t *json, size_t len, struct ogc_vocabulary **out);

// Makes a vocabulary from a function that gives its tokens one by one.
//
// # Safety
//
// `source` points to a source whose function writes valid pointers, `out` to a pointer.
enum ogc_status ogc_vocabulary_from_tokens(const struct ogc_vocabulary_source *source, struct ogc_vocabulary **out);

// Bounds the memory of the cached masks of a vocabulary to `bytes`; the default is 256 MiB. Beyond the bound the least recently used masks are
// dropped, and computed again when they are needed: masks stay the same.
//
// # Safety
//
// `vocabulary` points to a vocabulary.
enum ogc_status ogc_vocabulary_limit_masks(const struct ogc_vocabulary *vocabulary,
                                           size_t bytes);

// Returns the size in bytes of the cached masks of a vocabulary; 0 for null.
//
// # Safety
//
// `vocabulary` is null or a vocabulary.
size_t ogc_vocabulary_mask_bytes(const struct ogc_vocabulary *vocabulary);

// Returns the number of ids, including ids without a token; 0 for null.
//
// # Safety
//
// `vocabulary` is null or a vocabulary.
size_t ogc_vocabulary_len(const struct ogc_vocabulary *vocabulary);

// Frees a vocabulary.
//
// # Safety
//
// `vocabulary` is null, or a vocabulary that is not used again.
void ogc_vocabulary_free(struct ogc_vocabulary *vocabulary);

// Loads an artifact that holds its own mask rows (`ogc build --self-contained`), or has none; the bytes are copied.
//
// # Safety
//
// `bytes` points to `len` bytes, `out` to a pointer.
enum ogc_status ogc_format_load(const uint8_t *bytes, size_t len, struct ogc_format **out);

// Frees a format.
//
// # Safety
//
// `format` is null, or a format that is not used again.
void ogc_format_free(struct ogc_format *format);

// Returns the token policy of a format; `OGC_TOKENS_UNSAID` for null.
//
// # Safety
//
// `format` is null or a format.
enum ogc_tokens ogc_format_tokens(const struct ogc_format *format);

// Makes the masks of a format for a vocabulary ahead of time, as `ogc build` does, and writes a format that has them to `out`; the given one
// stays as it is. Devices need them (`ogc_slots_add_format`), and matchers look them up instead of making them. It takes a few milliseconds
// to some seconds on `threads` threads, at most as many as there are processors; 0 for as many. What is beyond the limits of `ogc build` is left to matchers, and to the host.
//
// # Safety
//
// `format` is a format, `vocabulary` a vocabulary, `out` points to a pointer.
enum ogc_status ogc_format_build_masks(const struct ogc_format *format,
                                       const struct ogc_vocabulary *vocabulary,
                                       uint32_t threads,
                                       struct ogc_format **out);

// Returns the compiler's warnings about the source of a format made by `ogc_format_compile`: one per line with its position, like errors, and with
// `warning` or `note` before its sentence. Zero-terminated UTF-8, valid as long as the format; empty without warnings and for artifacts. Null for
// null.
//
// # Safety
//
// `format` is null or a format.
const char *ogc_format_warnings(const struct ogc_format *format);

// Opens a pool, which `ogc build` writes beside artifacts as `rows-....ogcp`; the bytes are copied.
//
// # Safety
//
// `bytes` points to `len` bytes, `out` to a pointer.
enum ogc_status ogc_pool_open(const uint8_t *bytes, size_t len, struct ogc_pool **out);

// Frees a pool; formats loaded with it stay valid.
//
// # Safety
//
// `pool` is null, or a pool that is not used again.
void ogc_pool_free(struct ogc_pool *pool);

// Loads an artifact whose rows are in a pool; one that holds its rows is loaded as it is. The bytes are copied.
//
// # Safety
//
// `bytes` points to `len` bytes, `pool` is a pool, `out` points to a pointer.
enum ogc_status ogc_format_load_with(const uint8_t *bytes,
                                     size_t len,
                                     const struct ogc_pool *pool,
                                     struct ogc_format **out);

// Compiles a format; its masks are computed as matchers need them. `OGC_STATUS_SOURCE` if the text has errors: `ogc_last_error` lists them with
// lines and columns. `ogc_format_warnings` lists probable mistakes.
//
// Only in libraries with the feature `compiler`, which they have unless it is left out.
//
// # Safety
//
// `source` points to a source with valid pointers, `out` to a pointer.
enum ogc_status ogc_format_compile(const struct ogc_source *source,
                                   struct ogc_format **out);

// Makes a matcher at the beginning of a format; `options` may be null.
//
// # Safety
//
// `format` is a format, `vocabulary` a vocabulary, `options` is null or points to options with valid pointers, `out` points to a pointer.
enum ogc_status ogc_matcher_new(const struct ogc_format *format,
                                const struct ogc_vocabulary *vocabulary,
                                const struct ogc_options *options,
                                struct ogc_matcher **out);

// Makes a second matcher in the same state, independent from now on.
//
// # Safety
//
// `matcher` is a matcher, `out` points to a pointer.
enum ogc_status ogc_matcher_fork(const struct ogc_matcher *matcher, struct ogc_matcher **out);

// Frees a matcher.
//
// # Safety
//
// `matcher` is null, or a matcher that is not used again.
void ogc_matcher_free(struct ogc_matcher *matcher);

// Accepts a token: `OGC_STATUS_NOT_ALLOWED` if the format does not allow it.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_accept_token(struct ogc_matcher *matcher, uint32_t token);

// Accepts text, completely or not at all; it counts as one token.
//
// # Safety
//
// `matcher` is a matcher, `bytes` points to `len` bytes.
enum ogc_status ogc_matcher_accept_bytes(struct ogc_matcher *matcher, const uint8_t *bytes, size_t len);

// Rolls back the last `tokens` accepted tokens.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_rollback(struct ogc_matcher *matcher, size_t tokens);

// Rolls back to the beginning.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_reset(struct ogc_matcher *matcher);

// Writes whether a token may come next, without copying a mask.
//
// # Safety
//
// `matcher` is a matcher, `allowed` points to a bool.
enum ogc_status ogc_matcher_allows(struct ogc_matcher *matcher, uint32_t token, bool *allowed);

// Bounds the tokens that may still be written from here on, stop tokens not counted; 0 lifts the bound. `OGC_STATUS_BUDGET` if no completion
// that fits is known: nothing has changed. For texts whose format begins later than the matcher was made, such as behind reasoning.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_set_budget(struct ogc_matcher *matcher,
                                       uint32_t max_tokens);

// Writes the fewest tokens that `ogc_matcher_set_budget` takes here, stop tokens not counted: 0 where the text may end, `UINT32_MAX` where
// no completion is known.
//
// # Safety
//
// `matcher` is a matcher, `tokens` points to a number.
enum ogc_status ogc_matcher_least_budget(struct ogc_matcher *matcher,
                                         uint32_t *tokens);

// Writes how many tokens of the draft could be accepted one after another. The matcher does not move.
//
// # Safety
//
// `matcher` is a matcher, `draft` points to `count` tokens, `accepted` to a size.
enum ogc_status ogc_matcher_validate(struct ogc_matcher *matcher,
                                     const uint32_t *draft,
                                     size_t count,
                                     size_t *accepted);

// Computes the masks that the first steps will need, so that no step waits for them. They are cached for all matchers of the format and the
// vocabulary: call it once for each such pair, after compiling a format. The matcher does not move.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_warm_up(struct ogc_matcher *matcher);

// Returns the number of accepted tokens; 0 for null.
//
// # Safety
//
// `matcher` is null or a matcher.
size_t ogc_matcher_len(const struct ogc_matcher *matcher);

// Returns whether the text may end here; false for null.
//
// # Safety
//
// `matcher` is null or a matcher.
bool ogc_matcher_is_complete(const struct ogc_matcher *matcher);

// Returns whether a stop token was accepted; false for null.
//
// # Safety
//
// `matcher` is null or a matcher.
bool ogc_matcher_is_ended(const struct ogc_matcher *matcher);

// Writes the bytes that must come next to `bytes`, as many as fit, and their total number to `needed`.
//
// # Safety
//
// `matcher` is a matcher, `bytes` points to `len` bytes, `needed` to a size.
enum ogc_status ogc_matcher_forced_bytes(struct ogc_matcher *matcher, uint8_t *bytes, size_t len, size_t *needed);

// Writes why a token may come next or not, as one line of UTF-8 without a zero, to `text`, as much as fits, and its length to `needed`.
//
// # Safety
//
// `matcher` is a matcher, `text` points to `len` bytes, `needed` to a size.
enum ogc_status ogc_matcher_explain(struct ogc_matcher *matcher,
                                    uint32_t token,
                                    uint8_t *text,
                                    size_t len,
                                    size_t *needed);

// Allows only canonical tokens where the format determines the bytes that come next (keys, punctuation, constants): those that the tokenizer
// writes for these bytes followed by some text. Texts then take fewer tokens, and more of them are forced (`ogc_matcher_forced_tokens`, or
// masks with one token). If budgets or stop tokens exclude all canonical tokens, the other tokens are allowed. Null allows all tokens again.
//
// # Safety
//
// `matcher` is a matcher that no other thread uses, `canonical` is null or canonical tokens.
enum ogc_status ogc_matcher_set_canonical(struct ogc_matcher *matcher,
                                          const struct ogc_canonical *canonical);

// Writes the state of a matcher, with its options, to `bytes`, as much as fits, and its size to `needed`: four bytes for each token,
// and the bytes of texts. [`ogc_matcher_restore`] continues from there, in another process too.
//
// # Safety
//
// `matcher` is a matcher, `bytes` points to `len` bytes, `needed` to a size.
enum ogc_status ogc_matcher_save(const struct ogc_matcher *matcher,
                                 uint8_t *bytes,
                                 size_t len,
                                 size_t *needed);

// Restores a saved state: from there on the matcher gives the same results, and as many tokens can be rolled back. The saved options
// replace those of the matcher. Its text is read again, which takes as long as accepting it took.
//
// The matcher must be of a format of the same content and of the same vocabulary. `OGC_STATUS_DATA` if the bytes are no saved state, were
// altered, or are of another format or vocabulary; nothing has changed then.
//
// # Safety
//
// `matcher` is a matcher, `bytes` points to `len` bytes.
enum ogc_status ogc_matcher_restore(struct ogc_matcher *matcher,
                                    const uint8_t *bytes,
                                    size_t len);

// Makes a reader of the events of one text, at its beginning. With null for `vocabulary` it reads bytes only, and no tokens. Feed it
// what a matcher has accepted; [`ogc_events_next`] takes the events from it.
//
// # Safety
//
// `format` is a format, `vocabulary` null or a vocabulary, `out` points to a pointer.
enum ogc_status ogc_events_new(const struct ogc_format *format,
                               const struct ogc_vocabulary *vocabulary,
                               struct ogc_events **out);

// Makes a second reader in the same state, independent from now on. Readers cannot roll back, so keep one at each state to return to.
//
// # Safety
//
// `events` is a reader, `out` points to a pointer.
enum ogc_status ogc_events_fork(const struct ogc_events *events,
                                struct ogc_events **out);

// Frees a reader.
//
// # Safety
//
// `events` is null, or a reader that is not used again.
void ogc_events_free(struct ogc_events *events);

// Reads a token that a matcher has accepted; an end token of the vocabulary has no events. `OGC_STATUS_NOT_ALLOWED` if the
// format does not allow it, and `OGC_STATUS_LIMIT` if too many objects and arrays are open: then nothing more is read, and each further
// call returns the same.
//
// # Safety
//
// `events` is a reader.
enum ogc_status ogc_events_read_token(struct ogc_events *events,
                                      uint32_t token);

// Reads bytes that a matcher has accepted, or those of a text of the format from elsewhere. They may end in the middle of a character. Errors
// are those of [`ogc_events_read_token`].
//
// # Safety
//
// `events` is a reader, `bytes` points to `len` bytes.
enum ogc_status ogc_events_read_bytes(struct ogc_events *events,
                                      const uint8_t *bytes,
                                      size_t len);

// Ends the text, which yields the events that only the end makes certain, the last of them `OGC_EVENT_KIND_ENDED`.
// `OGC_STATUS_NOT_ALLOWED` if the text is not complete.
//
// # Safety
//
// `events` is a reader.
enum ogc_status ogc_events_finish(struct ogc_events *events);

// Takes the next event and writes it to `event`, whose size is its `struct_size`; the kind is `OGC_EVENT_KIND_NONE` if there is no event
// yet. The event's pointers are valid until the next event is taken or the reader is freed.
//
// # Safety
//
// `events` is a reader, `event` points to an event.
enum ogc_status ogc_events_next(struct ogc_events *events,
                                struct ogc_event *event);

// Writes the tokens that must come next, as far as they are certain, to `tokens`, as many as fit, and their number to `needed`.
// They can be accepted without asking the model, and read in one pass. The matcher does not move. One with canonical tokens
// (`ogc_matcher_set_canonical`) asks their tokenizer.
//
// # Safety
//
// `matcher` is a matcher, `tokenizer` points to a tokenizer, `tokens` to `len` tokens, `needed` to a size.
enum ogc_status ogc_matcher_forced_tokens(struct ogc_matcher *matcher,
                                          const struct ogc_tokenizer *tokenizer,
                                          uint32_t *tokens,
                                          size_t len,
                                          size_t *needed);

// Makes the canonical tokens of a vocabulary. The tokenizer is called from every thread that uses a matcher with them, also from several at
// a time, until they and all these matchers are freed.
//
// # Safety
//
// `vocabulary` is a vocabulary, `tokenizer` points to a tokenizer that may be called in this way, `out` to a pointer.
enum ogc_status ogc_canonical_new(const struct ogc_vocabulary *vocabulary,
                                  const struct ogc_tokenizer *tokenizer,
                                  struct ogc_canonical **out);

// Frees canonical tokens; matchers that use them keep what they need. Does nothing for null.
//
// # Safety
//
// `canonical` is null, or from `ogc_canonical_new`, and is not used again.
void ogc_canonical_free(struct ogc_canonical *canonical);

// Writes the mask of a matcher to `len` words.
//
// # Safety
//
// `matcher` is a matcher, `words` points to `len` words.
enum ogc_status ogc_matcher_fill_mask(struct ogc_matcher *matcher, uint32_t *words, size_t len);

// Writes the masks along a draft: row 0 is the current mask, row `i + 1` the mask after token `i` and its predecessors. Rows after a
// disallowed token allow nothing. With `parents`, the draft is a tree: the parent of each token is the index of its predecessor,
// which is less than its own, or -1; without, each token follows the previous one. Writes to `allowed` whether each token is allowed.
// The matcher does not move.
//
// # Safety
//
// `matcher` is a matcher; `draft`, `allowed` and, unless it is null, `parents` point to `len` elements; `rows` describes valid memory (see
// `ogc_rows`).
enum ogc_status ogc_matcher_fill_draft(struct ogc_matcher *matcher,
                                       const uint32_t *draft,
                                       const int32_t *parents,
                                       size_t len,
                                       struct ogc_rows rows,
                                       bool *allowed);

// Accepts a token for each of `count` different matchers, and writes each status to `statuses`, unless it is null. All tokens
// are tried; the returned status is that of the first token not accepted.
//
// # Safety
//
// `matchers` points to `count` matchers that no other thread uses; `tokens` and, unless it is null, `statuses` point to `count`
// elements.
enum ogc_status ogc_accept_tokens(struct ogc_matcher *const *matchers,
                                  const uint32_t *tokens,
                                  enum ogc_status *statuses,
                                  size_t count);

// Writes the masks of `count` different matchers, each to the row of its index, on up to `threads` threads (0 counts as 1). Rows
// whose masks cannot be computed allow nothing, and the status is that of the first of them.
//
// # Safety
//
// `matchers` points to `count` matchers that no other thread uses; `rows` describes valid memory (see `ogc_rows`).
enum ogc_status ogc_fill_masks(struct ogc_matcher *const *matchers,
                               size_t count,
                               struct ogc_rows rows,
                               size_t threads);

// As `ogc_fill_masks`, but the mask of matcher `i` goes to row `indices[i]`. Rows that are not named are left alone, so that rows of other
// sequences and of those that have ended stay as they are. `OGC_STATUS_ARGUMENT` if a row is named twice or is not there: nothing is written.
//
// # Safety
//
// `matchers` points to `count` matchers that no other thread uses, `indices` to `count` numbers; `rows` describes valid memory (see
// `ogc_rows`).
enum ogc_status ogc_fill_masks_at(struct ogc_matcher *const *matchers,
                                  const uint32_t *indices,
                                  size_t count,
                                  struct ogc_rows rows,
                                  size_t threads);

// Overwrites the logits of disallowed tokens: row `i` of the logits according to row `indices[i]` of the masks, or row `i` if
// `indices` is null.
//
// # Safety
//
// `masks` describes valid memory (see `ogc_rows`) that nobody changes; `logits` has `stride * count` numbers that nobody else uses (the last
// row may end after its `width`); `indices` is null, or points to `logits.count` numbers.
enum ogc_status ogc_mask_logits(struct ogc_rows masks,
                                const uint32_t *indices,
                                struct ogc_host_logits logits);

// Opens device `number`, counted from 0, and loads the kernels. The status is `OGC_STATUS_DEVICE` if there is no driver, no such
// device, or one of them is too old; `ogc_last_error` says which.
//
// # Safety
//
// `out` points to a pointer.
enum ogc_status ogc_device_open(uint32_t number,
                                struct ogc_device **out);

// Frees a device, which unloads its kernels.
//
// # Safety
//
// `device` is null, or a device that is not used again; no launch on it is under way, and no graph that captured one is launched again.
void ogc_device_free(struct ogc_device *device);

// Writes the facts about a device to `facts`, whose size is its `struct_size`.
//
// # Safety
//
// `device` is a device, `facts` points to facts.
enum ogc_status ogc_device_info(const struct ogc_device *device, struct ogc_device_facts *facts);

// Masks logits in place: launches a kernel on a stream, a `CUstream` or `cudaStream_t`, and does not wait for it; null is the
// default stream. Nothing is allocated or copied, so that a graph can capture the launch, with these addresses and sizes.
//
// The arguments are checked first: the status is `OGC_STATUS_ARGUMENT` if rows overlap, exceed the memory or are not aligned, or
// if the logits share memory with masks or row map. `OGC_STATUS_DEVICE` says that the driver did not launch the kernel, or that
// earlier work failed.
//
// # Safety
//
// `device` is a device, `masking` points to a masking, whose addresses are of memory that kernels on the device can reach, as long as
// stated; masks and row map are written, and the row map names only rows that the masks have. Until the kernel has ended, that
// memory stays, nobody else writes it, and nobody else reads the logits. The stream is one of the device's primary context.
enum ogc_status ogc_device_apply(const struct ogc_device *device,
                                 void *stream,
                                 const struct ogc_masking *masking);

// Makes slots on a device for texts of a vocabulary, none of which is begun. The device may be freed before they are.
//
// # Safety
//
// `device` is a device, `vocabulary` a vocabulary, `limits` points to limits, `out` to a pointer.
enum ogc_status ogc_slots_new(const struct ogc_device *device,
                              const struct ogc_vocabulary *vocabulary,
                              const struct ogc_slot_limits *limits,
                              struct ogc_slots **out);

// Frees slots, with their formats.
//
// # Safety
//
// `slots` is null, or slots that are not used again; no launch on them is under way, and no graph that captured one is launched again.
void ogc_slots_free(struct ogc_slots *slots);

// Copies a format with its masks to the device, and writes its number to `number`. Slots may be stepped meanwhile, and captured graphs stay
// valid. The status is `OGC_STATUS_DATA` if the format has no masks (`ogc_format_build_masks` makes them) or is of another vocabulary, and
// `OGC_STATUS_LIMIT` if there is no room.
//
// # Safety
//
// `slots` are slots, `format` is a format, `number` points to a number.
enum ogc_status ogc_slots_add_format(struct ogc_slots *slots,
                                     const struct ogc_format *format,
                                     uint32_t *number);

// Removes a format from the device; its number and memory can be used again.
//
// # Safety
//
// `slots` are slots; none of them is in a text of the format, and no launch that steps or masks by it is under way.
enum ogc_status ogc_slots_remove_format(struct ogc_slots *slots, uint32_t number);

// Puts slots at the beginning of formats, whose numbers are `lists->numbers`, and finds the masks of their first tokens.
//
// # Safety
//
// `slots` are slots, and `lists` points to lists, of memory that kernels on the device can reach, which have as many entries as stated and name slots and
// formats that there are, and no slot twice. The stream is one of the device's primary context. Until the kernels have ended, nothing else touches
// the slots, and nobody writes the lists.
enum ogc_status ogc_slots_begin(struct ogc_slots *slots,
                                void *stream,
                                const struct ogc_slot_lists *lists);

// Moves slots by the tokens of `lists->numbers`, and finds their next masks. A negative or disallowed token leaves its slot unchanged.
// The outcome of each slot is written to `lists->outcomes`.
//
// # Safety
//
// As for `ogc_slots_begin`.
enum ogc_status ogc_slots_advance(struct ogc_slots *slots,
                                  void *stream,
                                  const struct ogc_slot_lists *lists);

// Rolls slots back by the numbers of tokens in `lists->numbers`, and finds their next masks; a number below 1 leaves its slot unchanged. A slot
// remembers 16 tokens. The outcome of each slot is written to `lists->outcomes`.
//
// # Safety
//
// As for `ogc_slots_begin`.
enum ogc_status ogc_slots_rollback(struct ogc_slots *slots,
                                   void *stream,
                                   const struct ogc_slot_lists *lists);

// Writes the masks of slots as bits, as `ogc_device_apply` takes them: row `i` is of entry `i` of `lists->slots`; the other lists are not used. Rows of slots
// that the device does not step are left as they are. `masks` of 0 writes the slots' own masks, whose other arguments are not used then.
//
// # Safety
//
// As for `ogc_slots_begin`; at `masks` there are `masks_len` 32-bit words that kernels can reach, which nothing else touches until the kernel
// has ended.
enum ogc_status ogc_slots_fill(struct ogc_slots *slots,
                               void *stream,
                               const struct ogc_slot_lists *lists,
                               uint64_t masks,
                               uint64_t masks_len,
                               uint64_t mask_stride);

// Puts a slot into the state of a matcher, and finds its next mask: the device continues from there, and no earlier token can be rolled back. The
// status is `OGC_STATUS_LIMIT` if the text does not fit in a slot, or the matcher has a budget; the matcher must continue then.
//
// # Safety
//
// `slots` are slots, `matcher` is a matcher that no other thread uses. No work that touches the slot is under way.
enum ogc_status ogc_slots_place(struct ogc_slots *slots,
                                uint32_t slot,
                                uint32_t format,
                                const struct ogc_matcher *matcher);

// Writes who steps a slot to `status`, an `ogc_slot_status`.
//
// # Safety
//
// `slots` are slots, `status` points to a number. No work that touches the slot is under way.
enum ogc_status ogc_slots_status(struct ogc_slots *slots, uint32_t slot, uint32_t *status);

// Writes a row of the slots' own masks, in the layout of `ogc_matcher_fill_mask`: for sequences that a matcher steps.
//
// # Safety
//
// `slots` are slots, `words` points to `len` words. No work that touches the masks is under way.
enum ogc_status ogc_slots_write_mask(struct ogc_slots *slots, uint32_t row, const uint32_t *words, size_t len);

// Sets how each row of logits is sampled from now on, and which slot its token moves.
//
// # Safety
//
// `slots` are slots, `rows` points to `len` rows. No step is under way.
enum ogc_status ogc_slots_set_rows(struct ogc_slots *slots, const struct ogc_row *rows, size_t len);

// Samples a token for each row that was set, moves the row's slot by it, and finds the slot's next mask: one decoding step in one launch.
// In a captured graph, the same launch does the next step. A token that the slot refuses leaves it unchanged. `ogc_slots_addresses` gives the
// addresses of the tokens.
//
// # Safety
//
// `slots` are slots, `logits` points to logits of memory that kernels on the device can reach, as long as stated, and written; so are the lists that rows name
// by addresses. Until the kernel has ended, nobody writes them, and nothing else touches the slots. The stream is one of the device's primary context.
enum ogc_status ogc_slots_step(struct ogc_slots *slots,
                               void *stream,
                               const struct ogc_logits *logits);

// Writes the device addresses of the results of rows to `addresses`, whose size is its `struct_size`.
//
// # Safety
//
// `slots` are slots, `addresses` points to addresses.
enum ogc_status ogc_slots_addresses(const struct ogc_slots *slots, struct ogc_slot_addresses *addresses);

// Moves slots by runs of tokens, such as forced tokens, each up to its first token not accepted, and finds their next masks. The outcome of
// each run is written to `runs->moved`. A slot without a run is unchanged.
//
// # Safety
//
// As for `ogc_slots_begin`, for the lists of `runs`.
enum ogc_status ogc_slots_run(struct ogc_slots *slots,
                              void *stream,
                              const struct ogc_slot_runs *runs);

// Finds the masks before and after each draft token of slots, and moves the slots by the drafts until `ogc_slots_verify`: nothing else may
// move them in between. Draft `i` has the rows from `i * (1 + most)` on, which `ogc_slots_set_rows` has set before, with
// `OGC_ALLOWED_TOKENS_DRAFT` and no slot. In between, the model computes logits of all these rows, and `ogc_slots_step` samples them. Rows
// after the first token that a format refuses or that ends the text are not sampled.
//
// # Safety
//
// As for `ogc_slots_begin`, for the lists of `drafts`.
enum ogc_status ogc_slots_draft(struct ogc_slots *slots,
                                void *stream,
                                const struct ogc_slot_drafts *drafts);

// Moves slots by the tokens sampled for their drafts: by those equal to the drafted tokens, and by the first that differs; finds their next
// masks. The outcome of each draft is written to `drafts->verified`. The position of each draft's first row is that of the next token then.
//
// # Safety
//
// As for `ogc_slots_draft`, with the same drafts, after it and after the sampling of their rows.
enum ogc_status ogc_slots_verify(struct ogc_slots *slots,
                                 void *stream,
                                 const struct ogc_slot_drafts *drafts);

// Reads the vocabulary of a model of llama.cpp: `llama_model_get_vocab` gives `vocab`, which is not used after the call.
//
// All tokens at which llama.cpp ends a generation (`llama_vocab_is_eog`) end the texts of matchers and samplers of this vocabulary.
// An artifact with masks for the same GGUF file fits, unless llama.cpp has changed the kinds of tokens as it read the file.
// `OGC_STATUS_NO_LIBRARY` if the process has no libllama among its global symbols.
//
// # Safety
//
// `vocab` is a vocabulary of the libllama that is loaded, `out` points to a pointer.
enum ogc_status ogc_llama_vocabulary(const struct llama_vocab *vocab,
                                     struct ogc_vocabulary **out);

// Makes the canonical tokens of a model of llama.cpp: those that its tokenizer (`llama_tokenize`) writes. With them as
// `options.canonical`, a sampler writes keys, punctuation and other constants in the tokens that the model was trained on. One serves all
// samplers of a model.
//
// `vocabulary` is from [`ogc_llama_vocabulary`] of the same model. Spaces that a tokenizer puts in front of a text are taken off. `OGC_STATUS_NO_LIBRARY` if the process
// has no libllama among its global symbols.
//
// # Safety
//
// `vocab` is a vocabulary of the libllama that is loaded, and lives as long as the canonical tokens and all samplers and matchers that
// have them; `vocabulary` is a vocabulary of this library, `out` points to a pointer.
enum ogc_status ogc_llama_canonical(const struct llama_vocab *vocab,
                                    const struct ogc_vocabulary *vocabulary,
                                    struct ogc_canonical **out);

// Makes a sampler that allows the tokens of a format, for `llama_sampler_chain_add`. It belongs in front of all samplers that drop
// candidates. The chain owns it, or else `llama_sampler_free` frees it; format and vocabulary may be freed before it.
//
// The vocabulary is an argument, and not a `llama_vocab`, so that it is read once for all samplers of a model, which then share the
// rows of masks; and so that no hidden cache has to guess from a pointer whether a model is still the same.
//
// `options` may be null. `max_tokens` counts the tokens that the sampler is given; `rollback_window` has no effect, as samplers
// never roll back. With `canonical` they write as the model's tokenizer does, which chains without it do not.
//
// After a token that the format refuses (a token of the prompt, say) the sampler allows nothing but the tokens that end the text,
// until it is reset; so it does where no token can follow. [`ogc_llama_sampler_error`] says why. `OGC_STATUS_NO_LIBRARY` if the process
// has no libllama among its global symbols.
//
// # Safety
//
// `format` is a format, `vocabulary` a vocabulary, `options` is null or points to options with valid pointers, `out` points to a pointer.
enum ogc_status ogc_llama_sampler(const struct ogc_format *format,
                                  const struct ogc_vocabulary *vocabulary,
                                  const struct ogc_options *options,
                                  struct llama_sampler **out);

// Returns why a sampler of [`ogc_llama_sampler`] allows nothing but the end of the text, or why it withheld all candidates: zero-terminated
// UTF-8, valid until the sampler is used again. Null if nothing went wrong, for null, and for samplers of other libraries.
//
// # Safety
//
// `sampler` is null or a sampler that no other thread uses.
const char *ogc_llama_sampler_error(const struct llama_sampler *sampler);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OGC_H */
