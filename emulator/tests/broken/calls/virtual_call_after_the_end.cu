// Shared memory holds an object whose destructor has been called when its virtual function is.
#include <new>

#include "../arrays.h"

struct Operation {
    __device__ virtual int apply(int x) const = 0;
    __device__ virtual ~Operation() {}
};
struct Twice : Operation {
    __device__ int apply(int x) const override { return 2 * x; }
};

__device__ __noinline__ int apply(const Operation* operation, int x) {
    return operation->apply(x);  // expect: trap
}

__global__ void apply_to_all(int* x) {
    __shared__ alignas(Twice) unsigned char place[sizeof(Twice)];
    auto* operation = reinterpret_cast<Operation*>(place);
    if (threadIdx.x == 0) new (place) Twice;
    __syncthreads();
#ifdef BROKEN
    if (threadIdx.x == 0) operation->~Operation();
    __syncthreads();
    x[threadIdx.x] = apply(operation, x[threadIdx.x]);
#else
    x[threadIdx.x] = apply(operation, x[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) operation->~Operation();
#endif
}

int main() {
    Array<int> x(32, 4);
    apply_to_all<<<1, 32>>>(x);
    return differs(x[31], 8);
}
