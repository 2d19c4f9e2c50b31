// A warp's lanes gather what they find in a shared list: one atomic for all of them, places by counting bits.
#include <cstdio>

__global__ void gather(const int* x, int n, int* y, int* length) {
    __shared__ int list[64], size;
    const int t = threadIdx.x, lane = t % 32;
    if (t == 0) size = 0;
    __syncthreads();
    for (int first = 0; first < n; first += blockDim.x) {
        const bool keep = first + t < n && x[first + t] % 5 == 0;
        const unsigned mask = __ballot_sync(0xffffffff, keep);
        int place = 0;
        if (lane == 0) place = atomicAdd(&size, __popc(mask));
        place = __shfl_sync(0xffffffff, place, 0);
        if (keep) list[place + __popc(mask & ((1u << lane) - 1))] = x[first + t];
    }
    __syncthreads();
    if (t < size) y[t] = list[t];
    if (t == 0) *length = size;
}

int main() {
    const int n = 150;
    int *x, *y, *length, host[n], kept = 0, sum = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMalloc(&length, sizeof kept);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    gather<<<1, 64>>>(x, n, y, length);
    cudaMemcpy(&kept, length, sizeof kept, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, y, kept * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kept; ++i) sum += host[i];
    std::printf("%d %d\n", kept, sum);
    return kept == 30 && sum == 2175 ? 0 : 1;
}
