// Threads of a block that wait for each other's volatile flags in loops with nothing inside.
#include <cstdio>

__device__ volatile int arrived[128], left[128];

// A barrier of the block, made by hand, three times.
__global__ void handmade_barrier(int* data, int* wrong) {
    const int i = threadIdx.x, n = blockDim.x;
    for (int round = 1; round <= 3; ++round) {
        data[i] = round * i;
        __threadfence_block();
        arrived[i] = round;
        if (i == 0) {
            for (int other = 0; other < n; ++other)
                while (arrived[other] != round) {
                }
            for (int other = 0; other < n; ++other) left[other] = round;
        }
        while (left[i] != round)
            ;
        if (data[(i + 1) % n] != round * ((i + 1) % n)) atomicAdd(wrong, 1);
        __syncthreads();
    }
}

// Two warps hand a number to and fro.
__global__ void ping_pong(volatile int* turn, int* value) {
    for (int i = 0; i < 50; ++i) {
        if (threadIdx.x == 32) {
            do
                ;
            while (*turn != 0);
            *value += 1;
            *turn = 1;
        }
        if (threadIdx.x == 0) {
            do {
            } while (*turn != 1);
            *value *= 2;
            *value %= 1000;
            *turn = 0;
        }
    }
}

// A lock whose owner lets go of it with a volatile store.
__global__ void locked(volatile int* lock, volatile int* count) {
    for (int lane = 0; lane < 32; ++lane)
        if (static_cast<int>(threadIdx.x % 32) == lane) {
            while (atomicCAS(const_cast<int*>(lock), 0, 1) != 0)
                ;
            *count = *count + 1;
            __threadfence();
            *lock = 0;
        }
}

int main() {
    int* d;
    cudaMallocManaged(&d, 1024 * sizeof(int));
    for (int i = 0; i < 1024; ++i) d[i] = 0;
    handmade_barrier<<<1, 128>>>(d, d + 1000);
    ping_pong<<<1, 64>>>(d + 900, d + 901);
    locked<<<1, 256>>>(d + 902, d + 903);
    const cudaError_t error = cudaDeviceSynchronize();
    int expected = 0;
    for (int i = 0; i < 50; ++i) expected = (expected + 1) * 2 % 1000;
    const bool right = error == cudaSuccess && d[1000] == 0 && d[901] == expected && d[903] == 256;
    std::printf("%s: %d %d %d %s\n", right ? "PASSED" : "FAILED", d[1000], d[901], d[903], cudaGetErrorString(error));
    return !right;
}
