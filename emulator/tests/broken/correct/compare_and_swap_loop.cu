// An atomic function made from atomicCAS(): a plain load makes the first guess, and the swap tells whether it was
// right.
#include "../arrays.h"

__device__ double atomic_max(double* place, double value) {
    auto* word = reinterpret_cast<unsigned long long*>(place);
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(fmax(value, __longlong_as_double(assumed))));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void largest(const double* x, double* result) {
    atomic_max(result, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    Array<double> x(128, [](int i) { return i * 37 % 101 / 2.0; });
    Array<double> result(1, 0);
    largest<<<4, 32>>>(x, result);
    return differs(result[0], 50);
}
