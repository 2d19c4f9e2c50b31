// A stack in shared memory: who sees that it is empty does not try; the others find out by an atomic who gets what.
#include <cstdio>

__global__ void take(int* taken, int n) {
    __shared__ int stack[32], size;
    const int t = threadIdx.x;
    if (t < n) stack[t] = 10 * t;
    if (t == 0) size = n;
    __syncthreads();
    int mine = -1;
    if (size > 0) {
        const int place = atomicSub(&size, 1) - 1;
        if (place >= 0) mine = stack[place];
    }
    taken[t] = mine;
}

int main() {
    int *taken, host[64] = {}, sum = 0, left = 0;
    cudaMalloc(&taken, sizeof host);
    take<<<1, 64>>>(taken, 20);
    cudaMemcpy(host, taken, sizeof host, cudaMemcpyDeviceToHost);
    for (int value : host) value < 0 ? ++left : sum += value;
    std::printf("%d %d\n", sum, left);
    return sum == 1900 && left == 44 ? 0 : 1;
}
