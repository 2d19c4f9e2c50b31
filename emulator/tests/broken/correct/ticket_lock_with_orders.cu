// A ticket lock of relaxed tickets, an acquire of the turn and a release to the next one.
#include <cuda/atomic>

#include "../arrays.h"

struct Lock {
    cuda::atomic<unsigned, cuda::thread_scope_device> next{0}, turn{0};

    __device__ void lock() {
        const unsigned ticket = next.fetch_add(1, cuda::memory_order_relaxed);
        while (turn.load(cuda::memory_order_acquire) != ticket) continue;
    }
    __device__ void unlock() { turn.store(turn.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_release); }
};

__device__ Lock lock;

__global__ void count(int* counter, int* largest) {
    lock.lock();
    const int mine = *counter + 1;
    *counter = mine;
    if (mine > *largest) *largest = mine;
    lock.unlock();
}

int main() {
    Array<int> counter(1, 0), largest(1, 0);
    count<<<4, 20>>>(counter, largest);
    return differs(largest[0], 80);
}
