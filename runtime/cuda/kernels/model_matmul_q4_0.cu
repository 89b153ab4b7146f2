//! Multiplies rows of states with weights of 4 bits with a factor for 32 (Q4_0): see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(q4_0, Q4_0)
