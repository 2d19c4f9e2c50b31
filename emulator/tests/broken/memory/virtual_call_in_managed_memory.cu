// The host constructs an object in managed memory: a kernel may read its numbers and not call its virtual functions.
#include <new>

#include "../arrays.h"

struct Scale {
    __host__ __device__ explicit Scale(int factor) : factor(factor) {}
    __host__ __device__ virtual int of(int x) const { return factor * x; }
    int factor;
};
struct ScaleAndShift : Scale {
    using Scale::Scale;
    __host__ __device__ int of(int x) const override { return factor * x + 1; }
};

__global__ void construct(ScaleAndShift* scale) {
    new (scale) ScaleAndShift(scale->factor);
}

__global__ void apply(const Scale* scale, int* y) {
    y[threadIdx.x] = scale->of(threadIdx.x);  // expect: device-touches-host
}

int main() {
    ScaleAndShift* scale;
    check(cudaMallocManaged(&scale, sizeof *scale));
    new (scale) ScaleAndShift(3);
    Array<int> y(32);
#ifndef BROKEN
    construct<<<1, 1>>>(scale);
#endif
    apply<<<1, 32>>>(scale, y);
    return differs(y[31], 94);
}
