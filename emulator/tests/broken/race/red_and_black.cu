// Red cells are computed from black ones and the other way round. Counted from the start of a block of odd width, the
// first cell of the next block has the colour of the last one.
#include "../arrays.h"

__global__ void relax(float* x, int n, int colour) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
    const int place = threadIdx.x;
#else
    const int place = i;
#endif
    if (place % 2 != colour || i == 0 || i + 1 >= n) return;
    const float sides = x[i - 1] + x[i + 1];  // expect: race
    x[i] = sides / 2;                         // expect: race, other
}

int main() {
    const int n = 60;
    Array<float> x(n, [](int i) { return 8 * i; });
    for (int colour = 0; colour < 2; ++colour) relax<<<4, 15>>>(x, n, colour);
    return differs(x[30], 240);
}
