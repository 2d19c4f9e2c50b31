// A warp's lanes gather what they find in a shared list: one atomic for all of them, places by counting bits.
#include "../arrays.h"

__global__ void gather(const int* x, int n, int* y, int* length) {
    __shared__ int list[64], size;
    const int t = threadIdx.x, lane = t % 32;
    if (t == 0) size = 0;
    __syncthreads();
    for (int first = 0; first < n; first += blockDim.x) {
        const bool keep = first + t < n && x[first + t] % 5 == 0;
        const unsigned mask = __ballot_sync(0xffffffff, keep);
        int place = 0;
        if (lane == 0) place = atomicAdd(&size, __popc(mask));
        place = __shfl_sync(0xffffffff, place, 0);
        if (keep) list[place + __popc(mask & ((1u << lane) - 1))] = x[first + t];
    }
    __syncthreads();
    if (t < size) y[t] = list[t];
    if (t == 0) *length = size;
}

int main() {
    const int n = 150;
    // data: as-is, random: a list of 100 holds what is found of them, and not of all others
    Array<int> x(n, [](int i) { return i; });
    Array<int> y(n);
    Array<int> length(1);
    gather<<<1, 64>>>(x, n, y, length);
    const int kept = length[0];
    int sum = 0;
    for (int i = 0; i < kept; ++i) sum += y[i];
    return differs(kept, 30) || differs(sum, 2175);
}
