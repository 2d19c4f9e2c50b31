// An atomic function made from atomicCAS(): a plain load makes the first guess, and the swap tells whether it was
// right.
#include <cstdio>

__device__ double atomic_max(double* place, double value) {
    auto* word = reinterpret_cast<unsigned long long*>(place);
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(fmax(value, __longlong_as_double(assumed))));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void largest(const double* x, double* result) {
    atomic_max(result, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    const int n = 128;
    double *x, *result, host[n], answer = 0;
    for (int i = 0; i < n; ++i) host[i] = i * 37 % 101 / 2.0;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof answer);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof answer);
    largest<<<4, 32>>>(x, result);
    cudaMemcpy(&answer, result, sizeof answer, cudaMemcpyDeviceToHost);
    std::printf("%g\n", answer);
    return answer == 50 ? 0 : 1;
}
