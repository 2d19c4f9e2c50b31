// One block hands values to the other through an atomic flag, round by round.
#include <cuda/atomic>

#include "../arrays.h"

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void hand_over(int* values, int* given, int* taken, int* result) {
    Flag give(*given), take(*taken);
    for (int round = 1; round <= 5; ++round) {
        if (blockIdx.x == 0) {
            values[threadIdx.x] = round * static_cast<int>(threadIdx.x);
            __syncthreads();
            if (threadIdx.x == 0) {
                give.store(round, cuda::memory_order_release);
                while (take.load(cuda::memory_order_acquire) != round) continue;
            }
            __syncthreads();
        } else {
            if (threadIdx.x == 0)
                while (give.load(cuda::memory_order_acquire) != round) continue;
            __syncthreads();
            result[threadIdx.x] += values[blockDim.x - 1 - threadIdx.x];
            __syncthreads();
            if (threadIdx.x == 0) take.store(round, cuda::memory_order_release);
        }
    }
}

int main() {
    Array<int> values(64), given(1, 0), taken(1, 0), result(64, 0);
    hand_over<<<2, 64>>>(values, given, taken, result);
    return differs(result[0], 15 * 63);
}
