// A grid and blocks of three dimensions; every element has its thread.
#include <cstdio>

__global__ void average(const float* x, float* y, int3 n) {
    __shared__ float cache[4][4][4];
    const int i = blockIdx.x * 4 + threadIdx.x, j = blockIdx.y * 4 + threadIdx.y, k = blockIdx.z * 4 + threadIdx.z;
    const bool inside = i < n.x && j < n.y && k < n.z;
    const int at = (k * n.y + j) * n.x + i;
    cache[threadIdx.z][threadIdx.y][threadIdx.x] = inside ? x[at] : 0;
    __syncthreads();
    if (inside) y[at] = cache[threadIdx.z ^ 1][threadIdx.y ^ 1][threadIdx.x ^ 1];
}

int main() {
    const int3 n = make_int3(5, 6, 7);
    float *x, *y, host[210];
    for (int i = 0; i < 210; ++i) host[i] = static_cast<float>(i);
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    average<<<dim3(2, 2, 2), dim3(4, 4, 4)>>>(x, y, n);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", host[0], host[4]);
    return host[0] == 36 && host[4] == 0 ? 0 : 1;
}
