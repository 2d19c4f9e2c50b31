// The numbers as they are worked out.

#include "common/check.h"

__constant__ int table[64];

// ---- Blocks of 256 × 1 threads. How many different words of the table do the 32 lanes of one warp read at a time?

/// table[k], where k counts the rounds of a loop.
int words_of_k() {
    return 1;
}

/// table[threadIdx.x % 64]
int words_of_thread() {
    return 32;
}

/// table[threadIdx.x / 8]
int words_of_thread_over_8() {
    return 32 / 8;
}

/// table[threadIdx.x % 8]
int words_of_thread_mod_8() {
    return 8;
}

/// table[blockIdx.x % 64]
int words_of_block() {
    return 1;
}

// ---- Blocks of 16 × 16 threads.

/// table[threadIdx.y]
int words_of_row() {
    return 32 / 16;
}

/// table[threadIdx.x]
int words_of_column() {
    return 32 / words_of_row();
}

// ---- What is launched, and counted: each thread reads `rounds` words of the table and adds them up.

__device__ int index_of(int kind, int k) {
    const int by_thread[] = {k,
                             static_cast<int>(threadIdx.x % 64),
                             static_cast<int>(threadIdx.x / 8),
                             static_cast<int>(threadIdx.x % 8),
                             static_cast<int>(blockIdx.x % 64),
                             static_cast<int>(threadIdx.y),
                             static_cast<int>(threadIdx.x)};
    return by_thread[kind];
}

__global__ void add_up(int kind, int rounds, int* sums) {
    int sum = 0;
    for (int k = 0; k < rounds; ++k) sum += table[index_of(kind, k)];
    sums[blockIdx.x * 256 + threadIdx.y * blockDim.x + threadIdx.x] = sum;
}

/// values: 64 ints in host memory, for the table. kind: which of the seven, from 0. sums: 256 ints for each block.
void read_table(const int* values, int kind, int blocks, int rounds, int* sums) {
    CUDA_CHECK(cudaMemcpyToSymbol(table, values, sizeof(table)));
    const dim3 block = kind < 5 ? dim3(256) : dim3(16, 16);
    add_up<<<blocks, block>>>(kind, rounds, sums);
    CUDA_CHECK_LAUNCH();
}
