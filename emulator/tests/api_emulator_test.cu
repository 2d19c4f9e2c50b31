// What only the emulator promises: stale handles are errors, what is not supported says so, and nothing leaks.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "device.h"
#include "testing.h"

namespace {

__global__ void set(int* p, int value) {
    p[threadIdx.x] = value;
}

__global__ void turn_around(int* p) {
    __shared__ int cells[256];
    p += blockIdx.x * blockDim.x;
    cells[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = cells[255 - threadIdx.x];
}

// As much as CUDA allows, nearly; a GPU has room for it only if it has more than 128 GiB of memory.
constexpr int many = 500 * 1024 / sizeof(int);
__global__ void large_local_array(int* out) {
    int numbers[many];
    for (int i = 0; i < many; ++i) numbers[i] = static_cast<int>(threadIdx.x) + 7 * i;
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < many; ++i) sum += static_cast<unsigned>(numbers[i]);
    out[threadIdx.x] = static_cast<int>(sum);
}

// Warp functions without a mask: the lanes that come along together, be it half of a warp, exchange.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
__global__ void without_masks(int* sums, unsigned* votes) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int sum = static_cast<int>(threadIdx.x);
    for (unsigned half = 16; half > 0; half /= 2) sum += __shfl_down(sum, half);
    sum = __shfl(sum, 0);
    if (lane % 2 == 0) sum += __shfl_xor(lane, 2) + __shfl_up(static_cast<short>(lane), 8, 16);
    sums[threadIdx.x] = sum;
    if (lane < 8) votes[threadIdx.x / 32] = __ballot(lane > 2) * 100 + __any(lane == 7) * 10 + __all(lane > 0);
}
#pragma GCC diagnostic pop

// What this process holds of the system's. AddressSanitizer maps and keeps memory of its own.
struct Held {
    long resident_kib = 0;
    std::ptrdiff_t mappings = 0, files = 0, os_threads = 0;

    static Held now() {
        Held held;
#if !defined(__SANITIZE_ADDRESS__)
        std::ifstream status("/proc/self/status"), maps("/proc/self/maps");
        for (std::string word; held.resident_kib == 0 && status >> word;)
            if (word == "VmRSS:") status >> held.resident_kib;
        held.mappings = std::count(std::istreambuf_iterator(maps), {}, '\n');
#endif
        held.files = entries("/proc/self/fd");
        held.os_threads = entries("/proc/self/task");
        return held;
    }

  private:
    static std::ptrdiff_t entries(const char* folder) {
        return std::distance(std::filesystem::directory_iterator(folder), {});
    }
};

// A page here or there is the C library's.
void require_no_growth(const Held& before) {
    const Held after = Held::now();
    CHECK(after.resident_kib - before.resident_kib < 1024);
    CHECK(after.mappings - before.mappings < 16);
    CHECK(after.files == before.files);
    CHECK(after.os_threads == before.os_threads);
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
    REQUIRE(cudaFuncSetAttribute(set, cudaFuncAttributeRequiredClusterWidth, 1) == cudaErrorNotSupported);
    cudaGetLastError();
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST_CASE("what CUDA 13 has no longer is here for older programs", "[emulator]") {
    cudaDeviceProp p{};
    int value = 0;
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    for (const auto& [property, attribute] : {std::pair{p.clockRate, cudaDevAttrClockRate},
                                              {p.memoryClockRate, cudaDevAttrMemoryClockRate},
                                              {p.deviceOverlap, cudaDevAttrGpuOverlap},
                                              {p.kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout},
                                              {p.computeMode, cudaDevAttrComputeMode}}) {
        CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
        REQUIRE(property == value);
    }
    REQUIRE(p.singleToDoublePrecisionPerfRatio == 2);

    int* managed = nullptr;
    CUDA_CHECK(cudaMallocManaged(&managed, 64));
    CUDA_CHECK(cudaMemPrefetchAsync(managed, 64, 0, nullptr));
    CUDA_CHECK(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId));
    CUDA_CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0));
    REQUIRE_ERROR(cudaMemPrefetchAsync(managed, 64, 7), cudaErrorInvalidDevice);
    CUDA_CHECK(cudaFree(managed));

    std::size_t limit = 0;
    CUDA_CHECK(cudaThreadSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CUDA_CHECK(cudaThreadGetLimit(&limit, cudaLimitMallocHeapSize));
    REQUIRE(limit == 16 << 20);
    cudaFuncCache cache{};
    CUDA_CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
    CUDA_CHECK(cudaThreadGetCacheConfig(&cache));
    REQUIRE(cache == cudaFuncCachePreferL1);
    CUDA_CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferNone));
    CUDA_CHECK(cudaThreadSynchronize());
    CUDA_CHECK(cudaFuncSetSharedMemConfig(set, cudaSharedMemBankSizeEightByte));
    REQUIRE_ERROR(cudaFuncSetSharedMemConfig(set, static_cast<cudaSharedMemConfig>(3)), cudaErrorInvalidValue);
}

TEST_CASE("warp functions without a mask are for the lanes that come together", "[emulator]") {
    auto sums = poisoned<int>(64);
    auto votes = poisoned<unsigned>(2);
    without_masks<<<1, 64>>>(sums.data(), votes.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(64);
    for (int i = 0; i < 64; ++i) {
        const int lane = i % 32;
        expected[i] = i < 32 ? 496 : 1520;
        if (lane % 2 == 0) expected[i] += (lane ^ 2) + (lane % 16 < 8 ? lane : lane - 8);
    }
    REQUIRE_SAME(sums.to_host(), expected);
    REQUIRE_SAME(votes.to_host(), std::vector<unsigned>(2, 0xf8 * 100 + 10));
}
#pragma GCC diagnostic pop

TEST_CASE("a thread has room for 500 KiB of local arrays", "[emulator]") {
    constexpr int threads = 70;
    auto out = poisoned<int>(threads);
    large_local_array<<<1, threads>>>(out.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(threads);
    for (int thread = 0; thread < threads; ++thread) {
        unsigned sum = 0;
        for (int i = 0; i < many; ++i) sum += static_cast<unsigned>(thread + 7 * i);
        expected[thread] = static_cast<int>(sum);
    }
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("thousands of allocations and launches leave nothing behind", "[emulator]") {
    const auto rounds = [](int n) {
        for (int i = 0; i < n; ++i) {
            int *p = nullptr, *pinned = nullptr;
            cudaStream_t stream{};
            cudaEvent_t event{};
            CUDA_CHECK(cudaMalloc(&p, 5120 * sizeof(int)));
            CUDA_CHECK(cudaMallocHost(&pinned, 64));
            CUDA_CHECK(cudaStreamCreate(&stream));
            CUDA_CHECK(cudaEventCreate(&event));
            set<<<1, 64, 0, stream>>>(p, i);
            CUDA_CHECK(cudaEventRecord(event, stream));
            CUDA_CHECK(cudaMemcpyAsync(pinned, p, 64, cudaMemcpyDeviceToHost, stream));
            CUDA_CHECK(cudaStreamSynchronize(stream));
            if (i % 20 == 0) turn_around<<<20, 256, 0, stream>>>(p);  // on several OS threads
            CUDA_CHECK_LAUNCH();
            REQUIRE(pinned[0] == i);
            CUDA_CHECK(cudaEventDestroy(event));
            CUDA_CHECK(cudaStreamDestroy(stream));
            CUDA_CHECK(cudaFreeHost(pinned));
            CUDA_CHECK(cudaFree(p));
        }
    };
    std::size_t free_before = 0, free_after = 0, total = 0;
    rounds(1000);
    const Held before = Held::now();
    CUDA_CHECK(cudaMemGetInfo(&free_before, &total));
    rounds(10'000);
    CUDA_CHECK(cudaMemGetInfo(&free_after, &total));
    REQUIRE(free_after == free_before);
    require_no_growth(before);
}

TEST_CASE("host threads that launch and end leave nothing behind", "[emulator]") {
    auto data = poisoned<int>(5120);
    const auto rounds = [&](int n) {
        for (int i = 0; i < n; ++i) std::thread([&] { turn_around<<<20, 256>>>(data.data()); }).join();
    };
    rounds(100);
    const Held before = Held::now();
    rounds(200);
    require_no_growth(before);
    CUDA_CHECK_LAUNCH();
}
