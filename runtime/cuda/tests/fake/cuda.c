// A CUDA driver with one device that is the host: what tests of the calls need, and no more. A launch masks by a plain loop.
//
// It says whether calls come in an order that a driver takes: with a current context, of handles that it gave, all given back at the
// end. What it does comes from OGC_FAKE_DRIVER: see `Behaviour` in mod.rs.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, INVALID_PTX = 218, INVALID_HANDLE = 400, CAPTURE_UNSUPPORTED = 900 };

typedef struct {
    const char* name;
    uint64_t bytes;
    uint32_t minus_infinity;
} Kernel;

static Kernel kernels[] = {
    {"ogc_apply_f32", 4, 0xff800000u},
    {"ogc_apply_f16", 2, 0xfc00u},
    {"ogc_apply_bf16", 2, 0xff80u},
};

// The kernels of models, which compute nothing here.
static Kernel model_kernel = {"ogc_model_", 0, 0};

// The kernels of slots, which compute nothing here: their launches are told.
static Kernel slot_kernels[] = {
    {"ogc_begin", 0, 0}, {"ogc_advance", 0, 0}, {"ogc_rollback", 0, 0}, {"ogc_locate", 0, 0}, {"ogc_fill", 0, 0},
    {"ogc_sample_f32", 0, 0}, {"ogc_sample_f16", 0, 0}, {"ogc_sample_bf16", 0, 0},
    {"ogc_step_f32", 0, 0}, {"ogc_step_f16", 0, 0}, {"ogc_step_bf16", 0, 0},
    {"ogc_run", 0, 0}, {"ogc_draft", 0, 0}, {"ogc_verify", 0, 0},
};
enum { SLOT_KERNELS = sizeof slot_kernels / sizeof *slot_kernels };

static int context, module, stream, recorder;
// What was taken and not given back.
static int retained, pushed, loaded, allocated, events, streams, recorded, executables;

// What a stream recorded, and what can be launched: how many launches it has.
typedef struct {
    int launches;
} Graph;

static Graph* recording;

static int behaves(const char* name) {
    const char* behaviour = getenv("OGC_FAKE_DRIVER");
    return behaviour != NULL && strcmp(behaviour, name) == 0;
}

// How recordings of other threads bind this one: 0 by all of them, 1 by its own, 2 by none.
static int capture_mode;

// Returns whether calls may allocate, load and wait: not while this process records, and not while another thread does so for all.
static int may_wait(void) {
    return recording == NULL && !(behaves("AnotherRecords") && capture_mode == 0);
}

int cuThreadExchangeStreamCaptureMode(int* mode) {
    int given = *mode;
    *mode = capture_mode;
    capture_mode = given;
    return given >= 0 && given <= 2 ? SUCCESS : INVALID_VALUE;
}

__attribute__((destructor)) static void check_end(void) {
    if (retained != 0 || pushed != 0 || loaded != 0 || allocated != 0 || streams != 0 || recorded != 0 || executables != 0 || events != 0) {
        fprintf(stderr, "left: %d contexts, %d of them current, %d modules, %d buffers, ", retained, pushed, loaded, allocated);
        fprintf(stderr, "%d events, %d streams, %d graphs, %d executables\n", events, streams, recorded, executables);
        _exit(9);
    }
}

int cuInit(unsigned flags) {
    // No driver of today returns 4242.
    return flags != 0 ? INVALID_VALUE : behaves("NoDevice") ? NO_DEVICE : behaves("NewError") ? 4242 : SUCCESS;
}

int cuDriverGetVersion(int* version) {
    *version = behaves("OldDriver") ? 12000 : behaves("TooOldDriver") ? 11080 : 13010;
    return SUCCESS;
}

int cuDeviceGetCount(int* count) {
    *count = behaves("Empty") ? 0 : 1;
    return SUCCESS;
}

int cuDeviceGet(int* device, int ordinal) {
    *device = 7;
    return ordinal == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetName(char* name, int length, int device) {
    snprintf(name, (size_t)length, "a fake device");
    return device == 7 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (device != 7 || (attribute != 75 && attribute != 76)) {
        return INVALID_VALUE;
    }
    int major = behaves("OldDevice") ? 7 : behaves("NewDevice") ? 12 : 9;
    *value = attribute == 76 ? 5 : major;
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void** given, int device) {
    *given = &context;
    retained++;
    return device == 7 ? SUCCESS : INVALID_VALUE;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    retained--;
    return device == 7 && retained >= 0 ? SUCCESS : INVALID_VALUE;
}

int cuCtxPushCurrent_v2(void* given) {
    if (given != &context || retained == 0) {
        return INVALID_CONTEXT;
    }
    pushed++;
    return SUCCESS;
}

int cuCtxPopCurrent_v2(void** given) {
    *given = &context;
    pushed--;
    return pushed >= 0 ? SUCCESS : INVALID_CONTEXT;
}

int cuCtxSetCurrent(void* given) {
    pushed = given == NULL ? 0 : 1;
    return given == NULL || (given == &context && retained > 0) ? SUCCESS : INVALID_CONTEXT;
}

// Returns whether an image is code for compute capability 9.0, as `fatbinary` packs it, aligned as words are.
static int is_code(const void* image) {
    const uint32_t* words = image;
    return (uintptr_t)image % 8 == 0 && words[0] == 0xba55ed50u && words[11] == 90;
}

// Returns whether the driver reads PTX: CUDA 12.0 reads version 8.0, and no hint that came later; CUDA 13 reads 9.0.
static int reads(const char* ptx) {
    const char* stated = strstr(ptx, "\n.version ");
    int major = 0, minor = 0;
    if (stated == NULL || sscanf(stated, "\n.version %d.%d", &major, &minor) != 2) {
        return 0;
    }
    int is_old = behaves("OldDriver");
    return 10 * major + minor <= (is_old ? 80 : 90) && !(is_old && strstr(ptx, "used_bytes_mask") != NULL);
}

int cuModuleLoadData(void** given, const void* image) {
    if (pushed == 0) {
        return INVALID_CONTEXT;
    }
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    int is_ptx = memcmp(image, "//", 2) == 0;
    if (!is_ptx && (behaves("RefusesCode") || behaves("RefusesKernels") || behaves("OldDriver") || !is_code(image))) {
        return INVALID_IMAGE;
    }
    if (is_ptx && (behaves("RefusesKernels") || behaves("Works") || !reads(image))) {
        return INVALID_PTX;
    }
    *given = &module;
    loaded++;
    return SUCCESS;
}

int cuModuleUnload(void* given) {
    loaded--;
    return given == &module && pushed > 0 ? SUCCESS : INVALID_HANDLE;
}

int cuModuleGetFunction(void** given, void* of, const char* name) {
    // A kernel is loaded when it is found.
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    for (size_t at = 0; at < sizeof kernels / sizeof *kernels; at++) {
        if (of == &module && pushed > 0 && strcmp(kernels[at].name, name) == 0) {
            *given = &kernels[at];
            return SUCCESS;
        }
    }
    for (size_t at = 0; at < SLOT_KERNELS; at++) {
        if (of == &module && pushed > 0 && strcmp(slot_kernels[at].name, name) == 0) {
            *given = &slot_kernels[at];
            return SUCCESS;
        }
    }
    if (of == &module && pushed > 0 && strncmp(name, model_kernel.name, strlen(model_kernel.name)) == 0) {
        *given = &model_kernel;
        return SUCCESS;
    }
    return INVALID_HANDLE;
}

// A kernel is loaded by its name alone, so that what it needs is not known.
int cuFuncGetAttribute(int* value, int attribute, const Kernel* kernel) {
    *value = attribute;
    return pushed > 0 && kernel != NULL ? SUCCESS : INVALID_HANDLE;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const Kernel* kernel, int threads, size_t shared) {
    *blocks = threads > 0 && shared == 0 ? 2048 / threads : 0;
    return pushed > 0 && kernel != NULL ? SUCCESS : INVALID_HANDLE;
}

int cuStreamCreate(void** given, unsigned flags) {
    // Without flags a stream and the default one wait for each other.
    *given = flags == 0 ? &stream : &recorder;
    streams++;
    return pushed > 0 && flags <= 1 ? SUCCESS : INVALID_VALUE;
}

int cuStreamDestroy_v2(void* given) {
    streams--;
    return (given == &stream || given == &recorder) && pushed > 0 && recording == NULL ? SUCCESS : INVALID_HANDLE;
}

int cuStreamBeginCapture_v2(void* given, int mode) {
    // The default stream would wait for a stream without flags: what other threads copy would end the recording.
    if (given == &stream) {
        return CAPTURE_UNSUPPORTED;
    }
    if (given != &recorder || pushed == 0 || recording != NULL || mode != 1) {
        return INVALID_VALUE;
    }
    recording = calloc(1, sizeof *recording);
    recorded++;
    return SUCCESS;
}

int cuStreamEndCapture(void* given, Graph** graph) {
    if (given != &recorder || pushed == 0 || recording == NULL) {
        return INVALID_VALUE;
    }
    *graph = recording;
    recording = NULL;
    return SUCCESS;
}

int cuGraphInstantiateWithFlags(Graph** given, const Graph* graph, unsigned long long flags) {
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    if (pushed == 0 || flags != 0) {
        return INVALID_VALUE;
    }
    *given = malloc(sizeof **given);
    **given = *graph;
    executables++;
    return SUCCESS;
}

int cuGraphDestroy(Graph* graph) {
    free(graph);
    recorded--;
    return pushed > 0 ? SUCCESS : INVALID_CONTEXT;
}

int cuGraphExecDestroy(Graph* graph) {
    free(graph);
    executables--;
    return pushed > 0 && loaded > 0 ? SUCCESS : INVALID_CONTEXT;
}

int cuGraphLaunch(const Graph* graph, void* given) {
    if (given != &stream || pushed == 0) {
        return INVALID_HANDLE;
    }
    printf("graph %d of %d: %d launches\n", executables, recorded, graph->launches);
    fflush(stdout);
    return SUCCESS;
}

int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    void* memory = NULL;
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    if (behaves("LittleMemory") && bytes > (1 << 20)) {
        return OUT_OF_MEMORY;
    }
    if (pushed == 0 || bytes == 0 || posix_memalign(&memory, 256, bytes) != 0) {
        return INVALID_VALUE;
    }
    memset(memory, 0, bytes);
    *address = (uint64_t)(uintptr_t)memory;
    allocated++;
    return SUCCESS;
}

int cuMemFree_v2(uint64_t address) {
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    free((void*)(uintptr_t)address);
    allocated--;
    return pushed > 0 ? SUCCESS : INVALID_CONTEXT;
}

int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    memcpy((void*)(uintptr_t)to, from, bytes);
    return pushed > 0 ? SUCCESS : INVALID_CONTEXT;
}

#ifndef INCOMPLETE
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
    if (!may_wait()) {
        return CAPTURE_UNSUPPORTED;
    }
    memcpy(to, (const void*)(uintptr_t)from, bytes);
    return pushed > 0 ? SUCCESS : INVALID_CONTEXT;
}
#endif

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
    memcpy((void*)(uintptr_t)to, (const void*)(uintptr_t)from, bytes);
    return pushed > 0 && stream == NULL ? SUCCESS : INVALID_CONTEXT;
}

// An event is the time at which it was recorded, in milliseconds; 0 before.
int cuEventCreate(double** event, unsigned flags) {
    *event = calloc(1, sizeof **event);
    events++;
    return pushed > 0 && flags == 0 && *event != NULL ? SUCCESS : INVALID_VALUE;
}

int cuEventRecord(double* event, void* stream) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *event = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
    return pushed > 0 && stream == NULL ? SUCCESS : INVALID_CONTEXT;
}

int cuEventSynchronize(const double* event) {
    return pushed > 0 && *event >= 0 ? SUCCESS : INVALID_HANDLE;
}

int cuEventElapsedTime(float* milliseconds, const double* start, const double* end) {
    *milliseconds = (float)(*end - *start);
    return *start > 0 && *end > 0 ? SUCCESS : INVALID_HANDLE;
}

int cuEventDestroy_v2(double* event) {
    free(event);
    events--;
    return pushed > 0 ? SUCCESS : INVALID_CONTEXT;
}

int cuGetErrorName(int error, const char** name) {
    if (error == 4242) {
        *name = NULL;
        return INVALID_VALUE;
    }
    *name = error == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : error == INVALID_PTX ? "CUDA_ERROR_INVALID_PTX" : error == INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE" : "CUDA_ERROR";
    return SUCCESS;
}

int cuGetErrorString(int error, const char** text) {
    if (error == 4242) {
        *text = NULL;
        return INVALID_VALUE;
    }
    *text = error == INVALID_PTX ? "a PTX JIT compilation failed" : "another error";
    return SUCCESS;
}

// What a kernel is given, read as its parameters are.
typedef struct {
    uint64_t logits, logits_stride, masks, mask_stride, rows;
    uint32_t row_count, vocabulary, width;
} Given;

static void mask_row(const Kernel* kernel, const Given* given, uint64_t row, uint64_t mask_row) {
    const uint32_t* mask = (const uint32_t*)(uintptr_t)given->masks + mask_row * given->mask_stride;
    for (uint32_t token = 0; token < given->width; token++) {
        int is_allowed = token < given->vocabulary && (mask[token / 32] >> token % 32 & 1);
        uint64_t place = given->logits + (row * given->logits_stride + token) * kernel->bytes;
        if (!is_allowed) {
            memcpy((void*)(uintptr_t)place, &kernel->minus_infinity, kernel->bytes);
        }
    }
}

// Launches a kernel of a model: it is recorded, or computes nothing.
static int launch_of_model(void* given, void** parameters) {
    if (given != (recording == NULL ? &stream : &recorder) || parameters[0] == NULL) {
        return INVALID_VALUE;
    }
    if (recording == NULL) {
        printf("a launch that is not recorded\n");
    } else {
        recording->launches++;
    }
    return SUCCESS;
}

// Tells a launch of a kernel of slots: it is recorded, or computes nothing. Streams are the one that was made, the default one, or another one.
static int launch_of_slots(const Kernel* kernel, unsigned x, unsigned y, unsigned threads, void* given, void** parameters) {
    if (behaves("RefusesLaunches") || parameters[0] == NULL) {
        return INVALID_VALUE;
    }
    if (recording != NULL && given == &recorder) {
        recording->launches++;
        return SUCCESS;
    }
    const char* name = given == NULL ? "the default stream" : given == &stream ? "its stream" : "another stream";
    printf("%s: %u x %u blocks of %u on %s\n", kernel->name, x, y, threads, name);
    fflush(stdout);
    return SUCCESS;
}

int cuLaunchKernel(
    Kernel* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
    unsigned shared, void* stream, void** parameters, void** extra
) {
    if (kernel == &model_kernel && pushed > 0 && loaded > 0 && grid_x > 0 && grid_y > 0 && grid_y <= 65535 && block_x <= 1024) {
        return launch_of_model(stream, parameters);
    }
    int is_of_slots = kernel >= slot_kernels && kernel < slot_kernels + SLOT_KERNELS;
    if (is_of_slots && pushed > 0 && loaded > 0 && grid_x > 0 && grid_y > 0 && grid_y <= 65535 && block_x % 32 == 0 && block_x <= 1024) {
        return launch_of_slots(kernel, grid_x, grid_y, block_x, stream, parameters);
    }
    if (behaves("RefusesLaunches") || pushed == 0 || loaded == 0 || kernel < kernels || kernel >= kernels + 3) {
        return INVALID_HANDLE;
    }
    uint64_t wide[5];
    uint32_t narrow[3];
    for (int at = 0; at < 5; at++) {
        memcpy(&wide[at], parameters[at], 8);
    }
    for (int at = 0; at < 3; at++) {
        memcpy(&narrow[at], parameters[5 + at], 4);
    }
    Given given = {wide[0], wide[1], wide[2], wide[3], wide[4], narrow[0], narrow[1], narrow[2]};
    uint64_t reached = (uint64_t)grid_x * block_x / 32 * 4096;
    int is_flat = grid_z == 1 && block_y == 1 && block_z == 1 && shared == 0 && stream == NULL && extra == NULL;
    if (!is_flat || grid_y == 0 || grid_y > 65535 || block_x == 0 || block_x % 32 != 0 || block_x > 1024 || reached < given.width) {
        return INVALID_VALUE;
    }
    const int32_t* rows = (const int32_t*)(uintptr_t)given.rows;
    for (uint32_t row = 0; row < given.row_count; row++) {
        int64_t mask = rows == NULL ? (int64_t)row : rows[row];
        if (mask >= 0) {
            mask_row(kernel, &given, row, (uint64_t)mask);
        }
    }
    return SUCCESS;
}
