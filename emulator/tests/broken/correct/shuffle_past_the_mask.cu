// The last warp is not full. A shuffle asks lanes that are not in the mask; what they would say is not used.
#include "../arrays.h"

__global__ void sum(const int* x, int n, int* result) {
    const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    const int lanes = __popc(mask);
    int value = x[i];
    for (int step = 16; step > 0; step /= 2) {
        const int other = __shfl_down_sync(mask, value, step);
        if (lane + step < lanes) value += other;
    }
    if (lane == 0) atomicAdd(result, value);
}

int main() {
    const int n = 83;
    Array<int> x(n, [](int i) { return i; });
    Array<int> result(1, 0);
    sum<<<2, 64>>>(x, n, result);
    return differs(result[0], 3403);
}
