// Steps sequences of tokens through a format by `kernels/token.cuh`, compiled for the host.
//
// It reads a format, a vocabulary and sequences from its input, each with its length in 4 bytes before it, the lowest first. A sequence is
// commands of 4 bytes: a token, or below 0 how many tokens are to be taken back. For each it writes a line: a letter for the beginning and for
// each command, up to the first that is the host's. `c`: the text so far may end here; `a`: the command is done, and the text may not end; `e`:
// the token ended the text; `r`: refused; from `B` on: the host's, a letter for each reason (`Trouble`).

#include <cstdio>
#include <vector>

#include "token.cuh"

static bool read_words(void* to, size_t bytes) {
    return fread(to, 1, bytes, stdin) == bytes;
}

static bool read_part(std::vector<int32_t>& words) {
    uint32_t bytes = 0;
    if (!read_words(&bytes, 4)) {
        return false;
    }
    words.resize(bytes / 4);
    return read_words(words.data(), bytes);
}

static char letter(ogc::Format format, const ogc::Slot& slot, uint32_t outcome) {
    switch (outcome) {
        case ogc::OUTCOME_ACCEPTED:
            return ogc::may_end(ogc::Team(), format, slot) ? 'c' : 'a';
        case ogc::OUTCOME_ENDED:
            return 'e';
        case ogc::OUTCOME_REFUSED:
            return 'r';
        default:
            return 'A' + static_cast<char>(outcome >> ogc::OUTCOME_BITS);
    }
}

static void run(ogc::Format format, ogc::Vocabulary vocabulary, const std::vector<int32_t>& commands) {
    static ogc::Slot slot;
    ogc::Team lane;
    ogc::begin(lane, slot, 0, format);
    putchar(letter(format, slot, ogc::OUTCOME_ACCEPTED));
    for (size_t at = 0; at < commands.size() && slot.status == ogc::STATUS_DEVICE; at++) {
        int32_t command = commands[at];
        uint32_t outcome = command < 0 ? ogc::roll_back(lane, slot, -command) : ogc::accept(lane, slot, format, vocabulary, command);
        putchar(letter(format, slot, outcome));
    }
    putchar('\n');
}

int main() {
    std::vector<int32_t> format, vocabulary, commands;
    if (!read_part(format) || format[0] != static_cast<int32_t>(ogc::MAGIC) || format[1] != ogc::VERSION) {
        return 2;
    }
    if (!read_part(vocabulary) || vocabulary[0] != static_cast<int32_t>(ogc::VOCABULARY_MAGIC)) {
        return 3;
    }
    while (read_part(commands)) {
        const uint32_t* words = reinterpret_cast<const uint32_t*>(format.data());
        run({words}, {reinterpret_cast<const uint32_t*>(vocabulary.data())}, commands);
    }
    return 0;
}
