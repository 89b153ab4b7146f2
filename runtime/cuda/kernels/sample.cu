//! Chooses the next token of each row by its logits, among those that its mask allows, as `ogc_generate::Sampler` does.
//!
//! Blocks share the chunks of a row: a warp reads some of them, and keeps of each its greatest logit and what its tokens weigh. The last block
//! to be done chooses: it looks for the chunk by what was kept, and reads that chunk once more, or those with the likeliest tokens, if tokens are
//! drawn from them. Masks that are lists are left to the last block, which reads what is listed; of few tokens each of its threads has one. Weights are whole numbers, so that the token does not depend on how a row is split.
//!
//! A row's position grows by one with each token that is chosen, and the token is counted, if there is room for that, so that the same launch can
//! be repeated.
//!
//! Launch: blocks of 256 threads; grid x: blocks of a row, any number; grid y: rows, or fewer.
//!
//! Registers: at most 128.

#include "sample_block.cuh"

/// As `ogc::choose_of_few`, once for all kernels.
extern "C" __device__ __noinline__ uint32_t ogc_sample_few(
    const ogc::SamplingRow& row, ogc::FewMemory& memory, uint32_t count, uint32_t token, float logit
) {
    return ogc::choose_of_few(row, memory, count, token, logit);
}

namespace {

/// Does nothing more with a row.
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
