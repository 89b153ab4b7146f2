//! Locates the masks of sequences: which rows of the pool say what their next tokens may be, and whether their texts may end.
//!
//! A warp locates the mask of a slot. A slot that the device cannot do any more is left to the host: its status says so, and its mask allows
//! nothing. Slots that nobody or the host steps are not touched.
//!
//! Launch: blocks of 32 threads, one for each entry of the list `sequences` of slots, of which negative ones stand for none; without a list, one for
//! each slot. A block is one warp, so that the compiler sees that its lanes go together.
//!
//! Registers: at most 64.

#include "locate.cuh"

extern "C" __global__ void __launch_bounds__(32) ogc_locate(
    ogc::Slot* slots, const int32_t* __restrict__ sequences, const ogc::FormatEntry* formats
) {
    __shared__ ogc::LocateScratch scratch;
    int sequence = sequences == nullptr ? blockIdx.x : sequences[blockIdx.x];
    ogc::Slot* slot = slots + sequence;
    if (sequence < 0 || slot->status != ogc::STATUS_DEVICE) {
        return;
    }
    ogc::Masks masks = {reinterpret_cast<const uint32_t*>(formats[slot->format].masks)};
    ogc::Team team;
    if (!ogc::locate(team, masks, *slot, scratch, slot->mask) && team.lane() == 0) {
        slot->status = ogc::STATUS_HOST;
    }
}
