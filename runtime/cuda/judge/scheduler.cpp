#include "scheduler.hpp"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "failure.hpp"

// Saves what a call must keep, and goes on at another stack, which did so before.
extern "C" void judge_switch(void** from, void* to);
asm(R"(
.text
.globl judge_switch
judge_switch:
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    ret
)");

// The program's own memory, where the constants of kernels are.
extern "C" char __executable_start, end;

namespace judge {

constexpr uint32_t MOST_RESIDENT = 4;
constexpr uint64_t MOST_STEPS = 200'000'000;

// --- Barriers ---

static std::string base_name(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

uint32_t Barriers::number(const std::string& file, uint32_t line) {
    std::string name = base_name(file) + ":" + std::to_string(line);
    size_t at = std::find(names.begin(), names.end(), name) - names.begin();
    if (at == names.size()) {
        names.push_back(name);
    }
    return static_cast<uint32_t>(at);
}

uint32_t Barriers::reach(Barrier& barrier) {
    if (barrier.number == 0) {
        barrier.number = number(barrier.file, barrier.line);
    }
    if (reached != nullptr) {
        reached[barrier.number] = 1;
    }
    return barrier.number;
}

std::string Barriers::name(uint32_t number) const {
    return number == 0 ? "" : " " + names[number];
}

// --- Stacks ---

static uint8_t* reserve(size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        fail("there is no memory for stacks");
    }
    return static_cast<uint8_t*>(memory);
}

Scheduler::Scheduler(const Run& launch, Memory& memory, Barriers& barriers)
    : launch(launch), memory(memory), barriers(barriers), state(launch.seed * 0x9e3779b97f4a7c15 + 1), steps(MOST_STEPS) {
    most_slice = 1u << random() % 14;
    resident = 1 + random() % MOST_RESIDENT;
    size_t bytes = STACK_BYTES * launch.threads * resident;
    stacks = reserve(bytes);
    stacks_end = stacks + bytes;
    for (uint8_t* stack = stacks; stack < stacks_end; stack += STACK_BYTES) {
        free_stacks.push_back(stack);
    }
    for (uint32_t block = 0; block < resident; block++) {
        free_shared.push_back(reserve(SHARED_BYTES));
    }
    for (uint32_t block = launch.blocks_x * launch.blocks_y; block > 0; block--) {
        blocks_left.push_back(block - 1);
    }
    for (size_t at = blocks_left.size(); at > 1; at--) {
        std::swap(blocks_left[at - 1], blocks_left[random() % at]);
    }
}

uint64_t Scheduler::random() {
    uint64_t mixed = state += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

// --- Blocks ---

void Scheduler::begin_block(uint32_t number) {
    Block* block = new Block{number % launch.blocks_x, number / launch.blocks_x, launch.threads, {}, {}, {}, free_shared.back()};
    size_t all = static_cast<size_t>(launch.blocks_x) * launch.blocks_y * launch.threads;
    free_shared.pop_back();
    // Nobody has written there.
    memset(block->shared, static_cast<int>(random()), SHARED_BYTES);
    memory.add("shared memory", reinterpret_cast<uintptr_t>(block->shared), SHARED_BYTES);
    block->meeting.known = Clock(all);
    block->warps.resize((launch.threads + 31) / 32);
    for (Warp& warp : block->warps) {
        warp.meeting.known = Clock(all);
    }
    blocks.push_back(block);
    for (uint32_t x = 0; x < launch.threads; x++) {
        uint8_t* stack = free_stacks.back();
        free_stacks.pop_back();
        uint32_t own = number * launch.threads + x;
        Thread* thread = new Thread{own, x, block, &block->warps[x / 32], Knowledge(all), stack, nullptr, 0, 0, 0};
        thread->knowledge.known.of(own) = 1;
        // What `judge_switch` takes: six registers, and where to go on. Calls leave the stack at 8 behind a multiple of 16.
        void** top = reinterpret_cast<void**>(stack + STACK_BYTES) - 2;
        *top = reinterpret_cast<void*>(&Scheduler::enter);
        thread->top = top - 6;
        wake(*thread);
    }
}

void Scheduler::end_block(Block& block) {
    memory.remove(reinterpret_cast<uintptr_t>(block.shared));
    free_shared.push_back(block.shared);
    blocks.erase(std::find(blocks.begin(), blocks.end(), &block));
    delete &block;
}

void Scheduler::run() {
    scheduler = this;
    for (;;) {
        while (blocks.size() < resident && !blocks_left.empty()) {
            begin_block(blocks_left.back());
            blocks_left.pop_back();
        }
        if (blocks.empty()) {
            return;
        }
        if (ready.empty()) {
            fail_waiting();
        }
        running = ready[random() % ready.size()];
        judge_switch(&home, running->top);
        free_stacks.push_back(ended->stack);
        Block& block = *ended->block;
        delete ended;
        if (--block.running == 0) {
            end_block(block);
        }
    }
}

void Scheduler::enter() {
    scheduler->launch.kernel->caller.call(scheduler->launch.kernel->kernel, scheduler->launch.parameters);
    Thread* own = scheduler->running;
    scheduler->sleep(*own);
    scheduler->ended = own;
    judge_switch(&own->top, scheduler->home);
    __builtin_unreachable();
}

// --- Who goes on ---

void Scheduler::wake(Thread& thread) {
    thread.ready = ready.size();
    ready.push_back(&thread);
}

void Scheduler::sleep(Thread& thread) {
    ready.back()->ready = thread.ready;
    std::swap(ready[thread.ready], ready.back());
    ready.pop_back();
}

void Scheduler::go_to(Thread& thread) {
    if (steps-- == 0) {
        fail("the launch does not end");
    }
    slice = 1 + random() % most_slice;
    Thread* from = running;
    if (from != &thread) {
        running = &thread;
        judge_switch(&from->top, thread.top);
    }
}

void Scheduler::pause() {
    go_to(*ready[random() % ready.size()]);
}

void Scheduler::wait() {
    sleep(*running);
    if (ready.empty()) {
        fail_waiting();
    }
    pause();
}

void Scheduler::fail_waiting() {
    std::string what = "threads wait for others that do not come:";
    auto add = [&](const Meeting& meeting) {
        if (!meeting.threads.empty()) {
            what += " " + std::to_string(meeting.threads.size()) + " at " + meeting.what + barriers.name(meeting.barrier);
        }
    };
    for (const Block* block : blocks) {
        add(block->meeting);
        for (const Warp& warp : block->warps) {
            add(warp.meeting);
        }
    }
    fail(what);
}

// --- Accesses ---

bool Scheduler::is_private(uintptr_t address, size_t bytes) const {
    uintptr_t first = reinterpret_cast<uintptr_t>(stacks);
    if (address - first < static_cast<size_t>(stacks_end - stacks)) {
        uintptr_t own = reinterpret_cast<uintptr_t>(running->stack);
        if (address < own || address + bytes > own + STACK_BYTES) {
            fail("a thread uses local memory of another");
        }
        return true;
    }
    return address >= reinterpret_cast<uintptr_t>(&__executable_start) && address < reinterpret_cast<uintptr_t>(&end);
}

void Scheduler::access(uintptr_t address, size_t bytes, Kind kind, uint32_t where) {
    if (is_private(address, bytes)) {
        return;
    }
    Region* region = memory.find(address);
    if (region == nullptr || address + bytes > region->end()) {
        char text[160];
        snprintf(text, sizeof text, "%zu bytes at address %#zx are not in a buffer, used at %#x", bytes, static_cast<size_t>(address), where);
        fail(text);
    }
    if (bytes == 1 && kind == Kind::Write) {
        fail("single bytes are written, which the judge does not tell apart");
    }
    memory.note(*region, address, bytes, kind, {running->number, running->knowledge.known.of(running->number), where}, running->knowledge.known);
    if (--slice == 0) {
        pause();
    }
}

}  // namespace judge
