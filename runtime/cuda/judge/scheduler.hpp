//! The fibers of a launch, and which of them goes on.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string>
#include <vector>

#include "races.hpp"
#include "threads.hpp"

namespace judge {

constexpr size_t SHARED_BYTES = 64 << 10, STACK_BYTES = 128 << 10;

/// The barriers that were reached, in memory that all processes of the judge share.
class Barriers {
public:
    /// Returns the number of a barrier, which is reached.
    uint32_t reach(Barrier& barrier);
    /// Returns the number of a barrier by its file and line.
    uint32_t number(const std::string& file, uint32_t line);
    /// Returns a name behind a blank; nothing for 0.
    std::string name(uint32_t number) const;

    std::vector<std::string> names = {""};
    /// A flag for each number; none if nobody wants to know.
    uint8_t* reached = nullptr;
};

/// Threads that wait for one another.
struct Meeting {
    std::vector<struct Thread*> threads;
    const char* what = nullptr;
    uint32_t barrier = 0;
    Clock known;
};

struct Warp {
    Meeting meeting;
    uint64_t values[2][32];
};

/// A variable in the shared memory of a block.
struct Variable {
    const void* name;
    size_t offset, end;
};

struct Block {
    uint32_t x, y, running;
    Meeting meeting;
    std::vector<Warp> warps;
    std::vector<Variable> variables;
    uint8_t* shared;
};

struct Thread {
    uint32_t number, x;
    Block* block;
    Warp* warp;
    Knowledge knowledge;
    uint8_t* stack;
    void* top;
    /// The last barrier that it came to.
    uint32_t barrier;
    uint32_t gathered;
    /// Its place among those that can go on.
    size_t ready;
};

/// How a launch is run.
struct Run {
    uint32_t blocks_x, blocks_y, threads;
    const Kernel* kernel;
    const Bytes* parameters;
    uint64_t seed;
    /// The number of the barrier that is left out; 0 for none.
    uint32_t left_out;
};

/// Runs the threads of one launch.
class Scheduler {
public:
    Scheduler(const Run& launch, Memory& memory, Barriers& barriers);

    /// Runs all blocks, some at a time, in random order.
    void run();

    /// Lets any thread go on, which may be this one.
    void pause();
    /// Lets others go on until this thread is woken.
    void wait();
    void sleep(Thread& thread);
    void wake(Thread& thread);

    /// Notes an access of the thread that runs, before it is done; from time to time another goes on first.
    void access(uintptr_t address, size_t bytes, Kind kind, uint32_t where);

    const Run launch;
    Memory& memory;
    Barriers& barriers;
    Thread* running = nullptr;

private:
    uint64_t random();
    void begin_block(uint32_t number);
    void end_block(Block& block);
    void go_to(Thread& thread);
    void go_home();
    bool is_private(uintptr_t address, size_t bytes) const;
    [[noreturn]] void fail_waiting();
    [[noreturn]] static void enter();

    uint64_t state;
    /// So many accesses until another thread goes on, and how many at most.
    uint32_t slice = 0, most_slice;
    uint32_t resident;
    /// Accesses and switches that are left: a launch that needs more does not end.
    uint64_t steps;
    std::vector<uint32_t> blocks_left;
    std::vector<Block*> blocks;
    std::vector<Thread*> ready;
    uint8_t *stacks, *stacks_end;
    std::vector<uint8_t*> free_stacks, free_shared;
    void* home = nullptr;
    Thread* ended = nullptr;
};

extern Scheduler* scheduler;

}  // namespace judge
