//! A whole decoding step in one launch: samples the next token of each row like `sample.cu`, advances the row's slot like `advance.cu`, and locates
//! the slot's next mask like `locate.cu`.
//!
//! The first warp of the last block of a row advances the slot: all other blocks of the row have read its mask by then. The next launch finds the
//! next mask there, so that the same launch can be repeated without the host.
//!
//! A token that the slot refuses leaves it unchanged. A slot that the device cannot step any further is left to the host, as its status says.
//!
//! Launch: blocks of 256 threads; grid x: blocks of a row, any number; grid y: rows, or fewer.
//!
//! Registers: at most 128.

#include "fused.cuh"
#include "sample_block.cuh"

/// `ogc::step_slot`, compiled once for all kernels: PTX contains it once, and its registers are separate from those of sampling.
extern "C" __device__ __noinline__ uint32_t ogc_step_slot(
    const ogc::FormatEntry* formats, const uint32_t* vocabulary, ogc::Slot& slot, uint32_t token, ogc::LocateScratch& scratch
) {
    return ogc::step_slot(ogc::Team(), formats, {vocabulary}, slot, token, scratch);
}

/// `ogc::choose_of_few`, compiled once for all kernels.
extern "C" __device__ __noinline__ uint32_t ogc_step_few(
    const ogc::SamplingRow& row, ogc::FewMemory& memory, uint32_t count, uint32_t token, float logit
) {
    return ogc::choose_of_few(row, memory, count, token, logit);
}

namespace {

/// Shared memory of a block.
struct Shared {
    ogc::SampleShared sample;
    ogc::LocateScratch scratch;
};

/// Advances the slot of a row by its sampled token.
struct Advance {
    const ogc::StepWork& work;
    ogc::LocateScratch& scratch;

    __device__ void operator()(const ogc::SamplingRow& row, uint32_t number, uint32_t sampled, uint32_t token) const {
        ogc::Team team;
        bool is_chosen = token != ogc::NO_TOKEN;
        int32_t slot_number = ogc::slot_number_of(work, row, number);
        uint32_t outcome = ogc::OUTCOME_NONE;
        if (slot_number >= 0 && sampled != ogc::SAMPLED_NOTHING) {
            ogc::Slot& slot = work.slots[slot_number];
            // The outcome of a slot that the device does not step is written with or without a token.
            if (is_chosen || slot.status != ogc::STATUS_DEVICE) {
                outcome = ogc_step_slot(work.formats, work.vocabulary, slot, token, scratch);
            }
        }
        if (team.lane() == 0) {
            work.outcomes[number] = outcome;
            if (is_chosen) {
                work.next_tokens[number] = token;
            }
        }
    }
};

template <class Logit>
__device__ void step(const ogc::StepWork& work, Shared& shared) {
    ogc::sample_rows<Logit>(work.sample, shared.sample, ogc_step_few, Advance{work, shared.scratch});
}

}  // namespace

/// Steps with logits of 32 bits.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_step_f32(ogc::StepWork work) {
    __shared__ Shared shared;
    step<ogc::F32>(work, shared);
}

/// Steps with logits of IEEE binary16.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_step_f16(ogc::StepWork work) {
    __shared__ Shared shared;
    step<ogc::F16>(work, shared);
}

/// Steps with logits of bfloat16.
extern "C" __global__ void __launch_bounds__(ogc::SAMPLE_THREADS, 2) ogc_step_bf16(ogc::StepWork work) {
    __shared__ Shared shared;
    step<ogc::Bf16>(work, shared);
}
