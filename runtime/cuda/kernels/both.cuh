//! Code for both the device and the host, marked by `OGC_BOTH`.

#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define OGC_BOTH __host__ __device__
/// Prevents unrolling of the following loop, which has a long body or mostly runs once.
#define OGC_ONE_BY_ONE _Pragma("unroll 1")
#else
#define OGC_BOTH
#define OGC_ONE_BY_ONE
#endif
