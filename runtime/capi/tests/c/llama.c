/* Uses samplers of llama.cpp in a program that defines the functions of libllama itself, as the newest one has them: what llama.cpp does
 * to a sampler is done here by hand. The first argument is the artifact of `ab+`. Exits with 0 if all is as it should be. */
#include "test.h"

#include <math.h>

/* The types of llama.h. */
typedef struct {
    int32_t id;
    float logit;
    float p;
} token_data;

typedef struct {
    token_data *data;
    size_t size;
    int64_t selected;
    bool sorted;
} token_array;

typedef struct {
    const char *(*name)(const llama_sampler *);
    void (*accept)(llama_sampler *, int32_t);
    void (*apply)(llama_sampler *, token_array *);
    void (*reset)(llama_sampler *);
    llama_sampler *(*clone)(const llama_sampler *);
    void (*free)(llama_sampler *);
    void (*later[6])(void);
} functions;

struct llama_sampler {
    functions *iface;
    void *ctx;
};

/* The functions of llama.h that ogc looks up. */
enum { UNKNOWN = 1, UNUSED = 2, NORMAL = 4, CONTROL = 8, USER_DEFINED = 16, BYTE = 32, LSTRIP = 128 };
enum { TOKENS = 12 };

static const struct {
    int attr;
    const char *text;
    const char *piece;
} VOCAB[TOKENS] = {
    {NORMAL, "a", "a"},
    {NORMAL | LSTRIP, "b", "b"},
    {NORMAL, "ab", "ab"},
    {NORMAL, "long", NULL}, /* 300 times b, more than any buffer that a first guess has room for */
    {CONTROL, "</s>", ""},
    {CONTROL, "<|custom_end|>", ""},
    {UNUSED, "bb", "bb"},
    {UNKNOWN, "<unk>", ""},
    {BYTE, "<0x62>", "b"},
    {USER_DEFINED, "ba", "ba"},
    {NORMAL, "", ""},
    {0, "[PAD]", ""},
};

static int made = 0;

int32_t llama_vocab_n_tokens(const llama_vocab *vocab) {
    (void)vocab;
    return TOKENS;
}
int32_t llama_vocab_get_attr(const llama_vocab *vocab, int32_t id) {
    (void)vocab;
    return VOCAB[id].attr;
}
const char *llama_vocab_get_text(const llama_vocab *vocab, int32_t id) {
    (void)vocab;
    return VOCAB[id].text;
}
bool llama_vocab_is_eog(const llama_vocab *vocab, int32_t id) {
    (void)vocab;
    return id == 4 || id == 5;
}
int32_t llama_vocab_eos(const llama_vocab *vocab) {
    (void)vocab;
    return 4;
}
int32_t llama_vocab_eot(const llama_vocab *vocab) {
    (void)vocab;
    return -1;
}
int32_t llama_token_to_piece(const llama_vocab *vocab, int32_t id, char *out, int32_t room, int32_t strip, bool special) {
    CHECK(vocab != NULL && strip == 0 && !special);
    int32_t len = VOCAB[id].piece ? (int32_t)strlen(VOCAB[id].piece) : 300;
    if (len > room) {
        return -len;
    }
    if (VOCAB[id].piece) {
        memcpy(out, VOCAB[id].piece, (size_t)len);
    } else {
        memset(out, 'b', (size_t)len);
    }
    return len;
}
llama_sampler *llama_sampler_init(functions *iface, void *ctx) {
    llama_sampler *sampler = malloc(sizeof *sampler);
    CHECK(sampler != NULL);
    sampler->iface = iface;
    sampler->ctx = ctx;
    ++made;
    return sampler;
}

/* What llama.cpp does to samplers. */
static void sampler_free(llama_sampler *sampler) {
    sampler->iface->free(sampler);
    free(sampler);
    --made;
}
static void sampler_copy(const llama_sampler *from, llama_sampler *to) {
    llama_sampler *copy = from->iface->clone(from);
    to->iface->free(to);
    to->ctx = copy->ctx;
    copy->ctx = NULL;
    free(copy);
    --made;
}

/* Returns the ids that a sampler leaves of all tokens, as bits. */
static unsigned left(llama_sampler *sampler) {
    token_data data[TOKENS + 1];
    token_array all = {data, TOKENS + 1, -1, true};
    unsigned bits = 0;
    /* In an order of their own, and one that there is not. */
    for (int at = 0; at <= TOKENS; ++at) {
        data[at].id = at < TOKENS ? (at * 5) % TOKENS : 1000000;
        data[at].logit = (float)(TOKENS - at);
        data[at].p = 0.25f;
    }
    sampler->iface->apply(sampler, &all);
    CHECK(all.data == data && all.size == TOKENS + 1 && all.selected == -1 && !all.sorted);
    for (int at = 0; at <= TOKENS; ++at) {
        CHECK(data[at].id == (at < TOKENS ? (at * 5) % TOKENS : 1000000) && data[at].p == 0.25f);
        CHECK(data[at].logit == (float)(TOKENS - at) || data[at].logit == -INFINITY);
        if (data[at].logit != -INFINITY) {
            CHECK(at < TOKENS);
            bits |= 1u << data[at].id;
        }
    }
    for (int id = -1; id < TOKENS; ++id) {
        token_data one = {id, 1.0f, 0.0f};
        token_array only = {&one, 1, 0, true};
        sampler->iface->apply(sampler, &only);
        CHECK((one.logit != -INFINITY) == (id >= 0 && (bits >> id & 1)));
        CHECK(only.selected == 0 && only.sorted);
    }
    return bits;
}

static const unsigned BEGIN = 1 << 0 | 1 << 2, MIDDLE = 1 << 1 | 1 << 3 | 1 << 8, ENDS = 1 << 4 | 1 << 5;

static void check_vocabulary(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_matcher *matcher = NULL;
    uint32_t mask = 0;
    CHECK(ogc_vocabulary_len(vocabulary) == 11);
    CHECK(ogc_matcher_new(format, vocabulary, NULL, &matcher) == OGC_STATUS_OK);
    CHECK(ogc_matcher_accept_token(matcher, 2) == OGC_STATUS_OK && ogc_matcher_accept_token(matcher, 3) == OGC_STATUS_OK);
    CHECK(ogc_matcher_fill_mask(matcher, &mask, 1) == OGC_STATUS_OK && mask == (MIDDLE | ENDS));
    CHECK(ogc_matcher_accept_token(matcher, 5) == OGC_STATUS_OK && ogc_matcher_is_ended(matcher));
    ogc_matcher_free(matcher);
}

static void check_steps(llama_sampler *sampler) {
    CHECK(strcmp(sampler->iface->name(sampler), "ogc") == 0);
    for (int at = 0; at < 6; ++at) {
        CHECK(sampler->iface->later[at] == NULL);
    }
    CHECK(left(sampler) == BEGIN);
    sampler->iface->accept(sampler, 0);
    CHECK(left(sampler) == MIDDLE);
    llama_sampler *clone = sampler->iface->clone(sampler);
    clone->iface->accept(clone, 3);
    CHECK(left(clone) == (MIDDLE | ENDS) && left(sampler) == MIDDLE);
    sampler_copy(clone, sampler);
    CHECK(left(sampler) == (MIDDLE | ENDS));
    sampler->iface->accept(sampler, 5);
    CHECK(left(sampler) == ENDS);
    sampler->iface->accept(sampler, 4);
    CHECK(left(sampler) == ENDS && ogc_llama_sampler_error(sampler) == NULL);
    sampler_free(clone);
    sampler->iface->reset(sampler);
    CHECK(left(sampler) == BEGIN);
}

static void check_refusals(llama_sampler *sampler) {
    const int32_t refused[6] = {1, 4, 7, 1000000, -1, INT32_MIN};
    for (int at = 0; at < 6; ++at) {
        sampler->iface->accept(sampler, refused[at]);
        CHECK(left(sampler) == ENDS && ogc_llama_sampler_error(sampler) != NULL);
        puts(ogc_llama_sampler_error(sampler));
        sampler->iface->accept(sampler, 0);
        CHECK(left(sampler) == ENDS);
        llama_sampler *clone = sampler->iface->clone(sampler);
        CHECK(left(clone) == ENDS && strcmp(ogc_llama_sampler_error(clone), ogc_llama_sampler_error(sampler)) == 0);
        sampler_free(clone);
        sampler->iface->reset(sampler);
        CHECK(left(sampler) == BEGIN && ogc_llama_sampler_error(sampler) == NULL);
    }
    /* After the end, tokens that end the text are no mistake, others are. */
    sampler->iface->accept(sampler, 2);
    sampler->iface->accept(sampler, 4);
    sampler->iface->accept(sampler, 5);
    CHECK(ogc_llama_sampler_error(sampler) == NULL);
    sampler->iface->accept(sampler, 1);
    CHECK(ogc_llama_sampler_error(sampler) != NULL && left(sampler) == ENDS);
    sampler->iface->reset(sampler);
}

static void check_few_candidates(llama_sampler *sampler) {
    token_data data[2] = {{1, 2.0f, 0.0f}, {4, 1.0f, 0.0f}};
    token_array few = {data, 2, -1, true}, none = {NULL, 0, -1, true};
    sampler->iface->apply(sampler, &none);
    sampler->iface->apply(sampler, &few);
    CHECK(data[0].logit == -INFINITY && data[1].logit == -INFINITY);
    CHECK(strstr(ogc_llama_sampler_error(sampler), "in front of") != NULL);
    sampler->iface->accept(sampler, 0);
    CHECK(left(sampler) == MIDDLE);
    sampler->iface->reset(sampler);
    /* What is sorted stays sorted where nothing is withheld. */
    data[0] = (token_data){2, 2.0f, 0.0f};
    data[1] = (token_data){0, 1.0f, 0.0f};
    few.sorted = true;
    sampler->iface->apply(sampler, &few);
    CHECK(few.sorted && data[0].logit == 2.0f && data[1].logit == 1.0f);
}

/* A budget is whole again after a reset, and in a clone it is what is left. */
static void check_budget(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    ogc_options options;
    llama_sampler *sampler = NULL;
    memset(&options, 0, sizeof options);
    CHECK(ogc_llama_sampler(format, vocabulary, &options, &sampler) == OGC_STATUS_ARGUMENT && sampler == NULL);
    options.struct_size = sizeof options;
    options.max_tokens = 2;
    CHECK(ogc_llama_sampler(format, vocabulary, &options, &sampler) == OGC_STATUS_OK);
    for (int round = 0; round < 2; ++round) {
        CHECK(left(sampler) == BEGIN);
        sampler->iface->accept(sampler, 2);
        sampler->iface->accept(sampler, 1);
        llama_sampler *clone = sampler->iface->clone(sampler);
        CHECK(left(sampler) == ENDS && left(clone) == ENDS && ogc_llama_sampler_error(sampler) == NULL);
        sampler_free(clone);
        sampler->iface->reset(sampler);
    }
    sampler_free(sampler);
}

static void one_token(void *user, uint32_t id, ogc_token *out) {
    out->kind = id == 0 ? OGC_TOKEN_KIND_TEXT : *(bool *)user ? OGC_TOKEN_KIND_SPECIAL : OGC_TOKEN_KIND_NONE;
    out->text = (const uint8_t *)"a";
    out->text_len = id == 0;
    out->name = (const uint8_t *)"</s>";
    out->name_len = id == 0 ? 0 : 4;
}

/* Where no token can follow, the text ends, and the sampler says why; without a token that ends texts there is no sampler. */
static void check_dead_end(const ogc_format *format) {
    bool has_end = true;
    ogc_vocabulary_source source;
    ogc_vocabulary *vocabulary = NULL;
    llama_sampler *sampler = NULL;
    memset(&source, 0, sizeof source);
    source.struct_size = sizeof source;
    source.tokens = 5;
    source.token = one_token;
    source.user = &has_end;
    source.tokens = 2;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_OK);
    CHECK(ogc_llama_sampler(format, vocabulary, NULL, &sampler) == OGC_STATUS_OK);
    ogc_vocabulary_free(vocabulary);
    sampler->iface->accept(sampler, 0);
    CHECK(left(sampler) == 1 << 1 && strstr(ogc_llama_sampler_error(sampler), "no token") != NULL);
    sampler_free(sampler);
    sampler = NULL;
    has_end = false;
    CHECK(ogc_vocabulary_from_tokens(&source, &vocabulary) == OGC_STATUS_OK);
    CHECK(ogc_llama_sampler(format, vocabulary, NULL, &sampler) == OGC_STATUS_ARGUMENT && sampler == NULL);
    CHECK(strstr(ogc_last_error(), "stop_tokens") != NULL);
    ogc_vocabulary_free(vocabulary);
}

static void check_others(const ogc_format *format, const ogc_vocabulary *vocabulary) {
    functions none;
    llama_sampler other = {&none, &none}, *sampler = NULL;
    memset(&none, 0, sizeof none);
    CHECK(ogc_llama_sampler_error(NULL) == NULL && ogc_llama_sampler_error(&other) == NULL);
    CHECK(ogc_llama_vocabulary(NULL, NULL) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_llama_sampler(NULL, vocabulary, NULL, &sampler) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_llama_sampler(format, NULL, NULL, &sampler) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_llama_sampler(format, vocabulary, NULL, NULL) == OGC_STATUS_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    int vocab;
    ogc_format *format = load(argv[1]);
    ogc_vocabulary *vocabulary = NULL;
    llama_sampler *sampler = NULL;
    CHECK(ogc_llama_vocabulary((const llama_vocab *)&vocab, &vocabulary) == OGC_STATUS_OK);
    CHECK(ogc_llama_sampler(format, vocabulary, NULL, &sampler) == OGC_STATUS_OK);
    check_vocabulary(format, vocabulary);
    check_budget(format, vocabulary);
    check_dead_end(format);
    check_others(format, vocabulary);
    /* A sampler keeps what it needs. */
    ogc_format_free(format);
    ogc_vocabulary_free(vocabulary);
    check_steps(sampler);
    check_refusals(sampler);
    check_few_candidates(sampler);
    sampler_free(sampler);
    CHECK(made == 0);
    puts("ok");
    return 0;
}
