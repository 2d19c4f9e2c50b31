// The copies of the counters are in another stream than the kernel that adds to them.
#include "../arrays.h"

__device__ int threes;

__global__ void count(int* bins, const int* keys) {
    atomicAdd(&bins[keys[threadIdx.x] % 4], 1);             // expect: unordered
    if (keys[threadIdx.x] % 4 == 3) atomicAdd(&threes, 1);  // may: unordered
}

int main() {
    Array<int> bins(4, 0), keys(128, [](int i) { return i; });
    int *seen, *seen_threes;
    check(cudaMallocHost(&seen, 4 * sizeof(int)));
    check(cudaMallocHost(&seen_threes, sizeof(int)));
    cudaStream_t counts, others;
    check(cudaStreamCreate(&counts));
    check(cudaStreamCreate(&others));
    count<<<1, 128, 0, counts>>>(bins, keys);
#ifdef BROKEN
    const cudaStream_t copies = others;
#else
    const cudaStream_t copies = counts;
#endif
    check(cudaMemcpyAsync(seen, bins, 4 * sizeof(int), cudaMemcpyDeviceToHost, copies));  // expect: unordered, other
    check(cudaMemcpyFromSymbolAsync(seen_threes, threes, sizeof(int), 0, cudaMemcpyDefault, copies));  // may: unordered
    check(cudaDeviceSynchronize());
    const int n = seen[3] - *seen_threes;
    check(cudaFreeHost(seen));
    check(cudaFreeHost(seen_threes));
    check(cudaStreamDestroy(counts));
    check(cudaStreamDestroy(others));
    return differs(n, 0);
}
