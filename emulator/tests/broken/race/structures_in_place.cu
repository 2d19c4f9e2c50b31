// The points of a tile are reversed in place: a structure is stored where another thread has yet to read one.
#include "../arrays.h"

struct Point {
    int x, y, z;
};

__global__ void reverse(int* out) {
    __shared__ Point points[64];
    const int i = threadIdx.x;
    points[i] = {i, 2 * i, 3 * i};
    __syncthreads();
#ifdef BROKEN
    points[63 - i] = points[i];  // expect: race
#else
    const Point mine = points[i];
    __syncthreads();
    points[63 - i] = mine;
#endif
    __syncthreads();
    out[i] = points[i].y;
}

int main() {
    Array<int> out(64);
    reverse<<<1, 64>>>(out);
    return differs(out[0], 126);
}
