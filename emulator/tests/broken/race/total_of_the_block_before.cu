// A scan in one pass: a block raises flag 1 behind its own sum, by a relaxed store, and flag 2 behind all up to it.
// Only who looks between the two reads the sum.
#include <cuda/atomic>

#include "../arrays.h"

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void scan(const int* x, int* y, int* flags, int* sums, int* totals) {
    const int b = blockIdx.x;
    int total = x[b];
    if (b > 0) {
        sums[b] = x[b];  // expect: race
#ifdef BROKEN
        Flag(flags[b]).store(1, cuda::memory_order_relaxed);
#else
        Flag(flags[b]).store(1, cuda::memory_order_release);
#endif
        for (int before = b - 1;; --before) {
            int flag = 0;
            while ((flag = Flag(flags[before]).load(cuda::memory_order_acquire)) == 0) continue;
            total += flag == 2 ? totals[before] : sums[before];  // expect: race, other
            if (flag == 2) break;
        }
    }
    totals[b] = total;
    Flag(flags[b]).store(2, cuda::memory_order_release);
    y[b] = total;
}

int main() {
    constexpr int n = 40;
    Array<int> x(n, [](int i) { return i + 1; });
    Array<int> y(n), flags(n, 0), sums(n), totals(n);
    scan<<<n, 1>>>(x, y, flags, sums, totals);
    int total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    return differs(y[n - 1], total);
}
