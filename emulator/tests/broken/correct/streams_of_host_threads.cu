// Threads of the host, each with a stream, a part of managed memory and a word of a managed variable, in turns with its
// kernels.
#include <thread>
#include <vector>

#include "../arrays.h"

__managed__ int totals[4];

__global__ void add_up(const int* x, int n, int* total) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
    atomicAdd(total, sum);
}

int main() {
    constexpr int n = 1000;
    int* x;
    check(cudaMallocManaged(&x, 4 * n * sizeof(int)));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([=] {
            cudaStream_t stream;
            check(cudaStreamCreate(&stream));
            for (int round = 0; round < 5; ++round) {
                for (int i = 0; i < n; ++i) x[t * n + i] = t + round;
                add_up<<<1, 32, 0, stream>>>(x + t * n, n, totals + t);
                check(cudaStreamSynchronize(stream));
            }
            check(cudaStreamDestroy(stream));
        });
    for (std::thread& thread : threads) thread.join();
    check(cudaFree(x));
    return differs(totals[3] - totals[0], 15000);
}
