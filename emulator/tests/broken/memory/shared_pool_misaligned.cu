// Floats lie behind 33 bytes in the dynamic shared memory.
#include "../arrays.h"

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
    Array<float> y(n);
    scale<<<1, n, 36 + n * sizeof(float)>>>(y);
    return differs(y[n - 1], 15.5f);
}
