/* What the programs of tests share: a check that says where it fails, and the format `ab+` with the tokens of its artifact. */
#ifndef OGC_TEST_H
#define OGC_TEST_H

#include "ogc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with 1, and says what does not hold and the last error, if the condition does not hold. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, ogc_last_error());                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Tells the tokens `a`, `b`, `ab`, `ba`, `</s>`, and none behind them; counts the calls. */
static inline void token(void *calls, uint32_t id, ogc_token *out) {
    static const char *const TEXTS[] = {"a", "b", "ab", "ba"};
    ++*(int *)calls;
    if (id < 4) {
        out->kind = OGC_TOKEN_KIND_TEXT;
        out->text = (const uint8_t *)TEXTS[id];
        out->text_len = strlen(TEXTS[id]);
    } else if (id == 4) {
        out->kind = OGC_TOKEN_KIND_SPECIAL;
        out->name = (const uint8_t *)"</s>";
        out->name_len = 4;
    }
}

/* Returns the address of memory as devices have it: theirs is the host's. */
static inline uint64_t address(const void *memory) {
    return (uint64_t)(uintptr_t)memory;
}

/* Reads a file into room that it fits in; returns its length. */
static inline size_t read_whole(const char *path, uint8_t *bytes, size_t room) {
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    size_t len = fread(bytes, 1, room, file);
    CHECK(len < room);
    fclose(file);
    return len;
}

/* Loads the format of an artifact, whose bytes stay as they are for as long as the program runs. */
static inline ogc_format *load(const char *path) {
    size_t room = 1 << 20;
    uint8_t *bytes = malloc(room);
    ogc_format *format = NULL;
    CHECK(bytes != NULL);
    CHECK(ogc_format_load(bytes, read_whole(path, bytes, room), &format) == OGC_STATUS_OK);
    free(bytes);
    return format;
}

#endif
