// A stencil in one dimension with halos in shared memory, and heat that spreads in two.
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <algorithm>
using namespace std;

#define N 1000
#define RADIUS 3
#define BLOCK_SIZE 64

__global__ void stencil_1d(int *in, int *out) {
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;

    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }
    __syncthreads();

    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex] = result;
}

template <typename real>
__global__ void heat(const real* __restrict__ u, real* __restrict__ next, const int n, const real c)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x <= 0 || y <= 0 || x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    next[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - real(4) * u[i]);
}

int one_dimension()
{
    const int blocks = (N + BLOCK_SIZE - 1) / BLOCK_SIZE, padded = blocks * BLOCK_SIZE + 2 * RADIUS;
    int *in = new int[padded], *out = new int[padded], *d_in, *d_out;
    fill_n(in, padded, 1);
    for (int i = 0; i < padded; i += 5) in[i] = i;
    cudaMalloc((void **)&d_in, padded * sizeof(int));
    cudaMalloc((void **)&d_out, padded * sizeof(int));
    cudaMemcpy(d_in, in, padded * sizeof(int), cudaMemcpyHostToDevice);
    stencil_1d<<<blocks, BLOCK_SIZE>>>(d_in + RADIUS, d_out + RADIUS);
    cudaMemcpy(out, d_out, padded * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = RADIUS; i < N + RADIUS; ++i) {
        int sum = 0;
        for (int o = -RADIUS; o <= RADIUS; ++o) sum += in[i + o];
        if (sum != out[i]) return 1;
    }
    delete[] in;
    delete[] out;
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}

int two_dimensions()
{
    const int n = 50, steps = 20;
    static double u[n * n], next[n * n], result[n * n];
    for (int i = 0; i < n; ++i) u[i] = next[i] = 100.0;
    double *d[2];
    for (int i = 0; i < 2; ++i) {
        cudaMalloc(&d[i], sizeof(u));
        cudaMemcpy(d[i], u, sizeof(u), cudaMemcpyHostToDevice);
    }
    dim3 block(32, 4), grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    for (int s = 0; s < steps; ++s) {
        heat<double><<<grid, block>>>(d[0], d[1], n, 0.2);
        swap(d[0], d[1]);
        for (int y = 1; y < n - 1; ++y)
            for (int x = 1; x < n - 1; ++x) {
                const int i = y * n + x;
                next[i] = u[i] + 0.2 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4.0 * u[i]);
            }
        copy(next, next + n * n, u);
    }
    cudaMemcpy(result, d[0], sizeof(result), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n * n; ++i)
        if (!(fabs(result[i] - u[i]) < 1e-9)) return 1;
    return 0;
}

int main(void) {
    if (one_dimension() || two_dimensions()) {
        printf("FAILED\n");
        return EXIT_FAILURE;
    }
    printf("PASSED\n");
    return EXIT_SUCCESS;
}
