// One element more for each row of a tile keeps the banks apart, and puts a float4 of the second row where none may
// lie.
#include "../arrays.h"

#ifdef BROKEN
constexpr int padding = 1;
#else
constexpr int padding = 4;
#endif

__global__ void row_sums(const float* x, float* y) {
    __shared__ alignas(16) float tile[32][32 + padding];
    for (int row = 0; row < 32; ++row) tile[row][threadIdx.x] = x[32 * row + threadIdx.x];
    __syncthreads();
    const auto* row = reinterpret_cast<const float4*>(tile[threadIdx.x]);
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        const float4 v = row[i];  // expect: misaligned
        sum += v.x + v.y + v.z + v.w;
    }
    y[threadIdx.x] = sum;
}

int main() {
    Array<float> x(32 * 32, [](int i) { return i % 32; });
    Array<float> y(32);
    row_sums<<<1, 32>>>(x, y);
    return differs(y[31], 496);
}
