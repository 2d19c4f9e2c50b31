// Pageable memory, memory of the pool that moves from stream to stream, halves of one row, and a function that tells
// the host.
#include <atomic>
#include <vector>

#include "../arrays.h"

__global__ void fill(int* x, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = value;
}

std::atomic<bool> is_done = false;

void CUDART_CB done(void*) {
    is_done = true;
}

int main() {
    constexpr int n = 100;
    cudaStream_t a, b;
    check(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
        int *of_a, *of_b;
        check(cudaMallocAsync(&of_a, n * sizeof(int), a));
        fill<<<1, 32, 0, a>>>(of_a, n, round);
        check(cudaFreeAsync(of_a, a));
        check(cudaMallocAsync(&of_b, n * sizeof(int), b));
        fill<<<1, 32, 0, b>>>(of_b, n, 7);
        std::vector<int> pageable(n);
        check(cudaMemcpyAsync(pageable.data(), of_b, n * sizeof(int), cudaMemcpyDeviceToHost, b));
        sum += pageable[n - 1];
        check(cudaFreeAsync(of_b, b));
    }
    int* shared;
    check(cudaMallocManaged(&shared, n * sizeof(int)));
    fill<<<1, 32, 0, a>>>(shared, n / 2, 1);
    fill<<<1, 32, 0, b>>>(shared + n / 2, n / 2, 2);
    check(cudaStreamSynchronize(a));
    sum += shared[0];
    shared[0] = 5;
    check(cudaLaunchHostFunc(b, done, nullptr));
    while (!is_done) {
    }
    sum += shared[n - 1];
    check(cudaDeviceSynchronize());
    check(cudaStreamDestroy(a));
    check(cudaStreamDestroy(b));
    check(cudaFree(shared));
    return differs(sum, 24);
}
