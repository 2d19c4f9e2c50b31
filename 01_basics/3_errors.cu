// Five mistakes that everyone makes. Each is here twice: as beginners write it, then with every call checked.
// error_cases.h runs each version in a process of its own, because some of them ruin the process they run in.

#include <cstdio>

#include "common/check.h"
#include "error_cases.h"
#include "harness/program.h"

__global__ void write_squares(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * i;
}

__global__ void double_each(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}

// ---- block-too-large: a block holds at most 1024 threads, so this launch is refused and nothing runs.

void block_too_large() {
    const int n = 1280;
    int* squares = nullptr;
    int last = -1;
    cudaMalloc(&squares, n * sizeof(int));
    cudaMemset(squares, 0, n * sizeof(int));
    write_squares<<<1, n>>>(squares, n);
    cudaMemcpy(&last, squares + 1279, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(squares);
    std::printf("1279 * 1279 = %d\n", last);
}

void block_too_large_checked() {
    const int n = 1280;
    int* squares = nullptr;
    CUDA_CHECK(cudaMalloc(&squares, n * sizeof(int)));
    CUDA_CHECK(cudaMemset(squares, 0, n * sizeof(int)));
    write_squares<<<1, n>>>(squares, n);
    CUDA_CHECK_LAUNCH();
}

// ---- unchecked: 100 / 256 is 0 blocks, so the second kernel never runs and its array keeps the first one's numbers.

void no_blocks() {
    const int n = 100;
    int* values = nullptr;
    int ninth = -1;
    cudaMalloc(&values, n * sizeof(int));
    write_squares<<<1, n>>>(values, n);
    double_each<<<n / 256, 256>>>(values, n);
    cudaMemcpy(&ninth, values + 9, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(values);
    std::printf("9 * 9 * 2 = %d\n", ninth);
}

void no_blocks_checked() {
    const int n = 100;
    int* values = nullptr;
    CUDA_CHECK(cudaMalloc(&values, n * sizeof(int)));
    write_squares<<<1, n>>>(values, n);
    CUDA_CHECK_LAUNCH();
    double_each<<<n / 256, 256>>>(values, n);
    CUDA_CHECK_LAUNCH();
}

// ---- host-reads-device: the pointer is valid, but on the device only. No CUDA call fails, because none is made.

void host_reads_device() {
    int* squares = nullptr;
    cudaMalloc(&squares, 5 * sizeof(int));
    write_squares<<<1, 5>>>(squares, 5);
    cudaDeviceSynchronize();
    std::printf("4 * 4 = %d\n", squares[4]);
    cudaFree(squares);
}

void host_reads_device_checked() {
    int* squares = nullptr;
    CUDA_CHECK(cudaMalloc(&squares, 5 * sizeof(int)));
    write_squares<<<1, 5>>>(squares, 5);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());

    cudaPointerAttributes pointer{};
    CUDA_CHECK(cudaPointerGetAttributes(&pointer, squares));
    if (pointer.type == cudaMemoryTypeDevice)
        throw wrong_result("squares points to device memory: cudaMemcpy it, the host must not follow it");
    std::printf("4 * 4 = %d\n", squares[4]);
}

// ---- out-of-bounds: i is unsigned, so thread 0 asks for element 0 - 1 = 4,294,967,295, which is 16 GiB away.

__global__ void differences(const int* in, int* out) {
    const unsigned i = threadIdx.x;
    out[i] = in[i] - in[i - 1];
}

void out_of_bounds() {
    int* squares = nullptr;
    int* steps = nullptr;
    int seen[5] = {};
    cudaMalloc(&squares, sizeof(seen));
    cudaMalloc(&steps, sizeof(seen));
    write_squares<<<1, 5>>>(squares, 5);
    differences<<<1, 5>>>(squares, steps);
    cudaMemcpy(seen, steps, sizeof(seen), cudaMemcpyDeviceToHost);
    std::printf("steps between the squares: %d %d %d %d\n", seen[1], seen[2], seen[3], seen[4]);
}

void out_of_bounds_checked() {
    int* squares = nullptr;
    int* steps = nullptr;
    CUDA_CHECK(cudaMalloc(&squares, 5 * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&steps, 5 * sizeof(int)));
    write_squares<<<1, 5>>>(squares, 5);
    CUDA_CHECK_LAUNCH();
    differences<<<1, 5>>>(squares, steps);
    CUDA_CHECK_LAUNCH();  // Passes: the kernel started. The next call that waits for it reports how it ended.
    try {
        CUDA_CHECK(cudaDeviceSynchronize());
    } catch (const cuda_error&) {
        int* more = nullptr;
        std::printf("after this, a harmless cudaMalloc says %s\n", cudaGetErrorName(cudaMalloc(&more, sizeof(int))));
        throw;
    }
}

// ---- wrong-direction: the squares should come to the host, but the copy is told to go from host to device.

void wrong_direction() {
    int* squares = nullptr;
    int seen[5] = {};
    cudaMalloc(&squares, sizeof(seen));
    write_squares<<<1, 5>>>(squares, 5);
    cudaMemcpy(seen, squares, sizeof(seen), cudaMemcpyHostToDevice);
    cudaFree(squares);
    std::printf("squares: %d %d %d %d %d\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
}

void wrong_direction_checked() {
    int* squares = nullptr;
    int seen[5] = {};
    CUDA_CHECK(cudaMalloc(&squares, sizeof(seen)));
    write_squares<<<1, 5>>>(squares, 5);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(seen, squares, sizeof(seen), cudaMemcpyHostToDevice));
}

// ---- The list. CUDA 13 calls a bad launch shape cudaErrorInvalidValue, older toolkits cudaErrorInvalidConfiguration.

constexpr Case cases[] = {
    {.name = "block-too-large",
     .mistake = "1280 threads in one block",
     .unchecked = block_too_large,
     .dies = false,
     .truth = "Nothing ran, and on a GPU nobody says so. 1279 * 1279 is 1635841.",
     .checked = block_too_large_checked,
     .message = "kernel launch: cudaErrorInvalid"},
    {.name = "unchecked",
     .mistake = "a launch of zero blocks that nobody checks",
     .unchecked = no_blocks,
     .dies = false,
     .truth = "An old number that passes for a result. 9 * 9 * 2 is 162.",
     .checked = no_blocks_checked,
     .message = "kernel launch: cudaErrorInvalid"},
    {.name = "host-reads-device",
     .mistake = "the host follows a device pointer",
     .unchecked = host_reads_device,
     .dies = true,
     .truth = "The kernel did its work, but the host has no memory at that address. 4 * 4 is 16.",
     .checked = host_reads_device_checked,
     .message = "device memory"},
    {.name = "out-of-bounds",
     .mistake = "a kernel reads far outside of every allocation",
     .unchecked = out_of_bounds,
     .dies = false,
     .truth = "The kernel failed, then the copy failed: these zeros are the host's own. The steps are 1 3 5 7.",
     .checked = out_of_bounds_checked,
     .message = "cudaErrorIllegalAddress"},
    {.name = "wrong-direction",
     .mistake = "a copy from the device that says host to device",
     .unchecked = wrong_direction,
     .dies = false,
     .truth = "Nothing was copied: these zeros are the host's own. The squares are 0 1 4 9 16.",
     .checked = wrong_direction_checked,
     .message = "cudaErrorInvalid"},
};

int main(int argc, char** argv) {
    return run_program([&] { run_cases(cases, {argv, argv + argc}); });
}
