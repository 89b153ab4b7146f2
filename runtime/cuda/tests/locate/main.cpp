// Locates the masks of slots by `kernels/locate.cuh`, compiled for the host.
//
// It reads the masks of a format and slots from its input, each with its length in 4 bytes before it, the lowest first. For each slot it writes whether its
// mask was located, 4 bytes, and the mask, of which rows that it does not have are 0.

#include <cstdio>
#include <vector>

#include "locate.cuh"

static std::vector<uint32_t> read_words() {
    uint32_t bytes = 0;
    if (fread(&bytes, 4, 1, stdin) != 1) {
        return {};
    }
    std::vector<uint32_t> words(bytes / 4);
    size_t read = fread(words.data(), 4, words.size(), stdin);
    words.resize(read);
    return words;
}

int main() {
    std::vector<uint32_t> masks = read_words(), slots = read_words();
    if (masks.size() < 2 || masks[0] != ogc::MASKS_MAGIC || masks[1] != ogc::MASKS_VERSION) {
        return 2;
    }
    if (slots.size() * 4 % sizeof(ogc::Slot) != 0) {
        return 3;
    }
    for (size_t at = 0; at < slots.size(); at += sizeof(ogc::Slot) / 4) {
        const ogc::Slot& slot = *reinterpret_cast<const ogc::Slot*>(&slots[at]);
        ogc::LocateScratch scratch;
        ogc::Located located = {};
        uint32_t is_located = ogc::locate({}, {masks.data()}, slot, scratch, located);
        fwrite(&is_located, 4, 1, stdout);
        fwrite(&located, sizeof(located), 1, stdout);
    }
    return 0;
}
