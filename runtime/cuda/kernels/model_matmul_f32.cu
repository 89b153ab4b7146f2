//! Multiplies rows of states with weights of numbers of 32 bits: see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(f32, F32)
