// A tile that the block has computed is stored by its tensor map, and the thread that issues that has passed no fence
// for bulk copies.
#include <cuda.h>
#include <cuda/ptx>

#include "../arrays.h"

namespace ptx = cuda::ptx;

__global__ void squares(const __grid_constant__ CUtensorMap map) {
    __shared__ alignas(128) int tile[8][16];
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    tile[y][x] = (16 * y + x) * (16 * y + x);  // expect: race
#ifndef BROKEN
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    __syncthreads();
    if (x == 0 && y == 0) {
        const int corner[2] = {0, 8};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, corner, tile);  // expect: race, other
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

int main() {
    Array<int> y(16 * 16, 0);
    void* encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
    CUtensorMap map;
    const cuuint64_t extent[2] = {16, 16}, stride[1] = {16 * sizeof(int)};
    const cuuint32_t box[2] = {16, 8}, step[2] = {1, 1};
    const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
        &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, y.data(), extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) return 1;
    squares<<<1, dim3(16, 8)>>>(map);
    return differs(y[8 * 16 + 5], 25);
}
