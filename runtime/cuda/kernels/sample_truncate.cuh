//! A draw among the likeliest tokens, limited by their number, their share and their weight.
//!
//! # Steps
//! 1. Search the parts of chunks, whose greatest orders are known, for a key at or above which there are likely few candidates, but at least `top_k`.
//! 2. Read the chunks that have such candidates again, and list the candidates from this key up. If the list is too short for the share, search for a
//!    lower key; if it has no room, process chunks instead of the list.
//! 3. Find the lowest key that `top_k` keeps, then the lowest that the share keeps, then the one that is drawn.
//!
//! Each of these is the key down to which a sum from the greatest key reaches a goal: a sum of ones, or of weights. It is found digit by digit; once
//! few candidates of chunks remain, they are listed.
//!
//! A pass over candidates is a *visit*. `Search` holds the purpose of the next one, so that chunks are read in one place of the code; its state is
//! the same in all threads.

#pragma once

#include "sample_top.cuh"

namespace ogc {

/// Maximum length of a list of candidates.
constexpr uint32_t MOST_LISTED = 1024;

/// Number of parts whose candidates are listed first if `top_k` is not set, and the factor by which it grows.
constexpr uint32_t FEW_PARTS = 32;
constexpr uint32_t MORE_PARTS = 16;

/// Maximum number of parts that are cached in shared memory during visits.
constexpr uint32_t MOST_KEPT = SAMPLE_WARPS * CHUNK;

/// Number of superfluous parts that are acceptable if the key is found sooner.
constexpr uint32_t SPARE_PARTS = 4;

constexpr uint64_t MOST_KEY = (1ull << (32 + TOKEN_BITS)) - 1;

/// Shared memory of a block for choosing a token.
struct Choosing {
    /// For each warp the orders of the logits of a chunk, 0 for tokens that may not be sampled. During visits of parts, their greatest orders; before
    /// that, the summaries of chunks.
    alignas(16) uint32_t orders[SAMPLE_WARPS][CHUNK];
    /// Keys of candidates, in any order.
    uint64_t listed[MOST_LISTED];
    Digits digits;
    /// The key of the only remaining candidate.
    uint64_t key;
    /// The total weight of all tokens, if it is needed.
    uint64_t total;
    /// The number of candidates of a visit for the list, including those that do not fit.
    uint32_t listed_count;
    /// The order of the greatest logit.
    uint32_t greatest;
    /// The chunk of the token, and the token, if there are no visits of candidates.
    uint32_t chunk, token;

    static_assert(sizeof(Chunk) * KEPT_CHUNKS <= sizeof(uint32_t) * MOST_KEPT, "chunks are kept in place of orders");

    /// Returns memory for cached summaries of chunks, while orders are not needed.
    __device__ Chunk* kept() {
        return reinterpret_cast<Chunk*>(orders);
    }

    /// Reads the summaries of the chunks of a row, in the first warp.
    __device__ void prepare(const SamplingRow& row, const Chunks& chunks) {
        uint32_t most = chunks.greatest();
        Pick pick = {row, chunks, most};
        bool is_any = row.kind != SAMPLE_TRUNCATED;
        uint32_t place = is_any && most != 0 ? pick.chunk() : 0;
        uint64_t sum = !is_any && needs_total(row) ? pick.total() : 0;
        if (threadIdx.x == 0) {
            greatest = most;
            chunk = place;
            total = sum;
            listed_count = 0;
        }
    }
};

/// The purpose of the current search for a key.
enum class Stage : uint32_t {
    /// A draw among all tokens, or the likeliest one; its chunk is known.
    Any,
    /// The key from which on candidates are listed.
    List,
    /// The last of the `top_k` likeliest.
    TopK,
    /// The last within the share.
    TopP,
    /// The one that is drawn.
    Draw,
    /// The token was found.
    Done,
};

/// The candidates that are visited.
enum class Source : uint32_t { Chunks, Parts, Listed };

/// The purpose of a visit: to list keys, to sum up their amounts, or to record the only remaining one.
enum class Aim : uint32_t { List, Sum, Note };

/// The search for the token of a row.
struct Search {
    const SamplingRow& row;
    const Chunks& chunks;
    Choosing& shared;
    Stage stage;
    Source source;
    Aim aim;
    /// The keys of interest are from `low` to `high`; they differ only in the bits up to the digit that begins at `shift`.
    uint64_t low, high;
    int shift;
    /// The sum to reach; 0 until it is known.
    uint64_t goal;
    /// The first source of each stage: the list, if it has all candidates that may be drawn, or the chunks.
    Source base;
    /// The lowest key that is kept, or the lowest of the list.
    uint64_t kept;
    /// The number of parts whose candidates are listed, and the number of listed candidates.
    uint32_t part_count, listed;
    uint32_t token;

    /// Begins the search, given the data that the first warp has stored in shared memory.
    __device__ void begin() {
        token = NO_TOKEN;
        kept = 0;
        base = source = Source::Chunks;
        aim = Aim::Note;
        low = 0;
        stage = Stage::Any;
        if (row.kind == SAMPLE_TRUNCATED) {
            if (row.top_k > MOST_LISTED) {
                begin_sum(Stage::TopK);
            } else {
                part_count = row.top_k != 0 ? row.top_k : FEW_PARTS;
                begin_parts();
            }
        }
    }

    /// Returns the lanes whose logits of a chunk must be read.
    __device__ uint32_t lanes(uint32_t chunk) const {
        if (stage == Stage::Any) {
            return chunk == shared.chunk ? ALL_LANES : 0;
        }
        if (!chunks.is_visited(chunk)) {
            return 0;
        }
        uint32_t part = chunk * PARTS + threadIdx.x % 32 / (32 / PARTS);
        return __ballot_sync(ALL_LANES, chunks.parts[part] >= order_of_key(low));
    }

    /// Processes the candidates of a chunk, by a warp.
    __device__ void take_chunk(uint32_t chunk, const uint32_t* orders) {
        if (stage == Stage::Any) {
            uint32_t picked = Pick{row, chunks, shared.greatest}.token(chunk, orders);
            if (threadIdx.x % 32 == 0) {
                shared.token = picked;
            }
            return;
        }
        Run run = {0, 0, 0};
        uint32_t lowest = max(order_of_key(low), 1u);
#pragma unroll 1
        for (uint32_t at = threadIdx.x % 32; at < CHUNK; at += 32) {
            uint32_t order = orders[at];
            if (!__any_sync(ALL_LANES, order >= lowest)) {
                continue;
            }
            uint64_t key = key_of(order, chunk * CHUNK + at);
            uint64_t amount = order >= lowest ? amount_of(key) : 0;
            if (aim == Aim::List) {
                list(key, amount != 0);
            } else if (amount != 0) {
                run.add(shared.digits, digit_of(key), amount);
            }
        }
        run.flush(shared.digits);
        __syncwarp();
    }

    /// Processes the candidates of the list, or the parts, by all threads.
    __device__ void take_items() {
        bool is_part = source == Source::Parts;
        uint32_t count = is_part ? chunks.count * PARTS : listed;
        Run run = {0, 0, 0};
#pragma unroll 1
        for (uint32_t at = threadIdx.x; at < count; at += SAMPLE_THREADS) {
            uint64_t key = is_part ? part_key(at) : shared.listed[at];
            uint64_t amount = key != 0 ? amount_of(key) : 0;
            if (amount != 0 && aim == Aim::Note) {
                shared.key = key;
            } else if (amount != 0) {
                run.add(shared.digits, digit_of(key), amount);
            }
        }
        run.flush(shared.digits);
    }

    /// Continues after a visit; returns whether another is needed.
    __device__ bool goes_on() {
        if (stage == Stage::Any) {
            token = shared.token;
            stage = Stage::Done;
        } else if (aim == Aim::List) {
            end_list();
        } else if (aim == Aim::Note) {
            end_stage(shared.key);
        } else {
            end_sum();
        }
        return stage != Stage::Done;
    }

private:
    /// Returns the least key of a part's greatest logit; 0 if there is none. It is read once and cached, because the same thread reads it again.
    __device__ uint64_t part_key(uint32_t part) const {
        uint32_t* orders = shared.orders[0];
        bool is_kept = part < MOST_KEPT, is_known = is_kept && goal != 0;
        uint32_t order = is_known ? orders[part] : chunks.is_visited(part / PARTS) ? chunks.parts[part] : 0;
        if (is_kept && !is_known) {
            orders[part] = order;
        }
        return static_cast<uint64_t>(order) << TOKEN_BITS;
    }

    __device__ uint32_t weight_of_order(uint32_t order) const {
        return weight_of(logit_of(order) - logit_of(shared.greatest), row.scale);
    }

    /// Returns the amount of a candidate in the current sum.
    __device__ uint64_t amount_of(uint64_t key) const {
        if (key < low || key > high) {
            return 0;
        }
        if (stage == Stage::List || stage == Stage::TopK) {
            return 1;
        }
        uint32_t weight = weight_of_order(order_of_key(key));
        return stage == Stage::TopP || weight >= row.least_weight ? weight : 0;
    }

    __device__ uint32_t digit_of(uint64_t key) const {
        return static_cast<uint32_t>(key >> shift) % SAMPLE_THREADS;
    }

    /// Returns the sum that a stage has to reach, given the total of all keys of interest.
    __device__ uint64_t goal_of_stage(uint64_t total) const {
        switch (stage) {
            case Stage::List:
                return part_count;
            case Stage::TopK:
                return row.top_k;
            case Stage::TopP:
                return goal_of(row.share, row.top_k != 0 ? total : shared.total);
            default:
                return below(draw_of(row.seed, row.request, row.position).first, total) + 1;
        }
    }

    /// Puts a key into the list, by a warp.
    __device__ void list(uint64_t key, bool is_listed) {
        uint32_t lanes = __ballot_sync(ALL_LANES, is_listed);
        if (lanes == 0) {
            return;
        }
        uint32_t lane = threadIdx.x % 32, first = 0;
        if (lane == 0) {
            first = atomicAdd(&shared.listed_count, __popc(lanes));
        }
        uint32_t place = from_lane(first, 0) + __popc(lanes & ((1u << lane) - 1));
        if (is_listed && place < MOST_LISTED) {
            shared.listed[place] = key;
        }
    }

    /// Begins the search for the key from which on candidates are listed.
    __device__ void begin_parts() {
        stage = Stage::List;
        source = Source::Parts;
        aim = Aim::Sum;
        low = 0;
        high = MOST_KEY;
        shift = 32 + TOKEN_BITS - DIGIT_BITS;
        goal = 0;
    }

    /// Begins a stage with a sum.
    __device__ void begin_sum(Stage next) {
        stage = next;
        source = base;
        aim = Aim::Sum;
        low = kept;
        high = key_of(shared.greatest, 0);
        shift = (63 - __clzll((low ^ high) | 1)) / DIGIT_BITS * DIGIT_BITS;
        goal = 0;
    }

    /// Returns whether no token below the list may be drawn, whatever the list contains.
    __device__ bool is_all_listed() const {
        if (base == Source::Chunks || kept == 0 || row.top_k != 0) {
            return true;
        }
        // Due to rounding, the weight of a lower logit may be greater by a factor of 2^-23.
        uint32_t weight = weight_of_order(order_of_key(kept));
        return weight + (weight >> 20) + 1 < row.least_weight;
    }

    /// Lists the candidates of more parts.
    __device__ void list_more() {
        part_count *= MORE_PARTS;
        base = Source::Chunks;
        begin_parts();
    }

    /// Continues after a list was made.
    __device__ void end_list() {
        listed = shared.listed_count;
        if (stage != Stage::List) {
            source = Source::Listed;
            aim = Aim::Sum;
            return;
        }
        bool has_room = listed <= MOST_LISTED;
        base = has_room ? Source::Listed : Source::Chunks;
        kept = has_room ? low : 0;
        begin_stage(row.top_k != 0 ? Stage::TopK : Stage::TopP);
    }

    /// Begins a stage, or skips it if the row does not need it.
    __device__ void begin_stage(Stage next) {
        bool is_whole = row.share == SHARE_ALL;
        if (next == Stage::TopP && is_whole && !is_all_listed()) {
            list_more();
        } else {
            begin_sum(next == Stage::TopP && is_whole ? Stage::Draw : next);
        }
    }

    /// Continues after a key was found.
    __device__ void end_stage(uint64_t key) {
        switch (stage) {
            case Stage::List:
                source = Source::Chunks;
                aim = Aim::List;
                low = key;
                high = MOST_KEY;
                break;
            case Stage::TopK:
                kept = key;
                begin_stage(Stage::TopP);
                break;
            case Stage::TopP:
                kept = key;
                begin_sum(Stage::Draw);
                break;
            default:
                token = token_of_key(key);
                stage = Stage::Done;
        }
    }

    /// Continues if the total does not reach the goal: all candidates are kept.
    __device__ void end_whole_stage() {
        if (stage == Stage::List) {
            end_stage(0);
        } else if (stage == Stage::TopP && !is_all_listed()) {
            list_more();
        } else {
            end_stage(kept);
        }
    }

    /// Continues after sums by digit were made.
    __device__ void end_sum() {
        if (threadIdx.x == 0) {
            shared.listed_count = 0;
        }
        Found found;
        bool is_reached = shared.digits.find(
            [&](uint64_t total) {
                goal = goal != 0 ? goal : goal_of_stage(total);
                return goal;
            },
            found
        );
        if (!is_reached) {
            end_whole_stage();
            return;
        }
        goal -= found.before;
        uint64_t first = ((high >> shift >> DIGIT_BITS << DIGIT_BITS) | found.digit) << shift;
        uint64_t last = first + ((1ull << shift) - 1);
        low = low > first ? low : first;
        high = high < last ? high : last;
        narrow(found.count);
    }

    /// Continues with the `count` candidates that have the found digit.
    __device__ void narrow(uint32_t count) {
        bool is_near = stage == Stage::List && (shift == TOKEN_BITS || count <= SPARE_PARTS);
        if (shift == 0 || is_near) {
            end_stage(low);
            return;
        }
        shift -= DIGIT_BITS;
        if (count == 1 && source == Source::Listed) {
            aim = Aim::Note;
        } else if (count <= MOST_LISTED && source == Source::Chunks) {
            aim = Aim::List;
        }
    }
};

/// Samples the token of a row, by all threads of a block, from the summaries of its chunks.
template <class Logit>
__device__ uint32_t choose(Reader<Logit>& reader, const Chunks& chunks, Choosing& shared) {
    if (threadIdx.x < 32) {
        shared.prepare(reader.row, chunks);
    }
    shared.digits.clear();
    __syncthreads();
    if (shared.greatest == 0) {
        return NO_TOKEN;
    }
    Search search = {reader.row, chunks, shared};
    search.begin();
    uint32_t warp = threadIdx.x / 32;
    do {
        if (search.source == Source::Chunks) {
#pragma unroll 1
            for (uint32_t chunk = warp; chunk < chunks.count; chunk += SAMPLE_WARPS) {
                uint32_t lanes = search.lanes(chunk);
                if (lanes != 0) {
                    reader.read_again(chunk, lanes, shared.orders[warp]);
                    search.take_chunk(chunk, shared.orders[warp]);
                }
            }
        } else {
            search.take_items();
        }
        __syncthreads();
    } while (search.goes_on());
    return search.token;
}

}  // namespace ogc
