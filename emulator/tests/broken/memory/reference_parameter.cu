// A kernel's parameter is a reference, to a variable of the host.
#include "../arrays.h"

#ifdef BROKEN
__global__ void fill(int* x, const int& value) {
#else
__global__ void fill(int* x, const int value) {
#endif
    x[threadIdx.x] = value;  // expect: device-touches-host
}

int main() {
    int value = 9;
    Array<int> x(32);
    fill<<<1, 32>>>(x, value);
    return differs(x[31], 9);
}
