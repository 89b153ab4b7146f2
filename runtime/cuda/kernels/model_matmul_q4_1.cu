//! Multiplies rows of states with weights of 4 bits with a factor and an offset for 32 (Q4_1): see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(q4_1, Q4_1)
