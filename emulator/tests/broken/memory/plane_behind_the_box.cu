// A stencil in a box of cudaMalloc3D() asks for the plane behind the last one.
#include "../arrays.h"

__global__ void along_z(cudaPitchedPtr from, cudaPitchedPtr to, int width, int height, int depth) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x >= width || y >= height) return;
    const auto at = [&](cudaPitchedPtr box, int plane) -> float& {
        char* row = static_cast<char*>(box.ptr) + (static_cast<size_t>(plane) * height + y) * box.pitch;
        return reinterpret_cast<float*>(row)[x];
    };
    const float below = z > 0 ? at(from, z - 1) : 0;
#ifdef BROKEN
    const float above = z < depth ? at(from, z + 1) : 0;  // expect: out-of-bounds
#else
    const float above = z < depth - 1 ? at(from, z + 1) : 0;
#endif
    at(to, z) = below + above;
}

int main() {
    const int width = 10, height = 6, depth = 4;
    const cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr from, to;
    check(cudaMalloc3D(&from, extent));
    check(cudaMalloc3D(&to, extent));
    check(cudaMemset3D(from, 0, extent));
    along_z<<<depth, dim3(16, 8)>>>(from, to, width, height, depth);
    float value = 1;
    check(cudaMemcpy(&value, to.ptr, sizeof value, cudaMemcpyDeviceToHost));
    check(cudaFree(from.ptr));
    check(cudaFree(to.ptr));
    return differs(value, 0);
}
