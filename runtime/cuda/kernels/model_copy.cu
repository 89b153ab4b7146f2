//! Copies the first positions of pages of the KV cache when two texts share these positions and one of them continues within a shared page.
//! `model_rope.cu` describes the layout of a page.
//!
//! Launch: grid x: numbers of a page, 4 per thread; grid y: pages.
//!
//! Registers: at most 32.

#include "records/model.cuh"

namespace {

using namespace ogc;

/// Returns the position of four numbers of a page.
__device__ uint32_t position_of(const CopyParameters& given, uint32_t quad) {
    // Each layer has its keys, then equally many values.
    uint32_t quads = given.kept * PAGE_POSITIONS / 4;
    uint32_t of_layer = quad % (2 * quads);
    return of_layer < quads ? of_layer % PAGE_POSITIONS : of_layer / (given.head / 4) % PAGE_POSITIONS;
}

}  // namespace

extern "C" __global__ void ogc_model_copy(CopyParameters given) {
    uint32_t quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad >= given.page_stride / 4 || blockIdx.y >= given.count) {
        return;
    }
    PageCopy copy = reinterpret_cast<const PageCopy*>(given.copies)[blockIdx.y];
    if (position_of(given, quad) >= copy.positions) {
        return;
    }
    float4* pool = reinterpret_cast<float4*>(given.pool);
    uint64_t quads = given.page_stride / 4;
    pool[copy.to * quads + quad] = pool[copy.from * quads + quad];
}
