// Dynamic shared memory is divided among arrays of several types, each at a place where its type may lie.
#include "../arrays.h"

__global__ void divide(double* y) {
    extern __shared__ double pool[];
    const int t = threadIdx.x, n = blockDim.x;
    double* d = pool;
    int* i = reinterpret_cast<int*>(d + n);
    short* s = reinterpret_cast<short*>(i + n);
    char* c = reinterpret_cast<char*>(s + n);
    d[t] = t / 2.0;
    i[t] = t;
    s[t] = static_cast<short>(-t);
    c[t] = 1;
    __syncthreads();
    const int other = n - 1 - t;
    y[t] = d[other] + i[other] + s[other] + c[other];
}

int main() {
    const int n = 33;
    Array<double> y(n);
    divide<<<1, n, n*(8 + 4 + 2 + 1)>>>(y);
    return differs(y[0], 17);
}
