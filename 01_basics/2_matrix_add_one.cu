// Twenty-five threads, one for each element of a 5×5 matrix. Each adds 1 to its own element.

#include <cstdio>

#include "common/check.h"
#include "harness/program.h"

constexpr int rows = 5;
constexpr int columns = 5;
constexpr int bytes = rows * columns * sizeof(float);

// A matrix lies in memory row after row. Threads with neighbouring threadIdx.x take neighbouring addresses: x is the
// column.
__global__ void add_one(float* matrix) {
    const int row = threadIdx.y;
    const int column = threadIdx.x;
    matrix[row * columns + column] += 1;
}

void print(const char* title, const float* matrix) {
    std::printf("%s\n", title);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) std::printf(" %g", matrix[row * columns + column]);
        std::printf("\n");
    }
}

void add_one_on_the_device() {
    std::printf("%s\n", device_line().c_str());

    float matrix[rows * columns];
    for (float& element : matrix) element = 1;
    print("Before:", matrix);

    float* device_matrix = nullptr;
    CUDA_CHECK(cudaMalloc(&device_matrix, bytes));
    CUDA_CHECK(cudaMemcpy(device_matrix, matrix, bytes, cudaMemcpyHostToDevice));

    // dim3 counts x first: `columns` threads along x, `rows` along y. One block of that shape.
    const dim3 block(columns, rows);
    add_one<<<1, block>>>(device_matrix);
    CUDA_CHECK_LAUNCH();

    CUDA_CHECK(cudaMemcpy(matrix, device_matrix, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_matrix));
    print("After:", matrix);
}

int main() {
    return run_program(add_one_on_the_device);
}
