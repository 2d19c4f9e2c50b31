// cudaMalloc() is to store the pointers of the rows, and their array is in device memory.
#include "../arrays.h"

__global__ void fill(int** rows) {
    rows[blockIdx.x][threadIdx.x] = blockIdx.x + threadIdx.x;
}

int main() {
    const int n = 8;
    int **rows, *of_host[n] = {}, last = 0;
    cudaMalloc(&rows, sizeof of_host);
    for (int i = 0; i < n; ++i) {
#ifdef BROKEN
        cudaMalloc(&rows[i], n * sizeof(int));  // expect: host-touches-device
#else
        cudaMalloc(&of_host[i], n * sizeof(int));
#endif
    }
    cudaMemcpy(rows, of_host, sizeof of_host, cudaMemcpyHostToDevice);
    fill<<<n, n>>>(rows);
    cudaMemcpy(&last, of_host[n - 1] + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    for (int* row : of_host) cudaFree(row);
    cudaFree(rows);
    return differs(last, 2 * n - 2);
}
