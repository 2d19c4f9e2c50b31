// Plain loads decide whether an exchange or a sum is worth it: any of the values will do, all store the same one, or
// the result says who was first. What is stored may come from a load that a lock or a barrier keeps others from.
#include "../arrays.h"

__global__ void search(const int* x, int* parent, int* level, int* flag, int* places, int* many, int next) {
    const int i = threadIdx.x, value = x[i], reached = next + 1;
    if (parent[value % 4] == -1) atomicExch(&parent[value % 4], i);
    if (level[value % 4] > reached) atomicExch(&level[value % 4], reached);
    if (*flag == 0) atomicExch(flag, 1);
    if (*many < 10) {
        const int place = atomicAdd(many, 1);
        if (place < 10) places[place] = value;
    }
}

__global__ void take(int* left, int* got) {
    const int sees = *left, wish = min(sees, 3);
    if (sees <= 0) return;
    const int before = atomicSub(left, wish);
    got[blockIdx.x * blockDim.x + threadIdx.x] = max(0, min(before, wish));
}

__global__ void in_turns(int* lock, int* sum, int* most, int* own) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 1;
    __syncthreads();
    if (threadIdx.x == 5) atomicExch(&total, total + 41);
    __syncthreads();
    if (threadIdx.x == 7) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        atomicExch(sum, *sum + total);
        __threadfence();
        atomicExch(lock, 0);
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&own[i], 2 * own[i]);
    int old = *most, seen;
    do {
        seen = old;
        old = atomicCAS(most, seen, max(seen, total));
    } while (old != seen);
}

int main() {
    Array<int> x(128, [](int i) { return i; }), parent(4, -1), level(4, 1000), flag(1, 0), places(10, 0), many(1, 0);
    Array<int> left(1, 50), got(64, 0), lock(1, 0), sum(1, 0), most(1, 0), own(128, [](int i) { return i; });
    search<<<1, 128>>>(x, parent, level, flag, places, many, 6);
    take<<<2, 32>>>(left, got);
    in_turns<<<4, 32>>>(lock, sum, most, own);
    int all = 0;
    for (int i = 0; i < 64; ++i) all += got[i];
    return differs(all, 50) || differs(int(own[127]), 381) || differs(int(level[0]), 7);
}
