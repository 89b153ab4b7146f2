//! What the judge finds: it ends the process of a launch with a line that says so.

#pragma once

#include <stddef.h>

#include <string>

#include "races.hpp"

namespace judge {

/// Ends the process: the launch is faulty.
[[noreturn]] void fail(const std::string& what);

[[noreturn]] void fail_race(
    const std::string& region, size_t offset, Kind kind, const Access& now, const char* how, const Access& other
);

}  // namespace judge
