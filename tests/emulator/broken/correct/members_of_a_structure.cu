// The threads of a block share a structure and store different members of it.
#include <cstdio>

struct Range {
    int low, high;
    char name[3];
    bool empty;
};

__global__ void bounds(const int* x, int n, Range* result) {
    __shared__ Range range;
    const int t = threadIdx.x;
    if (t == 0) range.low = x[0];
    if (t == 1) range.high = x[n - 1];
    if (t > 1 && t < 5) range.name[t - 2] = static_cast<char>('a' + t);
    if (t == 5) range.empty = n == 0;
    __syncthreads();
    if (t == 0) *result = range;
}

int main() {
    const int n = 20;
    int *x, host[n];
    Range *result, range{};
    for (int i = 0; i < n; ++i) host[i] = 3 * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&result, sizeof range);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    bounds<<<1, 32>>>(x, n, result);
    cudaMemcpy(&range, result, sizeof range, cudaMemcpyDeviceToHost);
    std::printf("%d %d %.3s\n", range.low, range.high, range.name);
    return range.low == 0 && range.high == 57 && range.name[2] == 'e' && !range.empty ? 0 : 1;
}
