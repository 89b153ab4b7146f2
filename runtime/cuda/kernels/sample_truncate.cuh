//! A draw of the likeliest tokens: by how many they are, by their share, by what they weigh.
//!
//! # Steps
//! 1. The parts of chunks are gone through, of which the greatest orders are known: by them a key is found from which on there are likely few
//!    candidates, and at least as many as `top_k`.
//! 2. The chunks that have any are read once more, and the candidates from this key on are listed. If the list is too short for the share, a lower
//!    key is looked for; if there is no room, chunks are gone through instead of the list.
//! 3. The lowest key that `top_k` keeps is found, then the lowest that the share keeps, then the one that is drawn.
//!
//! Each is the key down to which a sum from the greatest on reaches a goal: of ones, or of weights. It is found by digits; once few candidates of
//! chunks are left, they are listed.
//!
//! Going through candidates is a *visit*. `Search` says what the next is for, so that chunks are read at one place of the code: all of its state
//! is the same in all threads.

#pragma once

#include "sample_top.cuh"

namespace ogc {

/// The most candidates of a list.
constexpr uint32_t MOST_LISTED = 1024;

/// How many parts have candidates that are listed first where their number does not matter, and how many times as many are tried next.
constexpr uint32_t FEW_PARTS = 32;
constexpr uint32_t MORE_PARTS = 16;

/// The most parts that are kept in shared memory while they are gone through.
constexpr uint32_t MOST_KEPT = SAMPLE_WARPS * CHUNK;

/// So many parts more do no harm, if the key is found sooner.
constexpr uint32_t SPARE_PARTS = 4;

constexpr uint64_t MOST_KEY = (1ull << (32 + TOKEN_BITS)) - 1;

/// Memory that the threads of a block share to choose a token.
struct Choosing {
    /// Of a chunk for each warp, the orders of its logits; 0 for what may not be chosen. While parts are gone through, their greatest orders; before,
    /// what chunks have.
    alignas(16) uint32_t orders[SAMPLE_WARPS][CHUNK];
    /// Keys of candidates, in any order.
    uint64_t listed[MOST_LISTED];
    Digits digits;
    /// The key of the only candidate that is left.
    uint64_t key;
    /// What all tokens weigh, where it is asked for.
    uint64_t total;
    /// How many candidates a visit has for the list; those that have no room are not in it.
    uint32_t listed_count;
    /// The order of the greatest logit.
    uint32_t greatest;
    /// The chunk of the token, and the token, where no candidates are gone through.
    uint32_t chunk, token;

    static_assert(sizeof(Chunk) * KEPT_CHUNKS <= sizeof(uint32_t) * MOST_KEPT, "chunks are kept in place of orders");

    /// Returns memory for chunks that are kept, where orders are not needed.
    __device__ Chunk* kept() {
        return reinterpret_cast<Chunk*>(orders);
    }

    /// Notes what the chunks of a row say, by the first warp.
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

/// What a key is looked for.
enum class Stage : uint32_t {
    /// One token of all: its chunk is known.
    Any,
    /// From where on candidates are listed.
    List,
    /// The last of the `top_k` likeliest.
    TopK,
    /// The last of those with the share.
    TopP,
    /// The one that is drawn.
    Draw,
    /// It was found.
    Done,
};

/// What is gone through.
enum class Source : uint32_t { Chunks, Parts, Listed };

/// What a visit is for: keys are listed, what they count is summed up, or there is one, which is noted.
enum class Aim : uint32_t { List, Sum, Note };

/// The search for the token of a row.
struct Search {
    const SamplingRow& row;
    const Chunks& chunks;
    Choosing& shared;
    Stage stage;
    Source source;
    Aim aim;
    /// The keys that matter lie from one to another; they differ below the bits of the digit that begins at `shift`.
    uint64_t low, high;
    int shift;
    /// The sum that is to be reached; 0 until it is known.
    uint64_t goal;
    /// What stages begin with: the list, if it has all candidates that may be drawn, or the chunks.
    Source base;
    /// The lowest key that is kept, or of the list.
    uint64_t kept;
    /// Of so many parts candidates are listed, and so many are.
    uint32_t part_count, listed;
    uint32_t token;

    /// Begins the search, given what the first warp has put into shared memory.
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

    /// Returns of which lanes a chunk's logits have to be read.
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

    /// Takes the candidates of a chunk, by a warp.
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

    /// Takes the candidates of the list, or the parts, by all threads.
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

    /// Goes on after a visit; returns whether there is another.
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
    /// Returns the least key of a part's greatest logit; 0 if there is none. It is read once, and kept: it is the same thread that asks again.
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

    /// Returns what counts of a candidate.
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

    /// Returns the sum that a stage has to reach, given that of all keys that matter.
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

    /// Begins to look for the key from which on candidates are listed.
    __device__ void begin_parts() {
        stage = Stage::List;
        source = Source::Parts;
        aim = Aim::Sum;
        low = 0;
        high = MOST_KEY;
        shift = 32 + TOKEN_BITS - DIGIT_BITS;
        goal = 0;
    }

    /// Begins a stage that sums up.
    __device__ void begin_sum(Stage next) {
        stage = next;
        source = base;
        aim = Aim::Sum;
        low = kept;
        high = key_of(shared.greatest, 0);
        shift = (63 - __clzll((low ^ high) | 1)) / DIGIT_BITS * DIGIT_BITS;
        goal = 0;
    }

    /// Returns whether no token below the list may be drawn, whatever is in it.
    __device__ bool is_all_listed() const {
        if (base == Source::Chunks || kept == 0 || row.top_k != 0) {
            return true;
        }
        // By rounding, the weight of a lower logit may be 2^-23 times greater.
        uint32_t weight = weight_of_order(order_of_key(kept));
        return weight + (weight >> 20) + 1 < row.least_weight;
    }

    /// Lists candidates of more parts.
    __device__ void list_more() {
        part_count *= MORE_PARTS;
        base = Source::Chunks;
        begin_parts();
    }

    /// Goes on where a list was made.
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

    /// Begins a stage, or the next if the row does not ask for it.
    __device__ void begin_stage(Stage next) {
        bool is_whole = row.share == SHARE_ALL;
        if (next == Stage::TopP && is_whole && !is_all_listed()) {
            list_more();
        } else {
            begin_sum(next == Stage::TopP && is_whole ? Stage::Draw : next);
        }
    }

    /// Goes on where a key was found.
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

    /// Goes on where all together do not reach the goal: all are kept.
    __device__ void end_whole_stage() {
        if (stage == Stage::List) {
            end_stage(0);
        } else if (stage == Stage::TopP && !is_all_listed()) {
            list_more();
        } else {
            end_stage(kept);
        }
    }

    /// Goes on where sums by a digit were made.
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

    /// Goes on with so many candidates that have the digit that was found.
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

/// Chooses the token of a row, by all threads of a block; what its chunks have is known.
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
