// A kernel that prints and asserts.
#include <cassert>
#include <cstdio>

__global__ void show(const char* text, const double* x, int n) {
    const char* const kind = n > 3 ? "long" : "short";
    assert(n == 5);
    if (threadIdx.x == 0) printf("%s %s %g %d\n", kind, text, x[n - 1], n);
}

int main() {
    char *text, host[] = "list";
    double *x, values[5] = {0, 1, 4, 9, 16};
    cudaMalloc(&text, sizeof host);
    cudaMalloc(&x, sizeof values);
    cudaMemcpy(text, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(x, values, sizeof values, cudaMemcpyHostToDevice);
    show<<<1, 32>>>(text, x, 5);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
