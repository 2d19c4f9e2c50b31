// A kernel allocates as many bytes as it needs elements, with malloc().
#include "../arrays.h"

__global__ void squares(int* y, int n) {
#ifdef BROKEN
    int* list = static_cast<int*>(malloc(n));
#else
    int* list = static_cast<int*>(malloc(n * sizeof(int)));
#endif
    int sum = 0;
    for (int i = 0; i < n; ++i) list[i] = i * i;  // expect: out-of-bounds
    for (int i = 0; i < n; ++i) sum += list[i];   // may: out-of-bounds
    free(list);
    y[threadIdx.x] = sum;
}

int main() {
    Array<int> y(32);
    squares<<<1, 32>>>(y, 10);
    return differs(y[31], 285);
}
