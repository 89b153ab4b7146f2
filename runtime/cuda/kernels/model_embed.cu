//! Looks up the embeddings of tokens: the state of each row of a pass begins as a row of a matrix. The numbers are those of the file and are not
//! rounded again.
//!
//! Launch: grid x: rows; any number of threads.
//!
//! Registers: at most 40.

#include "records/model.cuh"
#include "weights.cuh"

namespace {

using namespace ogc;

template <class Format>
__device__ void embed(const EmbedParameters& given) {
    ModelRow row = reinterpret_cast<const ModelRow*>(given.rows)[blockIdx.x];
    float4* states = reinterpret_cast<float4*>(given.states) + static_cast<uint64_t>(blockIdx.x) * (given.columns / 4);
    bool is_used = row.table != UNUSED && row.token < given.tokens;
    constexpr int QUADS = Format::NUMBERS / 4;
    for (uint32_t vector = threadIdx.x; vector < given.columns / Format::NUMBERS; vector += blockDim.x) {
        if (is_used) {
            Format numbers = Format::load(given.numbers, given.factors, row.token, given.columns, vector);
#pragma unroll
            for (int at = 0; at < QUADS; at++) {
                states[vector * QUADS + at] = numbers.quad(at);
            }
        } else {
#pragma unroll
            for (int at = 0; at < QUADS; at++) {
                states[vector * QUADS + at] = make_float4(0, 0, 0, 0);
            }
        }
    }
}

}  // namespace

#define EMBED(name, Format) \
    extern "C" __global__ void ogc_model_embed_##name(EmbedParameters given) { \
        embed<Format>(given); \
    }

EMBED(f32, F32)
EMBED(f16, F16)
EMBED(bf16, Bf16)
EMBED(q8_0, Q8_0)
EMBED(q4_0, Q4_0)
EMBED(q4_1, Q4_1)
EMBED(groups, Groups)
