//! Launches in processes of their own, some at a time: what is faulty may do anything, and memory is where it was recorded.

#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

#include "launch.hpp"

namespace judge {

/// What became of a launch.
struct Outcome {
    bool is_good;
    /// What is wrong with it.
    std::string what;
};

/// Returns what a launch said, with lines of sources in place of addresses of code.
std::string with_lines(const std::string& what);

class Jobs {
public:
    Jobs(int count, size_t launches, Barriers& barriers);

    /// Does work for each of some numbers, in several processes; the work returns whether all is well.
    void run(size_t items, const std::function<bool(size_t)>& work);

    /// Returns of how many of the last numbers something is not well.
    size_t failures() const {
        return *failed;
    }

    /// Runs a launch, whose number says where it is noted which barriers it reaches, without one of these.
    Outcome launch(const std::string& path, size_t number, uint64_t seed, uint32_t left_out);

    /// Returns whether a launch has reached a barrier.
    bool reaches(size_t launch, uint32_t barrier) const {
        return reached[launch * stride + barrier] != 0;
    }

private:
    int count;
    size_t stride;
    Barriers& barriers;
    // In memory that processes share.
    uint8_t* reached;
    size_t* failed;
};

}  // namespace judge
