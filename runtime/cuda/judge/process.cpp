#include "process.hpp"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.hpp"

namespace judge {

/// Seconds after which a launch does not end.
constexpr unsigned MOST_SECONDS = 60;

/// Where a launch says what is wrong.
static int told = STDERR_FILENO;

void fail(const std::string& what) {
    std::string text = what;
    if (scheduler != nullptr) {
        const Thread& thread = *scheduler->running;
        text = "block (" + std::to_string(thread.block->x) + ", " + std::to_string(thread.block->y) + "), thread " +
               std::to_string(thread.x) + ": " + what;
    }
    (void)!write(told, text.data(), text.size());
    _exit(1);
}

static const char* name_of(Kind kind) {
    return kind == Kind::Read ? "reads" : kind == Kind::Write ? "writes" : "changes";
}

void fail_race(const std::string& region, size_t offset, Kind kind, const Access& now, const char* how, const Access& other) {
    char text[256];
    uint32_t threads = scheduler->launch.threads;
    snprintf(
        text, sizeof text, "a race: it %s %s + %zu at %#x, which thread %u of block %u %s at %#x", name_of(kind), region.c_str(),
        offset, now.where, other.thread % threads, other.thread / threads, how, other.where
    );
    fail(text);
}

static void* shared(size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    return memory;
}

Jobs::Jobs(int count, size_t launches, Barriers& barriers)
    : count(count < 1 ? 1 : count), stride(barriers.names.size()), barriers(barriers) {
    reached = static_cast<uint8_t*>(shared(launches * stride + 1));
    failed = static_cast<size_t*>(shared(sizeof(size_t)));
}

void Jobs::run(size_t items, const std::function<bool(size_t)>& work) {
    size_t* next = static_cast<size_t*>(shared(sizeof(size_t)));
    *failed = 0;
    fflush(stdout);
    for (int job = 0; job < count; job++) {
        if (fork() != 0) {
            continue;
        }
        for (size_t at; (at = __atomic_fetch_add(next, 1, __ATOMIC_SEQ_CST)) < items;) {
            if (!work(at)) {
                __atomic_fetch_add(failed, 1, __ATOMIC_SEQ_CST);
            }
        }
        fflush(stdout);
        _exit(0);
    }
    int status;
    while (wait(&status) > 0) {
        // A process that ends otherwise has not done all of its work.
        if (status != 0) {
            __atomic_fetch_add(failed, 1, __ATOMIC_SEQ_CST);
        }
    }
}

/// Returns the file and line of the code before an address, of the kernels where the judge's own functions are inlined; the address if that is not known.
static std::string place_of(unsigned long address) {
    char command[96], line[256];
    snprintf(command, sizeof command, "addr2line -s -i -e /proc/%d/exe %#lx 2>/dev/null", getpid(), address - 1);
    snprintf(line, sizeof line, "%#lx", address);
    std::string place = line;
    FILE* told = popen(command, "r");
    while (told != nullptr && fgets(line, sizeof line, told) != nullptr) {
        std::string own(line, strcspn(line, " \n"));
        place = own[0] == '?' ? place : own;
        if (own.rfind("cuda.hpp", 0) != 0 && own.rfind("threads.hpp", 0) != 0) {
            break;
        }
    }
    if (told != nullptr) {
        pclose(told);
    }
    return place;
}

std::string with_lines(const std::string& what) {
    const std::string mark = " at 0x";
    std::string text;
    size_t from = 0;
    for (size_t at; (at = what.find(mark, from)) != std::string::npos;) {
        char* end;
        unsigned long address = strtoul(what.c_str() + at + 4, &end, 16);
        text += what.substr(from, at + 4 - from) + place_of(address);
        from = static_cast<size_t>(end - what.c_str());
    }
    return text + what.substr(from);
}

static std::string read_all(int from) {
    std::string text;
    char buffer[512];
    for (ssize_t count; (count = read(from, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<size_t>(count));
    }
    return text;
}

Outcome Jobs::launch(const std::string& path, size_t number, uint64_t seed, uint32_t left_out) {
    int ends[2];
    if (pipe(ends) != 0) {
        return {false, "no pipe"};
    }
    pid_t child = fork();
    if (child < 0) {
        return {false, "no process"};
    }
    if (child == 0) {
        told = ends[1];
        alarm(MOST_SECONDS);
        barriers.reached = reached + number * stride;
        Launch::read(path).run(seed, left_out, barriers);
        _exit(0);
    }
    close(ends[1]);
    std::string what = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        what = std::string("ended by a signal: ") + strsignal(WTERMSIG(status));
    }
    return {status == 0, what};
}

}  // namespace judge
