// Three streams bring, change and take back chunks; buffers are used again behind what used them; the default stream
// joins.
#include "../arrays.h"

__global__ void change(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3 * x[i] + 1;
}

__global__ void check_all(const int* x, int n, int* wrong) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (x[i] % 3 != 1) atomicAdd(wrong, 1);
}

int main() {
    constexpr int n = 1000, chunk = 130;
    int *in, *out, *x[3], *all;
    Array<int> wrong(1, 0);
    check(cudaMallocHost(&in, n * sizeof(int)));
    check(cudaMallocHost(&out, n * sizeof(int)));
    check(cudaMalloc(&all, n * sizeof(int)));
    cudaStream_t streams[3];
    for (int s = 0; s < 3; ++s) {
        check(cudaStreamCreate(&streams[s]));
        check(cudaMalloc(&x[s], chunk * sizeof(int)));
    }
    for (int i = 0; i < n; ++i) in[i] = i;
    for (int begin = 0, s = 0; begin < n; begin += chunk, s = (s + 1) % 3) {
        const int count = std::min(chunk, n - begin);
        const std::size_t bytes = count * sizeof(int);
        check(cudaMemcpyAsync(x[s], in + begin, bytes, cudaMemcpyHostToDevice, streams[s]));
        change<<<2, 96, 0, streams[s]>>>(x[s], count);
        check(cudaMemcpyAsync(out + begin, x[s], bytes, cudaMemcpyDeviceToHost, streams[s]));
        check(cudaMemcpyAsync(all + begin, x[s], bytes, cudaMemcpyDeviceToDevice, streams[s]));
    }
    check_all<<<1, 64>>>(all, n, wrong);
    const int found = wrong[0];
    const int last = out[n - 1];
    for (int s = 0; s < 3; ++s) {
        check(cudaStreamDestroy(streams[s]));
        check(cudaFree(x[s]));
    }
    check(cudaFree(all));
    check(cudaFreeHost(in));
    check(cudaFreeHost(out));
    return differs(found + last, 2998);
}
