//! The blocks that sample a row together, and the work of the last of them after the row's token is sampled.

#pragma once

#include "sample_few.cuh"
#include "sample_probability.cuh"
#include "sample_truncate.cuh"
#include "sample_written.cuh"

namespace ogc {

/// Shared memory of a block that samples.
struct SampleShared {
    SamplingRow row;
    uint32_t words[SAMPLE_WARPS][32];
    uint32_t visited[MOST_CHUNKS / 32];
    SharedMask mask;
    /// The outcome of the row, as far as it is known before sampling.
    uint32_t outcome;
    /// Whether all blocks of the row process its chunks one by one.
    uint32_t is_dense;
    /// The number of listed tokens, if the block has a thread for each; else 0.
    uint32_t few;
    uint32_t is_last;
    Choosing choosing;

    static_assert(sizeof(ListPlaces) <= sizeof(Choosing::orders), "places are kept in place of orders");
    static_assert(sizeof(FewMemory) <= sizeof(Choosing::orders), "few tokens are kept in place of orders");

    /// Returns the memory for positions in lists, which is used before that for choosing.
    __device__ ListPlaces& places() {
        return *reinterpret_cast<ListPlaces*>(choosing.orders);
    }

    /// Returns the memory for few tokens, which is used instead of that for chunks.
    __device__ FewMemory& few_memory() {
        return *reinterpret_cast<FewMemory*>(choosing.orders);
    }
};

/// The division of a row's chunks among warps: those of all blocks of the row, or of the last block alone.
struct Parts {
    uint32_t chunks, first, count;

    __device__ static Parts of(uint32_t chunks, bool is_shared) {
        uint32_t first = is_shared ? blockIdx.x * SAMPLE_WARPS : 0;
        return {chunks, first, (is_shared ? gridDim.x : 1) * SAMPLE_WARPS};
    }

    /// Returns the first chunk of the part of a warp of this block.
    __device__ uint32_t chunk(uint32_t warp) const {
        return static_cast<uint64_t>(chunks) * (first + warp) / count;
    }
};

/// Reads this block's part of a row, and stores the summaries of its chunks.
template <class Logit>
__device__ void summarise(Reader<Logit>& reader, const RowScratch& scratch, const Parts& parts, SampleShared& shared) {
    uint32_t warp = threadIdx.x / 32, end = parts.chunk(warp + 1);
    const SamplingRow& row = reader.row;
    reader.mask.seek_part(shared.places(), warp);
    uint32_t chunk = reader.mask.next(parts.chunk(warp));
#pragma unroll 1
    while (chunk < end) {
        reader.take(chunk, [&](const float (&own)[OWN], bool is_model) {
            uint32_t order = greatest_of(own), greatest = __reduce_max_sync(ALL_LANES, order);
            bool needs_sum = greatest != 0 && (is_model || needs_total(row));
            float scale = is_model ? MODEL_SCALE : row.scale;
            uint64_t sum = needs_sum ? weights_of(own, logit_of(greatest), scale) : 0;
            if (row.kind == SAMPLE_TRUNCATED && !is_model) {
                keep_parts(order, scratch.parts + chunk * PARTS);
            }
            if (threadIdx.x % 32 == 0) {
                store_chunk((is_model ? scratch.model : scratch.chunks) + chunk, sum, greatest);
            }
        });
        if (threadIdx.x % 32 == 0) {
            atomicOr(shared.visited + chunk / 32, 1u << chunk % 32);
        }
        chunk = reader.mask.next(chunk + 1);
    }
}

/// Marks this block's part of a row as done by all its threads; returns whether all other blocks are done too. The last block resets the ticket to 0.
__device__ inline bool is_last(uint32_t* ticket, SampleShared& shared) {
    if (threadIdx.x == 0) {
        __threadfence();
        shared.is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return shared.is_last != 0;
}

/// Writes the outcome of a row.
__device__ inline void tell(const SampleWork& work, uint32_t number, uint32_t outcome, uint32_t token, const SamplingRow& row) {
    bool is_chosen = token != NO_TOKEN;
    bool is_missing = outcome == SAMPLED_TOKEN && !is_chosen;
    work.sampled[number] = {is_missing ? SAMPLED_NO_TOKEN : outcome, is_chosen ? token : 0};
    if (is_chosen) {
        work.rows[number].position = row.position + 1;
    }
}

/// Writes the log-probability of a row's token, from the first warp.
template <class Logit>
__device__ void tell_probability(
    const SampleWork& work, uint32_t number, const Reader<Logit>& reader, const Chunks& model, uint32_t token
) {
    float logarithm = probability_of(model, reader.logits.of_token(token));
    if (threadIdx.x == 0) {
        work.probabilities[number] = logarithm;
    }
}

/// Reads words `begin` to `end` of a row, in the first warp.
__device__ inline void read_row(const SamplingRow& from, SamplingRow& to, uint32_t begin, uint32_t end) {
    uint32_t at = begin + threadIdx.x;
    if (at < end) {
        reinterpret_cast<uint32_t*>(&to)[at] = reinterpret_cast<const uint32_t*>(&from)[at];
    }
    __syncwarp();
}

/// Finds out whether a row is to be sampled, and by which blocks. The first warp does it for the whole block; only this warp gets the header of the
/// mask.
__device__ inline MaskHead look(const SampleWork& work, uint32_t number, SampleShared& shared) {
    MaskHead head = {};
    if (threadIdx.x < 32) {
        read_row(work.rows[number], shared.row, 0, SECTOR_WORDS);
        head = MaskHead::read(work, shared.row);
        if (threadIdx.x == 0) {
            shared.outcome = outcome_before(shared.row, head);
            shared.is_dense = head.is_dense != 0 || shared.row.tells_probability != 0;
        }
    }
    __syncthreads();
    return head;
}

/// Reads the data for sampling a row: the rest of the row, and the rows of its mask. The first warp does it for the whole block.
__device__ inline void prepare(const SampleWork& work, uint32_t number, const MaskHead& head, SampleShared& shared) {
    if (threadIdx.x < 32) {
        read_row(work.rows[number], shared.row, SECTOR_WORDS, words_of(shared.row));
        RowMask mask = RowMask::of(work, shared.row, false, nullptr);
        mask.read(work, head);
        mask.share(shared.mask);
        uint32_t listed = shared.is_dense != 0 ? 0 : mask.listed();
        if (threadIdx.x == 0) {
            shared.few = listed <= MOST_FEW ? listed : 0;
        }
    }
    // For lists, the visited chunks are recorded later; otherwise all chunks are visited.
    uint32_t visited = shared.is_dense != 0 ? ALL_LANES : 0;
    for (uint32_t word = threadIdx.x; word * 32 < chunks_of(work); word += SAMPLE_THREADS) {
        shared.visited[word] = visited;
    }
    __syncthreads();
}

/// Samples the token of a row from the summaries of its chunks, by all threads of a block. If the row is dense, all its blocks work together, and all
/// but the last return false.
template <class Logit>
__device__ bool choose_by_chunks(const SampleWork& work, Reader<Logit>& reader, const RowScratch& scratch, SampleShared& shared, uint32_t& token) {
    bool is_shared = reader.mask.is_dense;
    Parts parts = Parts::of(chunks_of(work), is_shared);
    shared.places().find(shared.mask, [=](uint32_t part) { return parts.chunk(part); });
    __syncthreads();
    summarise(reader, scratch, parts, shared);
    __syncthreads();
    if (is_shared && !is_last(scratch.ticket, shared)) {
        return false;
    }
    token = choose(reader, {scratch.chunks, shared.choosing.kept(), scratch.parts, shared.visited, chunks_of(work)}, shared.choosing);
    return true;
}

/// Samples a row, together with its other blocks. After the outcome is written, the first warp of the last block calls `after` with the outcome and
/// the token; by then no other block reads the row any more. `choose_few` is `choose_of_few` as a separate function with registers of its own, which
/// all kernels of a file share.
///
/// All blocks share the chunks of a dense row. A list is left to the last block: the others only check whether the mask is one.
template <class Logit, class ChooseFew, class After>
__device__ void sample_row(
    const SampleWork& work, uint32_t number, SampleShared& shared, const ChooseFew& choose_few, const After& after
) {
    MaskHead head = look(work, number, shared);
    RowScratch scratch = RowScratch::of(work, number);
    uint32_t outcome = shared.outcome, token = NO_TOKEN;
    bool is_sampled = outcome == SAMPLED_TOKEN, is_shared = is_sampled && shared.is_dense != 0;
    if (!is_shared && !is_last(scratch.ticket, shared)) {
        return;
    }
    if (is_sampled) {
        prepare(work, number, head, shared);
        RowMask mask = RowMask::of(work, shared.row, is_shared, shared.words[threadIdx.x / 32]);
        Reader<Logit> reader(work, shared.row, number, mask, shared.mask);
        if (shared.few != 0) {
            uint32_t own = listed_token(shared.mask, reader.mask.stops, reader.mask.vocabulary);
            float logit = own != NO_TOKEN ? reader.logits.of_token(own) : MINUS_INFINITY;
            token = choose_few(shared.row, shared.few_memory(), shared.few, own, logit);
        } else if (!choose_by_chunks(work, reader, scratch, shared, token)) {
            return;
        }
        if (token != NO_TOKEN && shared.row.count_capacity != 0 && !count_token(shared.row, work.rows + number, token)) {
            outcome = SAMPLED_FULL;
            token = NO_TOKEN;
        }
        if (token != NO_TOKEN && shared.row.tells_probability != 0 && threadIdx.x < 32) {
            Chunks model = {scratch.model, shared.choosing.kept(), nullptr, shared.visited, chunks_of(work)};
            tell_probability(work, number, reader, model, token);
        }
    }
    if (threadIdx.x == 0) {
        tell(work, number, outcome, token, shared.row);
    }
    if (threadIdx.x < 32) {
        after(shared.row, number, outcome, token);
    }
}

/// Samples all rows of a launch, and calls `after` for each.
template <class Logit, class ChooseFew, class After>
__device__ void sample_rows(const SampleWork& work, SampleShared& shared, const ChooseFew& choose_few, const After& after) {
#pragma unroll 1
    for (uint32_t number = blockIdx.y; number < work.row_count; number += gridDim.y) {
        sample_row<Logit>(work, number, shared, choose_few, after);
        __syncthreads();
    }
}

}  // namespace ogc
