// The lanes that are in a branch form a group, and one of them counts for all.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void filter(const int* x, int* y, int* count) {
    const int value = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (value % 3 != 0) return;
    const cg::coalesced_group active = cg::coalesced_threads();
    int place = 0;
    if (active.thread_rank() == 0) place = atomicAdd(count, static_cast<int>(active.size()));
    place = active.shfl(place, 0) + active.thread_rank();
    y[place] = value;
}

int main() {
    const int n = 128;
    int *x, *y, *count, host[n], kept = 0, sum = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMalloc(&count, sizeof kept);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof kept);
    filter<<<2, 64>>>(x, y, count);
    cudaMemcpy(&kept, count, sizeof kept, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, y, kept * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kept; ++i) sum += host[i];
    std::printf("%d %d\n", kept, sum);
    return kept == 43 && sum == 2709 ? 0 : 1;
}
