// A barrier for the grid made of an atomic counter and fences; four blocks surely run at once.
#include <cstdio>

__global__ void rotate(const int* x, int* y, int* z, unsigned* arrived) {
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) continue;
        __threadfence();
    }
    __syncthreads();
    z[i] = y[(i + 40) % n];
}

int main() {
    const int n = 128;
    int *x, *y, *z, host[n];
    unsigned* arrived;
    for (int i = 0; i < n; ++i) host[i] = i;
    for (int** p : {&x, &y, &z}) cudaMalloc(p, sizeof host);
    cudaMalloc(&arrived, sizeof(unsigned));
    cudaMemset(arrived, 0, sizeof(unsigned));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<4, 32>>>(x, y, z, arrived);
    cudaMemcpy(host, z, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("%d\n", host[0]);
    return host[0] == 80 ? 0 : 1;
}
