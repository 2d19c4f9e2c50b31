// A grid of any size: a float is kept where the scan differs from what is before it.

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

__global__ void zero(int* count) {
    *count = 0;
}

__global__ void mark(const float* v, int n, int* p) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = v[i] > 0.0f ? 1 : 0;
}

__global__ void scatter(const float* v, int n, const int* p, float* kept, int* count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int before = i > 0 ? p[i - 1] : 0;
        if (p[i] != before) kept[before] = v[i];
        if (i + 1 == n) *count = p[i];
    }
}

void keep_in_order(const float* values, int n, float* kept, int* count, int* places) {
    if (n == 0) {
        zero<<<1, 1>>>(count);
        CUDA_CHECK_LAUNCH();
        return;
    }
    mark<<<100, 192>>>(values, n, places);
    CUDA_CHECK_LAUNCH();
    scan(places, places, n);
    scatter<<<100, 192>>>(values, n, places, kept, count);
    CUDA_CHECK_LAUNCH();
}
