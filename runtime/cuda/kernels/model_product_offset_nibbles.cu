//! Multiplies rows of states with weights of 4 bits with a factor and an offset for 32 (Q4_1): see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(offset_nibbles, OffsetNibbles)
