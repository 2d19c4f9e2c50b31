// Rows of a tile are padded by four elements, and the tile is a member behind four others: each float4 lies where one
// may.
#include "../arrays.h"

struct Tile {
    int counts[4];
    float values[16][20];
};

__global__ void turn(const float4* x, float* y, int* count) {
    __shared__ alignas(16) Tile tile;
    const int t = threadIdx.x, row = t / 4, column = t % 4;
    if (t < 4) tile.counts[t] = 0;
    reinterpret_cast<float4*>(tile.values[row])[column] = x[t];
    __syncthreads();
    for (int i = column; i < 16; i += 4) {
        y[16 * i + row] = tile.values[row][i];
        if (tile.values[row][i] != 0) atomicAdd(&tile.counts[column], 1);
    }
    __syncthreads();
    if (t == 0) {
        const int4 counts = *reinterpret_cast<const int4*>(tile.counts);
        *count = counts.x + counts.y + counts.z + counts.w;
    }
}

int main() {
    Array<float4> x(64, [](int i) { return make_float4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3); });
    Array<float> y(256);
    Array<int> count(1);
    turn<<<1, 64>>>(x, y, count);
    return differs(y[1], 16) || differs(count[0], 255);
}
