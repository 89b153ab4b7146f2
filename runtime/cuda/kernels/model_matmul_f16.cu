//! Multiplies rows of states with weights of IEEE binary16: see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(f16, F16)
