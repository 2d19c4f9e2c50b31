// Kernels with a mistake each, which the trace is to show where it happens: trace_test.py says where.
//
//   mistakes KERNEL

#include <cuda_runtime.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <string>

__global__ void race(int* a) {
    __shared__ int cache[64];
    cache[threadIdx.x] = a[threadIdx.x];       // keep
    a[threadIdx.x] = cache[63 - threadIdx.x];  // give
}

// What is read was written long before the last time that the line wrote.
__global__ void race_in_loop(int* a) {
    __shared__ int table[4][64];
    for (int r = 0; r < 4; ++r) table[r][threadIdx.x] = r;  // keep
    a[threadIdx.x] = table[1][63 - threadIdx.x];            // give
}

__global__ void out_of_bounds(int* a, int* b) {
    for (int r = 0; r < 3; ++r) b[threadIdx.x] = r;  // fine
    a[threadIdx.x] = 7;                              // beyond
}

__global__ void out_of_shared(int* a) {
    __shared__ int cache[32];
    const unsigned i = threadIdx.x + (threadIdx.x == 9);
    cache[threadIdx.x == 31 ? 32 : i] = 1;  // beyond
    a[threadIdx.x] = 1;
}

__global__ void uninitialised(const int* empty, int* out) {
    for (unsigned r = 0; r < 3; ++r) {
        const int x = empty[64 * r + threadIdx.x];  // read
        out[64 * r + threadIdx.x] = x;
    }
}

__global__ void wild(int** pointers) {
    for (unsigned r = 0; r < 3; ++r) {
        int* const pointer = pointers[3 * threadIdx.x + r];  // pointer
        *pointer = 5;                                        // write
    }
}

__global__ void deadlock(int* a) {
    a[threadIdx.x] = 1;  // before
    if (threadIdx.x == 3) {
        __syncwarp();  // alone
        a[threadIdx.x] = 2;
    } else {
        __syncthreads();  // others
        if (a[3] != 2) a[threadIdx.x] = __shfl_sync(0xffffffff, 1, 3);
    }
}

__global__ void traps(int* a) {
    a[threadIdx.x] = 1;  // before
    if (threadIdx.x == 40) __trap();
    a[threadIdx.x] = 2;  // behind
}

template <char letter>
__global__ void named(int* a) {
    a[threadIdx.x] = letter;  // store
}

template <class T>
T* room(std::size_t n) {
    T* memory = nullptr;
    if (cudaMalloc(&memory, n * sizeof(T)) != cudaSuccess) std::exit(4);
    return memory;
}

int* zeros(std::size_t n) {
    int* const memory = room<int>(n);
    cudaMemset(memory, 0, n * sizeof(int));
    return memory;
}

int** table_of_pointers() {
    int* pointers[3 * 64];
    int* const a = zeros(3 * 64);
    for (int i = 0; i < 3 * 64; ++i) pointers[i] = a + i;
    pointers[3 * 37 + 1] = reinterpret_cast<int*>(64);
    int** const memory = room<int*>(3 * 64);
    cudaMemcpy(memory, pointers, sizeof pointers, cudaMemcpyHostToDevice);
    return memory;
}

int* half_written() {
    int* const memory = room<int>(192);
    cudaMemset(memory, 0, 100 * sizeof(int));
    return memory;
}

int main(int argc, char** argv) {
    const std::map<std::string, std::function<void()>> kernels = {
        {"race", [] { race<<<1, 64>>>(zeros(64)); }},
        {"race_in_loop", [] { race_in_loop<<<1, 64>>>(zeros(64)); }},
        {"out_of_bounds", [] { out_of_bounds<<<1, 64>>>(zeros(40), zeros(64)); }},
        {"out_of_shared", [] { out_of_shared<<<1, 32>>>(zeros(32)); }},
        {"uninitialised", [] { uninitialised<<<1, 64>>>(half_written(), zeros(192)); }},
        {"wild", [] { wild<<<1, 64>>>(table_of_pointers()); }},
        {"deadlock", [] { deadlock<<<1, 32>>>(zeros(32)); }},
        {"traps", [] { traps<<<1, 64>>>(zeros(64)); }},
        {"named",
         [] {
             named<'"'><<<1, 32>>>(zeros(32));
             named<'<'><<<1, 32>>>(zeros(32));
             named<'\n'><<<1, 32>>>(zeros(32));
             named<'\xff'><<<1, 32>>>(zeros(32));
         }},
    };
    const auto found = kernels.find(argc > 1 ? argv[1] : "");
    if (found == kernels.end()) return 2;
    found->second();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
