//! Writes the masks of sequences as bits: the union of the rows that `ogc_locate` has found, as `ogc_apply` takes it.
//!
//! Masks are rows of `words` words, `stride` apart, a bit for each token, the lowest first; all words of a row are written, once. Row r is the mask of
//! slot `sequences[r]`, or without that list of slot r; where the entry is negative or the slot is not the device's, the row is not touched: it is the
//! host's to write. Stop tokens, ascending, are in the mask if the text may end; if they are `only_stops` they are in it for no other reason.
//!
//! A block writes a part of 1,024 words of a row. Tokens of lists are set in shared memory: a list ascends, so that it is read up to the part's
//! end. Words of dense rows go to registers, four a thread; of a delta, the tokens that it takes away are first set in shared memory too.
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
    /// Its first word, and behind its last.
    uint32_t first, end;
    /// Bits of tokens from lists, and of those that a delta takes away.
    uint32_t* added;
    uint32_t* removed;
};

/// Does something with each token of a list that lies in the part. A list has some thousand tokens at most, so that reading what lies before the part
/// moves less than looking for it.
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

/// Sets the bits of a list's tokens.
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

/// Clears bits in shared memory, before others are set there.
__device__ void clear_all(uint32_t* bits) {
#pragma unroll
    for (int at = 0; at < OWN; at++) {
        bits[at * THREADS + threadIdx.x] = 0;
    }
    __syncthreads();
}

/// Adds a row to the part: lists in shared memory, dense words to the thread's own.
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
