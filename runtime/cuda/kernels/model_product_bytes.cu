//! Multiplies rows of states with weights of 8 bits with a factor for 32 (Q8_0): see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(bytes, Bytes)
