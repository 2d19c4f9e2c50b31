// Kernels call functions by addresses that device code has taken: from a table, from memory that is freed by now, from
// managed memory, from a structure. Others are template arguments and objects, and the host calls them by its own.
#include "../arrays.h"

using Function = int (*)(int);

__host__ __device__ int doubled(int x) {
    return 2 * x;
}
__host__ __device__ int squared(int x) {
    return x * x;
}
struct Plus {
    int n;
    __host__ __device__ int operator()(int x) const { return x + n; }
};
struct Chosen {
    Function first;
    int n;
};

__device__ Function table[] = {doubled, squared};

template <int (*function)(int)>
__global__ void take(Function* taken) {
    *taken = function;
}
template <int (*function)(int)>
__global__ void take_two(Chosen* taken) {
    *taken = {function, 2};
}
__global__ void apply(int (*function)(int), int* y) {
    if (function != nullptr) *y += function(10);
}
template <class F>
__global__ void apply_any(F function, int* y) {
    *y += function(10);
}
template <int (*function)(int)>
__global__ void apply_known(int* y) {
    *y += function(10);
}

int on_host(Function function, int x) {
    return function(x);
}

int main() {
    Array<int> y(1, 0);
    Function functions[2], one, *pinned, *managed, *device;
    Chosen chosen;
    check(cudaMemcpyFromSymbol(functions, table, sizeof functions));
    apply<<<1, 1>>>(functions[1], y);  // 100
    check(cudaMalloc(&device, sizeof one));
    take<doubled><<<1, 1>>>(device);
    check(cudaMemcpy(&one, device, sizeof one, cudaMemcpyDeviceToHost));
    check(cudaFree(device));
    apply_any<<<1, 1>>>(one, y);  // 20
    check(cudaMallocManaged(&managed, sizeof one));
    take<doubled><<<1, 1>>>(managed);
    check(cudaDeviceSynchronize());
    one = *managed;
    check(cudaFree(managed));
    apply_any<<<1, 1>>>(one, y);  // 20
    check(cudaMallocHost(&pinned, sizeof(Chosen)));
    take_two<squared><<<1, 1>>>(reinterpret_cast<Chosen*>(pinned));
    check(cudaDeviceSynchronize());
    std::memcpy(&chosen, pinned, sizeof chosen);
    check(cudaFreeHost(pinned));
    apply<<<1, 1>>>(chosen.first, y);  // 100
    apply<<<1, 1>>>(nullptr, y);
    apply_any<<<1, 1>>>(Plus{1}, y);    // 11
    apply_known<doubled><<<1, 1>>>(y);  // 20
    const int n = y[0] + on_host(squared, 2) + on_host(doubled, chosen.n);
    return differs(n, 279);
}
