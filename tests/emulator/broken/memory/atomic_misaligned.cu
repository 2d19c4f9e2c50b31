// A counter of 4 bytes behind a byte of flags.
#include <cstdio>

__global__ void count(unsigned char* state) {
#ifdef BROKEN
    unsigned* counter = reinterpret_cast<unsigned*>(state + 1);
#else
    unsigned* counter = reinterpret_cast<unsigned*>(state + 4);
#endif
    atomicAdd(counter, 1u);  // expect: misaligned
}

int main() {
    unsigned char* state;
    unsigned total = 0;
    cudaMalloc(&state, 16);
    cudaMemset(state, 0, 16);
    count<<<2, 64>>>(state);
    cudaMemcpy(&total, state + 4, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(state);
    std::printf("%u\n", total);
    return total == 128 ? 0 : 1;
}
