//! Multiplies rows of states with weights of numbers of 32 bits: see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(single, Single)
