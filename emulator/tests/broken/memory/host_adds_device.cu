// The host loads the element, and uses it two lines later: where the compiler puts the two together is not the place.
#include "../arrays.h"

__global__ void answer(int* x) {
    *x = 42;
}

int sum_of(const int* x, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        const int value = x[i];  // expect: host-touches-device
        const int weight = i * i + 1;
        sum += 3 * weight;
        sum += value;
    }
    return sum;
}

int main() {
    int *x, host = 0;
    cudaMalloc(&x, sizeof(int));
    answer<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
#ifdef BROKEN
    const int* data = x;
#else
    const int* data = &host;
#endif
    const int sum = sum_of(data, 1);
    cudaFree(x);
    return differs(sum, 45);
}
