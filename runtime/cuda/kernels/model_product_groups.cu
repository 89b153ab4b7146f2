//! Multiplies rows of states with weights of 8 bits with a factor and an offset for 16: see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(groups, Groups)
