// A vote or a shuffle of the whole warp is a synchronisation of its lanes; with __syncwarp() beside it, of memory too.
#include <cstdio>

__global__ void compact(const int* x, int* y, int* count) {
    __shared__ int kept[32];
    const int lane = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, x[lane] % 3 == 0);
    if (mask >> lane & 1) kept[__popc(mask & ((1u << lane) - 1))] = x[lane];
    __syncwarp();
    if (lane < __popc(mask)) y[lane] = kept[lane];
    if (lane == 0) *count = __popc(mask);
}

int main() {
    int *x, *y, *count, host[32], n = 0;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMalloc(&count, sizeof n);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    compact<<<1, 32>>>(x, y, count);
    cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, y, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", n, host[n - 1]);
    return n == 11 && host[n - 1] == 30 ? 0 : 1;
}
