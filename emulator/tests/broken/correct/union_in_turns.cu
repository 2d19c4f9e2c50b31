// A union in shared memory is a tile first and a histogram then, with a barrier between the two.
#include "../arrays.h"

union Room {
    float tile[8][9];
    int bins[64];
};

__global__ void count(const int* x, int* y) {
    __shared__ Room room;
    const int t = threadIdx.x;
    room.tile[t / 8][t % 8] = x[t];
    __syncthreads();
    const int value = room.tile[t % 8][t / 8];
    __syncthreads();
    room.bins[t] = 0;
    __syncthreads();
    atomicAdd(&room.bins[value % 64], 1);
    __syncthreads();
    y[t] = room.bins[t];
}

int main() {
    Array<int> x(64, [](int i) { return i / 2; });
    Array<int> y(64);
    count<<<1, 64>>>(x, y);
    return differs(y[31], 2) || differs(y[32], 0);
}
