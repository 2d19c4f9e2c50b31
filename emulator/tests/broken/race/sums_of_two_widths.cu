// Some threads add to a total of 64 bits, and some only to its lower half: what these carry over is lost.
#include "../arrays.h"

__global__ void total(const int* sizes, unsigned long long* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned size = sizes[i];
#ifdef BROKEN
    if (i % 2 == 0)
        atomicAdd(sum, static_cast<unsigned long long>(size));  // expect: race
    else
        atomicAdd(reinterpret_cast<unsigned*>(sum), size);  // expect: race, other
#else
    atomicAdd(sum, static_cast<unsigned long long>(size));
#endif
}

int main() {
    Array<int> sizes(128, [](int) { return 100; });
    Array<unsigned long long> sum(1, 0xffffff00u);
    total<<<2, 64>>>(sizes, sum);
    return differs(sum[0], 0xffffff00u + 12800ull);
}
