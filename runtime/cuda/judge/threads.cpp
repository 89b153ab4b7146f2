#include "threads.hpp"

#include <string.h>

#include "failure.hpp"
#include "scheduler.hpp"

namespace judge {

Scheduler* scheduler;

static Thread& self() {
    return *scheduler->running;
}

// --- Where a thread is ---

uint32_t thread_x() {
    return self().x;
}
uint32_t block_x() {
    return self().block->x;
}
uint32_t block_y() {
    return self().block->y;
}
uint32_t threads_of_block() {
    return scheduler->launch.threads;
}
uint32_t grid_x() {
    return scheduler->launch.blocks_x;
}
uint32_t grid_y() {
    return scheduler->launch.blocks_y;
}

// --- Barriers ---

bool is_there(Barrier& barrier) {
    uint32_t number = scheduler->barriers.reach(barrier);
    self().barrier = number;
    return number != scheduler->launch.left_out;
}

/// Lets threads go on from a meeting, at which each knows what all knew.
static void release(Meeting& meeting, bool orders) {
    if (orders) {
        for (Thread* thread : meeting.threads) {
            meeting.known.join(thread->knowledge.known);
        }
        for (Thread* thread : meeting.threads) {
            thread->knowledge.known = meeting.known;
            thread->knowledge.known.of(thread->number)++;
        }
    }
    for (Thread* thread : meeting.threads) {
        scheduler->wake(*thread);
    }
    meeting.threads.clear();
}

/// Waits until so many threads have come; the last lets all go on.
static void meet(Meeting& meeting, size_t count, const char* what, uint32_t barrier, bool orders) {
    if (meeting.threads.empty()) {
        meeting.what = what;
        meeting.barrier = barrier;
    } else if (meeting.what != what || meeting.barrier != barrier) {
        fail(std::string("threads part: one is at ") + what + scheduler->barriers.name(barrier) + ", another at " + meeting.what +
             scheduler->barriers.name(meeting.barrier));
    }
    meeting.threads.push_back(&self());
    if (meeting.threads.size() < count) {
        scheduler->wait();
        return;
    }
    // It is not asleep, but is let go on as the others are.
    scheduler->sleep(self());
    release(meeting, orders);
    scheduler->pause();
}

void sync_block() {
    Block& block = *self().block;
    meet(block.meeting, scheduler->launch.threads, "__syncthreads", self().barrier, true);
}

void sync_warp() {
    meet(self().warp->meeting, 32, "__syncwarp", self().barrier, true);
}

void fence() {
    Knowledge& own = self().knowledge;
    own.known.join(own.heard);
    own.sent = own.known;
    own.known.of(self().number)++;
    scheduler->pause();
}

/// Gives a value to the other lanes, and waits for theirs.
static const uint64_t* gather(const char* what, uint32_t lanes, uint64_t value) {
    if (lanes != 0xffffffffu) {
        fail(std::string(what) + " is not of all lanes");
    }
    Thread& thread = self();
    // A lane may give the next value while another has not taken this one, but not the one behind that.
    uint64_t* values = thread.warp->values[thread.gathered++ % 2];
    values[thread.x % 32] = value;
    meet(thread.warp->meeting, 32, what, 0, false);
    return values;
}

uint64_t of_lane(uint32_t lanes, uint64_t bits, uint32_t lane) {
    return gather("a shuffle", lanes, bits)[lane];
}

uint32_t ballot(uint32_t lanes, bool holds) {
    const uint64_t* all = gather("a ballot", lanes, holds);
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        bits |= static_cast<uint32_t>(all[lane]) << lane;
    }
    return bits;
}

uint32_t greatest(uint32_t lanes, uint32_t number) {
    const uint64_t* all = gather("a maximum", lanes, number);
    uint64_t most = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        most = all[lane] > most ? all[lane] : most;
    }
    return static_cast<uint32_t>(most);
}

uint32_t sum(uint32_t lanes, uint32_t number) {
    const uint64_t* all = gather("a sum", lanes, number);
    uint64_t sum = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        sum += all[lane];
    }
    return static_cast<uint32_t>(sum);
}

// --- Memory ---

static void access(const void* at, size_t bytes, Kind kind, const void* where) {
    // Before the first launch kernels are named.
    if (scheduler == nullptr) {
        return;
    }
    scheduler->access(reinterpret_cast<uintptr_t>(at), bytes, kind, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(where)));
}

void begin_atomic(const void* at, size_t bytes, const void* where) {
    scheduler->pause();
    access(at, bytes, Kind::Atomic, where);
    scheduler->memory.exchange(reinterpret_cast<uintptr_t>(at), self().knowledge);
}

void* shared_memory(const void* name, size_t bytes) {
    Block& block = *self().block;
    for (const Variable& variable : block.variables) {
        if (variable.name == name) {
            return block.shared + variable.offset;
        }
    }
    size_t offset = block.variables.empty() ? 0 : block.variables.back().end;
    if (offset + bytes > SHARED_BYTES) {
        fail("a block has more than 64 KiB of shared memory");
    }
    block.variables.push_back({name, offset, (offset + bytes + 15) / 16 * 16});
    return block.shared + offset;
}

// --- Kernels ---

static Kernel* kernels = nullptr;

Kernel::Kernel(const char* name, AnyKernel kernel, const Caller& caller) : name(name), kernel(kernel), caller(caller), next(kernels) {
    kernels = this;
}

const Kernel* Kernel::find(const char* name) {
    const Kernel* kernel = kernels;
    while (kernel != nullptr && strcmp(kernel->name, name) != 0) {
        kernel = kernel->next;
    }
    return kernel;
}

const Kernel* Kernel::first() {
    return kernels;
}

}  // namespace judge

// --- What the compiler tells of each access (`-fsanitize=thread`) ---

using judge::Kind;

#define ACCESS(bytes)                                                               \
    extern "C" void __tsan_read##bytes(void* at) {                                  \
        judge::access(at, bytes, Kind::Read, __builtin_return_address(0));          \
    }                                                                               \
    extern "C" void __tsan_write##bytes(void* at) {                                 \
        judge::access(at, bytes, Kind::Write, __builtin_return_address(0));         \
    }                                                                               \
    extern "C" void __tsan_unaligned_read##bytes(void* at) {                        \
        judge::access(at, bytes, Kind::Read, __builtin_return_address(0));          \
    }                                                                               \
    extern "C" void __tsan_unaligned_write##bytes(void* at) {                       \
        judge::access(at, bytes, Kind::Write, __builtin_return_address(0));         \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

extern "C" void __tsan_init() {}
extern "C" void __tsan_read_range(void* at, size_t bytes) {
    judge::access(at, bytes, Kind::Read, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* at, size_t bytes) {
    judge::access(at, bytes, Kind::Write, __builtin_return_address(0));
}

extern "C" void* judge_memcpy(void* to, const void* from, size_t bytes) {
    judge::access(from, bytes, Kind::Read, __builtin_return_address(0));
    judge::access(to, bytes, Kind::Write, __builtin_return_address(0));
    return memcpy(to, from, bytes);
}
extern "C" void* judge_memmove(void* to, const void* from, size_t bytes) {
    judge::access(from, bytes, Kind::Read, __builtin_return_address(0));
    judge::access(to, bytes, Kind::Write, __builtin_return_address(0));
    return memmove(to, from, bytes);
}
extern "C" void* judge_memset(void* to, int byte, size_t bytes) {
    judge::access(to, bytes, Kind::Write, __builtin_return_address(0));
    return memset(to, byte, bytes);
}
