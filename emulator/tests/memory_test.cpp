// Memory, copies and their errors, on a GPU and on the emulator alike.

#include "device.h"
#include "testing.h"

TEST_CASE("cudaMalloc aligns to 256 bytes, gives nothing for nothing and knows its limits", "[emulator]") {
    for (const std::size_t bytes : {1, 3, 255, 256, 257, 4096, 1 << 20}) {
        void* p = nullptr;
        CUDA_CHECK(cudaMalloc(&p, bytes));
        REQUIRE(reinterpret_cast<std::uintptr_t>(p) % 256 == 0);
        CUDA_CHECK(cudaFree(p));
    }
    void* p = &p;
    REQUIRE(cudaMalloc(&p, 0) == cudaSuccess);
    REQUIRE(p == nullptr);
    REQUIRE(cudaMalloc(&p, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
    REQUIRE(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("cudaFree takes what cudaMalloc gave, once", "[emulator]") {
    int on_the_host = 0;
    void* p = nullptr;
    CUDA_CHECK(cudaMalloc(&p, 100));
    REQUIRE(cudaFree(&on_the_host) == cudaErrorInvalidValue);
    REQUIRE(cudaFree(p) == cudaSuccess);
    REQUIRE(cudaFree(p) == cudaErrorInvalidValue);
    REQUIRE(cudaFree(nullptr) == cudaSuccess);
    cudaGetLastError();
}

TEST_CASE("copies bring back what they took, in part and whole", "[emulator]") {
    const auto values = random_values<int>(10'007);
    const auto from = DeviceBuffer<int>::from_host(values);
    auto to = poisoned<int>(values.size());
    CUDA_CHECK(cudaMemcpy(to.data() + 1, from.data() + 1, (values.size() - 1) * sizeof(int), cudaMemcpyDeviceToDevice));
    auto expected = values;
    expected[0] = -1;
    REQUIRE_SAME(to.to_host(), expected);
}

TEST_CASE("a copy looks at the ends that its direction calls device memory", "[emulator]") {
    int host[2] = {1, 2};
    DeviceBuffer<int> a(1), b(1);
    a.poison();
    b.poison();
    const auto copy = [](void* to, const void* from, cudaMemcpyKind kind) { return cudaMemcpy(to, from, 4, kind); };

    REQUIRE(copy(&host[0], a.data(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(copy(a.data(), &host[0], cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    REQUIRE(copy(a.data(), &host[0], cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    REQUIRE(copy(&host[0], a.data(), cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    REQUIRE(copy(&host[0], &host[1], cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(copy(&host[0], &host[1], cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    REQUIRE(copy(a.data(), b.data(), static_cast<cudaMemcpyKind>(7)) == cudaErrorInvalidMemcpyDirection);
    REQUIRE(copy(a.data(), nullptr, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(host[0] == 1);

    REQUIRE(copy(a.data(), b.data(), cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(copy(a.data(), b.data(), cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(copy(a.data(), &host[1], cudaMemcpyDefault) == cudaSuccess);
    REQUIRE(copy(&host[0], a.data(), cudaMemcpyDefault) == cudaSuccess);
    REQUIRE(host[0] == 2);
    cudaGetLastError();
}

TEST_CASE("a copy or fill of more than there is is refused", "[emulator]") {
    std::vector<char> host(16 << 20);
    DeviceBuffer<char> small(100);
    REQUIRE(cudaMemcpy(small.data(), host.data(), host.size(), cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(cudaMemcpy(host.data(), small.data(), host.size(), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    REQUIRE(cudaMemset(small.data(), 0, host.size()) == cudaErrorInvalidValue);
    REQUIRE(cudaMemset(host.data(), 0, 16) == cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST_CASE("pointers tell where they point", "[emulator]") {
    int host = 0;
    DeviceBuffer<int> device(10);
    int* pinned = nullptr;
    CUDA_CHECK(cudaMallocHost(&pinned, 4));
    const auto type = [](const void* p) {
        cudaPointerAttributes attributes{};
        CUDA_CHECK(cudaPointerGetAttributes(&attributes, p));
        return attributes.type;
    };
    REQUIRE(type(&host) == cudaMemoryTypeUnregistered);
    REQUIRE(type(device.data() + 9) == cudaMemoryTypeDevice);
    REQUIRE(type(pinned) == cudaMemoryTypeHost);
    *pinned = 5;  // The host's to use.
    CUDA_CHECK(cudaFreeHost(pinned));
}

TEST_CASE("events are in the order in which they were recorded", "[emulator]") {
    cudaEvent_t start, stop, never;
    for (auto* event : {&start, &stop, &never}) CUDA_CHECK(cudaEventCreate(event));
    CUDA_CHECK(cudaEventRecord(start));
    DeviceBuffer<char> buffer(8 << 20);
    buffer.poison();
    CUDA_CHECK(cudaEventRecord(stop));
    CUDA_CHECK(cudaEventSynchronize(stop));
    float milliseconds = -1;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    REQUIRE(milliseconds > 0);
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, never) == cudaErrorInvalidResourceHandle);
    for (auto event : {start, stop, never}) CUDA_CHECK(cudaEventDestroy(event));
    cudaGetLastError();
}
