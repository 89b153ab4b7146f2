#include "races.hpp"

#include <algorithm>

#include "failure.hpp"

namespace judge {

constexpr size_t PIECE = 2;

void Clock::join(const Clock& other) {
    for (size_t at = 0; at < times.size(); at++) {
        times[at] = std::max(times[at], other.times[at]);
    }
}

Region::Region(std::string name, uintptr_t begin, size_t bytes)
    : name(std::move(name)), begin(begin), bytes(bytes), pages(bytes / PAGE + 1) {}

Cell& Region::cell(uintptr_t address) {
    size_t at = address - begin;
    std::unique_ptr<Cell[]>& page = pages[at / PAGE];
    if (page == nullptr) {
        page = std::make_unique<Cell[]>(PAGE / PIECE);
    }
    return page[at % PAGE / PIECE];
}

void Memory::add(const std::string& name, uintptr_t begin, size_t bytes) {
    regions.push_back(std::make_unique<Region>(name, begin, bytes));
}

void Memory::remove(uintptr_t begin) {
    last = nullptr;
    auto is_it = [=](const std::unique_ptr<Region>& region) { return region->begin == begin; };
    regions.erase(std::remove_if(regions.begin(), regions.end(), is_it), regions.end());
}

Region* Memory::find(uintptr_t address) {
    if (last != nullptr && last->has(address)) {
        return last;
    }
    for (const std::unique_ptr<Region>& region : regions) {
        if (region->has(address)) {
            return last = region.get();
        }
    }
    return nullptr;
}

/// Accesses that an access is compared with.
struct Earlier {
    const Region& region;
    uintptr_t address;
    Kind kind;
    const Access& now;
    const Clock& known;

    void compare(const std::vector<Access>& accesses, const char* how) const {
        for (const Access& other : accesses) {
            if (other.time > known.of(other.thread) && other.thread != now.thread) {
                fail_race(region.name, address - region.begin, kind, now, how, other);
            }
        }
    }
};

/// Adds an access to those that an access to come has to be ordered behind: what comes before it need not be kept.
static void keep(std::vector<Access>& accesses, const Access& now, const Clock& known) {
    auto comes_before = [&](const Access& other) { return other.thread == now.thread || other.time <= known.of(other.thread); };
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(), comes_before), accesses.end());
    accesses.push_back(now);
}

void Memory::note(Region& region, uintptr_t address, size_t bytes, Kind kind, const Access& now, const Clock& known) {
    for (uintptr_t at = address / PIECE * PIECE; at < address + bytes; at += PIECE) {
        Cell& cell = region.cell(at);
        Earlier earlier = {region, at, kind, now, known};
        earlier.compare(cell.writes, "wrote");
        if (kind != Kind::Atomic) {
            earlier.compare(cell.atomics, "changed");
        }
        if (kind != Kind::Read) {
            earlier.compare(cell.reads, "read");
        }
        if (kind == Kind::Write) {
            cell.writes.assign(1, now);
            cell.reads.clear();
            cell.atomics.clear();
        } else {
            keep(kind == Kind::Read ? cell.reads : cell.atomics, now, known);
        }
    }
}

void Memory::exchange(uintptr_t address, Knowledge& thread) {
    auto message = messages.find(address);
    if (message == messages.end()) {
        messages.emplace(address, thread.sent);
        return;
    }
    thread.heard.join(message->second);
    message->second.join(thread.sent);
}

}  // namespace judge
