// Each phase reads one array and writes another one, with a thread for each value.

#include <utility>

#include "common/check.h"
#include "common/device_buffer.h"

__global__ void phase_of(const int* from, int* to, int n, int first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const bool left = i % 2 == first;
    const int partner = left ? i + 1 : i - 1;
    if (partner < 0 || partner >= n)
        to[i] = from[i];
    else
        to[i] = left ? min(from[i], from[partner]) : max(from[i], from[partner]);
}

void odd_even_sort(const int* in, int* out, int n) {
    DeviceBuffer<int> other(n);
    const int* from = in;
    int *to = n % 2 == 1 ? out : other.data(), *next = n % 2 == 1 ? other.data() : out;
    for (int phase = 0; phase < n; ++phase) {
        phase_of<<<(n + 127) / 128, 128>>>(from, to, n, phase % 2);
        CUDA_CHECK_LAUNCH();
        from = to;
        std::swap(to, next);
    }
}
