// Floats lie behind 33 bytes in the dynamic shared memory.
#include <cstdio>

__global__ void scale(float* y) {
    extern __shared__ char pool[];
#ifdef BROKEN
    const int bytes = 33;
#else
    const int bytes = 36;
#endif
    char* label = pool;
    float* value = reinterpret_cast<float*>(pool + bytes);
    const int t = threadIdx.x;
    label[t] = static_cast<char>(t);
    value[t] = label[t] * 0.5f;  // expect: misaligned
    y[t] = value[t];             // may: misaligned
}

int main() {
    const int n = 32;
    float *y, host[n] = {};
    cudaMalloc(&y, sizeof host);
    scale<<<1, n, 36 + sizeof host>>>(y);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(y);
    std::printf("%g\n", host[n - 1]);
    return host[n - 1] == 15.5f ? 0 : 1;
}
