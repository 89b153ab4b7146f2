/* Slots on a device whose memory is the host's and whose kernels compute nothing: the arguments are an artifact of `ab+` with masks. What is launched is told by the
 * driver. */
#include "test.h"

enum { SLOTS = 4 };

static uint32_t numbers[SLOTS], outcomes[SLOTS], masks[SLOTS * 4];
static int32_t guesses[SLOTS * 2], moved[SLOTS * 2], verified[SLOTS * 3];
static uint16_t logits[4 * 8];

static ogc_vocabulary *make_vocabulary(void) {
    ogc_vocabulary_source source;
    ogc_vocabulary *vocabulary = NULL;
    uint32_t end = 4;
    int asked = 0;
    memset(&source, 0, sizeof source);
    source.struct_size = sizeof source;
    source.tokens = 5;
    source.token = token;
    source.user = &asked;
    source.end_tokens = &end;
    source.end_tokens_len = 1;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_OK);
    return vocabulary;
}

static ogc_slot_limits make_limits(void) {
    ogc_slot_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.struct_size = sizeof limits;
    limits.slots = SLOTS;
    limits.formats = 2;
    limits.format_bytes = 1 << 16;
    limits.pool_rows = 100;
    limits.pool_blocks = 100;
    limits.draft_tokens = 1;
    return limits;
}

static ogc_slot_lists make_lists(uint32_t count) {
    ogc_slot_lists lists;
    memset(&lists, 0, sizeof lists);
    lists.struct_size = sizeof lists;
    lists.numbers = address(numbers);
    lists.outcomes = address(outcomes);
    lists.count = count;
    return lists;
}

static ogc_logits make_logits(void) {
    ogc_logits given;
    memset(&given, 0, sizeof given);
    given.struct_size = sizeof given;
    given.address = address(logits);
    given.len = 16;
    given.stride = 8;
    given.format = OGC_LOGIT_FORMAT_BF16;
    given.rows = 2;
    given.width = 5;
    return given;
}

static void check_formats(ogc_slots *slots, const ogc_format *format, const ogc_format *other, const ogc_vocabulary *vocabulary) {
    uint32_t number = 9;
    ogc_format *built = NULL;
    CHECK(ogc_slots_add_format(slots, other, &number) == OGC_STATUS_DATA && number == 9);
    CHECK(strstr(ogc_last_error(), "has no masks") != NULL);
    CHECK(ogc_slots_add_format(slots, format, &number) == OGC_STATUS_OK && number == 0);
    CHECK(ogc_slots_add_format(slots, format, &number) == OGC_STATUS_OK && number == 1);
    CHECK(ogc_slots_add_format(slots, format, &number) == OGC_STATUS_LIMIT);
    CHECK(ogc_slots_remove_format(slots, 2) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_slots_remove_format(slots, 1) == OGC_STATUS_OK);
    CHECK(ogc_format_build_masks(other, vocabulary, 1, &built) == OGC_STATUS_OK);
    CHECK(ogc_slots_add_format(slots, built, &number) == OGC_STATUS_OK && number == 1);
    ogc_format_free(built);
    CHECK(ogc_slots_remove_format(slots, 1) == OGC_STATUS_OK);
    CHECK(ogc_slots_remove_format(slots, 1) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_slots_add_format(slots, NULL, &number) == OGC_STATUS_ARGUMENT);
}

static void check_moves(ogc_slots *slots) {
    ogc_slot_lists lists = make_lists(3);
    CHECK(ogc_slots_begin(slots, NULL, &lists) == OGC_STATUS_OK);
    CHECK(ogc_slots_advance(slots, NULL, &lists) == OGC_STATUS_OK);
    CHECK(ogc_slots_rollback(slots, NULL, &lists) == OGC_STATUS_OK);
    CHECK(ogc_slots_fill(slots, NULL, &lists, address(masks), SLOTS * 4, 4) == OGC_STATUS_OK);
    CHECK(ogc_slots_fill(slots, NULL, &lists, address(masks), 8, 4) == OGC_STATUS_ARGUMENT);
    CHECK(strcmp(ogc_last_error(), "the masks have 8 entries, 9 are used") == 0);
    lists = make_lists(0);
    CHECK(ogc_slots_advance(slots, NULL, &lists) == OGC_STATUS_OK);
    lists = make_lists(SLOTS + 1);
    CHECK(ogc_slots_advance(slots, NULL, &lists) == OGC_STATUS_ARGUMENT);
    lists = make_lists(1);
    lists.outcomes = 0;
    CHECK(ogc_slots_begin(slots, NULL, &lists) == OGC_STATUS_OK);
    CHECK(ogc_slots_advance(slots, NULL, &lists) == OGC_STATUS_ARGUMENT);
    lists = make_lists(1);
    lists.numbers += 2;
    CHECK(ogc_slots_begin(slots, NULL, &lists) == OGC_STATUS_ARGUMENT);
    lists = make_lists(1);
    lists.struct_size -= 1;
    CHECK(ogc_slots_begin(slots, NULL, &lists) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_slots_begin(slots, NULL, NULL) == OGC_STATUS_ARGUMENT);
}

static void check_steps(ogc_slots *slots) {
    ogc_row rows[2];
    ogc_logits given = make_logits();
    ogc_slot_addresses addresses;
    memset(rows, 0, sizeof rows);
    rows[0].struct_size = rows[1].struct_size = sizeof rows[0];
    rows[0].is_sampled = 1;
    rows[0].temperature = 0.5f;
    rows[0].allowed = OGC_ALLOWED_TOKENS_SLOT;
    rows[0].allowed_number = 2;
    rows[0].slot = 2;
    rows[0].top_k = 3;
    rows[0].top_p = 0.9f;
    rows[0].min_p = 0.1f;
    rows[0].tells_probability = 1;
    rows[1].slot = -1;
    CHECK(ogc_slots_step(slots, NULL, &given) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_slots_set_rows(slots, rows, 2) == OGC_STATUS_OK);
    CHECK(ogc_slots_step(slots, NULL, &given) == OGC_STATUS_OK);
    given.format = 7;
    CHECK(ogc_slots_step(slots, NULL, &given) == OGC_STATUS_ARGUMENT);
    rows[1].slot = 2;
    given = make_logits();
    CHECK(ogc_slots_set_rows(slots, rows, 2) == OGC_STATUS_OK);
    CHECK(ogc_slots_step(slots, NULL, &given) == OGC_STATUS_ARGUMENT);
    rows[1].slot = SLOTS;
    CHECK(ogc_slots_set_rows(slots, rows, 2) == OGC_STATUS_ARGUMENT);
    rows[1].slot = -1;
    rows[1].biases_len = 1;
    CHECK(ogc_slots_set_rows(slots, rows, 2) == OGC_STATUS_ARGUMENT);
    memset(&addresses, 0, sizeof addresses);
    CHECK(ogc_slots_addresses(slots, &addresses) == OGC_STATUS_ARGUMENT);
    addresses.struct_size = sizeof addresses;
    CHECK(ogc_slots_addresses(slots, &addresses) == OGC_STATUS_OK);
    CHECK(addresses.mask_stride == 4 && addresses.masks_len == 4 * SLOTS);
    CHECK(ogc_slots_write_mask(slots, 1, masks, 2) == OGC_STATUS_ARGUMENT);
    masks[0] = 0x15u;
    CHECK(ogc_slots_write_mask(slots, 1, masks, 1) == OGC_STATUS_OK);
    CHECK(((const uint32_t *)(uintptr_t)addresses.masks)[addresses.mask_stride] == 0x15u);
    CHECK(addresses.next_tokens != 0 && addresses.sampled != 0 && addresses.outcomes != 0);
    CHECK(addresses.probabilities != 0);
}

static ogc_slot_runs make_runs(uint32_t count) {
    ogc_slot_runs runs;
    memset(&runs, 0, sizeof runs);
    runs.struct_size = sizeof runs;
    runs.tokens = address(guesses);
    runs.moved = address(moved);
    runs.count = count;
    runs.most = 2;
    return runs;
}

static void check_runs(ogc_slots *slots) {
    ogc_slot_runs runs = make_runs(3);
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_OK);
    runs = make_runs(0);
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_OK);
    runs = make_runs(SLOTS + 1);
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_ARGUMENT);
    runs = make_runs(1);
    runs.tokens = 0;
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_ARGUMENT);
    CHECK(strcmp(ogc_last_error(), "runs.tokens is null") == 0);
    runs = make_runs(1);
    runs.moved += 2;
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_ARGUMENT);
    runs.struct_size = 8;
    CHECK(ogc_slots_run(slots, NULL, &runs) == OGC_STATUS_ARGUMENT);
}

static ogc_slot_drafts make_drafts(uint32_t count, uint32_t most) {
    ogc_slot_drafts drafts;
    memset(&drafts, 0, sizeof drafts);
    drafts.struct_size = sizeof drafts;
    drafts.tokens = address(guesses);
    drafts.drafted = address(moved);
    drafts.verified = address(verified);
    drafts.count = count;
    drafts.most = most;
    return drafts;
}

/* Two slots, each with a token that is guessed: four rows. */
static void check_drafts(ogc_slots *slots) {
    ogc_row rows[4];
    ogc_logits given = make_logits();
    ogc_slot_drafts drafts = make_drafts(2, 1);
    memset(rows, 0, sizeof rows);
    for (uint32_t at = 0; at < 4; at++) {
        rows[at].struct_size = sizeof rows[at];
        rows[at].is_sampled = 1;
        rows[at].allowed = OGC_ALLOWED_TOKENS_DRAFT;
        rows[at].allowed_number = at;
        rows[at].slot = -1;
    }
    given.rows = 4;
    given.len = sizeof logits / sizeof *logits;
    CHECK(ogc_slots_set_rows(slots, rows, 4) == OGC_STATUS_OK);
    CHECK(ogc_slots_draft(slots, NULL, &drafts) == OGC_STATUS_OK);
    CHECK(ogc_slots_step(slots, NULL, &given) == OGC_STATUS_OK);
    CHECK(ogc_slots_verify(slots, NULL, &drafts) == OGC_STATUS_OK);
    drafts = make_drafts(1, 15);
    CHECK(ogc_slots_draft(slots, NULL, &drafts) == OGC_STATUS_ARGUMENT);
    drafts = make_drafts(1, 16);
    CHECK(ogc_slots_verify(slots, NULL, &drafts) == OGC_STATUS_LIMIT);
    drafts = make_drafts(1, 1);
    drafts.verified = 0;
    CHECK(ogc_slots_draft(slots, NULL, &drafts) == OGC_STATUS_ARGUMENT);
    CHECK(strcmp(ogc_last_error(), "drafts.verified is null") == 0);
    CHECK(ogc_slots_verify(slots, NULL, NULL) == OGC_STATUS_ARGUMENT);
    rows[3].allowed_number = 2 * SLOTS;
    CHECK(ogc_slots_set_rows(slots, rows, 4) == OGC_STATUS_ARGUMENT);
}

static void check_places(ogc_slots *slots, const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_matcher *matcher = NULL;
    ogc_options options;
    uint32_t status = 9;
    CHECK(ogc_slots_status(slots, 3, &status) == OGC_STATUS_OK && status == OGC_SLOT_STATUS_FREE);
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_slots_place(slots, 3, 0, matcher) == OGC_STATUS_OK);
    CHECK(ogc_slots_status(slots, 3, &status) == OGC_STATUS_OK && status == OGC_SLOT_STATUS_DEVICE);
    CHECK(ogc_slots_place(slots, SLOTS, 0, matcher) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_slots_place(slots, 3, 1, matcher) == OGC_STATUS_ARGUMENT);
    ogc_matcher_free(matcher);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.max_tokens = 5;
    CHECK(ogc_matcher_new(format, vocabulary, &options, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_slots_place(slots, 3, 0, matcher) == OGC_STATUS_LIMIT);
    ogc_matcher_free(matcher);
}

int main(int count, char **arguments) {
    ogc_device *device = NULL;
    ogc_slots *slots = NULL;
    ogc_slot_limits limits = make_limits();
    CHECK(count == 3);
    ogc_vocabulary *vocabulary = make_vocabulary();
    ogc_format *format = load(arguments[1]), *other = load(arguments[2]);
    CHECK(ogc_device_open(0, &device) == OGC_STATUS_OK);
    limits.slots = 0;
    CHECK(ogc_slots_new(device, vocabulary, &limits, &slots) == OGC_STATUS_LIMIT && slots == NULL);
    limits = make_limits();
    limits.draft_tokens = 16;
    CHECK(ogc_slots_new(device, vocabulary, &limits, &slots) == OGC_STATUS_LIMIT && slots == NULL);
    limits.struct_size = 8;
    CHECK(ogc_slots_new(device, vocabulary, &limits, &slots) == OGC_STATUS_ARGUMENT && slots == NULL);
    limits = make_limits();
    CHECK(ogc_slots_new(device, vocabulary, &limits, &slots) == OGC_STATUS_OK);
    ogc_device_free(device);
    check_formats(slots, format, other, vocabulary);
    check_moves(slots);
    check_steps(slots);
    check_runs(slots);
    check_drafts(slots);
    check_places(slots, format, vocabulary);
    ogc_slots_free(slots);
    ogc_slots_free(NULL);
    ogc_format_free(format);
    ogc_format_free(other);
    ogc_vocabulary_free(vocabulary);
    printf("ok\n");
    return 0;
}
