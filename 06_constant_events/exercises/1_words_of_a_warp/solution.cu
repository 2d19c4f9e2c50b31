// How many different words does a warp ask constant memory for? Put your numbers in place of the zeros.

#include "common/check.h"

__constant__ int table[64];

// ---- Blocks of 256 × 1 threads. How many different words of the table do the 32 lanes of one warp read at a time?

/// table[k], where k counts the rounds of a loop.
int words_of_k() {
    // BEGIN SOLUTION
    return 1;
    // STUB
    // return 0;
    // END SOLUTION
}

/// table[threadIdx.x % 64]
int words_of_thread() {
    // BEGIN SOLUTION
    return 32;
    // STUB
    // return 0;
    // END SOLUTION
}

/// table[threadIdx.x / 8]
int words_of_thread_over_8() {
    // BEGIN SOLUTION
    return 4;
    // STUB
    // return 0;
    // END SOLUTION
}

/// table[threadIdx.x % 8]
int words_of_thread_mod_8() {
    // BEGIN SOLUTION
    return 8;
    // STUB
    // return 0;
    // END SOLUTION
}

/// table[blockIdx.x % 64]
int words_of_block() {
    // BEGIN SOLUTION
    return 1;
    // STUB
    // return 0;
    // END SOLUTION
}

// ---- Blocks of 16 × 16 threads.

/// table[threadIdx.y]
int words_of_row() {
    // BEGIN SOLUTION
    return 2;
    // STUB
    // return 0;
    // END SOLUTION
}

/// table[threadIdx.x]
int words_of_column() {
    // BEGIN SOLUTION
    return 16;
    // STUB
    // return 0;
    // END SOLUTION
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
