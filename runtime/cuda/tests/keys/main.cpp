// Runs operations on registers, compiled for the host: those on keys by `kernels/keys.cuh`, and all of them as steps of ways by `kernels/ways.cuh`.
//
// It reads tasks from its input, words of 4 bytes, the lowest first: the kind of the step; of the object its keys, how many are required, whether they come in
// any order, whether others may come, whether members are counted; the countdowns, the position, four words of seen keys; a key or the greatest
// `a`, the least sum, and how many keys are listed; then the required keys and those listed. For each it writes twice, for keys and for ways, whether the
// operation succeeds, and the registers after. Counts have no keys: there the second answer is written twice.

#include <cstdio>
#include <vector>

#include "ways.cuh"

static bool run(uint32_t kind, const ogc::ObjectShape& shape, ogc::Frame& frame, ogc::KeySet& seen, uint32_t key,
                const std::vector<uint32_t>& keys) {
    switch (kind) {
        case ogc::STEP_ALIVE:
        case ogc::STEP_ALIVE_EXTRA: {
            bool extra = kind == ogc::STEP_ALIVE_EXTRA;
            return ogc::is_key_alive(shape, frame, seen, keys.data(), static_cast<uint32_t>(keys.size()), extra);
        }
        case ogc::STEP_TAKE:
            return ogc::take_key(shape, frame, seen, key);
        case ogc::STEP_TAKE_EXTRA:
            return ogc::take_extra(shape, frame, seen);
        case ogc::STEP_NEXT:
            return ogc::key_may_follow(shape, frame, seen);
        default:
            return ogc::object_may_close(shape, frame, seen);
    }
}

/// Puts a record behind others; returns its place.
template <class Record>
static uint32_t append(std::vector<uint32_t>& words, const Record& record) {
    uint32_t at = static_cast<uint32_t>(words.size());
    const uint32_t* first = reinterpret_cast<const uint32_t*>(&record);
    words.insert(words.end(), first, first + sizeof(record) / 4);
    return at;
}

static bool run_as_step(const uint32_t* task, const std::vector<uint32_t>& required, const std::vector<uint32_t>& keys,
                        ogc::Frame& frame, ogc::KeySet& seen) {
    ogc::MasksHeader header = {};
    std::vector<uint32_t> words(sizeof(header) / 4);
    uint32_t required_count = task[2], key_count = task[15];
    uint32_t bits = (task[3] ? ogc::ANY_ORDER : 0) | (task[4] ? ogc::HAS_EXTRA : 0) |
                    (task[5] ? ogc::COUNTS_MEMBERS : 0);
    header.shapes = {append(words, ogc::Shape{bits, task[1], 0, required_count}), 1};
    header.keys = {static_cast<uint32_t>(words.size()), required_count + key_count};
    words.insert(words.end(), required.begin(), required.end());
    words.insert(words.end(), keys.begin(), keys.end());
    *reinterpret_cast<ogc::MasksHeader*>(words.data()) = header;
    ogc::MaskStep step = {task[0], 0, task[13], task[14], 0, 0};
    if (task[0] == ogc::STEP_ALIVE || task[0] == ogc::STEP_ALIVE_EXTRA) {
        step.first = required_count;
        step.second = key_count;
    }
    return ogc::run_step({words.data()}, step, frame, seen);
}

static void write(uint32_t holds, const ogc::Frame& frame, const ogc::KeySet& seen) {
    fwrite(&holds, 4, 1, stdout);
    fwrite(&frame.a, 4, 3, stdout);
    fwrite(&seen, sizeof(seen), 1, stdout);
}

int main() {
    uint32_t task[16];
    while (fread(task, sizeof(task), 1, stdin) == 1) {
        std::vector<uint32_t> required(task[2]), keys(task[15]);
        if (fread(required.data(), 4, required.size(), stdin) != required.size() ||
            fread(keys.data(), 4, keys.size(), stdin) != keys.size()) {
            return 2;
        }
        ogc::ObjectShape shape = {task[1], required.data(), task[2], task[3] != 0, task[4] != 0, task[5] != 0};
        ogc::Frame frame = {0, task[6], task[7], task[8]}, other = frame;
        ogc::KeySet seen = {{task[9], task[10], task[11], task[12]}}, other_seen = seen;
        bool as_step = run_as_step(task, required, keys, other, other_seen);
        if (task[0] > ogc::STEP_TICK) {
            bool holds = run(task[0], shape, frame, seen, task[13], keys);
            write(holds, frame, seen);
        } else {
            write(as_step, other, other_seen);
        }
        write(as_step, other, other_seen);
    }
    return 0;
}
