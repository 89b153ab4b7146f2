//! The threads of a launch, as kernels see them: where they are, and what they do together.
//!
//! Each is a fiber; one runs at a time, and another goes on at random at each barrier, ballot, shuffle and atomic, and between accesses of memory. Which
//! accesses are ordered is kept by `races.hpp`, as CUDA promises it: by `__syncthreads`, by `__syncwarp`, and by fences around atomics. Ballots and
//! shuffles make lanes meet, and order nothing.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace judge {

/// A barrier or fence in a source. `number` is 0 until it is first reached.
struct Barrier {
    const char* file;
    uint32_t line, number;
};

/// Notes that a thread is at a barrier; returns whether it is there, or left out.
bool is_there(Barrier& barrier);

void sync_block();
void sync_warp();
void fence();

/// Returns the bits of another lane of a warp. `lanes` must be all.
uint64_t of_lane(uint32_t lanes, uint64_t bits, uint32_t lane);
uint32_t ballot(uint32_t lanes, bool holds);
uint32_t greatest(uint32_t lanes, uint32_t number);
uint32_t sum(uint32_t lanes, uint32_t number);

/// Says that a thread changes a number as a whole.
void begin_atomic(const void* at, size_t bytes, const void* where);

template <class Number, class Change>
__attribute__((noinline, no_sanitize("thread"))) Number atomic(Number* at, Change change) {
    begin_atomic(at, sizeof(Number), __builtin_return_address(0));
    Number now = *at;
    *at = change(now);
    return now;
}

/// Returns memory of the block that runs, the same each time for a name.
void* shared_memory(const void* name, size_t bytes);

// Where a thread is does not change while it runs.
__attribute__((const)) uint32_t thread_x();
__attribute__((const)) uint32_t block_x();
__attribute__((const)) uint32_t block_y();
__attribute__((const)) uint32_t threads_of_block();
__attribute__((const)) uint32_t grid_x();
__attribute__((const)) uint32_t grid_y();

/// The most parameters of a kernel, and the most bytes of one.
constexpr size_t MOST_PARAMETERS = 16, MOST_BYTES = 512;

/// A parameter as it lies in memory.
struct Bytes {
    alignas(16) uint8_t bytes[MOST_BYTES];
};

using AnyKernel = void (*)();

/// What calls a kernel, and the bytes of its parameters; 0 behind them.
struct Caller {
    void (*call)(AnyKernel kernel, const Bytes* given);
    size_t sizes[MOST_PARAMETERS];
};

/// A kernel that is known by its name.
struct Kernel {
    const char* name;
    AnyKernel kernel;
    Caller caller;
    Kernel* next;

    Kernel(const char* name, AnyKernel kernel, const Caller& caller);

    /// Returns the kernel of a name; none if there is none.
    static const Kernel* find(const char* name);

    /// Returns one of all kernels, which are linked by `next`.
    static const Kernel* first();
};

}  // namespace judge
