// Pitched rows of 50 floats are read as float4: the last one of a row has two elements of what follows up to the pitch,
// which were written once and are not used.
#include "../arrays.h"

__global__ void row_sums(const float* image, size_t pitch, int width, float* y) {
    const auto* bytes = reinterpret_cast<const char*>(image) + threadIdx.x * pitch;
    const auto* row = reinterpret_cast<const float4*>(bytes);
    float sum = 0;
    for (int i = 0; i < width; i += 4) {
        const float4 v = row[i / 4];
        sum += v.x;
        if (i + 1 < width) sum += v.y;
        if (i + 2 < width) sum += v.z;
        if (i + 3 < width) sum += v.w;
    }
    y[threadIdx.x] = sum;
}

int main() {
    const int width = 50, height = 8;
    float *image, host[height][width];
    for (int i = 0; i < width * height; ++i) host[i / width][i % width] = i;
    size_t pitch;
    check(cudaMallocPitch(&image, &pitch, width * sizeof(float), height));
    check(cudaMemset2D(image, pitch, 0xff, pitch, height));
    check(
        cudaMemcpy2D(image, pitch, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    Array<float> y(height);
    row_sums<<<1, height>>>(image, pitch, width, y);
    const float second = y[1];
    cudaFree(image);
    return differs(second, 3725);
}
