// Kernels as values: pointers to them, tables of them, their address as a void*. On a GPU and on the emulator alike.

#include "device.h"
#include "testing.h"

namespace {

constexpr int threads = 97;

template <class T, int add>
__global__ void scale(T* data, T factor) {
    data[threadIdx.x] = data[threadIdx.x] * factor + add;
}

__global__ void increment(int* data) {
    ++data[threadIdx.x];
}

__global__ void negate(int* data) {
    data[threadIdx.x] = -data[threadIdx.x];
}

__global__ void __launch_bounds__(96) bounded(int*) {}

__global__ void last_dynamic(int* out, int bytes) {
    extern __shared__ int values[];
    values[bytes / 4 - 1] = bytes;
    *out = values[bytes / 4 - 1];
}

using Kernel = void (*)(int*);
const void* const addresses[] = {(void*)increment, (const void*)&negate, reinterpret_cast<void*>(scale<int, 3>),
                                 reinterpret_cast<const void*>(&bounded)};

template <class F>
cudaError_t launch(F kernel, void** arguments) {
    return cudaLaunchKernel((const void*)kernel, dim3(1), dim3(threads), arguments, 0, nullptr);
}

#define LAUNCH(kernel, arguments) cudaLaunchKernel((void*)kernel, dim3(1), dim3(threads), arguments, 0, nullptr)

}  // namespace

TEST_CASE("a pointer to a kernel can be launched", "[emulator]") {
    const auto in = random_values<short>(threads);
    std::vector<int> expected(in.begin(), in.end());
    auto data = DeviceBuffer<int>::from_host(expected);

    const Kernel one = increment;
    one<<<1, threads>>>(data.data());
    const auto deduced = scale<int, 5>;
    deduced<<<1, threads>>>(data.data(), 2);
    void (*const table[])(int*) = {negate, increment, &negate};
    for (const Kernel kernel : table) kernel<<<1, threads>>>(data.data());
    for (int i = 0; i < 3; ++i) table[i]<<<1, threads>>>(data.data());
    const struct {
        Kernel kernel;
        unsigned block;
    } entry = {negate, threads};
    (*entry.kernel)<<<1, entry.block>>>(data.data());
    CUDA_CHECK_LAUNCH();

    for (std::size_t i = 0; i < expected.size(); ++i) {
        int x = 2 * (in[i] + 1) + 5;
        for (int round = 0; round < 2; ++round) x = -(-x + 1);
        expected[i] = -x;
    }
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("a kernel can be launched by its address", "[emulator]") {
    const auto in = random_values<short>(threads);
    std::vector<int> expected(in.begin(), in.end());
    auto data = DeviceBuffer<int>::from_host(expected);
    int* pointer = data.data();
    int factor = 3;
    void* arguments[] = {(void*)&pointer, &factor};

    CUDA_CHECK(cudaLaunchKernel(addresses[0], dim3(1), dim3(threads), arguments, 0, nullptr));
    CUDA_CHECK(cudaLaunchKernel(addresses[1], dim3(1), dim3(threads), arguments, 0, nullptr));
    CUDA_CHECK(cudaLaunchKernel(addresses[2], dim3(1), dim3(threads), arguments, 0, nullptr));
    CUDA_CHECK(LAUNCH(increment, arguments));
    CUDA_CHECK(LAUNCH((scale<int, -2>), arguments));
    CUDA_CHECK(launch(negate, arguments));
    CUDA_CHECK(launch(&negate, arguments));
    const Kernel variable = negate;
    CUDA_CHECK(LAUNCH(variable, arguments));
    CUDA_CHECK(cudaDeviceSynchronize());

    for (int& x : expected) x = -((-(x + 1) * 3 + 3 + 1) * 3 - 2);
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("what an address knows of its kernel", "[emulator]") {
    cudaFuncAttributes a{};
    CUDA_CHECK(cudaFuncGetAttributes(&a, addresses[3]));
    REQUIRE(a.maxThreadsPerBlock == 96);
    CUDA_CHECK(cudaFuncGetAttributes(&a, (void*)scale<float, 1>));
    REQUIRE(a.maxThreadsPerBlock == 1024);

    int blocks = 0, same_blocks = 0, grid = 0, block = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, increment, 64, 0));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&same_blocks, (void*)increment, 64, 0));
    REQUIRE(blocks > 0);
    REQUIRE(same_blocks == blocks);
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, (void*)bounded));
    REQUIRE(block > 0);
    REQUIRE(block <= 96);

    // 60,000 bytes are refused until they are asked for by the address.
    auto out = poisoned<int>(1);
    int* pointer = out.data();
    int bytes = 60'000;
    void* arguments[] = {&pointer, &bytes};
    const void* const kernel = (const void*)last_dynamic;
    REQUIRE_ERROR(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, static_cast<std::size_t>(bytes), nullptr),
                  cudaErrorInvalidValue);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, static_cast<std::size_t>(bytes), nullptr));
    REQUIRE_SAME(out.to_host(), std::vector<int>{bytes});
}

TEST_CASE("what is no kernel cannot be launched", "[emulator]") {
    int x = 0;
    void* arguments[] = {&x};
    REQUIRE_ERROR(cudaLaunchKernel((void*)&x, dim3(1), dim3(1), arguments, 0, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_CASE("a null pointer cannot be launched", "[emulator]") {
    REQUIRE_ERROR(cudaLaunchKernel((void*)nullptr, dim3(1), dim3(1), nullptr, 0, nullptr),
                  cudaErrorInvalidDeviceFunction);
}

TEST_CASE("what is no kernel has no attributes", "[emulator]") {
    int x = 0;
    cudaFuncAttributes a{};
    REQUIRE_ERROR(cudaFuncGetAttributes(&a, (void*)&x), cudaErrorInvalidResourceHandle);
}

TEST_CASE("what is no kernel cannot be given attributes", "[emulator]") {
    int x = 0;
    REQUIRE_ERROR(cudaFuncSetAttribute((void*)&x, cudaFuncAttributeMaxDynamicSharedMemorySize, 0),
                  cudaErrorInvalidResourceHandle);
}

TEST_CASE("a kernel can be launched with a configuration in a structure", "[emulator]") {
    const auto in = random_values<short>(threads);
    std::vector<int> expected(in.begin(), in.end());
    auto data = DeviceBuffer<int>::from_host(expected);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(threads);
    CUDA_CHECK(cudaLaunchKernelEx(&config, scale<int, 3>, data.data(), short{7}));
    int* pointer = data.data();
    void* arguments[] = {&pointer};
    CUDA_CHECK(cudaLaunchKernelExC(&config, (void*)increment, arguments));
    for (int& x : expected) x = x * 7 + 3 + 1;
    REQUIRE_SAME(data.to_host(), expected);
    config.blockDim = dim3(1025);
    REQUIRE_ERROR(cudaLaunchKernelEx(&config, increment, data.data()), cudaErrorInvalidValue);
}
