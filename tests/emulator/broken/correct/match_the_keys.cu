// Lanes with the same key find each other and talk inside of their group.
#include <cstdio>

__global__ void sums(const int* keys, int* y) {
    const int lane = threadIdx.x, key = keys[lane];
    const unsigned peers = __match_any_sync(0xffffffff, key);
    const int total = __reduce_add_sync(peers, lane);
    if (lane == __ffs(peers) - 1) y[key] = total;
}

int main() {
    int *keys, *y, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i % 5;
    cudaMalloc(&keys, sizeof host);
    cudaMalloc(&y, 5 * sizeof(int));
    cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 32>>>(keys, y);
    cudaMemcpy(host, y, 5 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[4]);
    return host[4] == 99 - 0 ? 0 : 1;
}
