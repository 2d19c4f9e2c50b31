// A bitonic sort in shared memory has its barrier in the outer loop only.
#include "../arrays.h"

__global__ void sort(int* x) {
    __shared__ int values[128];
    const unsigned t = threadIdx.x;
    values[t] = x[t];
    __syncthreads();
    for (unsigned size = 2; size <= 128; size *= 2) {
        for (unsigned step = size / 2; step > 0; step /= 2) {
            const unsigned other = t ^ step;
            if (other > t) {
                const int a = values[t], b = values[other];  // expect: race
                if ((a > b) == ((t & size) == 0)) {
                    values[t] = b;      // expect: race, other
                    values[other] = a;  // expect: race, other
                }
            }
#ifndef BROKEN
            __syncthreads();
#endif
        }
        __syncthreads();
    }
    x[t] = values[t];
}

int main() {
    // data: as-is: an array that is in order is left alone.
    Array<int> x(128, [](int i) { return i * 37 % 128; });
    sort<<<1, 128>>>(x);
    return differs(x[5], 5);
}
