//! SwiGLU: multiplies the gate of a feed-forward block, activated by SiLU, with its other half: x / (1 + e^-x) * y, each step rounded.
//!
//! Launch: grid x: numbers of a row, one per thread; grid y: rows.
//!
//! Registers: at most 32.

#include "maths.cuh"
#include "records/model.cuh"

extern "C" __global__ void ogc_model_swiglu(ogc::SwigluParameters given) {
    uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= given.inner) {
        return;
    }
    const float* from = reinterpret_cast<const float*>(given.from) + static_cast<uint64_t>(blockIdx.y) * given.from_stride;
    float gate = from[at], up = from[given.inner + at];
    float activated = __fdiv_rn(gate, 1.0f + ogc::exponential(-gate));
    reinterpret_cast<float*>(given.to)[static_cast<uint64_t>(blockIdx.y) * given.inner + at] = activated * up;
}
