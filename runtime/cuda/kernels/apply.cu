//! Masks logits in place: sets the logits of tokens that a bit mask does not allow to minus infinity.
//!
//! Logits are rows of `width` numbers, `logits_stride` apart; masks are rows of 32-bit words, `mask_stride` apart, with a bit for each of
//! `vocabulary` tokens, the lowest first, set if the token is allowed. Logits beyond the vocabulary are always masked. Row r is masked by mask row
//! `rows[r]`, or by row r without that map; a row with a negative entry is not touched.
//!
//! Memory bandwidth determines the speed, so the kernel moves as little as possible: it reads a mask once, in whole sectors (32 aligned bytes). 16
//! aligned bytes of logits are skipped if all of them are allowed, written without a read if none is, and read and written otherwise. Rows may begin
//! at any number: those around the first and last 16 aligned bytes are written one by one.
//!
//! The chunks of a row, 1024 numbers each from an aligned address, are distributed evenly over the warps of grid x. For each chunk, a warp reads 32
//! words of the mask from an aligned address, shifts them so that bits and numbers correspond, and exchanges them, so that each lane has the bits of
//! its 16 bytes. A lane issues several reads of logits before its first write: one after another, a row of 128,256 numbers took 18 us on an H200
//! instead of 4.
//!
//! Launch: any number of threads in whole warps; grid x: any number, at best a warp for one or two chunks; grid y: rows, or fewer.
//!
//! Registers: at most 64.

#include <stdint.h>

namespace {

/// Numbers in a chunk.
constexpr int CHUNK = 1024;

/// Concurrent reads of a lane. On an H200, four were best from 64 rows on; eight need more registers than the device has for many warps.
constexpr int READS = 4;

/// Words of a mask per sector, and bytes of a sector.
constexpr int SECTOR_WORDS = 8;
constexpr uint32_t SECTOR = 32;

constexpr uint32_t ALL_LANES = 0xffffffffu;

/// Logits of 32 bits.
struct F32 {
    using Bits = uint32_t;
    static constexpr Bits MINUS_INFINITY = 0xff800000u;
};

/// Logits of IEEE binary16.
struct F16 {
    using Bits = uint16_t;
    static constexpr Bits MINUS_INFINITY = 0xfc00u;
};

/// Logits of bfloat16.
struct Bf16 {
    using Bits = uint16_t;
    static constexpr Bits MINUS_INFINITY = 0xff80u;
};

/// Number of logits in 16 bytes.
template <class Logit>
constexpr int VECTOR = 16 / sizeof(typename Logit::Bits);

/// A mask row, beginning at an aligned address that may precede it.
struct Mask {
    const uint32_t* words;
    /// The number of its tokens.
    int vocabulary;

    /// Returns a word. Bits beyond the tokens are clear, and words beyond them are not read.
    __device__ uint32_t word(int at) const {
        if (at < 0 || at * 32 >= vocabulary) {
            return 0;
        }
        int tokens = vocabulary - at * 32;
        uint32_t read = __ldg(words + at);
        return tokens >= 32 ? read : read & ((1u << tokens) - 1);
    }
};

/// Returns word 0 to 39 of the 64 words that the lanes hold, two each.
__device__ uint32_t pick(uint32_t first, uint32_t second, int at) {
    uint32_t from_first = __shfl_sync(ALL_LANES, first, at & 31);
    uint32_t from_second = __shfl_sync(ALL_LANES, second, at & 31);
    return at < 32 ? from_first : from_second;
}

/// Returns the bits of a word that are kept: all bits of each allowed logit.
template <class Logit>
__device__ uint32_t kept_bits(uint32_t allowed) {
    if (sizeof(typename Logit::Bits) == 4) {
        return allowed & 1 ? 0xffffffffu : 0;
    }
    return (allowed & 1 ? 0x0000ffffu : 0) | (allowed & 2 ? 0xffff0000u : 0);
}

/// Returns a word filled with minus infinity.
template <class Logit>
__device__ uint32_t masked_word() {
    uint32_t one = Logit::MINUS_INFINITY;
    return sizeof(typename Logit::Bits) == 4 ? one : one << 16 | one;
}

/// Returns a word with its disallowed logits masked.
template <class Logit>
__device__ uint32_t mask_word(uint32_t word, uint32_t allowed) {
    uint32_t kept = kept_bits<Logit>(allowed);
    return (word & kept) | (masked_word<Logit>() & ~kept);
}

/// Returns 16 bytes with their disallowed logits masked.
template <class Logit>
__device__ uint4 mask_vector(uint4 logits, uint32_t allowed) {
    constexpr int IN_WORD = VECTOR<Logit> / 4;
    return make_uint4(
        mask_word<Logit>(logits.x, allowed),
        mask_word<Logit>(logits.y, allowed >> IN_WORD),
        mask_word<Logit>(logits.z, allowed >> 2 * IN_WORD),
        mask_word<Logit>(logits.w, allowed >> 3 * IN_WORD)
    );
}

/// Masks the part of 16 aligned bytes that belongs to a row.
template <class Logit>
__device__ void mask_edge(typename Logit::Bits* row, int first, int width, uint32_t allowed) {
#pragma unroll 1
    for (int at = 0; at < VECTOR<Logit>; at++) {
        int token = first + at;
        if (token >= 0 && token < width && !(allowed >> at & 1)) {
            row[token] = Logit::MINUS_INFINITY;
        }
    }
}

/// Masks the vectors of a chunk. Each lane holds the bits of 32 of its numbers.
template <class Logit>
__device__ void mask_chunk(typename Logit::Bits* row, int first, int width, uint32_t bits) {
    constexpr int IN_BITS = 32 / VECTOR<Logit>;
    constexpr uint32_t ALL = (1u << VECTOR<Logit>) - 1;
    constexpr int STEPS = CHUNK / VECTOR<Logit> / 32;
    constexpr int GROUP = STEPS < READS ? STEPS : READS;
    int lane = threadIdx.x % 32;
#pragma unroll 1
    for (int begin = 0; begin < STEPS; begin += GROUP) {
        uint4 logits[GROUP];
        uint32_t allowed[GROUP];
#pragma unroll
        for (int at = 0; at < GROUP; at++) {
            int vector = (begin + at) * 32 + lane;
            uint32_t word = __shfl_sync(ALL_LANES, bits, vector / IN_BITS);
            allowed[at] = word >> (vector % IN_BITS * VECTOR<Logit>) & ALL;
            int token = first + vector * VECTOR<Logit>;
            bool is_whole = token >= 0 && token + VECTOR<Logit> <= width;
            logits[at] = make_uint4(0, 0, 0, 0);
            if (is_whole && allowed[at] != 0 && allowed[at] != ALL) {
                logits[at] = *reinterpret_cast<const uint4*>(row + token);
            }
        }
#pragma unroll
        for (int at = 0; at < GROUP; at++) {
            int token = first + ((begin + at) * 32 + lane) * VECTOR<Logit>;
            if (token < 0 || token + VECTOR<Logit> > width) {
                mask_edge<Logit>(row, token, width, allowed[at]);
            } else if (allowed[at] != ALL) {
                *reinterpret_cast<uint4*>(row + token) = mask_vector<Logit>(logits[at], allowed[at]);
            }
        }
    }
}

/// Masks several chunks. The first begins at number `first` of the row, which may be negative.
template <class Logit>
__device__ void mask_chunks(typename Logit::Bits* row, int first, int width, int chunks, Mask mask) {
    int lane = threadIdx.x % 32;
    // The word of the first number, and the beginning of that word's sector. Shifts of negative numbers round down.
    int begin = first >> 5;
    int words_before = static_cast<int>(reinterpret_cast<uintptr_t>(mask.words) / 4 % SECTOR_WORDS);
    int skipped = (begin + words_before) & (SECTOR_WORDS - 1);
    int shift = first & 31;
    uint32_t current = mask.word(begin - skipped + lane);
#pragma unroll 1
    for (int chunk = 0; chunk < chunks && first < width; chunk++) {
        // After the last chunk, only the words of the sector that the shift reaches are read.
        bool needs_next = chunk + 1 < chunks || (lane <= skipped && (skipped | shift) != 0);
        begin += 32;
        uint32_t next = needs_next ? mask.word(begin - skipped + lane) : 0;
        uint32_t low = pick(current, next, lane + skipped);
        uint32_t high = pick(current, next, lane + skipped + 1);
        mask_chunk<Logit>(row, first, width, __funnelshift_r(low, high, shift));
        current = next;
        first += CHUNK;
    }
}

/// Masks this warp's chunks of all rows.
template <class Logit>
__device__ void apply(
    typename Logit::Bits* logits,
    int64_t logits_stride,
    const uint32_t* masks,
    int64_t mask_stride,
    const int32_t* rows,
    int row_count,
    int vocabulary,
    int width
) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int warps = gridDim.x * blockDim.x / 32;
    for (int at = blockIdx.y; at < row_count; at += gridDim.y) {
        int mask_row = rows == nullptr ? at : __ldg(rows + at);
        typename Logit::Bits* row = logits + at * logits_stride;
        uint32_t bytes_before = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(row)) % SECTOR;
        int before = static_cast<int>(bytes_before / sizeof(typename Logit::Bits));
        int chunks = (width + before + CHUNK - 1) / CHUNK;
        int own = (chunks + warps - 1) / warps;
        int64_t first = static_cast<int64_t>(warp) * (CHUNK * own) - before;
        if (mask_row >= 0 && first < width) {
            Mask mask = {masks + mask_row * mask_stride, min(vocabulary, width)};
            mask_chunks<Logit>(row, static_cast<int>(first), width, own, mask);
        }
    }
}

}  // namespace

/// Masks logits of 32 bits.
extern "C" __global__ void ogc_apply_f32(
    uint32_t* logits,
    int64_t logits_stride,
    const uint32_t* __restrict__ masks,
    int64_t mask_stride,
    const int32_t* __restrict__ rows,
    int row_count,
    int vocabulary,
    int width
) {
    apply<F32>(logits, logits_stride, masks, mask_stride, rows, row_count, vocabulary, width);
}

/// Masks logits of IEEE binary16.
extern "C" __global__ void ogc_apply_f16(
    uint16_t* logits,
    int64_t logits_stride,
    const uint32_t* __restrict__ masks,
    int64_t mask_stride,
    const int32_t* __restrict__ rows,
    int row_count,
    int vocabulary,
    int width
) {
    apply<F16>(logits, logits_stride, masks, mask_stride, rows, row_count, vocabulary, width);
}

/// Masks logits of bfloat16.
extern "C" __global__ void ogc_apply_bf16(
    uint16_t* logits,
    int64_t logits_stride,
    const uint32_t* __restrict__ masks,
    int64_t mask_stride,
    const int32_t* __restrict__ rows,
    int row_count,
    int vocabulary,
    int width
) {
    apply<Bf16>(logits, logits_stride, masks, mask_stride, rows, row_count, vocabulary, width);
}
