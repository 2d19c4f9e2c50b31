// Constant memory: with values in the source, from the host, and both in part.
#include "../arrays.h"

struct Filter {
    int radius;
    float weight[9];
};

__constant__ Filter filter;
__constant__ float scale[4] = {1, 2};
__constant__ int primes[] = {2, 3, 5, 7};

__global__ void apply(float* y) {
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i <= 2 * filter.radius; ++i) sum += filter.weight[i];
    y[t] = sum * scale[t % 4] + primes[t % 4];
}

int main() {
    Filter values{};
    values.radius = 2;
    for (int i = 0; i < 5; ++i) values.weight[i] = i;
    const float last = 4;
    cudaMemcpyToSymbol(filter, &values, sizeof values);
    cudaMemcpyToSymbol(scale, &last, sizeof last, 3 * sizeof last);
    Array<float> y(8);
    apply<<<1, 8>>>(y);
    return differs(y[2], 5) || differs(y[7], 47);
}
