//! Kernels that cover what the interpreter must support: calls, recursion, branch tables, local arrays, shared memory, barriers, shuffles,
//! matches, votes, atomics, loops that lanes leave one by one. `tests/compiled.rs` runs them, and also breaks them.

#include <stdint.h>

/// Sums up all numbers: in each warp by shuffles, in each block through shared memory, in the grid by an atomic.
extern "C" __global__ void sum(const int* numbers, int count, int* total) {
    __shared__ int sums[32];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int mine = at < count ? numbers[at] : 0;
    for (int step = 16; step > 0; step /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, step);
    }
    if (lane == 0) {
        sums[warp] = mine;
    }
    __syncthreads();
    if (warp == 0) {
        mine = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int step = 16; step > 0; step /= 2) {
            mine += __shfl_xor_sync(0xffffffffu, mine, step);
        }
        if (lane == 0) {
            atomicAdd(total, mine);
        }
    }
}

/// Computes an inclusive prefix sum in each block.
extern "C" __global__ void scan(const float* numbers, float* sums) {
    extern __shared__ float both[];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float* from = both;
    float* to = both + blockDim.x;
    from[threadIdx.x] = numbers[at];
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        float sum = from[threadIdx.x];
        if (threadIdx.x >= step) {
            sum += from[threadIdx.x - step];
        }
        to[threadIdx.x] = sum;
        __syncthreads();
        float* other = from;
        from = to;
        to = other;
    }
    sums[at] = from[threadIdx.x];
}

/// Counts bytes by value: lanes with equal bytes elect one that adds for all of them.
extern "C" __global__ void histogram(const uint8_t* bytes, int count, unsigned* counts) {
    __shared__ unsigned ours[256];
    for (int at = threadIdx.x; at < 256; at += blockDim.x) {
        ours[at] = 0;
    }
    __syncthreads();
    for (int first = blockIdx.x * blockDim.x; first < count; first += gridDim.x * blockDim.x) {
        int at = first + threadIdx.x;
        unsigned there = __ballot_sync(0xffffffffu, at < count);
        if (at < count) {
            unsigned byte = bytes[at];
            unsigned equal = __match_any_sync(there, byte);
            if (__ffs(equal) - 1 == threadIdx.x % 32) {
                atomicAdd(&ours[byte], __popc(equal));
            }
        }
    }
    __syncthreads();
    for (int at = threadIdx.x; at < 256; at += blockDim.x) {
        if (ours[at] != 0) {
            atomicAdd(&counts[at], ours[at]);
        }
    }
}

/// Returns a Fibonacci number, by plain recursion.
__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/// Processes each number in one of eight ways, by its remainder modulo 8.
extern "C" __global__ void switches(const int* numbers, int* results) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    int number = numbers[at];
    int digits[10];
    for (int digit = 0; digit < 10; digit++) {
        digits[digit] = 0;
    }
    for (unsigned rest = number; rest != 0; rest /= 10) {
        digits[rest % 10]++;
    }
    int result = 0;
    switch (number & 7) {
        case 0: result = fibonacci(number % 11); break;
        case 1: result = digits[number % 10]; break;
        case 2: result = number / 7; break;
        case 3: result = __popc(number) + __clz(number); break;
        case 4: result = fibonacci(number % 7) + digits[3]; break;
        case 5: result = static_cast<int>(sqrtf(static_cast<float>(number))); break;
        case 6: result = number * number; break;
        default: result = -number;
    }
    results[at] = result;
}

/// Finds the position of each number in a sorted list.
extern "C" __global__ void search(const int* sorted, int count, const int* numbers, int* places) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    int number = numbers[at];
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    places[at] = low;
}

/// Sums up the numbers of each block, and lets the last block add these sums: fences and a counter tell it that they are complete.
extern "C" __global__ void last(const int* numbers, int* sums, unsigned* done, int* total) {
    __shared__ bool is_last;
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, numbers[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last && threadIdx.x < gridDim.x) {
        atomicAdd(total, sums[threadIdx.x]);
    }
}

/// Gives each thread in turn exclusive access, by a lock.
extern "C" __global__ void lock(int* held, volatile int* number) {
    bool done = false;
    while (!done) {
        if (atomicCAS(held, 0, 1) == 0) {
            *number = *number * 3 + 1;
            __threadfence();
            atomicExch(held, 0);
            done = true;
        }
    }
}
