// Kernels that begin early: one thread waits for all, each buffer is used again behind the wait, and copies lie
// between.
#include "../arrays.h"

__global__ void step(const int* from, int* to, int n) {
    __shared__ int offset;
    if (threadIdx.x == 0) {
        cudaGridDependencySynchronize();
        offset = from[n - 1];
    }
    __syncthreads();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i] + offset;
    cudaTriggerProgrammaticLaunchCompletion();
}

// Without a wait, in inline PTX or not: nothing that the kernel ahead has to do with.
__global__ void apart(int* other) {
    other[threadIdx.x] = 1;
    asm volatile("griddepcontrol.launch_dependents;");
}

__global__ void add_up(const int* a, const int* b, int* sum) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    atomicAdd(sum, a[threadIdx.x] + b[threadIdx.x]);
}

int main() {
    Array<int> a(64, [](int i) { return i % 5; }), b(64), other(64, 0), sum(1, 0);
    int *pa = a, *pb = b, *p_other = other, *p_sum = sum;
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 2;
    config.blockDim = 32;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    const int last = a[63], first = a[0];
    check(cudaLaunchKernelEx(&config, step, static_cast<const int*>(pa), pb, 64));
    check(cudaLaunchKernelEx(&config, step, static_cast<const int*>(pb), pa, 64));
    check(cudaMemcpyAsync(pb, pa, 64 * sizeof(int), cudaMemcpyDeviceToDevice, stream));
    config.gridDim = 1;
    check(cudaLaunchKernelEx(&config, apart, p_other));
    check(cudaLaunchKernelEx(&config, add_up, static_cast<const int*>(pb), static_cast<const int*>(p_other), p_sum));
    check(cudaStreamSynchronize(stream));
    check(cudaStreamDestroy(stream));
    // After two steps a[i] is a[i] + last, and then the new last more.
    return differs(a[0], first + 3 * last) || sum[0] < 32;
}
