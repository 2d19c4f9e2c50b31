// What only the emulator promises: stale handles are errors, what is not supported says so, and nothing leaks.

#include <fstream>

#include "testing.h"

namespace {

__global__ void set(int* p, int value) {
    p[threadIdx.x] = value;
}

long resident_pages() {
    long size = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident;
}

// Kernels may run before main(), and memory, streams and events go after it.
struct Static {
    int* p = nullptr;
    cudaStream_t stream{};
    cudaEvent_t event{};

    Static() {
        cudaMalloc(&p, 256 * sizeof(int));
        cudaStreamCreate(&stream);
        cudaEventCreate(&event);
        cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10);
        set<<<1, 256, 64 << 10, stream>>>(p, 77);
    }

    ~Static() {
        cudaEventDestroy(event);
        cudaStreamDestroy(stream);
        if (cudaFree(p) != cudaSuccess || cudaGetLastError() != cudaSuccess) _Exit(9);
    }
} object;

}  // namespace

TEST_CASE("static objects may use the device", "[emulator]") {
    int value = 0;
    CUDA_CHECK(cudaMemcpy(&value, object.p + 255, sizeof value, cudaMemcpyDeviceToHost));
    REQUIRE(value == 77);
}

TEST_CASE("a stream or event that was destroyed is an error", "[emulator]") {
    cudaStream_t stream{};
    cudaEvent_t event{};
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaEventCreate(&event));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaEventDestroy(event));
    auto data = poisoned<int>(32);
    set<<<1, 32, 0, stream>>>(data.data(), 5);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    REQUIRE_SAME(data.to_host(), std::vector<int>(32, -1));
    int* p = nullptr;
    for (const cudaError_t error :
         {cudaStreamDestroy(stream), cudaStreamSynchronize(stream), cudaStreamQuery(stream), cudaEventDestroy(event),
          cudaEventRecord(event), cudaEventQuery(event), cudaStreamWaitEvent(nullptr, event),
          cudaMemsetAsync(data.data(), 0, 4, stream), cudaMallocAsync(&p, 4, stream), cudaStreamDestroy(nullptr)})
        REQUIRE(error == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

TEST_CASE("what is not supported says so", "[emulator]") {
    cudaMemcpy3DParms copy{};
    copy.srcArray = reinterpret_cast<cudaArray_t>(&copy);
    REQUIRE(cudaMemcpy3D(&copy) == cudaErrorNotSupported);
    cudaEvent_t event{};
    REQUIRE(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) == cudaErrorNotSupported);
    REQUIRE(cudaFuncSetAttribute(set, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaErrorNotSupported);
    cudaGetLastError();
}

TEST_CASE("thousands of allocations and launches leave memory steady", "[emulator]") {
    const auto rounds = [](int n) {
        for (int i = 0; i < n; ++i) {
            int *p = nullptr, *pinned = nullptr;
            cudaStream_t stream{};
            cudaEvent_t event{};
            CUDA_CHECK(cudaMalloc(&p, 5000 * sizeof(int)));
            CUDA_CHECK(cudaMallocHost(&pinned, 64));
            CUDA_CHECK(cudaStreamCreate(&stream));
            CUDA_CHECK(cudaEventCreate(&event));
            set<<<1, 64, 0, stream>>>(p, i);
            CUDA_CHECK(cudaEventRecord(event, stream));
            CUDA_CHECK(cudaMemcpyAsync(pinned, p, 64, cudaMemcpyDeviceToHost, stream));
            CUDA_CHECK(cudaStreamSynchronize(stream));
            REQUIRE(pinned[0] == i);
            CUDA_CHECK(cudaEventDestroy(event));
            CUDA_CHECK(cudaStreamDestroy(stream));
            CUDA_CHECK(cudaFreeHost(pinned));
            CUDA_CHECK(cudaFree(p));
        }
    };
    std::size_t free_before = 0, free_after = 0, total = 0;
    rounds(1000);
    [[maybe_unused]] const long before = resident_pages();
    CUDA_CHECK(cudaMemGetInfo(&free_before, &total));
    rounds(10'000);
    CUDA_CHECK(cudaMemGetInfo(&free_after, &total));
    REQUIRE(free_after == free_before);
#if !defined(__SANITIZE_ADDRESS__)  // It keeps what was freed, to find late uses.
    REQUIRE(resident_pages() - before < 256);
#endif
}
