// Eight coefficients for a constant array of six.
#include "../arrays.h"

__constant__ float coefficient[6];

__global__ void sum(float* result) {
    float total = 0;
    for (float c : coefficient) total += c;
    *result = total;
}

int main() {
    const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float *result, host = 0;
    cudaMalloc(&result, sizeof host);
#ifdef BROKEN
    cudaMemcpyToSymbol(coefficient, values, sizeof values);  // expect: invalid-copy
#else
    cudaMemcpyToSymbol(coefficient, values, sizeof coefficient);
#endif
    sum<<<1, 1>>>(result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(result);
    return differs(host, 21);
}
