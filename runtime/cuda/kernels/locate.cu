//! Locates the masks of sequences: the rows of the pool whose union is the set of allowed next tokens, and whether the texts may end.
//!
//! A warp locates the mask of a slot. A slot that the device cannot step any further is left to the host, as its status says, and its mask allows
//! nothing. Free slots and slots that the host steps are not touched.
//!
//! Launch: blocks of 32 threads, one for each entry of the list `sequences` of slots, where negative entries stand for none; without a list, one for
//! each slot. A block is one warp, so that the compiler knows that its lanes run together.
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
