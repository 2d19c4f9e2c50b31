// A barrier object is used again, phase by phase, with work between arriving and waiting.
#include <cuda/barrier>

#include "../arrays.h"

__global__ void rounds(int* result) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[96];
    const int t = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
    if (t == 0) init(&barrier, n);
    __syncthreads();
    int sum = 0, own = 0;
    for (int round = 1; round <= 6; ++round) {
        values[t] = round + t;
        auto token = barrier.arrive();
        own += round * t;
        barrier.wait(std::move(token));
        sum += values[(t + 40) % n];
        barrier.arrive_and_wait();
    }
    result[blockIdx.x * n + t] = sum + own;
}

int main() {
    Array<int> result(2 * 96);
    rounds<<<2, 96>>>(result);
    return differs(result[3], 21 + 6 * 43 + 21 * 3);
}
