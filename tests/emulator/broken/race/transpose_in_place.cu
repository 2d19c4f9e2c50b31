// Both threads of a pair exchange the two elements; one of them would do.
#include <cstdio>

__global__ void transpose(int* m, int n) {
    const int row = threadIdx.y, column = threadIdx.x;
#ifdef BROKEN
    if (row != column) {
#else
    if (row < column) {
#endif
        const int above = m[row * n + column];      // may: race
        m[row * n + column] = m[column * n + row];  // expect: race
        m[column * n + row] = above;                // may: race
    }
}

int main() {
    const int n = 8;
    int *m, host[n * n];
    for (int i = 0; i < n * n; ++i) host[i] = i;
    cudaMalloc(&m, sizeof host);
    cudaMemcpy(m, host, sizeof host, cudaMemcpyHostToDevice);
    transpose<<<1, dim3(n, n)>>>(m, n);
    cudaMemcpy(host, m, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(m);
    std::printf("%d\n", host[1]);
    return host[1] == n ? 0 : 1;
}
