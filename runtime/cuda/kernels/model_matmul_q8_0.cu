//! Multiplies rows of states with weights of 8 bits with a factor for 32 (Q8_0): see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(q8_0, Q8_0)
