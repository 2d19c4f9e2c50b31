// Divisors that are zero, and are not divided by; and floats, which may be.
#include "../arrays.h"

__device__ int share(int sum, int count) {
    if (count == 0) return 0;
    return sum / count;
}

__global__ void divide(const int* x, int* y, float* ratio, int n) {
    const int i = threadIdx.x;
    const int divisor = i < n ? x[i] : 0;  // 0 in the threads behind the end, which divide nothing
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += share(i, k);
    sum += divisor != 0 && 100 / divisor > 3 ? 1 : 0;
    sum += 100 / (divisor | 1) + 100 % max(divisor, 1);
    if (i >= n) return;
    if (divisor > 0) sum += 7 % divisor;
    y[i] = sum;
    ratio[i] = 1.0f / (static_cast<float>(x[i]) - static_cast<float>(x[i]));
    if (divisor == 0) sum += static_cast<int>(fmodf(1.0f, 0.0f) != 0.0f);
}

int main() {
    const int n = 50;
    Array<int> x(n, [](int i) { return i % 3; });
    Array<int> y(n);
    Array<float> ratio(n);
    divide<<<1, 64>>>(x, y, ratio, n);
    return differs(y[1], 100 + 0 + 1 + 1 + 0 + 0);
}
