// A piece of the counters for each thread, one behind the other.

#include "common/check.h"

constexpr int block_size = 128, blocks = 16;

/// Whether the point that belongs to this counter is a hit. Philox, as in the lesson: right as it is.
__device__ bool is_hit(unsigned seed, long long counter) {
    unsigned x = static_cast<unsigned>(counter), y = static_cast<unsigned>(counter >> 32), z = 0, w = 0;
    unsigned key_x = seed, key_y = 0;
    for (int i = 0; i < 10; ++i) {
        const unsigned from_x = 0xD2511F53 * x, from_z = 0xCD9E8D57 * z;
        const unsigned next_x = __umulhi(0xCD9E8D57, z) ^ y ^ key_x, next_z = __umulhi(0xD2511F53, x) ^ w ^ key_y;
        x = next_x, y = from_z, z = next_z, w = from_x;
        key_x += 0x9E3779B9, key_y += 0xBB67AE85;
    }
    const unsigned long long xx = 1ull * x * x, yy = 1ull * y * y;
    return xx + yy >= xx;
}

__global__ void throw_points(unsigned seed, long long n, unsigned long long* hits) {
    const long long thread = blockIdx.x * block_size + threadIdx.x, threads = gridDim.x * block_size;
    const long long begin = n * thread / threads, end = n * (thread + 1) / threads;
    unsigned count = 0;
    for (long long counter = begin; counter < end; ++counter) count += is_hit(seed, counter);
    atomicAdd(hits, static_cast<unsigned long long>(count));
}

/// *hits = how many of the points with the counters 0 to n - 1 are hits, n >= 0. hits: one number in device memory,
/// which is set.
void count_hits(unsigned seed, long long n, unsigned long long* hits) {
    CUDA_CHECK(cudaMemset(hits, 0, sizeof(unsigned long long)));
    throw_points<<<blocks, block_size>>>(seed, n, hits);
    CUDA_CHECK_LAUNCH();
}
