/* Uses every function of ogc.h on the format `ab+`, whose artifact is the first argument. Exits with 0 if all is as it should be. */
#include "test.h"

#include <math.h>

static ogc_vocabulary *make_vocabulary(void) {
    int asked = 0;
    ogc_vocabulary_source source;
    ogc_vocabulary *vocabulary = NULL;
    memset(&source, 0, sizeof source);
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_ARGUMENT);
    source.struct_size = sizeof source;
    source.tokens = 6;
    source.token = token;
    source.user = &asked;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_OK);
    ogc_vocabulary_free(vocabulary);
    vocabulary = NULL;
    asked = 0;
    source.end_tokens_len = 1;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_ARGUMENT && vocabulary == NULL);
    CHECK(strcmp(ogc_last_error(), "source.end_tokens is null") == 0);
    source.end_tokens_len = 0;
    asked = 0;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_OK);
    CHECK(asked == 6 && ogc_vocabulary_len(vocabulary) == 5);
    return vocabulary;
}

static uint8_t bytes[1 << 20];

/* Reads a file whose path is the argument and an ending. */
static size_t read_file(const char *path, const char *ending) {
    char name[1024];
    CHECK(snprintf(name, sizeof name, "%s%s", path, ending) < (int)sizeof name);
    return read_whole(name, bytes, sizeof bytes);
}

/* The artifact beside a pool, and the pool. */
static void check_pool(const char *path, const ogc_vocabulary *vocabulary) {
    ogc_pool *pool = NULL;
    ogc_format *format = NULL;
    ogc_matcher *matcher = NULL;
    uint32_t mask = 0;
    size_t len = read_file(path, ".pool");
    CHECK(ogc_pool_open(bytes, len / 2, &pool) == OGC_STATUS_DATA && pool == NULL);
    CHECK(ogc_pool_open(bytes, len, &pool) == OGC_STATUS_OK);
    len = read_file(path, ".pooled");
    CHECK(ogc_format_load(bytes, len, &format) == OGC_STATUS_DATA && strstr(ogc_last_error(), "pool") != NULL);
    CHECK(ogc_format_load_with(bytes, len, NULL, &format) == OGC_STATUS_ARGUMENT && format == NULL);
    CHECK(ogc_format_load_with(bytes, len, pool, &format) == OGC_STATUS_OK);
    ogc_pool_free(pool);
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_fill_mask(matcher, &mask, 1) == OGC_STATUS_OK && mask == 5);
    ogc_matcher_free(matcher);
    ogc_format_free(format);
}

/* Returns the format of an artifact, which is refused if it is cut. */
static ogc_format *check_load(const char *path) {
    size_t len = read_file(path, "");
    ogc_format *format = NULL;
    CHECK(ogc_format_load(bytes, len / 2, &format) == OGC_STATUS_DATA && format == NULL);
    CHECK(strlen(ogc_last_error()) > 0);
    CHECK(ogc_format_load(bytes, len, &format) == OGC_STATUS_OK);
    return format;
}

static void check_steps(ogc_matcher *matcher) {
    uint32_t words[2] = {7, 7};
    bool allowed = false;
    CHECK(ogc_matcher_fill_mask(matcher, words, 2) == OGC_STATUS_OK && words[0] == 5 && words[1] == 0);
    CHECK(ogc_matcher_allows(matcher, 2, &allowed) == OGC_STATUS_OK && allowed);
    CHECK(ogc_matcher_allows(matcher, 1, &allowed) == OGC_STATUS_OK && !allowed);
    CHECK(ogc_matcher_accept_token(matcher, 1) == OGC_STATUS_NOT_ALLOWED);
    CHECK(ogc_matcher_accept_token(matcher, 4000000000u) == OGC_STATUS_NOT_ALLOWED);
    CHECK(ogc_matcher_accept_token(matcher, 0) == OGC_STATUS_OK && ogc_matcher_len(matcher) == 1);
    CHECK(ogc_matcher_rollback(matcher, 2) == OGC_STATUS_ROLLBACK);
    CHECK(ogc_matcher_rollback(matcher, 1) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_bytes(matcher, (const uint8_t *)"abb", 3) == OGC_STATUS_OK);
    CHECK(ogc_matcher_is_complete(matcher) && !ogc_matcher_is_ended(matcher));
    CHECK(ogc_matcher_accept_token(matcher, 4) == OGC_STATUS_OK && ogc_matcher_is_ended(matcher));
    CHECK(ogc_matcher_accept_token(matcher, 1) == OGC_STATUS_ENDED);
    CHECK(ogc_matcher_reset(matcher) == OGC_STATUS_OK && ogc_matcher_len(matcher) == 0);
}

static void check_texts(ogc_matcher *matcher) {
    uint8_t text[256];
    size_t needed = 0;
    CHECK(ogc_matcher_forced_bytes(matcher, text, 1, &needed) == OGC_STATUS_OK && needed == 2 && text[0] == 'a');
    CHECK(ogc_matcher_forced_bytes(matcher, NULL, 0, &needed) == OGC_STATUS_OK && needed == 2);
    CHECK(ogc_matcher_explain(matcher, 3, text, sizeof text, &needed) == OGC_STATUS_OK);
    CHECK(needed < sizeof text);
    text[needed] = 0;
    CHECK(strstr((const char *)text, "not allowed") != NULL);
    puts((const char *)text);
}

/* Makes tokens of one or two letters; too many if the user wants so. */
static size_t encode_any(void *user, const uint8_t *text, size_t len, uint32_t *tokens, size_t room) {
    size_t count = 0;
    for (size_t at = 0; at < len; ++at, ++count) {
        bool is_pair = text[at] == 'a' && at + 1 < len && text[at + 1] == 'b';
        tokens[count] = is_pair ? 2 : text[at] == 'a' ? 0 : 1;
        at += is_pair;
    }
    return *(bool *)user ? room + 1 : count;
}

static size_t encode(void *user, const uint8_t *text, size_t len, uint32_t *tokens, size_t room) {
    CHECK(room == len);
    return encode_any(user, text, len, tokens, room);
}

static void check_forced(ogc_matcher *matcher) {
    bool too_many = false;
    uint32_t tokens[2] = {9, 9};
    size_t needed = 0;
    ogc_tokenizer tokenizer = {0, encode, &too_many};
    CHECK(ogc_matcher_forced_tokens(matcher, &tokenizer, tokens, 2, &needed) == OGC_STATUS_ARGUMENT);
    tokenizer.struct_size = sizeof tokenizer;
    CHECK(ogc_matcher_forced_tokens(matcher, &tokenizer, tokens, 2, &needed) == OGC_STATUS_OK);
    CHECK(needed == 1 && tokens[0] == 2 && tokens[1] == 9);
    CHECK(ogc_matcher_forced_tokens(matcher, &tokenizer, NULL, 0, &needed) == OGC_STATUS_OK && needed == 1);
    too_many = true;
    CHECK(ogc_matcher_forced_tokens(matcher, &tokenizer, tokens, 2, &needed) == OGC_STATUS_ARGUMENT);
    tokenizer.encode = NULL;
    CHECK(ogc_matcher_forced_tokens(matcher, &tokenizer, tokens, 2, &needed) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_len(matcher) == 0);
}

/* Lets a matcher write `ab` as one token alone, and any tokens again. */
static void check_canonical(ogc_matcher *matcher, const ogc_vocabulary *vocabulary) {
    bool too_many = false;
    ogc_tokenizer tokenizer = {sizeof tokenizer, NULL, &too_many};
    ogc_canonical *canonical = NULL;
    CHECK(ogc_canonical_new(vocabulary, &tokenizer, &canonical) == OGC_STATUS_ARGUMENT && canonical == NULL);
    tokenizer.encode = encode_any;
    CHECK(ogc_canonical_new(vocabulary, &tokenizer, &canonical) == OGC_STATUS_OK);
    CHECK(ogc_matcher_set_canonical(matcher, canonical) == OGC_STATUS_OK);
    ogc_canonical_free(canonical);
    uint32_t words[2] = {0, 0};
    CHECK(ogc_matcher_fill_mask(matcher, words, 2) == OGC_STATUS_OK && words[0] == 4);
    CHECK(ogc_matcher_accept_token(matcher, 0) == OGC_STATUS_NOT_ALLOWED);
    CHECK(ogc_matcher_set_canonical(matcher, NULL) == OGC_STATUS_OK);
    CHECK(ogc_matcher_fill_mask(matcher, words, 2) == OGC_STATUS_OK && words[0] == 5);
    CHECK(ogc_matcher_set_canonical(NULL, NULL) == OGC_STATUS_ARGUMENT);
    ogc_canonical_free(NULL);
}

/* Accepts tokens of two matchers in one call; `matcher` and `other` stand at their beginning, before and after. */
static void check_batch(ogc_matcher *matcher, ogc_matcher *other) {
    ogc_matcher *both[2] = {matcher, other};
    uint32_t tokens[2] = {2, 1};
    ogc_status statuses[2] = {OGC_STATUS_DEFECT, OGC_STATUS_DEFECT};
    CHECK(ogc_accept_tokens(both, tokens, statuses, 2) == OGC_STATUS_NOT_ALLOWED);
    CHECK(statuses[0] == OGC_STATUS_OK && statuses[1] == OGC_STATUS_NOT_ALLOWED);
    CHECK(ogc_matcher_len(matcher) == 1 && ogc_matcher_len(other) == 0);
    CHECK(ogc_matcher_rollback(matcher, 1) == OGC_STATUS_OK);
    tokens[1] = 0;
    CHECK(ogc_accept_tokens(both, tokens, NULL, 2) == OGC_STATUS_OK);
    CHECK(ogc_matcher_len(matcher) == 1 && ogc_matcher_len(other) == 1);
    CHECK(ogc_accept_tokens(NULL, NULL, NULL, 0) == OGC_STATUS_OK);
    CHECK(ogc_accept_tokens(both, NULL, statuses, 2) == OGC_STATUS_ARGUMENT);
    both[1] = matcher;
    CHECK(ogc_accept_tokens(both, tokens, statuses, 2) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_len(matcher) == 1);
    CHECK(ogc_matcher_reset(matcher) == OGC_STATUS_OK && ogc_matcher_reset(other) == OGC_STATUS_OK);
}

static void check_rows(ogc_matcher *matcher) {
    ogc_matcher *fork = NULL;
    uint32_t words[6];
    ogc_rows rows = {words, 2, 3};
    const uint32_t draft[2] = {2, 0};
    const int32_t parents[2] = {-1, -1};
    bool allowed[2];
    CHECK(ogc_matcher_fork(matcher, &fork) == OGC_STATUS_OK);
    check_batch(matcher, fork);
    CHECK(ogc_matcher_accept_token(fork, 2) == OGC_STATUS_OK);
    ogc_matcher *both[2] = {matcher, fork};
    memset(words, 255, sizeof words);
    CHECK(ogc_fill_masks(both, 2, rows, 2) == OGC_STATUS_OK);
    CHECK(words[0] == 5 && words[1] == 0 && words[2] == 18 && words[3] == 0);
    both[1] = matcher;
    CHECK(ogc_fill_masks(both, 2, rows, 2) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_fill_draft(matcher, draft, NULL, 2, rows, allowed) == OGC_STATUS_OK);
    CHECK(allowed[0] && !allowed[1] && words[2] == 18 && words[4] == 0);
    CHECK(ogc_matcher_fill_draft(matcher, draft, parents, 2, rows, allowed) == OGC_STATUS_OK);
    CHECK(allowed[0] && allowed[1] && words[4] == 2);
    rows.count = 2;
    CHECK(ogc_matcher_fill_draft(matcher, draft, NULL, 2, rows, allowed) == OGC_STATUS_ARGUMENT);
    rows.stride = (size_t)-1;
    CHECK(ogc_matcher_fill_draft(matcher, draft, NULL, 2, rows, allowed) == OGC_STATUS_ARGUMENT);
    ogc_matcher_free(fork);
}

/* Masks of two matchers in rows of any order, applied to logits of 32 and 16 bits. */
static void check_logits(ogc_matcher *matcher) {
    ogc_matcher *fork = NULL;
    uint32_t words[3] = {9, 9, 9};
    ogc_rows rows = {words, 1, 3};
    uint32_t indices[2] = {2, 0};
    float singles[12];
    uint16_t halves[6] = {1, 1, 1, 1, 1, 1};
    ogc_host_logits logits;
    CHECK(ogc_matcher_fork(matcher, &fork) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(fork, 2) == OGC_STATUS_OK);
    ogc_matcher *both[2] = {matcher, fork};
    CHECK(ogc_fill_masks_at(both, indices, 2, rows, 1) == OGC_STATUS_OK);
    CHECK(words[0] == 18 && words[1] == 9 && words[2] == 5);
    indices[1] = 2;
    CHECK(ogc_fill_masks_at(both, indices, 2, rows, 1) == OGC_STATUS_ARGUMENT && strstr(ogc_last_error(), "twice") != NULL);
    indices[1] = 3;
    CHECK(ogc_fill_masks_at(both, indices, 2, rows, 1) == OGC_STATUS_ARGUMENT);
    memset(&logits, 0, sizeof logits);
    CHECK(ogc_mask_logits(rows, NULL, logits) == OGC_STATUS_ARGUMENT);
    for (size_t at = 0; at < 12; ++at) singles[at] = 1;
    logits = (ogc_host_logits){sizeof logits, singles, 5, 6, 2, OGC_LOGIT_FORMAT_F32, -2};
    indices[1] = 0;
    CHECK(ogc_mask_logits(rows, indices, logits) == OGC_STATUS_OK);
    CHECK(singles[0] == 1 && singles[1] == -2 && singles[2] == 1 && singles[3] == -2 && singles[4] == -2 && singles[5] == 1);
    CHECK(singles[6] == -2 && singles[7] == 1 && singles[8] == -2 && singles[10] == 1 && singles[11] == 1);
    logits = (ogc_host_logits){sizeof logits, halves, 3, 3, 2, OGC_LOGIT_FORMAT_F16, -HUGE_VALF};
    CHECK(ogc_mask_logits(rows, NULL, logits) == OGC_STATUS_OK);
    CHECK(halves[0] == 0xfc00 && halves[1] == 1 && halves[2] == 0xfc00 && halves[3] == 1 && halves[4] == 0xfc00);
    logits.format = OGC_LOGIT_FORMAT_BF16;
    logits.count = 4;
    CHECK(ogc_mask_logits(rows, NULL, logits) == OGC_STATUS_ARGUMENT);
    logits.count = 1;
    logits.stride = 2;
    CHECK(ogc_mask_logits(rows, NULL, logits) == OGC_STATUS_ARGUMENT);
    logits.format = 3;
    CHECK(ogc_mask_logits(rows, NULL, logits) == OGC_STATUS_ARGUMENT);
    ogc_matcher_free(fork);
}

/* Budgets that are set later, drafts that are only asked about, and masks that are made before they are asked for. */
static void check_later_budget(ogc_matcher *matcher) {
    const uint32_t draft[3] = {0, 1, 0};
    uint32_t least = 9;
    size_t accepted = 9;
    CHECK(ogc_matcher_warm_up(matcher) == OGC_STATUS_OK && ogc_matcher_len(matcher) == 0);
    CHECK(ogc_matcher_validate(matcher, draft, 3, &accepted) == OGC_STATUS_OK && accepted == 2);
    CHECK(ogc_matcher_least_budget(matcher, &least) == OGC_STATUS_OK && least == 1);
    CHECK(ogc_matcher_accept_token(matcher, 0) == OGC_STATUS_OK);
    CHECK(ogc_matcher_set_budget(matcher, 1) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(matcher, 1) == OGC_STATUS_OK);
    CHECK(ogc_matcher_least_budget(matcher, &least) == OGC_STATUS_OK && least == 0);
    CHECK(ogc_matcher_accept_token(matcher, 1) == OGC_STATUS_BUDGET);
    CHECK(ogc_matcher_set_budget(matcher, 0) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(matcher, 1) == OGC_STATUS_OK && ogc_matcher_len(matcher) == 3);
    CHECK(ogc_matcher_least_budget(matcher, NULL) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_reset(matcher) == OGC_STATUS_OK);
}

/* Saves a matcher, and restores another from that. */
static void check_state(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_matcher *matcher = NULL, *other = NULL;
    uint8_t state[512];
    size_t needed = 0;
    uint32_t mask = 0;
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &other) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(matcher, 2) == OGC_STATUS_OK);
    CHECK(ogc_matcher_save(matcher, state, 10, &needed) == OGC_STATUS_OK && needed > 10 && needed <= sizeof state);
    CHECK(ogc_matcher_restore(other, state, 10) == OGC_STATUS_DATA);
    CHECK(ogc_matcher_save(matcher, state, sizeof state, &needed) == OGC_STATUS_OK);
    ogc_matcher_free(matcher);
    CHECK(ogc_matcher_restore(other, state, needed) == OGC_STATUS_OK && ogc_matcher_len(other) == 1);
    CHECK(ogc_matcher_fill_mask(other, &mask, 1) == OGC_STATUS_OK && mask == 18);
    state[needed - 1] ^= 1;
    CHECK(ogc_matcher_restore(other, state, needed) == OGC_STATUS_DATA && ogc_matcher_len(other) == 1);
    CHECK(ogc_matcher_restore(other, NULL, 1) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_save(NULL, state, sizeof state, &needed) == OGC_STATUS_ARGUMENT);
    ogc_matcher_free(other);
}

/* The format has no parts: its texts grow, and end. */
static void check_events(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_events *events = NULL, *fork = NULL;
    ogc_event event;
    memset(&event, 0, sizeof event);
    CHECK(ogc_events_new(format, vocabulary, &events) == OGC_STATUS_OK);
    CHECK(ogc_events_next(events, &event) == OGC_STATUS_ARGUMENT);
    event.struct_size = sizeof event;
    CHECK(ogc_events_next(events, &event) == OGC_STATUS_OK && event.kind == OGC_EVENT_KIND_NONE);
    CHECK(ogc_events_read_token(events, 2) == OGC_STATUS_OK);
    CHECK(ogc_events_read_bytes(events, (const uint8_t *)"b", 1) == OGC_STATUS_OK);
    CHECK(ogc_events_next(events, &event) == OGC_STATUS_OK && event.kind == OGC_EVENT_KIND_TEXT_GROWS);
    CHECK(event.text_len == 2 && memcmp(event.text, "ab", 2) == 0 && event.path_len == 0);
    CHECK(event.value == OGC_VALUE_KIND_NONE);
    CHECK(ogc_events_fork(events, &fork) == OGC_STATUS_OK);
    ogc_events_free(events);
    CHECK(ogc_events_next(fork, &event) == OGC_STATUS_OK && event.text_len == 1 && event.text[0] == 'b');
    CHECK(ogc_events_read_token(fork, 4) == OGC_STATUS_OK && ogc_events_finish(fork) == OGC_STATUS_OK);
    CHECK(ogc_events_next(fork, &event) == OGC_STATUS_OK && event.kind == OGC_EVENT_KIND_ENDED);
    CHECK(event.start == 3 && event.end == 3);
    CHECK(ogc_events_next(fork, &event) == OGC_STATUS_OK && event.kind == OGC_EVENT_KIND_NONE);
    CHECK(ogc_events_read_bytes(NULL, NULL, 0) == OGC_STATUS_ARGUMENT);
    ogc_events_free(fork);
    ogc_events_free(NULL);
    CHECK(strlen(ogc_format_warnings(format)) == 0 && ogc_format_warnings(NULL) == NULL);
}

static void check_built(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_format *built = NULL;
    /* More threads than there are processors are as many. */
    CHECK(ogc_format_build_masks(format, vocabulary, UINT32_MAX, &built) == OGC_STATUS_OK);
    const ogc_format *formats[2] = {format, built};
    uint32_t words[2] = {0};
    for (int at = 0; at < 2; at++) {
        ogc_matcher *matcher = NULL;
        CHECK(ogc_matcher_new(formats[at], vocabulary, NULL, &matcher) == OGC_STATUS_OK);
        CHECK(ogc_matcher_accept_token(matcher, 0) == OGC_STATUS_OK);
        CHECK(ogc_matcher_fill_mask(matcher, &words[at], 1) == OGC_STATUS_OK);
        ogc_matcher_free(matcher);
    }
    CHECK(words[0] == words[1] && words[0] != 0);
    ogc_format_free(built);
    built = NULL;
    CHECK(ogc_format_build_masks(NULL, vocabulary, 0, &built) == OGC_STATUS_ARGUMENT && built == NULL);
    CHECK(ogc_format_build_masks(format, NULL, 0, &built) == OGC_STATUS_ARGUMENT && built == NULL);
    CHECK(ogc_format_build_masks(format, vocabulary, 0, NULL) == OGC_STATUS_ARGUMENT);
}

static void check_limit(const ogc_format *format, ogc_vocabulary *vocabulary) {
    uint32_t word[1] = {0};
    ogc_matcher *matcher = NULL;
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_fill_mask(matcher, word, 1) == OGC_STATUS_OK && ogc_vocabulary_mask_bytes(vocabulary) > 0);
    CHECK(ogc_vocabulary_limit_masks(vocabulary, 0) == OGC_STATUS_OK && ogc_vocabulary_mask_bytes(vocabulary) == 0);
    const uint32_t before = word[0];
    CHECK(ogc_matcher_fill_mask(matcher, word, 1) == OGC_STATUS_OK && word[0] == before);
    CHECK(ogc_vocabulary_limit_masks(NULL, 0) == OGC_STATUS_ARGUMENT && ogc_vocabulary_mask_bytes(NULL) == 0);
    ogc_matcher_free(matcher);
}

static void check_options(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    const uint32_t stops[1] = {1};
    uint32_t word[1] = {0};
    ogc_options options;
    ogc_matcher *matcher = NULL;
    bool allowed = true;
    memset(&options, 0, sizeof options);
    CHECK(ogc_matcher_new(format, vocabulary, &options, &matcher) == OGC_STATUS_ARGUMENT && matcher == NULL);
    options.struct_size = sizeof options;
    options.rollback_window = 4;
    options.stop_tokens = stops;
    options.stop_tokens_len = 1;
    CHECK(ogc_matcher_new(format, vocabulary, &options, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(matcher, 0) == OGC_STATUS_OK);
    CHECK(ogc_matcher_allows(matcher, 1, &allowed) == OGC_STATUS_OK && !allowed);
    /* `ab+` needs the `b`: there is an error, and no empty mask. */
    CHECK(ogc_matcher_fill_mask(matcher, word, 1) == OGC_STATUS_ARGUMENT && strstr(ogc_last_error(), "stop token") != NULL);
    ogc_matcher_free(matcher);
    matcher = NULL;
    options.stop_tokens = NULL;
    CHECK(ogc_matcher_new(format, vocabulary, &options, &matcher) == OGC_STATUS_ARGUMENT && matcher == NULL);
    CHECK(strcmp(ogc_last_error(), "options.stop_tokens is null") == 0);
    options.stop_tokens_len = 0;
    options.max_tokens = 1;
    CHECK(ogc_matcher_new(format, vocabulary, &options, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_allows(matcher, 0, &allowed) == OGC_STATUS_OK && !allowed);
    CHECK(ogc_matcher_allows(matcher, 2, &allowed) == OGC_STATUS_OK && allowed);
    ogc_matcher_free(matcher);
}

static void check_nulls(void) {
    bool allowed;
    CHECK(ogc_matcher_accept_token(NULL, 0) == OGC_STATUS_ARGUMENT);
    CHECK(strcmp(ogc_last_error(), "matcher is null") == 0);
    CHECK(ogc_matcher_allows(NULL, 0, &allowed) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_matcher_new(NULL, NULL, NULL, NULL) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_vocabulary_from_tokenizer_json((const uint8_t *)"{", 1, NULL) == OGC_STATUS_ARGUMENT);
    ogc_vocabulary *vocabulary = NULL;
    CHECK(ogc_vocabulary_from_tokenizer_json((const uint8_t *)"{", 1, &vocabulary) == OGC_STATUS_DATA);
    CHECK(ogc_vocabulary_len(NULL) == 0 && ogc_matcher_len(NULL) == 0 && !ogc_matcher_is_complete(NULL));
    /* This program has no libllama. */
    CHECK(ogc_llama_vocabulary((const llama_vocab *)&allowed, &vocabulary) == OGC_STATUS_NO_LIBRARY && vocabulary == NULL);
    CHECK(strstr(ogc_last_error(), "RTLD_GLOBAL") != NULL);
    CHECK(ogc_llama_sampler_error(NULL) == NULL);
    ogc_matcher_free(NULL);
    ogc_format_free(NULL);
    ogc_pool_free(NULL);
    ogc_vocabulary_free(NULL);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && strlen(ogc_last_error()) == 0);
    ogc_vocabulary *vocabulary = make_vocabulary();
    ogc_format *format = check_load(argv[1]);
    ogc_matcher *matcher = NULL;
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    check_options(format, vocabulary);
    check_built(format, vocabulary);
    check_limit(format, vocabulary);
    check_pool(argv[1], vocabulary);
    check_state(format, vocabulary);
    check_events(format, vocabulary);
    check_canonical(matcher, vocabulary);
    /* A matcher keeps what it needs. */
    ogc_format_free(format);
    ogc_vocabulary_free(vocabulary);
    check_steps(matcher);
    check_texts(matcher);
    check_forced(matcher);
    check_logits(matcher);
    check_later_budget(matcher);
    CHECK(strchr(ogc_version(), '.') != NULL);
    check_rows(matcher);
    check_nulls();
    ogc_matcher_free(matcher);
    puts("ok");
    return 0;
}
