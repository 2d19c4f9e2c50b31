// Kernels whose parameters are references: they mean managed memory, and copy nothing.
#include <cstdio>

struct Totals {
    int sum, largest;
};

__device__ __managed__ Totals totals;
__device__ __managed__ int table[64];

__global__ void fill(int (&t)[64], const int& factor) {
    t[threadIdx.x] = static_cast<int>(threadIdx.x) * factor;
}

template <class... T>
__global__ void add(Totals& result, const T&... arrays) {
    atomicAdd(&result.sum, (arrays[threadIdx.x] + ...));
    atomicMax(&result.largest, table[threadIdx.x]);
}

int main() {
    int* factor;
    cudaMallocManaged(&factor, sizeof(int));
    *factor = 3;
    totals = {0, -1};
    fill<<<1, 64>>>(table, *factor);
    add<<<1, 64>>>(totals, table, table);
    const cudaError_t error = cudaDeviceSynchronize();
    const bool right = error == cudaSuccess && totals.sum == 2 * 3 * 63 * 64 / 2 && totals.largest == 189;
    std::printf("%s: %d %d\n", right ? "PASSED" : "FAILED", totals.sum, totals.largest);
    return !right;
}
