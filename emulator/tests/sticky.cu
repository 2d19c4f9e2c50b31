// A kernel fails, and everything that may be called afterwards says what it answers. sticky_test.cpp reads that.

#include <cstdio>

__device__ int variable;

__global__ void store(int* p) {
    *p = 1;
}

#define SHOW(call) std::printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    int *p = nullptr, *host = nullptr, value = 0, device = 0, count = 0, version = 0, least = 0, greatest = 0;
    unsigned flags = 0;
    void* address = nullptr;
    std::size_t bytes = 0, total = 0;
    float milliseconds = 0;
    cudaDeviceProp properties{};
    cudaFuncAttributes attributes{};
    cudaPointerAttributes pointer{};
    cudaStream_t stream{}, other_stream{};
    cudaEvent_t event{}, other_event{};
    cudaMalloc(&p, 64);
    cudaMallocHost(&host, 64);
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    cudaEventRecord(event);
    SHOW(cudaDeviceSynchronize());

    store<<<1, 1>>>(nullptr);
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaPeekAtLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());

    std::puts("work");
    SHOW(cudaMalloc(&address, 64));
    SHOW(cudaMallocHost(&address, 64));
    SHOW(cudaMallocManaged(&address, 64));
    SHOW(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, stream));
    SHOW(cudaMemcpyToSymbol(variable, &value, 4));
    SHOW(cudaMemset(p, 0, 4));
    SHOW(cudaMemGetInfo(&bytes, &total));
    SHOW(cudaStreamCreate(&other_stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaStreamQuery(stream));
    SHOW(cudaEventCreate(&other_event));
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventSynchronize(event));
    SHOW(cudaEventElapsedTime(&milliseconds, event, event));
    SHOW(cudaFuncGetAttributes(&attributes, store));
    SHOW(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SHOW(cudaFree(p));
    SHOW(cudaDeviceSynchronize());

    std::puts("queries");
    cudaGetLastError();
    SHOW(cudaGetDeviceCount(&count));
    SHOW(cudaPointerGetAttributes(&pointer, p));
    SHOW(cudaGetDevice(&device));
    SHOW(cudaSetDevice(0));
    SHOW(cudaGetDeviceProperties(&properties, 0));
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    SHOW(cudaDriverGetVersion(&version));
    SHOW(cudaRuntimeGetVersion(&version));
    SHOW(cudaGetDeviceFlags(&flags));
    SHOW(cudaGetLastError());

    std::puts("launch");
    store<<<1, 1>>>(p);
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    std::fflush(stdout);
}
