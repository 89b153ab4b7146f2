//! Multiplies rows of states with weights of 8 bits with a factor and an offset for 16: see `matmul.cuh`.
//!
//! Registers: at most 128.

#include "matmul.cuh"

OGC_MATMUL(groups, Groups)
