// A kernel's parameters may be structures with arrays, and a lambda with what it has captured.
#include "../arrays.h"

struct Polynomial {
    int degree;
    float coefficient[6];
    __device__ float operator()(float x) const {
        float value = 0;
        for (int i = degree; i >= 0; --i) value = value * x + coefficient[i];
        return value;
    }
};

template <class Function>
__global__ void map(const Function function, float* y, int3 offset) {
    y[threadIdx.x] = function(static_cast<float>(threadIdx.x)) + static_cast<float>(offset.z);
}

__global__ void choose(const Polynomial p, float* y) {
    y[threadIdx.x] += p.coefficient[threadIdx.x % (p.degree + 1)];
}

int main() {
    Polynomial p;
    p.degree = 2;
    for (int i = 0; i <= p.degree; ++i) p.coefficient[i] = static_cast<float>(i + 1);
    Array<float> y(8);
    map<<<1, 8>>>(p, y, make_int3(1, 2, 3));
    choose<<<1, 8>>>(p, y);
    return differs(y[7], 167);
}
