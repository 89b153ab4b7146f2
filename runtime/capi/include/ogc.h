#ifndef OGC_H
#define OGC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What came of a call.
typedef enum ogc_status {
  // It was done.
  OGC_STATUS_OK = 0,
  // The format does not allow the token or the text; nothing has changed.
  OGC_STATUS_NOT_ALLOWED = 1,
  // The text has ended.
  OGC_STATUS_ENDED = 2,
  // No completion fits into the budget; nothing has changed.
  OGC_STATUS_BUDGET = 3,
  // Fewer tokens were accepted, or are remembered, than should be taken back; nothing has changed.
  OGC_STATUS_ROLLBACK = 4,
  // The format is so ambiguous here that it takes too much memory or time, or the system has no more of them.
  OGC_STATUS_LIMIT = 5,
  // An argument is null, or a size does not fit.
  OGC_STATUS_ARGUMENT = 6,
  // The bytes are not a vocabulary or not an artifact, or the two do not fit together.
  OGC_STATUS_DATA = 7,
  // A defect of this library. The objects of the call must only be freed.
  OGC_STATUS_DEFECT = 8,
  // A function of another library is not there.
  OGC_STATUS_NO_LIBRARY = 9,
  // The source text of a format has errors.
  OGC_STATUS_SOURCE = 10,
} ogc_status;

// What a token is.
typedef enum ogc_token_kind {
  // No token has this id.
  OGC_TOKEN_KIND_NONE = 0,
  // A token of text, which may have a name too.
  OGC_TOKEN_KIND_TEXT = 1,
  // A special token, known by its name alone.
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
  // EBNF of the W3C or of ISO 14977.
  OGC_LANGUAGE_EBNF = 3,
  // The grammars of Lark.
  OGC_LANGUAGE_LARK = 4,
  // One regular expression of ECMA-262, for the whole text.
  OGC_LANGUAGE_REGEX = 5,
} ogc_language;

// White space between the parts of a JSON text.
typedef enum ogc_space {
  // What JSON allows, in runs of at most 32.
  OGC_SPACE_ANY = 0,
  // None.
  OGC_SPACE_COMPACT = 1,
  // One space behind each comma and colon.
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
  // All that JSON allows.
  OGC_ESCAPES_ANY = 0,
  // Each character in one way: as it is, where JSON allows it.
  OGC_ESCAPES_CANONICAL = 1,
} ogc_escapes;

// A sampler of llama.cpp, as `llama.h` declares it.
typedef struct llama_sampler llama_sampler;

// A vocabulary of llama.cpp, as `llama.h` declares it.
typedef struct llama_vocab llama_vocab;

// A compiled format, with its masks if the artifact has them.
typedef struct ogc_format ogc_format;

// Steps one sequence through a format.
typedef struct ogc_matcher ogc_matcher;

// The rows of masks that many artifacts share.
typedef struct ogc_pool ogc_pool;

// A vocabulary, and the masks that are kept for it.
typedef struct ogc_vocabulary ogc_vocabulary;

// A token, as the source of a vocabulary gives it. What it points to is copied before the source is asked again.
typedef struct ogc_token {
  // An `ogc_token_kind`.
  uint32_t kind;
  // The bytes of its text; not for special tokens.
  const uint8_t *text;
  // How many there are.
  size_t text_len;
  // Its name in UTF-8, such as `<|im_end|>`; null for tokens of text without a name.
  const uint8_t *name;
  // The bytes of the name.
  size_t name_len;
} ogc_token;

// The tokens of a model.
typedef struct ogc_vocabulary_source {
  // `sizeof(ogc_vocabulary_source)`.
  size_t struct_size;
  // The number of ids, from 0 on: the length of the model's logits, or less.
  uint32_t tokens;
  // Writes a token, which is of the kind `OGC_TOKEN_KIND_NONE` before.
  void (*token)(void *user, uint32_t id, struct ogc_token *token);
  // Is given to `token`.
  void *user;
  // The tokens that end a sequence, which are special; null to guess them by well-known names.
  const uint32_t *end_tokens;
  // How many there are.
  size_t end_tokens_len;
} ogc_vocabulary_source;

// The source text of a format. Fields that are zero have no effect.
typedef struct ogc_source {
  // `sizeof(ogc_source)`.
  size_t struct_size;
  // An `ogc_language`.
  uint32_t language;
  // The text, in UTF-8.
  const uint8_t *text;
  // Its bytes.
  size_t text_len;
  // The name that messages call it, in UTF-8; null for none.
  const uint8_t *name;
  // Its bytes.
  size_t name_len;
  // The definition of an `.ogc` text that is compiled, an output or a type or rule without parameters; null for the only output.
  const uint8_t *definition;
  // Its bytes.
  size_t definition_len;
  // An `ogc_space`, for JSON Schema alone.
  uint32_t space;
  // An `ogc_key_order`, for JSON Schema alone.
  uint32_t order;
  // An `ogc_escapes`, for JSON Schema alone.
  uint32_t escapes;
} ogc_source;

// Options of a matcher.
typedef struct ogc_options {
  // `sizeof(ogc_options)`.
  size_t struct_size;
  // The most tokens that may be written, stop tokens not counted; 0 for any number. The text is never cut off: tokens after which it
  // could not be completed are withheld.
  uint32_t max_tokens;
  // The number of tokens that can be taken back at least; 0 for all. A small number bounds the memory of long texts.
  size_t rollback_window;
  // The tokens that end the text instead of the vocabulary's; null for the vocabulary's.
  const uint32_t *stop_tokens;
  // How many there are.
  size_t stop_tokens_len;
} ogc_options;

// A tokenizer.
typedef struct ogc_tokenizer {
  // `sizeof(ogc_tokenizer)`.
  size_t struct_size;
  // Writes the tokens that the model's tokenizer makes of a text that goes on, at most `room` of them, which is as many as the text has
  // bytes, and returns their number; 0 if it cannot.
  size_t (*encode)(void *user, const uint8_t *text, size_t text_len, uint32_t *tokens, size_t room);
  // Is given to `encode`.
  void *user;
} ogc_tokenizer;

// A buffer of masks: `count` rows, of which row `r` begins at word `r * stride`; token `t` is bit `t % 32` of word `t / 32` of a row.
// Every word of a row is overwritten; those beyond the vocabulary are cleared.
typedef struct ogc_rows {
  // The words.
  uint32_t *words;
  // The words of a row.
  size_t stride;
  // The number of rows.
  size_t count;
} ogc_rows;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns what went wrong in the last call of this thread that returned another status than `OGC_STATUS_OK`: UTF-8 that
// ends with a zero, empty if none has. It is valid until the next such call of the thread.
const char *ogc_last_error(void);

// Reads a vocabulary from the bytes of a Hugging Face `tokenizer.json`.
//
// # Safety
//
// `json` points to `len` bytes, `out` to a pointer.
enum ogc_status ogc_vocabulary_from_tokenizer_json(const uint8_t *json, size_t len, struct ogc_vocabulary **out);

// Makes a vocabulary of tokens that a function gives one by one.
//
// # Safety
//
// `source` points to a source whose function writes good pointers, `out` to a pointer.
enum ogc_status ogc_vocabulary_from_tokens(const struct ogc_vocabulary_source *source, struct ogc_vocabulary **out);

// Returns the number of ids, those without a token included; 0 for null.
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

// Loads an artifact that holds its rows (`ogc build --self-contained`), or has none; the bytes are copied.
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

// Opens a pool, which `ogc build` writes beside artifacts as `rows-....ogcp`; the bytes are copied.
//
// # Safety
//
// `bytes` points to `len` bytes, `out` to a pointer.
enum ogc_status ogc_pool_open(const uint8_t *bytes, size_t len, struct ogc_pool **out);

// Frees a pool; formats that were loaded with it live on.
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

// Compiles a format; its masks are made as matchers need them. `OGC_STATUS_SOURCE` if the text has errors: `ogc_last_error` lists them with
// their lines and columns.
//
// Only in libraries with the feature `compiler`, which they have unless it is left out.
//
// # Safety
//
// `source` points to a source with good pointers, `out` to a pointer.
enum ogc_status ogc_format_compile(const struct ogc_source *source,
                                   struct ogc_format **out);

// Makes a matcher at the beginning of a format; `options` may be null.
//
// # Safety
//
// `format` and `vocabulary` are such, `options` is null or points to options with good pointers, `out` points to a pointer.
enum ogc_status ogc_matcher_new(const struct ogc_format *format,
                                const struct ogc_vocabulary *vocabulary,
                                const struct ogc_options *options,
                                struct ogc_matcher **out);

// Makes a second matcher at the same place, independent from now on.
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

// Accepts text, all of it or nothing; it counts as one token.
//
// # Safety
//
// `matcher` is a matcher, `bytes` points to `len` bytes.
enum ogc_status ogc_matcher_accept_bytes(struct ogc_matcher *matcher, const uint8_t *bytes, size_t len);

// Takes back the last tokens that were accepted.
//
// # Safety
//
// `matcher` is a matcher.
enum ogc_status ogc_matcher_rollback(struct ogc_matcher *matcher, size_t tokens);

// Takes back everything.
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

// Writes the bytes that must come next to `bytes`, as many as fit, and their number to `needed`.
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

// Writes the tokens that must come next, as far as they are certain, to `tokens`, as many as fit, and their number to `needed`.
// They can be accepted without asking the model, and read in one pass. The matcher does not move.
//
// # Safety
//
// `matcher` is a matcher, `tokenizer` points to a tokenizer, `tokens` to `len` tokens, `needed` to a size.
enum ogc_status ogc_matcher_forced_tokens(struct ogc_matcher *matcher,
                                          const struct ogc_tokenizer *tokenizer,
                                          uint32_t *tokens,
                                          size_t len,
                                          size_t *needed);

// Writes the mask of a matcher to `len` words.
//
// # Safety
//
// `matcher` is a matcher, `words` points to `len` words.
enum ogc_status ogc_matcher_fill_mask(struct ogc_matcher *matcher, uint32_t *words, size_t len);

// Writes the masks of `count` different matchers, each to the row of its index, on up to `threads` threads (0 counts as 1). Rows
// whose masks cannot be computed allow nothing, and the status is that of the first of them.
//
// # Safety
//
// `matchers` points to `count` matchers that no other thread uses; `rows` as it says.
enum ogc_status ogc_fill_masks(struct ogc_matcher *const *matchers,
                               size_t count,
                               struct ogc_rows rows,
                               size_t threads);

// Writes the masks along a draft: row 0 is the mask now, row `i + 1` that after token `i` and those before it. Rows behind a token
// that is not allowed allow nothing. With `parents`, the draft is a tree: the parent of each token is the index of the one before
// it, which is less than its own, or -1; without, each follows the one before. Writes to `allowed` whether each token is allowed.
// The matcher does not move.
//
// # Safety
//
// `matcher` is a matcher; `draft`, `allowed` and, unless it is null, `parents` point to `len` elements; `rows` as it says.
enum ogc_status ogc_matcher_fill_draft(struct ogc_matcher *matcher,
                                       const uint32_t *draft,
                                       const int32_t *parents,
                                       size_t len,
                                       struct ogc_rows rows,
                                       bool *allowed);

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

// Makes a sampler that allows the tokens of a format, for `llama_sampler_chain_add`. It belongs in front of all samplers that drop
// candidates. The chain owns it, or else `llama_sampler_free` frees it; format and vocabulary may be freed before it.
//
// The vocabulary is an argument, and not a `llama_vocab`, so that it is read once for all samplers of a model, which then share the
// rows of masks; and so that no hidden cache has to guess from a pointer whether a model is still the same.
//
// `options` may be null. `max_tokens` counts the tokens that the sampler is given; `rollback_window` has no effect, as samplers
// take nothing back.
//
// After a token that the format refuses (a token of the prompt, say) the sampler allows nothing but the tokens that end the text,
// until it is reset; so it does where no token can follow. [`ogc_llama_sampler_error`] says why. `OGC_STATUS_NO_LIBRARY` if the process
// has no libllama among its global symbols.
//
// # Safety
//
// `format` and `vocabulary` are such, `options` is null or points to options with good pointers, `out` points to a pointer.
enum ogc_status ogc_llama_sampler(const struct ogc_format *format,
                                  const struct ogc_vocabulary *vocabulary,
                                  const struct ogc_options *options,
                                  struct llama_sampler **out);

// Returns why a sampler of [`ogc_llama_sampler`] allows nothing but the end of the text, or why it had to withhold all candidates: UTF-8
// that ends with a zero, valid until the sampler is used again. Null if nothing went wrong, for null, and for samplers of others.
//
// # Safety
//
// `sampler` is null or a sampler that no other thread uses.
const char *ogc_llama_sampler_error(const struct llama_sampler *sampler);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OGC_H */
