// Shifts by as much as the number allows, and by more where nobody shifts: behind a question, by 64 bits, by PTX.
#include "../arrays.h"

__global__ void shift(const int* distances, unsigned* y) {
    const int n = distances[threadIdx.x];
    const unsigned below = n < 32 ? (1u << n) - 1 : 0xffffffffu;
    const unsigned same = static_cast<unsigned>((1ull << n) - 1);
    const unsigned above = n > 0 && n <= 32 ? ~0u << (32 - n) : 0;
    unsigned bit;
    asm("shl.b32 %0, %1, %2;" : "=r"(bit) : "r"(1), "r"(n));
    const unsigned pair = __funnelshift_lc(~0u, 0u, n);
    short narrow = -2;
    narrow = static_cast<short>(narrow >> (n % 32));
    y[threadIdx.x] = below ^ same ^ __brev(above) ^ bit ^ pair ^ static_cast<unsigned>(narrow < 0);
}

int main() {
    Array<int> distances(33, [](int i) { return i; });
    Array<unsigned> y(33);
    shift<<<1, 33>>>(distances, y);
    return differs(y[32], 0xffffffffu ^ 0xffffffffu ^ 1u);
}
