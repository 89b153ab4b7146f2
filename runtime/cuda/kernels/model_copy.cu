//! Copies the first positions of pages of keys and values, where two texts have read the same positions, and one goes on inside of a page that
//! both have. How positions lie in a page is said in `model_rope.cu`.
//!
//! Launch: grid x: numbers of a page, 4 a thread; grid y: pages.
//!
//! Registers: at most 32.

#include "records/model.cuh"

namespace {

using namespace ogc;

/// Returns of which position four numbers of a page are.
__device__ uint32_t position_of(const CopyParameters& given, uint32_t quad) {
    // Of each layer, keys, then values, both as many.
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
