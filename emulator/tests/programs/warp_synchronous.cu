// What was written before __syncwarp(): the lanes of a warp work in lockstep on volatile memory.
#include <cstdio>
#include <cstdlib>

constexpr int threads = 256, blocks = 6;

// Sums of a block: a tree with barriers down to one warp, and none from there on.
template <int block_size>
__device__ void last_warp(volatile int* v, int i) {
    if (block_size >= 64) v[i] += v[i + 32];
    v[i] += v[i + 16];
    v[i] += v[i + 8];
    v[i] += v[i + 4];
    v[i] += v[i + 2];
    v[i] += v[i + 1];
}

__global__ void sums(const int* in, int* out) {
    extern __shared__ int tree[];
    const int i = threadIdx.x;
    tree[i] = in[blockIdx.x * blockDim.x + i];
    __syncthreads();
    for (int half = threads / 2; half > 32; half /= 2) {
        if (i < half) tree[i] += tree[i + half];
        __syncthreads();
    }
    if (i < 32) last_warp<threads>(tree, i);
    if (i == 0) out[blockIdx.x] = tree[0];
}

// The same in global memory, with a partial sum in a register.
__global__ void sums_in_place(int* data, int* out) {
    int* mine = data + blockIdx.x * blockDim.x;
    const int i = threadIdx.x;
    for (int half = threads / 2; half > 32; half >>= 1) {
        if (i < half) mine[i] += mine[i + half];
        __syncthreads();
    }
    if (i < 32) {
        volatile int* v = mine;
        int sum = v[i];
        v[i] = sum = sum + v[i + 32];
        for (int w = 16; w > 0; w >>= 1)
            if (i < w) v[i] = sum = sum + v[i + w];
    }
    if (i == 0) out[blockIdx.x] = mine[0];
}

// Running sums of each warp, where the lanes part for each step (Hillis and Steele).
template <class T>
__device__ T running_sum(volatile T* v, int i) {
    const int lane = i & 31;
    if (lane >= 1) v[i] = v[i - 1] + v[i];
    if (lane >= 2) v[i] = v[i - 2] + v[i];
    if (lane >= 4) v[i] = v[i - 4] + v[i];
    if (lane >= 8) v[i] = v[i - 8] + v[i];
    if (lane >= 16) v[i] = v[i - 16] + v[i];
    return v[i];
}

__global__ void scans(const int* in, int* out) {
    __shared__ volatile int values[threads];
    const int i = threadIdx.x, global = blockIdx.x * blockDim.x + i;
    values[i] = in[global];
    out[global] = running_sum<int>(values, i);
}

// Counts without atomics: each lane writes its number beside the count, and the one that is found there has counted.
__global__ void histogram(const int* in, unsigned* out) {
    __shared__ volatile unsigned bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    const int value = in[threadIdx.x] & 7;
    unsigned count;
    do {
        count = bins[value] & 0x07ffffff;
        count = threadIdx.x << 27 | (count + 1);
        bins[value] = count;
    } while (bins[value] != count);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x] & 0x07ffffff;
}

int main() {
    constexpr int n = threads * blocks;
    int in[n], expected[n] = {}, block_sums[blocks] = {}, got[n], wrong = 0;
    unsigned bins[8], expected_bins[8] = {};
    std::srand(7);
    for (int i = 0; i < n; ++i) {
        in[i] = std::rand() % 1000 - 300;
        block_sums[i / threads] += in[i];
        expected[i] = in[i] + (i % 32 == 0 ? 0 : expected[i - 1]);
        if (i < 32) ++expected_bins[in[i] & 7];
    }
    int *device_in, *device_out;
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&device_out, sizeof in);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);

    scans<<<blocks, threads>>>(device_in, device_out);
    cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) wrong += got[i] != expected[i];

    histogram<<<1, 32>>>(device_in, reinterpret_cast<unsigned*>(device_out));
    cudaMemcpy(bins, device_out, sizeof bins, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) wrong += bins[i] != expected_bins[i];

    sums<<<blocks, threads, threads * sizeof(int)>>>(device_in, device_out);
    cudaMemcpy(got, device_out, sizeof block_sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i) wrong += got[i] != block_sums[i];

    sums_in_place<<<blocks, threads>>>(device_in, device_out);
    cudaMemcpy(got, device_out, sizeof block_sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; ++i) wrong += got[i] != block_sums[i];

    std::puts(wrong == 0 && cudaDeviceSynchronize() == cudaSuccess ? "PASSED" : "FAILED");
    return wrong != 0;
}
