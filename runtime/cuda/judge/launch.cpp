#include "launch.hpp"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <fstream>
#include <iterator>

#include "failure.hpp"

namespace judge {

/// What is left of a file.
struct Reader {
    std::string bytes;
    size_t at = 0;

    std::string take(size_t count) {
        if (count > bytes.size() - at) {
            fail("the file ends too early");
        }
        at += count;
        return bytes.substr(at - count, count);
    }

    uint64_t number() {
        uint64_t number;
        memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
    }

    std::string text() {
        return take(number());
    }
};

Launch Launch::read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        fail("the file cannot be read");
    }
    Reader reader = {std::string(std::istreambuf_iterator<char>(file), {})};
    Launch launch;
    launch.kernel = reader.text();
    launch.blocks_x = static_cast<uint32_t>(reader.number());
    launch.blocks_y = static_cast<uint32_t>(reader.number());
    launch.threads = static_cast<uint32_t>(reader.number());
    for (uint64_t left = reader.number(); left > 0; left--) {
        launch.parameters.push_back(reader.text());
    }
    for (uint64_t left = reader.number(); left > 0; left--) {
        std::string name = reader.text();
        uint64_t address = reader.number();
        bool is_unordered = reader.number() != 0;
        std::string before = reader.text(), after = reader.text();
        launch.buffers.push_back({name, address, is_unordered, before, after});
    }
    return launch;
}

/// Puts a buffer at its address, for other memory holds that.
static void place(const Buffer& buffer) {
    if (buffer.before.empty()) {
        return;
    }
    constexpr uint64_t PAGE = 4096;
    uint64_t first = buffer.address / PAGE * PAGE, bytes = buffer.address - first + buffer.before.size();
    void* wanted = reinterpret_cast<void*>(first);
    void* memory = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != wanted) {
        fail("no memory at the address of `" + buffer.name + "`");
    }
    memcpy(reinterpret_cast<void*>(buffer.address), buffer.before.data(), buffer.before.size());
}

/// Compares a buffer with what it has to have.
static void compare(const Buffer& buffer) {
    const char* found = reinterpret_cast<const char*>(buffer.address);
    for (size_t at = 0; at < buffer.after.size() && !buffer.is_unordered; at++) {
        if (found[at] != buffer.after[at]) {
            char text[64];
            snprintf(text, sizeof text, " has %#x where %#x has to be", found[at] & 0xff, buffer.after[at] & 0xff);
            fail("byte " + std::to_string(at) + " of `" + buffer.name + "`" + text);
        }
    }
}

// Kernels read their parameters like constants of the program.
static Bytes given[MOST_PARAMETERS];

static void give(const std::vector<std::string>& parameters, const Kernel& kernel) {
    size_t count = 0;
    while (count < MOST_PARAMETERS && kernel.caller.sizes[count] != 0) {
        count++;
    }
    if (parameters.size() != count) {
        fail("the kernel takes " + std::to_string(count) + " parameters");
    }
    for (size_t at = 0; at < count; at++) {
        if (parameters[at].size() != kernel.caller.sizes[at] || parameters[at].size() > MOST_BYTES) {
            fail("parameter " + std::to_string(at) + " has another size in the kernel");
        }
        memcpy(given[at].bytes, parameters[at].data(), parameters[at].size());
    }
}

void Launch::run(uint64_t seed, uint32_t left_out, Barriers& barriers, Memory& memory) const {
    const Kernel* found = Kernel::find(kernel.c_str());
    if (found == nullptr) {
        fail("there is no kernel " + kernel);
    }
    give(parameters, *found);
    for (const Buffer& buffer : buffers) {
        place(buffer);
        memory.add("`" + buffer.name + "`", buffer.address, buffer.before.size());
    }
    Scheduler scheduler({blocks_x, blocks_y, threads, found, given, seed, left_out}, memory, barriers);
    scheduler.run();
    for (const Buffer& buffer : buffers) {
        compare(buffer);
    }
}

void Launch::run(uint64_t seed, uint32_t left_out, Barriers& barriers) const {
    Memory memory;
    run(seed, left_out, barriers, memory);
}

Launch Launch::trimmed(Barriers& barriers) const {
    Memory memory;
    run(0, 0, barriers, memory);
    Launch trimmed = *this;
    trimmed.buffers.clear();
    for (Buffer buffer : buffers) {
        const Region* region = buffer.before.empty() ? nullptr : memory.find(buffer.address);
        bool is_touched = false;
        for (size_t at = 0; at < buffer.before.size(); at++) {
            if (region->is_touched(at)) {
                is_touched = true;
            } else {
                buffer.before[at] = buffer.after[at] = 0;
            }
        }
        if (is_touched) {
            trimmed.buffers.push_back(buffer);
        }
    }
    return trimmed;
}

/// A file that is written.
struct Writer {
    std::ofstream file;

    void number(uint64_t number) {
        file.write(reinterpret_cast<const char*>(&number), sizeof number);
    }

    void text(const std::string& text) {
        number(text.size());
        file.write(text.data(), static_cast<std::streamsize>(text.size()));
    }
};

void Launch::write(const std::string& path) const {
    Writer writer = {std::ofstream(path, std::ios::binary)};
    writer.text(kernel);
    for (uint32_t size : {blocks_x, blocks_y, threads}) {
        writer.number(size);
    }
    writer.number(parameters.size());
    for (const std::string& parameter : parameters) {
        writer.text(parameter);
    }
    writer.number(buffers.size());
    for (const Buffer& buffer : buffers) {
        writer.text(buffer.name);
        writer.number(buffer.address);
        writer.number(buffer.is_unordered);
        writer.text(buffer.before);
        writer.text(buffer.after);
    }
    writer.file.close();
    if (!writer.file) {
        fail(path + " cannot be written");
    }
}

}  // namespace judge
