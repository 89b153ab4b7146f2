// Judges kernels by launches that tests have recorded: `judge BARRIERS UNNEEDED SEEDS JOBS LAUNCH...`; or leaves out of one what it does not touch:
// `judge trim FROM TO`.
//
// BARRIERS lists the barriers and fences of the sources, a file and a line each, in their order. Each launch is run with several seeds; then each barrier is
// left out, one at a time, in launches that reach it: that has to be found. UNNEEDED lists those of which it is not, each with a reason: `FILE#N why` for
// the Nth of a file; the list must be exact.

#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "process.hpp"

using judge::Jobs;
using judge::Outcome;

namespace {

/// A barrier of the sources.
struct Listed {
    /// Of its kind in the judge: a file and a line; and one that stays when lines move.
    std::string place, name;
    uint32_t number;
};

std::vector<Listed> listed_barriers(const char* path, judge::Barriers& barriers) {
    std::ifstream file(path);
    std::vector<Listed> listed;
    std::map<std::string, uint32_t> counts;
    std::string name;
    uint32_t line;
    while (file >> name >> line) {
        uint32_t number = barriers.number(name, line);
        listed.push_back({name + ":" + std::to_string(line), name + "#" + std::to_string(++counts[name]), number});
    }
    return listed;
}

/// Returns the reasons by the names of barriers.
std::map<std::string, std::string> reasons(const char* path) {
    std::ifstream file(path);
    std::map<std::string, std::string> reasons;
    std::string line;
    while (std::getline(file, line)) {
        size_t blank = line.find(' ');
        if (line.empty() || line[0] == '#') {
            continue;
        }
        if (blank == std::string::npos) {
            printf("%s: `%s` has no reason\n", path, line.c_str());
            exit(2);
        }
        reasons[line.substr(0, blank)] = line.substr(blank + 1);
    }
    return reasons;
}

struct Judge {
    std::vector<std::string> launches;
    std::vector<Listed> barriers;
    std::map<std::string, std::string> unneeded;
    uint64_t seeds;
    Jobs jobs;

    /// Runs all launches; returns how many are faulty.
    size_t check() {
        jobs.run(launches.size(), [&](size_t at) {
            for (uint64_t seed = 0; seed < seeds; seed++) {
                Outcome outcome = jobs.launch(launches[at], at, seed, 0);
                if (!outcome.is_good) {
                    printf("%s, seed %llu: %s\n", launches[at].c_str(), static_cast<unsigned long long>(seed), judge::with_lines(outcome.what).c_str());
                    return false;
                }
            }
            return true;
        });
        return jobs.failures();
    }

    /// Returns how many kernels no launch has: a file's name begins with its kernel's.
    size_t idle_kernels() {
        size_t count = 0;
        for (const judge::Kernel* kernel = judge::Kernel::first(); kernel != nullptr; kernel = kernel->next) {
            std::string begin = std::string(kernel->name) + "-";
            auto is_its = [&](const std::string& path) { return path.compare(path.rfind('/') + 1, begin.size(), begin) == 0; };
            if (std::none_of(launches.begin(), launches.end(), is_its)) {
                printf("%s is in no launch\n", kernel->name);
                count++;
            }
        }
        return count;
    }

    /// Leaves each barrier out; returns how many are not as the list says.
    size_t leave_out() {
        jobs.run(barriers.size(), [&](size_t at) { return is_as_listed(barriers[at]); });
        return jobs.failures();
    }

    bool is_as_listed(const Listed& barrier) {
        std::string found, launch;
        bool is_reached = find(barrier, found, launch);
        bool is_unneeded = unneeded.count(barrier.name) != 0;
        const char* says = !is_reached                        ? "NOT REACHED by any launch"
                           : found.empty() && !is_unneeded   ? "NOT FOUND when it is left out"
                           : !found.empty() && is_unneeded   ? "LISTED as not needed, but found when it is left out"
                           : found.empty()                   ? "not needed, as listed"
                                                             : "found";
        printf("%-24s %-20s %s", barrier.place.c_str(), barrier.name.c_str(), says);
        printf("%s%s (%s)\n", found.empty() ? "" : ": ", found.c_str(), launch.c_str());
        return is_reached && found.empty() == is_unneeded;
    }

    /// Leaves a barrier out of all launches that reach it until that is found in one; returns whether any does.
    bool find(const Listed& barrier, std::string& found, std::string& launch) {
        bool is_reached = false;
        for (uint64_t seed = 0; seed < seeds; seed++) {
            for (size_t at = 0; at < launches.size(); at++) {
                if (!jobs.reaches(at, barrier.number)) {
                    continue;
                }
                launch = is_reached ? launch : launches[at];
                is_reached = true;
                Outcome outcome = jobs.launch(launches[at], at, seed, barrier.number);
                if (!outcome.is_good) {
                    found = judge::with_lines(outcome.what);
                    launch = launches[at];
                    return true;
                }
            }
        }
        return is_reached;
    }

    /// Returns how many listed names are of no barrier.
    size_t strangers() {
        size_t count = 0;
        for (const auto& [name, reason] : unneeded) {
            auto is_it = [&](const Listed& barrier) { return barrier.name == name; };
            if (std::none_of(barriers.begin(), barriers.end(), is_it)) {
                printf("%s is listed as not needed, and is no barrier\n", name.c_str());
                count++;
            }
        }
        return count;
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count == 4 && std::string(arguments[1]) == "trim") {
        judge::Barriers barriers;
        judge::Launch::read(arguments[2]).trimmed(barriers).write(arguments[3]);
        return 0;
    }
    if (count < 6) {
        fprintf(stderr, "usage: %s BARRIERS UNNEEDED SEEDS JOBS LAUNCH...\n       %s trim FROM TO\n", arguments[0], arguments[0]);
        return 2;
    }
    setvbuf(stdout, nullptr, _IOLBF, 0);
    judge::Barriers barriers;
    std::vector<Listed> listed = listed_barriers(arguments[1], barriers);
    std::vector<std::string> launches(arguments + 5, arguments + count);
    Jobs jobs(atoi(arguments[4]), launches.size(), barriers);
    Judge judge = {launches, listed, reasons(arguments[2]), strtoull(arguments[3], nullptr, 10), jobs};
    size_t faulty = judge.check();
    printf("%zu launches with %s seeds, %zu of them faulty\n", launches.size(), arguments[3], faulty);
    if (faulty != 0) {
        return 1;
    }
    size_t wrong = judge.leave_out() + judge.strangers() + judge.idle_kernels();
    printf("%zu barriers and fences left out one at a time; %zu things are not as they should be\n", listed.size(), wrong);
    return wrong != 0;
}
