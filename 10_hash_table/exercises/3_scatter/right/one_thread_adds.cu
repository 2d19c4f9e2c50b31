// The three mistakes are gone with the least change, and one thread adds up.

#include "common/check.h"
#include "common/device_buffer.h"

__global__ void count_keys(const unsigned* keys, int n, unsigned* counts) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicInc(&counts[keys[i] % 256], 0xffffffff);
}

__global__ void add_up(const unsigned* counts, int* begin, unsigned* cursor) {
    unsigned sum = 0;
    for (int b = 0; b < 256; ++b) {
        begin[b] = cursor[b] = sum;
        sum += counts[b];
    }
    begin[256] = sum;
}

__global__ void scatter(const unsigned* keys, int n, unsigned* cursor, unsigned* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned key = keys[i];
        out[atomicAdd(cursor + key % 256, 1u)] = key;
    }
}

void partition(const unsigned* keys, int n, int* begin, unsigned* out) {
    DeviceBuffer<unsigned> counts(256), cursor(256);
    CUDA_CHECK(cudaMemset(counts.data(), 0, 256 * sizeof(unsigned)));
    count_keys<<<3, 64>>>(keys, n, counts.data());
    add_up<<<1, 1>>>(counts.data(), begin, cursor.data());
    scatter<<<3, 64>>>(keys, n, cursor.data(), out);
    CUDA_CHECK_LAUNCH();
}
