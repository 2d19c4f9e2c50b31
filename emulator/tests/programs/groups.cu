// Cooperative groups: a block and its tiles.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group g, int *temp, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync();
        if (lane < i) val += temp[lane + i];
        g.sync();
    }
    return val;
}

__global__ void kernel(int *out)
{
    __shared__ int temp[128];
    cg::thread_block block = cg::this_thread_block();
    int total = sum(block, temp, block.thread_rank());
    if (block.thread_rank() == 0) out[0] = total;
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int mine = threadIdx.x;
    for (int i = tile.size() / 2; i > 0; i /= 2) mine += tile.shfl_down(mine, i);
    if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = mine;
}

int main()
{
    int h[9], *d;
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = h[0] == 127 * 128 / 2;
    for (int i = 0; i < 8; ++i) ok = ok && h[i + 1] == 16 * 15 / 2 + 16 * 16 * i;
    std::puts(ok ? "PASSED" : "FAILED");
    return !ok;
}
