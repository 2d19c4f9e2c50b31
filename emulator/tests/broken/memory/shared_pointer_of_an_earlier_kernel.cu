// A kernel leaves a pointer to its shared memory in global memory, and a later one reads through it.
#include "../arrays.h"

__global__ void leave(int** kept, int* y) {
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = values[31 - threadIdx.x];
#ifdef BROKEN
    if (threadIdx.x == 0) *kept = values;
#else
    if (threadIdx.x == 0) *kept = y;
#endif
}

__global__ void use(int* const* kept, int* z) {
    z[threadIdx.x] = (*kept)[threadIdx.x];  // expect: out-of-bounds
}

int main() {
    Array<int*> kept(1);
    Array<int> y(32), z(32);
    leave<<<1, 32>>>(kept, y);
    use<<<1, 32>>>(kept, z);
    return differs(z[3], 28);
}
