// Those of n floats that are positive, in their order.

#include "common/check.h"

constexpr int block_size = 256;

__device__ int tile_sums[block_size];

/// Scans each tile of 256 ints by itself, and writes the tiles' sums.
__global__ void scan_tiles(const int* in, int* out, int n, int* sums) {
    __shared__ int warp_sums[block_size / 32];
    const int i = blockIdx.x * block_size + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = i < n ? in[i] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += left;
    }
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += warp_sums[w];
    if (i < n) out[i] = sum;
    if (sums && threadIdx.x == block_size - 1) sums[blockIdx.x] = sum;
}

__global__ void add_sum_before(int* out, int n) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += tile_sums[blockIdx.x - 1];
}

/// out[i] = in[0] + ... + in[i]. in, out: n ints in device memory, perhaps the same ones; n is 1 to 65,536.
void scan(const int* in, int* out, int n) {
    const int tiles = (n + block_size - 1) / block_size;
    int* sums = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&sums), tile_sums));
    scan_tiles<<<tiles, block_size>>>(in, out, n, sums);
    CUDA_CHECK_LAUNCH();
    scan_tiles<<<1, block_size>>>(sums, sums, tiles, nullptr);
    CUDA_CHECK_LAUNCH();
    add_sum_before<<<tiles, block_size>>>(out, n);
    CUDA_CHECK_LAUNCH();
}

// BEGIN SOLUTION
__global__ void mark(const float* values, int n, int* marks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) marks[i] = values[i] > 0;
}

__global__ void scatter(const float* values, int n, const int* kept_up_to, float* kept, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] > 0) kept[kept_up_to[i] - 1] = values[i];
    if (i == n - 1) *count = kept_up_to[i];
}
// STUB
// __global__ void keep_kernel(const float* values, int n, float* kept, int* count) {
//     int places = 0;
//     for (int i = 0; i < n; ++i)
//         if (values[i] > 0) kept[places++] = values[i];
//     *count = places;
// }
// END SOLUTION

/// values: n floats; n is 0 to 65,536. kept: room for n floats. count: one int, which is set to the number of floats
/// that were kept. places: room for n ints, in which nothing of use is. All in device memory.
void keep_in_order(const float* values, int n, float* kept, int* count, int* places) {
    // BEGIN SOLUTION
    CUDA_CHECK(cudaMemset(count, 0, sizeof(int)));
    if (n == 0) return;
    const int blocks = (n + block_size - 1) / block_size;
    mark<<<blocks, block_size>>>(values, n, places);
    CUDA_CHECK_LAUNCH();
    scan(places, places, n);
    scatter<<<blocks, block_size>>>(values, n, places, kept, count);
    // STUB
    // static_cast<void>(places);  // not used yet
    // keep_kernel<<<1, 1>>>(values, n, kept, count);
    // END SOLUTION
    CUDA_CHECK_LAUNCH();
}
