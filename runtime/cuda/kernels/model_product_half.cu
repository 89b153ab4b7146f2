//! Multiplies rows of states with weights of IEEE binary16: see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(half, Half)
