/* Masks logits on a device. The arguments: `none` and what ogc_last_error then says, or `masks` where memory of the device is the host's. */
#include "test.h"

enum { ROWS = 3, WIDTH = 40, STRIDE = 48 };

static uint16_t logits[ROWS * STRIDE];
static uint32_t masks[2 * 2] = {0x0000ffffu, 0x01u, 0xffff0000u, 0x80u};
static int32_t row_map[ROWS] = {1, -1, 0};

static ogc_masking make_masking(void) {
    ogc_masking masking;
    memset(&masking, 0, sizeof masking);
    masking.struct_size = sizeof masking;
    masking.logits = address(logits);
    masking.logits_len = ROWS * STRIDE;
    masking.logits_stride = STRIDE;
    masking.format = OGC_LOGIT_FORMAT_F16;
    masking.rows = ROWS;
    masking.width = WIDTH;
    masking.vocabulary = 36;
    masking.masks = address(masks);
    masking.masks_len = 4;
    masking.mask_stride = 2;
    masking.row_map = address(row_map);
    masking.row_map_len = ROWS;
    return masking;
}

/* Returns whether a logit stays, by what the masks say. */
static int stays(int row, int token) {
    int mask = row_map[row];
    return token >= WIDTH || mask < 0 || (token < 36 && (masks[2 * mask + token / 32] >> token % 32 & 1));
}

static void check_masks(const ogc_device *device) {
    ogc_masking masking = make_masking();
    for (int at = 0; at < ROWS * STRIDE; at++) {
        logits[at] = (uint16_t)(at + 1);
    }
    CHECK(ogc_device_apply(device, NULL, &masking) == OGC_STATUS_OK);
    for (int row = 0; row < ROWS; row++) {
        for (int token = 0; token < STRIDE; token++) {
            int at = row * STRIDE + token;
            CHECK(logits[at] == (stays(row, token) ? at + 1 : 0xfc00));
        }
    }
}

/* What does not fit is told, and nothing is launched. */
static void check_refusals(const ogc_device *device) {
    ogc_masking masking = make_masking();
    masking.struct_size -= 1;
    CHECK(ogc_device_apply(device, NULL, &masking) == OGC_STATUS_ARGUMENT);
    masking = make_masking();
    masking.format = 3;
    CHECK(ogc_device_apply(device, NULL, &masking) == OGC_STATUS_ARGUMENT);
    masking = make_masking();
    masking.row_map = 0;
    CHECK(ogc_device_apply(device, NULL, &masking) == OGC_STATUS_ARGUMENT);
    masking = make_masking();
    masking.logits_len = ROWS * STRIDE - STRIDE;
    CHECK(ogc_device_apply(device, NULL, &masking) == OGC_STATUS_ARGUMENT);
    CHECK(strcmp(ogc_last_error(), "the logits have 96 entries, 136 are used") == 0);
    CHECK(ogc_device_apply(NULL, NULL, &masking) == OGC_STATUS_ARGUMENT);
    CHECK(ogc_device_apply(device, NULL, NULL) == OGC_STATUS_ARGUMENT);
}

static void check_facts(const ogc_device *device) {
    ogc_device_facts facts;
    memset(&facts, 0, sizeof facts);
    CHECK(ogc_device_info(device, &facts) == OGC_STATUS_ARGUMENT);
    facts.struct_size = sizeof facts;
    CHECK(ogc_device_info(device, &facts) == OGC_STATUS_OK);
    CHECK(strcmp(facts.name, "a fake device") == 0);
    CHECK(strcmp(facts.kernels, "code of compute capability 9.0") == 0);
    CHECK(facts.capability_major == 9 && facts.capability_minor == 5);
    CHECK(facts.driver_major == 13 && facts.driver_minor == 1);
}

int main(int count, char **arguments) {
    ogc_device *device = NULL;
    CHECK(count >= 2);
    ogc_device_free(NULL);
    CHECK(ogc_device_open(0, NULL) == OGC_STATUS_ARGUMENT);
    if (strcmp(arguments[1], "none") == 0) {
        CHECK(count == 3 && ogc_device_open(0, &device) == OGC_STATUS_DEVICE && device == NULL);
        CHECK(strcmp(ogc_last_error(), arguments[2]) == 0);
    } else {
        CHECK(ogc_device_open(1, &device) == OGC_STATUS_DEVICE && device == NULL);
        CHECK(ogc_device_open(0, &device) == OGC_STATUS_OK);
        check_facts(device);
        check_masks(device);
        check_refusals(device);
        ogc_device_free(device);
    }
    printf("ok\n");
    return 0;
}
