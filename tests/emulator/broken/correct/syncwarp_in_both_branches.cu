// Since Volta the lanes of a warp may come to __syncwarp() at different places; it joins them all the same.
#include <cstdio>

__global__ void exchange(int* x) {
    __shared__ int cache[32];
    const int lane = threadIdx.x;
    if (lane < 16) {
        cache[lane] = 2 * lane;
        __syncwarp();
        x[lane] = cache[lane + 16];
    } else {
        cache[lane] = 3 * lane;
        __syncwarp();
        x[lane] = cache[lane - 16];
    }
}

int main() {
    int *x, host[32] = {};
    cudaMalloc(&x, sizeof host);
    exchange<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[31]);
    return host[0] == 48 && host[31] == 30 ? 0 : 1;
}
