// Instances of one kernel have shared arrays of their own sizes and types.
#include <cstdio>

template <class T, int n>
__global__ void reverse(T* x) {
    __shared__ T cache[n];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    x[t] = cache[n - 1 - t];
}

template <class T, int n>
T first_of_reversed() {
    T *x, host[n];
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<T, n><<<1, n>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return host[0];
}

int main() {
    const double sum = first_of_reversed<int, 32>() + first_of_reversed<double, 50>() + first_of_reversed<char, 77>();
    std::printf("%g\n", sum);
    return sum == 31 + 49 + 76 ? 0 : 1;
}
