//! The allowed tokens of a chunk: a 32-bit word in each lane of a warp, from a row of bits or from the rows of a located mask.
//!
//! Lists of tokens are traversed once, from each chunk to the next that has any; lane r holds the position in row r.

#pragma once

#include "sample_row.cuh"

namespace ogc {

constexpr uint32_t ALL_LANES = 0xffffffffu;

/// The threads of a block.
constexpr uint32_t SAMPLE_THREADS = 256;
constexpr uint32_t SAMPLE_WARPS = SAMPLE_THREADS / 32;

/// No chunk.
constexpr uint32_t NO_CHUNK = 0xffffffffu;

/// A list of ascending tokens, and the position of the first token that was not yet reached.
struct List {
    const uint32_t* tokens;
    uint32_t count, at;

    /// Seeks the first token at or after the beginning of a chunk.
    __device__ void seek(uint32_t chunk) {
        uint32_t left = count;
        at = 0;
        while (left > 0) {
            uint32_t half = left / 2;
            bool is_before = __ldg(tokens + at + half) / CHUNK < chunk;
            at = is_before ? at + half + 1 : at;
            left = is_before ? left - half - 1 : half;
        }
    }

    /// Returns the chunk of the next token.
    __device__ uint32_t chunk() const {
        return at < count ? __ldg(tokens + at) / CHUNK : NO_CHUNK;
    }

    /// Returns the bits of the tokens of a chunk, and advances past them. All lanes have the same list.
    __device__ uint32_t take(uint32_t chunk, uint32_t* words) {
        uint32_t lane = threadIdx.x % 32;
        words[lane] = 0;
        __syncwarp();
        // Reads first up to the end of a sector, which mostly suffices, and then whole sectors.
        uint32_t width = SECTOR_WORDS - (reinterpret_cast<uintptr_t>(tokens + at) / sizeof(uint32_t)) % SECTOR_WORDS;
        bool goes_on = true;
        while (goes_on) {
            uint32_t place = at + lane;
            uint32_t token = lane < width && place < count ? __ldg(tokens + place) : NO_CHUNK;
            bool is_inside = token / CHUNK == chunk;
            if (is_inside) {
                atomicOr(words + token % CHUNK / 32, 1u << token % 32);
            }
            uint32_t taken = __popc(__ballot_sync(ALL_LANES, is_inside));
            at += taken;
            goes_on = taken == width;
            width = 32;
        }
        __syncwarp();
        uint32_t word = words[lane];
        __syncwarp();
        return word;
    }
};

template <class Value>
__device__ Value from_lane(Value value, uint32_t lane) {
    return __shfl_sync(ALL_LANES, value, lane);
}

/// Returns the list that a lane holds.
__device__ inline List list_of(const List& list, uint32_t lane) {
    uint64_t address = from_lane(reinterpret_cast<uint64_t>(list.tokens), lane);
    return {reinterpret_cast<const uint32_t*>(address), from_lane(list.count, lane), from_lane(list.at, lane)};
}

/// The header of a row's mask, which all blocks of the row need, and the first of its rows, as a warp reads them. For a slot they lie in one sector.
struct MaskHead {
    /// Who steps the slot; the device if the mask is not that of a slot.
    uint32_t status;
    /// The fields of `Located`.
    uint32_t may_end, row_count, is_dense;
    /// Lane r holds row r of the first rows.
    uint32_t first_row;
    const uint32_t* rows;

    /// Reads the header of the mask of a row, by all lanes together. A mask that was not located counts as dense.
    __device__ static MaskHead read(const SampleWork& work, const SamplingRow& row) {
        if (row.kind == SAMPLE_NOTHING || row.mask < MASK_SLOT) {
            return {STATUS_DEVICE, 0, 0, 1, 0, nullptr};
        }
        bool is_slots = row.mask == MASK_SLOT;
        const Slot* slot = work.slots + row.mask_row;
        const Located* located = is_slots ? &slot->mask : work.located + row.mask_row;
        // The first lane reads the status, the others the first words of the mask.
        uint32_t lane = threadIdx.x % 32;
        const uint32_t* own = lane == 0 ? &slot->status : &located->may_end + (lane - 1);
        bool is_read = lane == 0 ? is_slots : lane < 4 + FIRST_ROWS;
        uint32_t word = is_read ? *own : STATUS_DEVICE;
        uint32_t first_row = from_lane(word, (lane + 4) % 32);
        return {from_lane(word, 0), from_lane(word, 1), from_lane(word, 2), from_lane(word, 3), first_row, located->rows};
    }

    /// Returns the row of a lane; only for lanes below `row_count`.
    __device__ uint32_t row() const {
        uint32_t lane = threadIdx.x % 32;
        return lane < FIRST_ROWS ? first_row : rows[lane];
    }
};

static_assert(MOST_ROWS <= 32, "each row of a mask has a lane");
static_assert(MOST_ROWS * SAMPLE_WARPS <= SAMPLE_THREADS, "each row of a mask has a thread for each part of its lists");

/// The rows of a located mask, which one warp reads for the whole block: for row r of the mask, the fields that `RowMask` holds in lane r.
struct SharedMask {
    uint32_t stop_count, row_count;
    uint32_t row_kinds[32];
    List added[32], removed[32];
    const uint32_t* dense[32];
    uint32_t dense_words[32];
};

/// The positions in the lists of a mask at which the parts of a block's warps begin: in row r for warp w.
struct ListPlaces {
    uint32_t added[SAMPLE_WARPS][32], removed[SAMPLE_WARPS][32];

    /// Finds the positions, given the first chunk of each part, by all threads of a block. A warp searches for all parts in four rows: its first
    /// steps read the same sectors, whereas eight searches of eight warps would each read their own.
    template <class First>
    __device__ void find(const SharedMask& mask, First first) {
        uint32_t row = threadIdx.x / SAMPLE_WARPS, part = threadIdx.x % SAMPLE_WARPS;
        if (row >= mask.row_count) {
            return;
        }
        List added_list = mask.added[row], removed_list = mask.removed[row];
        uint32_t chunk = first(part);
        added_list.seek(chunk);
        removed_list.seek(chunk);
        added[part][row] = added_list.at;
        removed[part][row] = removed_list.at;
    }
};

/// The mask of a row, as a warp reads it.
struct RowMask {
    /// Whether chunks are processed one by one, because some row is dense or all logits are needed.
    bool is_dense;
    /// One of `MASK_NONE` etc.
    uint32_t kind;
    uint32_t vocabulary;
    /// The row of bits, if the mask is one; and the tokens that end a text, if it may end.
    const uint32_t* bits;
    const uint32_t* stops;
    uint32_t stop_count;
    uint32_t row_count;
    /// Of row r, in lane r: its kind, its words or added tokens, its removed tokens, and the words of its dense row.
    uint32_t row_kind;
    List added, removed;
    const uint32_t* dense;
    uint32_t dense_words;
    /// Memory for 32 words.
    uint32_t* words;

    /// Returns the mask of a row; the rows of a located mask are still to be read.
    __device__ static RowMask of(const SampleWork& work, const SamplingRow& row, bool is_dense, uint32_t* words) {
        RowMask mask = {is_dense, row.mask, min(work.vocabulary, work.width), nullptr, work.stops, 0, 0, ROW_SPARSE, {}, {}, nullptr, 0, words};
        if (row.mask == MASK_BITS) {
            mask.bits = work.masks + row.mask_row * work.mask_stride;
        }
        return mask;
    }

    /// Reads the rows of a located mask.
    __device__ void read(const SampleWork& work, const MaskHead& head) {
        uint32_t lane = threadIdx.x % 32;
        stop_count = head.may_end != 0 ? work.stop_count : 0;
        row_count = head.row_count;
        if (lane < row_count) {
            uint32_t number = head.row();
            PoolRow row = common(work.pool, number);
            const uint32_t* content = content_of(work.pool, row);
            row_kind = row.kind;
            if (row.kind == ROW_DENSE) {
                dense = content;
                dense_words = row.len;
            } else {
                added = {content, row.len, 0};
            }
            if (row.kind == ROW_DELTA) {
                removed = {content + row.len, row.removed, 0};
                PoolRow base = common(work.pool, work.pool.rows[number].dense);
                dense = content_of(work.pool, base);
                dense_words = base.len;
            }
        }
    }

    /// Stores the rows of the mask for the other warps of the block.
    __device__ void share(SharedMask& to) const {
        uint32_t lane = threadIdx.x % 32;
        to.row_kinds[lane] = row_kind;
        to.added[lane] = added;
        to.removed[lane] = removed;
        to.dense[lane] = dense;
        to.dense_words[lane] = dense_words;
        if (lane == 0) {
            to.stop_count = stop_count;
            to.row_count = row_count;
        }
    }

    /// Loads the rows that another warp has stored.
    __device__ void take_shared(const SharedMask& from) {
        uint32_t lane = threadIdx.x % 32;
        stop_count = from.stop_count;
        row_count = from.row_count;
        row_kind = from.row_kinds[lane];
        added = from.added[lane];
        removed = from.removed[lane];
        dense = from.dense[lane];
        dense_words = from.dense_words[lane];
    }

    /// Returns the number of listed tokens, including duplicates and those that end a text. The mask must be a list.
    __device__ uint32_t listed() const {
        return __reduce_add_sync(ALL_LANES, added.count) + stop_count;
    }

    /// Seeks a chunk.
    __device__ void seek(uint32_t chunk) {
        added.seek(chunk);
        removed.seek(chunk);
    }

    /// Seeks the beginning of a warp's part.
    __device__ void seek_part(const ListPlaces& places, uint32_t part) {
        uint32_t row = threadIdx.x % 32;
        if (row < row_count) {
            added.at = places.added[part][row];
            removed.at = places.removed[part][row];
        }
    }

    /// Returns the first chunk at or after `from` that may have tokens; all chunks before it were taken or skipped.
    __device__ uint32_t next(uint32_t chunk) const {
        if (is_dense) {
            return chunk;
        }
        uint32_t found = threadIdx.x % 32 < row_count ? added.chunk() : NO_CHUNK;
        for (uint32_t at = threadIdx.x % 32; at < stop_count; at += 32) {
            uint32_t own = __ldg(stops + at) / CHUNK;
            found = own >= chunk ? min(found, own) : found;
        }
        return __reduce_min_sync(ALL_LANES, found);
    }

    /// Returns the bits of 32 tokens of a chunk for each lane, restricted to tokens below a limit.
    __device__ static uint32_t below(uint32_t chunk, uint32_t end) {
        uint32_t first = chunk * CHUNK + threadIdx.x % 32 * 32;
        return first >= end ? 0 : end - first >= 32 ? ALL_LANES : (1u << (end - first)) - 1;
    }

    /// Returns the bits of 32 tokens of a chunk for each lane, and advances past the chunk.
    __device__ uint32_t take(uint32_t chunk) {
        uint32_t word = chunk * (CHUNK / 32) + threadIdx.x % 32;
        uint32_t known = below(chunk, vocabulary);
        uint32_t bits = 0;
        if (kind == MASK_NONE) {
            bits = known;
        } else if (kind == MASK_BITS) {
            bits = known != 0 ? __ldg(this->bits + word) : 0;
        } else {
            bits = located(chunk, known != 0 ? word : NO_CHUNK);
        }
        return bits & known;
    }

    /// Returns the union of the bits of the rows of a located mask; 0 in a lane beyond the last word.
    __device__ uint32_t located(uint32_t chunk, uint32_t word) {
        uint32_t all = stopping(chunk);
        for (uint32_t row = 0; row < row_count; row++) {
            uint32_t kind = from_lane(row_kind, row);
            uint32_t bits = 0;
            if (kind != ROW_SPARSE) {
                uint64_t address = from_lane(reinterpret_cast<uint64_t>(dense), row);
                bits = word < from_lane(dense_words, row) ? __ldg(reinterpret_cast<const uint32_t*>(address) + word) : 0;
            }
            if (kind == ROW_DELTA) {
                bits &= ~take_list(removed, row, chunk);
            }
            if (kind != ROW_DENSE) {
                bits |= take_list(added, row, chunk);
            }
            all |= bits;
        }
        return all;
    }

    /// Takes the tokens of a chunk from a lane's list.
    __device__ uint32_t take_list(List& list, uint32_t row, uint32_t chunk) {
        List common = list_of(list, row);
        uint32_t bits = common.take(chunk, words);
        list.at = threadIdx.x % 32 == row ? common.at : list.at;
        return bits;
    }

    /// Returns the bits of the tokens that end a text.
    __device__ uint32_t stopping(uint32_t chunk) const {
        uint32_t bits = 0;
        for (uint32_t at = 0; at < stop_count; at++) {
            uint32_t token = __ldg(stops + at);
            bool is_own = token / CHUNK == chunk && token % CHUNK / 32 == threadIdx.x % 32;
            bits |= is_own ? 1u << token % 32 : 0;
        }
        return bits;
    }
};

}  // namespace ogc
