// The first CUDA program: the device adds 2 and 7, the host prints the sum.

#include <cstdio>

#include "common/check.h"
#include "harness/program.h"

// __global__ makes this a kernel: the host launches it, the device runs it. A kernel returns nothing, so the sum goes
// into memory that the device can write.
__global__ void add(int a, int b, int* sum) {
    *sum = a + b;
}

void add_on_the_device() {
    std::printf("%s\n", device_line().c_str());

    // Room for one int in the device's memory. The host may pass this pointer on, but must not follow it.
    int* device_sum = nullptr;
    CUDA_CHECK(cudaMalloc(&device_sum, sizeof(int)));

    // One block of one thread. The numbers 2 and 7 travel with the launch. The host does not wait here.
    add<<<1, 1>>>(2, 7, device_sum);
    CUDA_CHECK_LAUNCH();

    // The copy waits until the kernel is done, then brings the sum to the host.
    int sum = 0;
    CUDA_CHECK(cudaMemcpy(&sum, device_sum, sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_sum));

    std::printf("2 + 7 = %d\n", sum);
}

int main() {
    return run_program(add_on_the_device);
}
