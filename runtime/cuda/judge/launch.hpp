//! A launch that a test has recorded (`tests/mirror/record.rs`): what a kernel is given, and what memory has to have afterwards.

#pragma once

#include <stdint.h>

#include <string>
#include <vector>

#include "scheduler.hpp"

namespace judge {

struct Buffer {
    std::string name;
    uint64_t address;
    /// Whether what it holds depends on the order of blocks, and is no result.
    bool is_unordered;
    std::string before, after;
};

struct Launch {
    std::string kernel;
    uint32_t blocks_x, blocks_y, threads;
    std::vector<std::string> parameters;
    std::vector<Buffer> buffers;

    /// Reads a file; fails if it is none of a launch.
    static Launch read(const std::string& path);

    /// Runs the launch; fails if it is faulty, or if memory is not as it has to be.
    void run(uint64_t seed, uint32_t left_out, Barriers& barriers) const;

    /// Runs the launch, and returns it without the memory that it does not touch: other buffers, and pages that become zeros.
    Launch trimmed(Barriers& barriers) const;

    /// Writes a file as `read` takes it.
    void write(const std::string& path) const;

private:
    void run(uint64_t seed, uint32_t left_out, Barriers& barriers, Memory& memory) const;
};

}  // namespace judge
