//! Multiplies rows of states with weights of 4 bits with a factor for 32 (Q4_0): see `product.cuh`.
//!
//! Registers: at most 128.

#include "product.cuh"

OGC_PRODUCT(nibbles, Nibbles)
