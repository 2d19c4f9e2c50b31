// The host waits for a flag in pinned memory, which the kernel raises behind a fence; and, in another one, for an
// atomic object.
#include <cuda/atomic>

#include "../arrays.h"

__global__ void raise(int* data, volatile int* flag) {
    *data = 42;
    __threadfence_system();
    *flag = 1;
}

__global__ void release(int* data, cuda::atomic<int, cuda::thread_scope_system>* ready) {
    *data += 1;
    ready->store(1, cuda::memory_order_release);
}

int main() {
    int *data, *flag;
    check(cudaMallocHost(&data, sizeof *data));
    check(cudaMallocHost(&flag, sizeof *flag));
    using Ready = cuda::atomic<int, cuda::thread_scope_system>;
    Ready* ready;
    check(cudaMallocManaged(&ready, sizeof *ready));
    new (ready) Ready(0);
    *flag = 0;
    raise<<<1, 1>>>(data, flag);
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    int seen = *data;
    release<<<1, 1>>>(data, ready);
    while (ready->load(cuda::memory_order_acquire) == 0) {
    }
    seen += *data;
    check(cudaDeviceSynchronize());
    check(cudaFreeHost(data));
    check(cudaFreeHost(flag));
    check(cudaFree(ready));
    return differs(seen, 85);
}
