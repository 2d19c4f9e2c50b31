// A whole reduction in one cooperative launch, as large as the device holds.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

__global__ void reduce(const double *in, double *sums, double *out, int n)
{
    extern __shared__ double warps[];
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    double sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
    warps[block.thread_rank()] = cg::reduce(tile, sum, cg::plus<double>());
    cg::sync(block);
    if (block.thread_rank() == 0) {
        double total = 0;
        for (int i = 0; i < block.size(); i += tile.size()) total += warps[i];
        sums[blockIdx.x] = total;
    }
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        double total = 0;
        for (int block = 0; block < gridDim.x; ++block) total += sums[block];
        *out = total;
    }
}

int main()
{
    int n = 1 << 20, supported = 0, perMultiprocessor = 0;
    const int threads = 256;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    if (!supported || !prop.cooperativeLaunch) return puts("FAILED: no cooperative launches"), 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, reduce, threads, threads * sizeof(double));
    const int blocks = perMultiprocessor * prop.multiProcessorCount;
    double *in, *sums, *out, expected = 0;
    cudaMallocManaged(&in, n * sizeof(double));
    cudaMallocManaged(&sums, blocks * sizeof(double));
    cudaMallocManaged(&out, sizeof(double));
    for (int i = 0; i < n; ++i) expected += in[i] = rand() % 1000;
    void *args[] = {(void *)&in, (void *)&sums, (void *)&out, (void *)&n};
    for (int repeat = 0; repeat < 3; ++repeat) {
        *out = -1;
        cudaError_t error = cudaLaunchCooperativeKernel((void *)reduce, blocks, threads, args, threads * sizeof(double), 0);
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        if (error != cudaSuccess || *out != expected) return printf("FAILED: %s %g\n", cudaGetErrorName(error), *out), 1;
    }
    // told: emulator: the launch of void reduce(const double*, double*, double*, int) is refused: 17 blocks are to run at the same time, and there is room for 16.
    cudaError_t error = cudaLaunchCooperativeKernel((void *)reduce, blocks + 1, threads, args, threads * sizeof(double), 0);
    puts(error == cudaErrorCooperativeLaunchTooLarge ? "PASSED" : "FAILED");
    return 0;
}
