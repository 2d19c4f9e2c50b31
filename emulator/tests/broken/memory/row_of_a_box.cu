// A box of pitched rows, made by cudaMalloc3D(): the right neighbour of a row's last cell is not in the row.
#include "../arrays.h"

__global__ void differences(cudaPitchedPtr box, int width, int height, float* y) {
    const int i = threadIdx.x, j = blockIdx.x, k = blockIdx.y;
    const char* plane = static_cast<const char*>(box.ptr) + k * box.pitch * height;
    const auto* row = reinterpret_cast<const float*>(plane + j * box.pitch);
#ifdef BROKEN
    const int right = i + 1;
#else
    const int right = i + 1 < width ? i + 1 : i;
#endif
    y[(k * height + j) * width + i] = row[right] - row[i];  // expect: out-of-bounds
}

int main() {
    const int width = 30, height = 4, depth = 3;
    cudaPitchedPtr box;
    check(cudaMalloc3D(&box, make_cudaExtent(width * sizeof(float), height, depth)));
    check(cudaMemset(box.ptr, 0, box.pitch * height * depth));
    Array<float> y(width * height * depth);
    differences<<<dim3(height, depth), width>>>(box, width, height, y);
    const float last = y[width * height * depth - 1];
    cudaFree(box.ptr);
    return differs(last, 0);
}
