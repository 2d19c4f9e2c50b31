// x[i] = x[i + 1] for all i at once: who is late reads what was already moved.
#include <cstdio>

__global__ void shift(int* x, int n) {
    const int i = threadIdx.x;
#ifdef BROKEN
    if (i + 1 < n) x[i] = x[i + 1];  // expect: race
#else
    const int next = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    if (i + 1 < n) x[i] = next;
#endif
}

int main() {
    int *x, host[96];
    for (int i = 0; i < 96; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    shift<<<1, 96>>>(x, 96);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%d\n", host[0]);
    return host[0] == 1 && host[94] == 95 ? 0 : 1;
}
