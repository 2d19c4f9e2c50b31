// The pointer of the result is never set, and the copy from it fails in silence.
#include "../arrays.h"

struct Field {
    float *now = nullptr, *next = nullptr;
};

__global__ void half(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x] / 2;
}

int main() {
    Array<float> a(32, 8), b(32, 0);
    Field field;
    field.now = a;
    float *result = b, host[32] = {};
    half<<<1, 32>>>(field.now, result);
#ifndef BROKEN
    field.next = result;
#endif
    cudaMemcpy(host, field.next, sizeof host, cudaMemcpyDeviceToHost);  // expect: failed-call
    return differs(host[31], 4);
}
