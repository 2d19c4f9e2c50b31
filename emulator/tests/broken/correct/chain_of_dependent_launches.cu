// Chains of kernels that begin early: each waits, most of them before they let the next one begin, and in some only one
// block or one thread does; what nobody ahead touches needs no wait.
#include "../arrays.h"

__global__ void add_one(const int* from, int* to, int* weights, int early) {
    if (early) cudaTriggerProgrammaticLaunchCompletion();
    const int weight = weights == nullptr ? 1 : weights[threadIdx.x];  // of nobody's making
    cudaGridDependencySynchronize();
    if (!early) cudaTriggerProgrammaticLaunchCompletion();
    to[threadIdx.x] = from[threadIdx.x] + weight;
}

// A thread waits for all, and the last one of another block uses what lies two kernels back.
__global__ void one_waits(const int* from, int* to) {
    if (threadIdx.x == 5) asm volatile("griddepcontrol.wait;" ::: "memory");
    __syncthreads();
    to[threadIdx.x] = from[threadIdx.x] + 1;
}

// Reads what lies two kernels back, before it waits: the kernel between has let it begin behind a wait only.
__global__ void sum_of_two(const int* older, const int* newer, int* to) {
    const int first = older[threadIdx.x];
    cudaGridDependencySynchronize();
    to[threadIdx.x] = first + newer[threadIdx.x];
}

// Nothing that the others touch, and nobody behind it needs what is ahead of it.
__global__ void apart(int* other) {
    other[threadIdx.x] = 1;
}

int main() {
    Array<int> a(32, [](int i) { return i; }), b(32), c(32), d(32), e(32), ones(32, 1), other(32);
    int *pa = a, *pb = b, *pc = c, *pd = d, *pe = e, *p_ones = ones, *p_other = other, *none = nullptr;
    const int *ca = a, *cb = b, *cc = c, *cd = d;
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 32;
    config.attrs = &early;
    config.numAttrs = 1;
    const int first = a[3];
    check(cudaLaunchKernelEx(&config, add_one, ca, pb, none, 0));    // b = a + 1
    check(cudaLaunchKernelEx(&config, one_waits, cb, pc));           // c = a + 2
    check(cudaLaunchKernelEx(&config, sum_of_two, cb, cc, pd));      // d = 2 a + 3
    check(cudaLaunchKernelEx(&config, add_one, cd, pe, p_ones, 1));  // e = 2 a + 4
    check(cudaLaunchKernelEx(&config, add_one, cb, pa, p_ones, 0));  // a = a + 2
    check(cudaLaunchKernelEx(&config, apart, p_other));
    apart<<<1, 32>>>(pb);
    check(cudaLaunchKernelEx(&config, add_one, ca, pc, p_other, 0));  // c = a + 3
    return differs(e[3], 2 * first + 4) || differs(a[3], first + 2) || differs(c[3], first + 3);
}
