// Instances of one kernel have shared arrays of their own sizes and types.
#include "../arrays.h"

template <class T, int n>
__global__ void reverse(T* x) {
    __shared__ T cache[n];
    const int t = threadIdx.x;
    cache[t] = x[t];
    __syncthreads();
    x[t] = cache[n - 1 - t];
}

template <class T, int n>
T first_of_reversed() {
    Array<T> x(n, [](int i) { return i; });
    reverse<T, n><<<1, n>>>(x);
    return x[0];
}

int main() {
    const double sum = first_of_reversed<int, 32>() + first_of_reversed<double, 50>() + first_of_reversed<char, 77>();
    return differs(sum, 31 + 49 + 76);
}
