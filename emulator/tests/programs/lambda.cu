// A parallel for over extended lambdas, with captures. nvcc needs --extended-lambda.
#include <cstdio>

template <typename Function>
__global__ void run(int n, Function f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename Function>
void parallel_for(int n, Function f) {
    run<<<4, 64>>>(n, f);
    cudaDeviceSynchronize();
}

int main() {
    const int n = 1001;
    int *data, *host = new int[n];
    cudaMalloc(&data, n * sizeof(int));
    int offset = 5;
    parallel_for(n, [=] __device__(int i) { data[i] = i * i + offset; });
    auto twice = [] __host__ __device__(int x) { return 2 * x; };
    parallel_for(n, [data, twice] __device__(int i) mutable { data[i] = twice(data[i]); });
    cudaMemcpy(host, data, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (host[i] != twice(i * i + offset)) return std::puts("FAILED"), 1;
    std::puts("PASSED");
    delete[] host;
}
