//! Code for the device and for the host: `OGC_BOTH` marks what both compile.

#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define OGC_BOTH __host__ __device__
/// The loop behind it is compiled once, not several times in a row: its body is long, or it is mostly run once.
#define OGC_ONE_BY_ONE _Pragma("unroll 1")
#else
#define OGC_BOTH
#define OGC_ONE_BY_ONE
#endif
