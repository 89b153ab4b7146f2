//! Samples the next token of each row from the logits that its mask allows, like `ogc_generate::Sampler`.
//!
//! Blocks share the chunks of a row. A warp reads some of them, and records for each its greatest logit and the weights of its tokens. The last block
//! to finish samples the token: it selects the chunk from these records, and reads that chunk again, or the chunks with the likeliest tokens if only
//! these are candidates. Masks that are lists are left to the last block, which reads only the listed logits; if the tokens are few, each of its
//! threads has one. Weights are integers, so that the token does not depend on the split of a row.
//!
//! The position of a row is incremented with each sampled token, and the token is counted if there is room, so that the same launch can be repeated.
//!
//! Launch: blocks of 256 threads; grid x: blocks of a row, any number; grid y: rows, or fewer.
//!
//! Registers: at most 128.

#include "sample_block.cuh"

/// `ogc::choose_of_few`, compiled once for all kernels.
extern "C" __device__ __noinline__ uint32_t ogc_sample_few(
    const ogc::SamplingRow& row, ogc::FewMemory& memory, uint32_t count, uint32_t token, float logit
) {
    return ogc::choose_of_few(row, memory, count, token, logit);
}

namespace {

/// Does nothing after a row was sampled.
struct Nothing {
    __device__ void operator()(const ogc::SamplingRow&, uint32_t, uint32_t, uint32_t) const {}
};

}  // namespace

/// Samples from logits of 32 bits.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_sample_f32(ogc::SampleWork work) {
    __shared__ ogc::SampleShared shared;
    ogc::sample_rows<ogc::F32>(work, shared, ogc_sample_few, Nothing());
}

/// Samples from logits of IEEE binary16.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_sample_f16(ogc::SampleWork work) {
    __shared__ ogc::SampleShared shared;
    ogc::sample_rows<ogc::F16>(work, shared, ogc_sample_few, Nothing());
}

/// Samples from logits of bfloat16.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_sample_bf16(ogc::SampleWork work) {
    __shared__ ogc::SampleShared shared;
    ogc::sample_rows<ogc::Bf16>(work, shared, ogc_sample_few, Nothing());
}
