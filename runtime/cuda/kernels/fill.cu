//! Writes the masks of sequences as bits, in the layout that `ogc_apply` reads: the union of the rows that `ogc_locate` has found.
//!
//! Masks are rows of `words` words, `stride` apart, with a bit for each token, the lowest first; each word of a row is written once. Row r is the
//! mask of slot `sequences[r]`, or without that list of slot r; if the entry is negative or the device does not step the slot, the row is not
//! touched, and the host writes it. Stop tokens, ascending, are in the mask if the text may end; with `only_stops` they are in it for no other
//! reason.
//!
//! A block writes a part of 1,024 words of a row. Tokens of lists are set in shared memory; lists are ascending, so that reading stops at the end of
//! the part. Words of dense rows are held in registers, four per thread; the removed tokens of a delta are first set in shared memory too.
//!
//! Launch: blocks of 256 threads; grid x: parts of a row; grid y: rows, or fewer.
//!
//! Registers: at most 40.

#include "pool.cuh"
#include "slot.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int OWN = 4;
constexpr uint32_t PART = THREADS * OWN;

/// A part of a mask that a block writes.
struct Part {
    /// Its first word, and the word after its last.
    uint32_t first, end;
    /// Bits of tokens from lists, and bits of tokens that a delta removes.
    uint32_t* added;
    uint32_t* removed;
};

/// Calls `each` with every token of a list that lies in the part. A list has at most a few thousand tokens, so that reading from its beginning moves
/// less memory than a search.
template <class Each>
__device__ void for_each_token(const Part& part, const uint32_t* tokens, uint32_t count, Each each) {
    for (uint32_t at = threadIdx.x; at < count; at += THREADS) {
        uint32_t token = __ldg(tokens + at);
        if (token / 32 >= part.end) {
            return;
        }
        if (token / 32 >= part.first) {
            each(token / 32 - part.first, 1u << token % 32);
        }
    }
}

/// Sets the bits of the tokens of a list.
__device__ void set_all(const Part& part, uint32_t* bits, const uint32_t* tokens, uint32_t count) {
    for_each_token(part, tokens, count, [&](uint32_t word, uint32_t bit) { atomicOr(bits + word, bit); });
}

/// Adds the words of a dense row to a thread's own.
__device__ void add_dense(const Part& part, const uint32_t* words, uint32_t len, const uint32_t* removed, uint32_t* own) {
#pragma unroll
    for (int at = 0; at < OWN; at++) {
        uint32_t place = at * THREADS + threadIdx.x;
        uint32_t word = part.first + place;
        uint32_t bits = word < len ? __ldg(words + word) : 0;
        own[at] |= removed == nullptr ? bits : bits & ~removed[place];
    }
}

/// Clears bits in shared memory before others are set there.
__device__ void clear_all(uint32_t* bits) {
#pragma unroll
    for (int at = 0; at < OWN; at++) {
        bits[at * THREADS + threadIdx.x] = 0;
    }
    __syncthreads();
}

/// Adds a row to the part: lists in shared memory, dense words in the thread's registers.
__device__ void add_row(const Part& part, ogc::Pool pool, uint32_t number, uint32_t* own) {
    ogc::PoolRow row = pool.rows[number];
    const uint32_t* content = ogc::content_of(pool, row);
    if (row.kind == ogc::ROW_SPARSE) {
        set_all(part, part.added, content, row.len);
    } else if (row.kind == ogc::ROW_DENSE) {
        add_dense(part, content, row.len, nullptr, own);
    } else {
        ogc::PoolRow dense = pool.rows[row.dense];
        clear_all(part.removed);
        set_all(part, part.removed, content + row.len, row.removed);
        __syncthreads();
        add_dense(part, ogc::content_of(pool, dense), dense.len, part.removed, own);
        set_all(part, part.added, content, row.len);
        __syncthreads();
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(THREADS) ogc_fill(
    const ogc::Slot* __restrict__ slots,
    const int32_t* __restrict__ sequences,
    int count,
    const ogc::PoolRow* __restrict__ rows,
    const uint32_t* __restrict__ contents,
    const uint32_t* __restrict__ stops,
    int stop_count,
    int only_stops,
    uint32_t* __restrict__ masks,
    int64_t stride,
    int words
) {
    __shared__ uint32_t added[PART], removed[PART];
    uint32_t first = blockIdx.x * PART;
    Part part = {first, min(first + PART, static_cast<uint32_t>(words)), added, removed};
    for (int at = blockIdx.y; at < count; at += gridDim.y) {
        int sequence = sequences == nullptr ? at : sequences[at];
        if (sequence < 0 || slots[sequence].status != ogc::STATUS_DEVICE) {
            continue;
        }
        const ogc::Located& mask = slots[sequence].mask;
        uint32_t own[OWN] = {};
        clear_all(added);
        for (uint32_t row = 0; row < mask.row_count; row++) {
            add_row(part, {rows, contents}, mask.rows[row], own);
        }
        bool ends = mask.may_end != 0;
        if (ends) {
            set_all(part, added, stops, stop_count);
        }
        bool withheld = only_stops && !ends;
        if (withheld) {
            __syncthreads();
            clear_all(removed);
            set_all(part, removed, stops, stop_count);
        }
        __syncthreads();
#pragma unroll
        for (int place = threadIdx.x, word = 0; word < OWN; place += THREADS, word++) {
            if (first + place < part.end) {
                uint32_t bits = own[word] | added[place];
                masks[at * stride + first + place] = withheld ? bits & ~removed[place] : bits;
            }
        }
        __syncthreads();
    }
}
