// load_matrix_sync() of a part of a matrix that begins where no load of 16 bytes may.
#include <mma.h>

#include "../arrays.h"

using namespace nvcuda;

__global__ void copy(const __half* x, float* y) {
#ifdef BROKEN
    constexpr int first = 4;
#else
    constexpr int first = 16;
#endif
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    // says: past a multiple of 16, at
    wmma::load_matrix_sync(a, x + first, 32);  // expect: trap
    y[threadIdx.x] = static_cast<float>(a.x[0]);
}

int main() {
    Array<__half> x(16 * 32, [](int i) { return i % 32; });
    Array<float> y(32);
    copy<<<1, 32>>>(x, y);
    return differs(y[0], 16);
}
