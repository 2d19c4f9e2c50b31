// One element more for each row keeps the banks apart, and store_matrix_sync() wants rows at multiples of 16 bytes.
#include <mma.h>

#include "../arrays.h"

using namespace nvcuda;

__global__ void fill(float* y) {
#ifdef BROKEN
    constexpr int row = 17;
#else
    constexpr int row = 20;
#endif
    __shared__ alignas(32) float tile[16 * row];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 2);
    // says: no multiple of 16 bytes: 8 halves, or 4 floats
    wmma::store_matrix_sync(tile, sums, row, wmma::mem_row_major);  // expect: trap
    __syncwarp();
    y[threadIdx.x] = tile[threadIdx.x / 2 * row];
}

int main() {
    Array<float> y(32);
    fill<<<1, 32>>>(y);
    return differs(y[31], 2);
}
