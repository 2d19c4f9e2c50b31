// A pointer walks down a thread's own array and one element further.
#include <cstdio>

__global__ void bits(unsigned* x) {
    unsigned digits[8];
    unsigned value = x[threadIdx.x];
#ifdef BROKEN
    unsigned* const first = digits - 1;
#else
    unsigned* const first = digits;
#endif
    for (unsigned* p = digits + 7; p >= first; --p) {
        *p = value % 2;  // expect: out-of-bounds
        value /= 2;
    }
    unsigned ones = 0;
    for (const unsigned digit : digits) ones += digit;
    x[threadIdx.x] = ones;
}

int main() {
    unsigned *x, host[32];
    for (unsigned i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    bits<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%u\n", host[31]);
    return host[31] == 5 ? 0 : 1;
}
