//! Which accesses of memory are ordered.
//!
//! Time is counted for each thread by itself; a *clock* says up to which time of each other thread its accesses come before what a thread does next.
//! Barriers join the clocks of those who meet. A fence keeps the clock for the atomics behind it, and learns what the atomics before it have read: so what
//! one thread did before a fence and an atomic comes before what another does behind an atomic, of the same number, and a fence.
//!
//! For each piece of two bytes the last write is kept, with the reads and atomics since. An access that is not ordered behind one of them, where one of
//! both writes, is a race, whatever order the threads ran in.

#pragma once

#include <stddef.h>
#include <stdint.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace judge {

/// Up to which time the accesses of each thread come before.
class Clock {
public:
    Clock() = default;
    explicit Clock(size_t threads) : times(threads) {}

    void join(const Clock& other);
    uint32_t& of(uint32_t thread) {
        return times[thread];
    }
    uint32_t of(uint32_t thread) const {
        return times[thread];
    }

private:
    std::vector<uint32_t> times;
};

/// What a thread knows.
struct Knowledge {
    Clock known;
    /// What goes with its atomics: what it knew at its last fence.
    Clock sent;
    /// What its atomics have read, and what it knows behind its next fence.
    Clock heard;

    explicit Knowledge(size_t threads) : known(threads), sent(threads), heard(threads) {}
};

enum class Kind : uint32_t { Read, Write, Atomic };

/// An access: by whom, when, and the address of the code behind it.
struct Access {
    uint32_t thread, time, where;
};

/// What was done to a piece of memory.
struct Cell {
    std::vector<Access> writes, reads, atomics;
};

/// A piece of memory that threads share.
class Region {
public:
    Region(std::string name, uintptr_t begin, size_t bytes);

    bool has(uintptr_t address) const {
        return address - begin < bytes;
    }
    uintptr_t end() const {
        return begin + bytes;
    }
    Cell& cell(uintptr_t address);

    /// Returns whether a page was touched that has a byte, by its place.
    bool is_touched(size_t at) const {
        return pages[at / PAGE] != nullptr;
    }

    static constexpr size_t PAGE = 512;

    std::string name;
    uintptr_t begin;
    size_t bytes;

private:
    // Most memory is never touched.
    std::vector<std::unique_ptr<Cell[]>> pages;
};

/// The memory of a launch.
class Memory {
public:
    void add(const std::string& name, uintptr_t begin, size_t bytes);
    void remove(uintptr_t begin);

    /// Returns the region of an address; none if there is none.
    Region* find(uintptr_t address);

    /// Notes an access. What it is not ordered behind ends the judge.
    void note(Region& region, uintptr_t address, size_t bytes, Kind kind, const Access& access, const Clock& known);

    /// Lets a thread send and hear at the place of an atomic.
    void exchange(uintptr_t address, Knowledge& thread);

private:
    std::vector<std::unique_ptr<Region>> regions;
    Region* last = nullptr;
    std::map<uintptr_t, Clock> messages;
};

}  // namespace judge
