//! Lanes that work together: a warp on the device, a single lane on the host. Code for a team works with any number of lanes; all lanes call it with
//! the same arguments.

#pragma once

#include "both.cuh"

namespace ogc {

/// The lanes of a warp, or the single lane of the host.
struct Team {
    OGC_BOTH uint32_t size() const {
#ifdef __CUDA_ARCH__
        return 32;
#else
        return 1;
#endif
    }

    OGC_BOTH uint32_t lane() const {
#ifdef __CUDA_ARCH__
        return threadIdx.x % 32;
#else
        return 0;
#endif
    }

    /// Returns a word with a bit for each lane whose condition holds.
    OGC_BOTH uint32_t ballot(bool holds) const {
#ifdef __CUDA_ARCH__
        return __ballot_sync(0xffffffffu, holds);
#else
        return holds ? 1 : 0;
#endif
    }

    OGC_BOTH bool any(bool holds) const {
        return ballot(holds) != 0;
    }

    /// Returns the number that a lane holds.
    OGC_BOTH uint32_t of_lane(uint32_t number, uint32_t lane) const {
#ifdef __CUDA_ARCH__
        return __shfl_sync(0xffffffffu, number, lane);
#else
        (void)lane;
        return number;
#endif
    }

    /// Makes writes of each lane visible to the others.
    OGC_BOTH void sync() const {
#ifdef __CUDA_ARCH__
        __syncwarp();
#endif
    }
};

OGC_BOTH inline uint32_t count_bits(uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

/// Returns the index of the lowest set bit of a nonzero number.
OGC_BOTH inline uint32_t lowest_bit(uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __ffs(bits) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

/// Returns the number of `count` items for which `is_before` holds; these must be the first ones. Each lane tests another item, so that few rounds
/// are needed.
template <class IsBefore>
OGC_BOTH uint32_t count_before(Team team, uint32_t count, IsBefore is_before) {
    uint32_t first = 0;
    while (count > 0) {
        // The items are split into a part for each lane, and a last one.
        uint32_t part = count / (team.size() + 1) + 1;
        uint32_t asked = (team.lane() + 1) * part - 1;
        // Lanes beyond the end test the last item, and do not count.
        bool is = is_before(first + (asked < count ? asked : count - 1));
        uint32_t lanes = team.ballot(asked < count && is);
        uint32_t passed = count_bits(lanes) * part;
        first += passed;
        count = count - passed < part - 1 ? count - passed : part - 1;
    }
    return first;
}

}  // namespace ogc
