//! Multiplies rows of states with weights of bfloat16: see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(bf16, Bf16)
