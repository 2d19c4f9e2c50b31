// The runtime API, on a GPU and on the emulator alike: memory of every kind, pitched copies, symbols, streams, events,
// functions, and what they answer to bad arguments.

#include <cstring>

#include "device.h"
#include "testing.h"

namespace {

void CUDART_CB note(void* data) {
    *static_cast<int*>(data) = 1;
}

__device__ int counter = 5;
__device__ int numbers[100];
__device__ const int seven = 7;
static __device__ const float halves[3] = {0.5f, 1.5f, 2.5f};
inline __device__ unsigned in_line[3] = {1, 2, 3};
__constant__ float coefficients[64];
__managed__ int shared_by_both = 3;

struct Point {
    short x;
    double y;
};
__constant__ Point origin = {1, 2.0};

template <class T>
__global__ void add(T* values, int n, T what) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) values[i] += what;
}

__global__ void read_symbols(float* out) {
    const unsigned i = threadIdx.x;
    if (i < 64) out[i] = coefficients[i];
    if (i == 64) out[i] = static_cast<float>(counter);
    if (i == 65) out[i] = static_cast<float>(seven);
    if (i == 66) out[i] = halves[2];
    if (i == 67) out[i] = static_cast<float>(in_line[1]);
    if (i == 68) out[i] = static_cast<float>(origin.x + origin.y);
}

__global__ void change_symbols() {
    numbers[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
    if (threadIdx.x == 0) counter += 1, shared_by_both *= 2;
}

cudaMemoryType type_of(const void* p) {
    cudaPointerAttributes attributes{};
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, p));
    return attributes.type;
}

cudaMemLocation place(cudaMemLocationType type, int id) {
    cudaMemLocation location{};
    location.type = type;
    location.id = id;
    return location;
}

std::vector<int> plus(std::vector<int> values, int what) {
    for (int& value : values) value = static_cast<int>(static_cast<unsigned>(value) + static_cast<unsigned>(what));
    return values;
}

}  // namespace

TEST_CASE("managed memory belongs to host and kernels", "[emulator]") {
    const auto in = random_values<int>(1000 + 3);
    const int n = static_cast<int>(in.size());
    int* p = nullptr;
    SECTION("global") {
        CUDA_CHECK(cudaMallocManaged(&p, in.size() * sizeof(int)));
    }
    SECTION("with flags") {
        CUDA_CHECK(cudaMallocManaged(&p, in.size() * sizeof(int), cudaMemAttachGlobal));
    }
    REQUIRE(reinterpret_cast<std::uintptr_t>(p) % 256 == 0);
    REQUIRE(type_of(p + n - 1) == cudaMemoryTypeManaged);
    std::copy(in.begin(), in.end(), p);
    unsigned zeros[2] = {};
    CUDA_CHECK(cudaMemcpy(zeros, p, sizeof zeros, cudaMemcpyDeviceToHost));
    REQUIRE(zeros[1] == static_cast<unsigned>(in[1]));

    const std::size_t bytes = in.size() * sizeof(int);
    CUDA_CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, place(cudaMemLocationTypeDevice, 0)));
    CUDA_CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseUnsetReadMostly, place(cudaMemLocationTypeDevice, 0)));
    CUDA_CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, place(cudaMemLocationTypeDevice, 0)));
    CUDA_CHECK(cudaMemPrefetchAsync(p, bytes, place(cudaMemLocationTypeDevice, 0), 0));
    add<int><<<(n + 127) / 128, 128>>>(p, n, 42);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemPrefetchAsync(p, bytes, place(cudaMemLocationTypeHost, 0), 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(std::vector<int>(p, p + n), plus(in, 42));

    REQUIRE_ERROR(cudaMemPrefetchAsync(p, 0, place(cudaMemLocationTypeDevice, 0), 0), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemPrefetchAsync(p, bytes, place(cudaMemLocationTypeDevice, 0), 1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemAdvise(p, bytes, static_cast<cudaMemoryAdvise>(7), place(cudaMemLocationTypeDevice, 0)),
                  cudaErrorInvalidValue);
    CUDA_CHECK(cudaFree(p));
    DeviceBuffer<int> device(4);
    REQUIRE_ERROR(cudaMemPrefetchAsync(device.data(), 16, place(cudaMemLocationTypeDevice, 0), 0),
                  cudaErrorInvalidValue);
    REQUIRE(cudaMallocManaged(&p, 0) == cudaSuccess);
    REQUIRE_ERROR(cudaMallocManaged(&p, 16, 0x80), cudaErrorInvalidValue);
}

TEST_CASE("several ranges of managed memory are prefetched by one call", "[emulator]") {
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreate(&stream));
    int* ranges[3] = {};
    std::size_t sizes[3] = {400, 4, 1028};
    for (int i = 0; i < 3; ++i) CUDA_CHECK(cudaMallocManaged(&ranges[i], sizes[i]));
    cudaMemLocation places[2] = {place(cudaMemLocationTypeDevice, 0), place(cudaMemLocationTypeHost, 0)};
    std::size_t firsts[2] = {0, 2};
    CUDA_CHECK(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places, firsts, 2, 0, stream));
    CUDA_CHECK(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places[1], 0, stream));
    REQUIRE_ERROR(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places[1], 0, nullptr), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places[1], 1, stream), cudaErrorInvalidValue);
    firsts[1] = 3;
    REQUIRE_ERROR(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places, firsts, 2, 0, stream), cudaErrorInvalidValue);
    CUDA_CHECK(cudaStreamDestroy(stream));
    for (int* range : ranges) CUDA_CHECK(cudaFree(range));
}

TEST_CASE("pinned memory belongs to host and kernels", "[emulator]") {
    const auto in = random_values<int>(257);
    const int n = static_cast<int>(in.size());
    const unsigned flags = GENERATE(cudaHostAllocDefault + 0u, cudaHostAllocPortable + 0u, cudaHostAllocMapped + 0u,
                                    cudaHostAllocWriteCombined | cudaHostAllocMapped);
    int *p = nullptr, *device = nullptr;
    CUDA_CHECK(cudaHostAlloc(&p, in.size() * sizeof(int), flags));
    REQUIRE(type_of(p + 200) == cudaMemoryTypeHost);
    unsigned found = 0;
    CUDA_CHECK(cudaHostGetFlags(&found, p));
    REQUIRE((found & flags) == flags);
    std::copy(in.begin(), in.end(), p);
    CUDA_CHECK(cudaHostGetDevicePointer(&device, p, 0));
    add<int><<<3, 128>>>(device, n, -7);
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(std::vector<int>(p, p + n), plus(in, -7));

    REQUIRE_ERROR(cudaFree(p), cudaErrorInvalidValue);
    CUDA_CHECK(cudaFreeHost(p));
    REQUIRE_ERROR(cudaFreeHost(&found), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaHostAlloc(&p, 16, 0x1000), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaHostGetDevicePointer(&device, &found, 0), cudaErrorInvalidValue);
}

TEST_CASE("the host's own memory can be registered", "[emulator]") {
    auto values = random_values<int>(5000);
    const auto in = values;
    const std::size_t bytes = values.size() * sizeof(int);
    REQUIRE_ERROR(cudaHostUnregister(values.data()), cudaErrorHostMemoryNotRegistered);
    CUDA_CHECK(cudaHostRegister(values.data(), bytes, cudaHostRegisterMapped));
    REQUIRE(type_of(values.data() + 4000) == cudaMemoryTypeHost);
    REQUIRE_ERROR(cudaHostRegister(values.data(), bytes, cudaHostRegisterMapped), cudaErrorHostMemoryAlreadyRegistered);
    int* device = nullptr;
    CUDA_CHECK(cudaHostGetDevicePointer(&device, values.data(), 0));
    add<int><<<40, 128>>>(device, 5000, 3);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaHostUnregister(values.data()));
    REQUIRE(type_of(values.data()) == cudaMemoryTypeUnregistered);
    REQUIRE_SAME(values, plus(in, 3));
    REQUIRE_ERROR(cudaHostRegister(nullptr, 16, 0), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaHostRegister(values.data(), 0, 0), cudaErrorInvalidValue);
}

TEST_CASE("rows of pitched memory are aligned, and 2-D copies leave the padding alone", "[emulator]") {
    const auto [width, height] = GENERATE(
        table<std::size_t, std::size_t>({{1, 1}, {3, 7}, {511, 2}, {512, 5}, {513, 33}, {1021, 17}, {4 * 1000, 31}}));
    CAPTURE(width, height);
    const auto in = random_values<unsigned char>(width * height);
    unsigned char* p = nullptr;
    std::size_t pitch = 0;
    CUDA_CHECK(cudaMallocPitch(&p, &pitch, width, height));
    REQUIRE(pitch >= width);
    REQUIRE(pitch % 256 == 0);
    REQUIRE(reinterpret_cast<std::uintptr_t>(p) % 256 == 0);
    CUDA_CHECK(cudaMemset(p, 0x5a, pitch * height));

    cudaStream_t stream{};
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMemcpy2D(p, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice));
    std::vector<unsigned char> back(width * height), padded(pitch * height);
    CUDA_CHECK(cudaMemcpy2DAsync(back.data(), width, p, pitch, width, height, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    REQUIRE_SAME(back, in);

    CUDA_CHECK(cudaMemcpy(padded.data(), p, padded.size(), cudaMemcpyDeviceToHost));
    std::vector<unsigned char> expected(padded.size(), 0x5a);
    for (std::size_t y = 0; y < height; ++y) std::copy_n(&in[y * width], width, &expected[y * pitch]);
    REQUIRE_SAME(padded, expected);

    // Part of the rows, and without their first bytes, filled.
    const std::size_t part = width - width / 3;
    CUDA_CHECK(cudaMemset2D(p + width / 3, pitch, 0xc3, part, height));
    CUDA_CHECK(cudaMemset2DAsync(p, pitch, 0x1d, width / 3, height, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemcpy(padded.data(), p, padded.size(), cudaMemcpyDeviceToHost));
    for (std::size_t y = 0; y < height; ++y) {
        std::fill_n(&expected[y * pitch], width / 3, 0x1d);
        std::fill_n(&expected[y * pitch + width / 3], part, 0xc3);
    }
    REQUIRE_SAME(padded, expected);
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(p));
}

TEST_CASE("one call makes several copies", "[emulator]") {
    cudaStream_t stream = nullptr;
    CUDA_CHECK(cudaStreamCreate(&stream));
    const std::size_t n[3] = {1000 + 7, 1, 333};
    std::vector<int> in[3];
    std::vector<DeviceBuffer<int>> there;
    for (int i = 0; i < 3; ++i) {
        in[i] = random_values<int>(n[i]);
        there.push_back(poisoned<int>(n[i]));
    }
    int* pinned = nullptr;
    CUDA_CHECK(cudaMallocHost(&pinned, n[0] * sizeof(int)));
    std::copy(in[0].begin(), in[0].end(), pinned);

    int* to[3] = {there[0].data(), there[1].data(), there[2].data()};
    const int* from[3] = {pinned, in[1].data(), in[2].data()};
    std::size_t bytes[3], firsts[2] = {0, 1};
    for (int i = 0; i < 3; ++i) bytes[i] = n[i] * sizeof(int);
    cudaMemcpyAttributes attributes[2]{};
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    CUDA_CHECK(cudaMemcpyBatchAsync(to, from, bytes, 3, attributes, firsts, 2, stream));
    std::fill_n(pinned, n[0], -1);  // it has been read
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 3; ++i) REQUIRE_SAME(there[i].to_host(), in[i]);

    std::vector<int> back[3];
    for (int i = 0; i < 3; ++i) back[i].assign(n[i], -1);
    int* host[3] = {back[0].data(), back[1].data(), back[2].data()};
    CUDA_CHECK(cudaMemcpyBatchAsync(host, to, bytes, 3, attributes[1], stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 3; ++i) REQUIRE_SAME(back[i], in[i]);

    REQUIRE_ERROR(cudaMemcpyBatchAsync(host, to, bytes, 3, attributes[1], nullptr), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemcpyBatchAsync(host, to, bytes, 3, cudaMemcpyAttributes{}, stream), cudaErrorInvalidValue);
    firsts[0] = 1;
    REQUIRE_ERROR(cudaMemcpyBatchAsync(host, to, bytes, 3, attributes, firsts, 1, stream), cudaErrorInvalidValue);
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST_CASE("a copy between peers may stay on one device", "[emulator]") {
    const std::vector<int> data = random_values<int>(1000);
    const auto from = DeviceBuffer<int>::from_host(data);
    auto to = poisoned<int>(1000);
    CUDA_CHECK(cudaMemcpyPeer(to.data(), 0, from.data(), 0, 600 * sizeof(int)));
    CUDA_CHECK(cudaMemcpyPeerAsync(to.data() + 600, 0, from.data() + 600, 0, 400 * sizeof(int)));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(to.to_host(), data);
    REQUIRE_ERROR(cudaMemcpyPeer(to.data(), 1000, from.data(), 0, 4), cudaErrorInvalidDevice);
    REQUIRE_ERROR(cudaMemcpyPeerAsync(to.data(), 0, from.data(), -1, 4), cudaErrorInvalidDevice);
}

TEST_CASE("managed memory may be attached to a stream", "[emulator]") {
    int* managed = nullptr;
    cudaStream_t stream{};
    CUDA_CHECK(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamAttachMemAsync(stream, managed));
    CUDA_CHECK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachHost));
    CUDA_CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachGlobal));
    CUDA_CHECK(cudaStreamAttachMemAsync(stream, managed, 64));
    REQUIRE_ERROR(cudaStreamAttachMemAsync(stream, managed, 32), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaStreamAttachMemAsync(stream, managed + 1), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaStreamAttachMemAsync(stream, managed, 0, 3), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(managed));
}

TEST_CASE("bad 2-D copies are refused", "[emulator]") {
    DeviceBuffer<char> device(64 * 16);
    std::vector<char> host(64 * 16);
    const auto copy = [&](std::size_t to_pitch, std::size_t from_pitch, std::size_t width, std::size_t height,
                          cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
        return cudaMemcpy2D(device.data(), to_pitch, host.data(), from_pitch, width, height, kind);
    };
    CUDA_CHECK(copy(64, 64, 64, 16));
    CUDA_CHECK(copy(64, 64, 0, 16));
    CUDA_CHECK(copy(64, 64, 64, 0));
    REQUIRE_ERROR(copy(63, 64, 64, 4), cudaErrorInvalidPitchValue);
    REQUIRE_ERROR(copy(64, 63, 64, 4), cudaErrorInvalidPitchValue);
    REQUIRE_ERROR(copy(64, 64, 64, 4, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
    REQUIRE_ERROR(cudaMemcpy2D(nullptr, 64, host.data(), 64, 64, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemset2D(host.data(), 64, 0, 64, 4), cudaErrorInvalidValue);
}

TEST_CASE("boxes are copied between pitched pointers", "[emulator]") {
    constexpr std::size_t width = 37, height = 11, depth = 5;
    const auto in = random_values<unsigned char>(width * height * depth);
    cudaPitchedPtr device{};
    CUDA_CHECK(cudaMalloc3D(&device, make_cudaExtent(width, height, depth)));
    REQUIRE(device.pitch >= width);
    REQUIRE(device.xsize == width);
    REQUIRE(device.ysize == height);
    CUDA_CHECK(cudaMemset3D(device, 0x77, make_cudaExtent(width, height, depth)));

    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(in.data()), width, width, height);
    copy.srcPos = make_cudaPos(2, 1, 1);
    copy.dstPtr = device;
    copy.dstPos = make_cudaPos(5, 3, 2);
    copy.extent = make_cudaExtent(13, 4, 3);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));

    std::vector<unsigned char> out(in.size()), expected(in.size(), 0x77);
    cudaMemcpy3DParms back{};
    back.srcPtr = device;
    back.dstPtr = make_cudaPitchedPtr(out.data(), width, width, height);
    back.extent = make_cudaExtent(width, height, depth);
    back.kind = cudaMemcpyDeviceToHost;
    CUDA_CHECK(cudaMemcpy3DAsync(&back));
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto at = [&](std::size_t x, std::size_t y, std::size_t z) { return (z * height + y) * width + x; };
    for (std::size_t z = 0; z < 3; ++z)
        for (std::size_t y = 0; y < 4; ++y)
            for (std::size_t x = 0; x < 13; ++x) expected[at(x + 5, y + 3, z + 2)] = in[at(x + 2, y + 1, z + 1)];
    REQUIRE_SAME(out, expected);

    copy.srcPtr.ptr = nullptr;
    REQUIRE_ERROR(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
    CUDA_CHECK(cudaFree(device.ptr));
}

TEST_CASE("memory comes and goes in the order of a stream", "[emulator]") {
    const auto in = random_values<int>(3001);
    const int n = static_cast<int>(in.size());
    cudaStream_t stream{};
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int* p = nullptr;
    std::vector<int> out(in.size());
    CUDA_CHECK(cudaMallocAsync(&p, in.size() * sizeof(int), stream));
    CUDA_CHECK(cudaMemcpyAsync(p, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice, stream));
    add<int><<<(n + 255) / 256, 256, 0, stream>>>(p, n, 11);
    CUDA_CHECK(cudaMemcpyAsync(out.data(), p, out.size() * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaFreeAsync(p, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    REQUIRE_SAME(out, plus(in, 11));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST_CASE("pools of memory have attributes and a limit", "[emulator]") {
    cudaMemPool_t pool{}, same{};
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CUDA_CHECK(cudaDeviceGetMemPool(&same, 0));
    REQUIRE(pool == same);
    std::uint64_t threshold = UINT64_MAX, used = 0, used_before = 0, most = 0;
    CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    threshold = 0;
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    REQUIRE(threshold == UINT64_MAX);
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used_before));

    cudaStream_t stream{};
    CUDA_CHECK(cudaStreamCreate(&stream));
    char* p = nullptr;
    CUDA_CHECK(cudaMallocAsync(&p, 1 << 20, stream));
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    REQUIRE(used == used_before + (1 << 20));
    CUDA_CHECK(cudaFreeAsync(p, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    REQUIRE(used == used_before);
    CUDA_CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most));
    REQUIRE(most >= used_before + (1 << 20));
    CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));

    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.maxSize = 32 << 20;
    cudaMemPool_t own{};
    CUDA_CHECK(cudaMemPoolCreate(&own, &properties));
    CUDA_CHECK(cudaMallocFromPoolAsync(&p, 1000, own, stream));
    CUDA_CHECK(cudaMemsetAsync(p, 7, 1000, stream));
    std::vector<char> out(1000);
    CUDA_CHECK(cudaMemcpyAsync(out.data(), p, out.size(), cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    REQUIRE_SAME(out, std::vector<char>(1000, 7));
    CUDA_CHECK(cudaFreeAsync(p, stream));
    REQUIRE_ERROR(cudaMallocAsync(&p, 64 << 20, own, stream), cudaErrorMemoryAllocation);
    CUDA_CHECK(cudaDeviceSetMemPool(0, own));
    REQUIRE_ERROR(cudaMallocAsync(&p, 64 << 20, stream), cudaErrorMemoryAllocation);
    CUDA_CHECK(cudaDeviceSetMemPool(0, pool));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaMemPoolDestroy(own));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST_CASE("kernels read and change variables, the host copies them", "[emulator]") {
    const auto in = random_values<float>(64);
    CUDA_CHECK(cudaMemcpyToSymbol(coefficients, in.data(), 64 * sizeof(float)));
    const float patch[2] = {-1, -2};
    CUDA_CHECK(cudaMemcpyToSymbol(coefficients, patch, sizeof patch, 5 * sizeof(float), cudaMemcpyHostToDevice));
    auto expected = in;
    expected[5] = -1, expected[6] = -2;
    const int start = 1000;
    CUDA_CHECK(cudaMemcpyToSymbol(counter, &start, sizeof start));
    const unsigned in_line_value = 9;
    CUDA_CHECK(cudaMemcpyToSymbolAsync(in_line, &in_line_value, 4, 4, cudaMemcpyHostToDevice, cudaStream_t{}));
    const Point point{3, 0.25};
    CUDA_CHECK(cudaMemcpyToSymbolAsync(origin, &point, sizeof point));

    auto out = poisoned<float>(69);
    read_symbols<<<1, 128>>>(out.data());
    CUDA_CHECK_LAUNCH();
    for (const float value : {1000.0f, 7.0f, 2.5f, 9.0f, 3.25f}) expected.push_back(value);
    REQUIRE_SAME(out.to_host(), expected);

    shared_by_both = 21;
    change_symbols<<<1, 100>>>();
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(shared_by_both == 42);
    int now = 0, part[3] = {};
    CUDA_CHECK(cudaMemcpyFromSymbol(&now, counter, sizeof now));
    REQUIRE(now == 1001);
    CUDA_CHECK(cudaMemcpyFromSymbol(part, numbers, sizeof part, 97 * sizeof(int)));
    REQUIRE(part[2] == 99 * 99);
    CUDA_CHECK(cudaMemcpyFromSymbolAsync(part, numbers, 4, 10 * sizeof(int), cudaMemcpyDeviceToHost, cudaStream_t{}));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(part[0] == 100);
    CUDA_CHECK(cudaMemcpyFromSymbolAsync(&now, seven, sizeof now));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(now == 7);
    float half = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&half, halves, sizeof half, 4));
    REQUIRE(half == 1.5f);
}

TEST_CASE("the host's name for a variable is no pointer to it", "[emulator]") {
    int host[100] = {}, first = 0;
    REQUIRE(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    REQUIRE(cudaMemcpy(numbers, &first, sizeof first, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    REQUIRE(cudaMemcpy(&first, numbers, sizeof first, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);

    const auto device = poisoned<int>(100);
    const int values[3] = {4, 5, 6};
    CUDA_CHECK(cudaMemcpy(const_cast<int*>(device.data()), values, sizeof values, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(host, device.data(), sizeof values, cudaMemcpyDeviceToHost));
    REQUIRE(host[2] == 6);
    int copy[3] = {};
    CUDA_CHECK(cudaMemcpy(copy, values, sizeof values, cudaMemcpyHostToHost));
    REQUIRE(copy[0] == 4);
}

TEST_CASE("a symbol has an address and a size", "[emulator]") {
    void* p = nullptr;
    std::size_t bytes = 0;
    CUDA_CHECK(cudaGetSymbolAddress(&p, numbers));
    CUDA_CHECK(cudaGetSymbolSize(&bytes, numbers));
    REQUIRE(bytes == 400);
    REQUIRE(type_of(p) == cudaMemoryTypeDevice);
    CUDA_CHECK(cudaMemset(p, 0, 400));
    add<int><<<1, 128>>>(static_cast<int*>(p), 100, 4);
    CUDA_CHECK_LAUNCH();
    int last = 0;
    CUDA_CHECK(cudaMemcpyFromSymbol(&last, numbers, 4, 99 * 4));
    REQUIRE(last == 4);
    CUDA_CHECK(cudaMemcpy(&last, static_cast<int*>(p) + 1, 4, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpyToSymbol(counter, static_cast<int*>(p) + 1, 4, 0, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpyFromSymbol(&last, counter, 4, 0, cudaMemcpyDefault));
    REQUIRE(last == 4);

    CUDA_CHECK(cudaGetSymbolSize(&bytes, origin));
    REQUIRE(bytes == sizeof(Point));
    CUDA_CHECK(cudaGetSymbolAddress(&p, shared_by_both));
    REQUIRE(p == &shared_by_both);
    REQUIRE(type_of(p) == cudaMemoryTypeManaged);
}

TEST_CASE("bad copies of symbols are refused", "[emulator]") {
    static int on_the_host = 0;
    int value = 0;
    void* p = nullptr;
    std::size_t bytes = 0;
    REQUIRE_ERROR(cudaMemcpyToSymbol(on_the_host, &value, 4), cudaErrorInvalidSymbol);
    REQUIRE_ERROR(cudaMemcpyFromSymbol(&value, on_the_host, 4), cudaErrorInvalidSymbol);
    REQUIRE_ERROR(cudaGetSymbolAddress(&p, on_the_host), cudaErrorInvalidSymbol);
    REQUIRE_ERROR(cudaGetSymbolSize(&bytes, on_the_host), cudaErrorInvalidSymbol);
    const std::vector<int> many(1000);
    REQUIRE_ERROR(cudaMemcpyToSymbol(numbers, many.data(), 404), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemcpyToSymbol(numbers, many.data(), 400, 4), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemcpyToSymbol(numbers, many.data(), 4, 400), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaMemcpyToSymbol(counter, &value, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
    REQUIRE_ERROR(cudaMemcpyFromSymbol(&value, counter, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
}

TEST_CASE("streams remember their flags", "[emulator]") {
    cudaStream_t stream{};
    unsigned flags = 9;
    int priority = 9, least = 0, greatest = 0;
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamGetFlags(stream, &flags));
    REQUIRE(flags == cudaStreamNonBlocking);
    CUDA_CHECK(cudaStreamGetPriority(stream, &priority));
    REQUIRE(priority == 0);
    CUDA_CHECK(cudaStreamQuery(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));

    CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, greatest - 100));  // clamped
    CUDA_CHECK(cudaStreamGetFlags(stream, &flags));
    REQUIRE(flags == cudaStreamDefault);
    CUDA_CHECK(cudaStreamGetPriority(stream, &priority));
    REQUIRE(priority == greatest);
    REQUIRE(greatest < least);
    unsigned long long id = 0, other = 0;
    CUDA_CHECK(cudaStreamGetId(stream, &id));
    CUDA_CHECK(cudaStreamGetId(cudaStreamPerThread, &other));
    REQUIRE(id != other);
    CUDA_CHECK(cudaStreamDestroy(stream));
    REQUIRE_ERROR(cudaStreamCreateWithFlags(&stream, 0x40), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
}

TEST_CASE("a stream keeps its attributes", "[emulator]") {
    cudaStream_t streams[2] = {};
    for (cudaStream_t& stream : streams) CUDA_CHECK(cudaStreamCreate(&stream));
    cudaStreamAttrValue value{}, found{};
    CUDA_CHECK(cudaStreamGetAttribute(streams[0], cudaStreamAttributeSynchronizationPolicy, &found));
    int untouched = 0;
    std::memcpy(&untouched, &found.syncPolicy, sizeof untouched);
    REQUIRE(untouched == -1);  // as on an H200, CUDA 13.0
    value.syncPolicy = cudaSyncPolicyBlockingSync;
    CUDA_CHECK(cudaStreamSetAttribute(streams[0], cudaStreamAttributeSynchronizationPolicy, &value));
    value = {};
    value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    CUDA_CHECK(cudaStreamSetAttribute(streams[0], cudaLaunchAttributeMemSyncDomain, &value));
    CUDA_CHECK(cudaStreamCopyAttributes(streams[1], streams[0]));
    CUDA_CHECK(cudaStreamGetAttribute(streams[1], cudaStreamAttributeSynchronizationPolicy, &found));
    REQUIRE(found.syncPolicy == cudaSyncPolicyBlockingSync);
    CUDA_CHECK(cudaStreamGetAttribute(streams[1], cudaLaunchAttributeMemSyncDomain, &found));
    REQUIRE(found.memSyncDomain == cudaLaunchMemSyncDomainRemote);
    for (cudaStream_t stream : streams) CUDA_CHECK(cudaStreamDestroy(stream));
}

TEST_CASE("the default streams have handles", "[emulator]") {
    const cudaStream_t stream = GENERATE(cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread);
    auto data = poisoned<int>(40);
    add<int><<<1, 64, 0, stream>>>(data.data(), 40, 2);
    CUDA_CHECK(cudaGetLastError());
    std::vector<int> out(40);
    CUDA_CHECK(cudaMemcpyAsync(out.data(), data.data(), 160, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamQuery(stream));
    REQUIRE_SAME(out, std::vector<int>(40, 1));
    unsigned flags = 9;
    CUDA_CHECK(cudaStreamGetFlags(stream, &flags));
    REQUIRE(flags == cudaStreamDefault);
}

TEST_CASE("an event orders two streams", "[emulator]") {
    cudaStream_t first{}, second{};
    cudaEvent_t done{};
    CUDA_CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CUDA_CHECK(cudaStreamWaitEvent(second, done));  // Not recorded yet: nothing to wait for.

    constexpr int n = 1 << 20;
    DeviceBuffer<int> data(n);
    CUDA_CHECK(cudaMemsetAsync(data.data(), 0, n * sizeof(int), first));
    for (int i = 0; i < 10; ++i) add<int><<<n / 256, 256, 0, first>>>(data.data(), n, 1);
    CUDA_CHECK(cudaEventRecordWithFlags(done, first, cudaEventRecordDefault));
    CUDA_CHECK(cudaStreamWaitEvent(second, done, 0));
    int last = 0;
    CUDA_CHECK(cudaMemcpyAsync(&last, data.data() + n - 1, sizeof last, cudaMemcpyDeviceToHost, second));
    CUDA_CHECK(cudaStreamSynchronize(second));
    REQUIRE(last == 10);
    CUDA_CHECK(cudaEventQuery(done));
    CUDA_CHECK(cudaEventDestroy(done));
    CUDA_CHECK(cudaStreamDestroy(first));
    CUDA_CHECK(cudaStreamDestroy(second));
}

TEST_CASE("only events with timing measure it", "[emulator]") {
    cudaEvent_t timed{}, silent{};
    float milliseconds = -1;
    CUDA_CHECK(cudaEventCreateWithFlags(&timed, cudaEventBlockingSync));
    CUDA_CHECK(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventRecord(timed));
    CUDA_CHECK(cudaEventRecord(silent));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, timed, timed));
    REQUIRE(milliseconds == 0);
    REQUIRE_ERROR(cudaEventElapsedTime(&milliseconds, timed, silent), cudaErrorInvalidResourceHandle);
    REQUIRE_ERROR(cudaEventElapsedTime(&milliseconds, silent, timed), cudaErrorInvalidResourceHandle);
    CUDA_CHECK(cudaEventDestroy(timed));
    CUDA_CHECK(cudaEventDestroy(silent));
    REQUIRE_ERROR(cudaEventCreateWithFlags(&timed, 0x100), cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaEventCreateWithFlags(&timed, cudaEventInterprocess), cudaErrorInvalidValue);
}

TEST_CASE("a host function may have CUDA's calling convention", "[emulator]") {
    int noted = 0;
    CUDA_CHECK(cudaLaunchHostFunc(nullptr, note, &noted));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(noted == 1);
}

TEST_CASE("a host function runs after what was given to its stream before it", "[emulator]") {
    cudaStream_t stream{};
    CUDA_CHECK(cudaStreamCreate(&stream));
    struct Seen {
        int copied = 0, at_function = 0, at_callback = 0;
        cudaError_t inside = cudaSuccess, status = cudaErrorUnknown;
    } seen;
    auto data = poisoned<int>(1);
    add<int><<<1, 1, 0, stream>>>(data.data(), 1, 8);
    CUDA_CHECK(cudaMemcpyAsync(&seen.copied, data.data(), 4, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaLaunchHostFunc(
        stream,
        [](void* p) {
            auto& s = *static_cast<Seen*>(p);
            s.at_function = s.copied;
            void* memory = nullptr;
            s.inside = cudaMalloc(&memory, 4);
        },
        &seen));
    CUDA_CHECK(cudaStreamAddCallback(
        stream,
        [](cudaStream_t, cudaError_t status, void* p) {
            auto& s = *static_cast<Seen*>(p);
            s.at_callback = s.at_function + 1;
            s.status = status;
        },
        &seen, 0));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    REQUIRE(seen.at_function == 7);
    REQUIRE(seen.at_callback == 8);
    REQUIRE(seen.status == cudaSuccess);
    REQUIRE(seen.inside == cudaErrorNotPermitted);
    cudaGetLastError();
    REQUIRE_ERROR(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
    CUDA_CHECK(cudaStreamDestroy(stream));
}

namespace {

__global__ void __launch_bounds__(192) bounded(int* out) {
    *out = static_cast<int>(blockDim.x);
}

struct Pair {
    int first;
    double second;
};

__global__ void combine(double* out, const int* in, Pair pair, float factor) {
    out[threadIdx.x] = (in[threadIdx.x] + pair.first + pair.second) * static_cast<double>(factor);
}

// Writes the last int of its dynamic shared memory, and returns what is there.
__global__ void use_shared(int* out, unsigned bytes) {
    extern __shared__ int values[];
    values[bytes / sizeof(int) - 1 - threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
    __syncthreads();
    out[threadIdx.x] = values[bytes / sizeof(int) - blockDim.x + threadIdx.x];
}

struct SharedBytes {
    __host__ __device__ std::size_t operator()(int block_size) const {
        return static_cast<std::size_t>(block_size) * 64;
    }
};

// For 40 threads.
template <class T>
__global__ void reverse_in_shared(T* out) {
    __shared__ T values[40];
    __shared__ int most;
    if (threadIdx.x == 0) most = static_cast<int>(blockDim.x) - 1;
    values[threadIdx.x] = static_cast<T>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = values[most - static_cast<int>(threadIdx.x)];
}

template <class T>
__global__ void use_shared_too(T* out) {
    extern __shared__ int more[];
    more[threadIdx.x] = static_cast<int>(threadIdx.x);
    *out = static_cast<T>(more[0]);
}

}  // namespace

TEST_CASE("a kernel has attributes", "[emulator]") {
    cudaFuncAttributes a{};
    // Between its variables the compiler may leave gaps.
    const auto has_shared = [&](std::size_t bytes) {
        return a.sharedSizeBytes >= bytes && a.sharedSizeBytes < bytes + 16;
    };
    CUDA_CHECK(cudaFuncGetAttributes(&a, bounded));
    REQUIRE(a.maxThreadsPerBlock == 192);
    CUDA_CHECK(cudaFuncGetAttributes(&a, add<int>));
    REQUIRE(a.maxThreadsPerBlock == 1024);
    REQUIRE(a.sharedSizeBytes == 0);
    REQUIRE(a.maxDynamicSharedSizeBytes == 48 << 10);
    REQUIRE(a.numRegs > 0);
    REQUIRE(a.numRegs <= 255);
    REQUIRE(a.binaryVersion >= 70);
    CUDA_CHECK(cudaFuncGetAttributes(&a, reverse_in_shared<float>));
    REQUIRE(has_shared(40 * sizeof(float) + 4));
    auto out = poisoned<float>(40);
    reverse_in_shared<<<1, 40, (48 << 10) - 160>>>(out.data());
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    reverse_in_shared<<<1, 40, (48 << 10) - 1024>>>(out.data());
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(out.to_host()[0] == 39);
    CUDA_CHECK(cudaFuncGetAttributes(&a, reverse_in_shared<float>));
    REQUIRE(has_shared(40 * sizeof(float) + 4));
    CUDA_CHECK(cudaFuncGetAttributes(&a, reverse_in_shared<double>));
    REQUIRE(has_shared(40 * sizeof(double) + 4));
    CUDA_CHECK(cudaFuncSetCacheConfig(bounded, cudaFuncCachePreferShared));
    void (*none)(int*) = nullptr;
    REQUIRE_ERROR(cudaFuncGetAttributes(&a, none), cudaErrorInvalidDeviceFunction);
}

TEST_CASE("a kernel can be given more than 48 KiB of shared memory", "[emulator]") {
    int most = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    REQUIRE(most > 48 << 10);
    const unsigned bytes = static_cast<unsigned>(most);
    auto out = poisoned<int>(32);

    use_shared<<<1, 32, bytes>>>(out.data(), bytes);
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    CUDA_CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    cudaFuncAttributes a{};
    CUDA_CHECK(cudaFuncGetAttributes(&a, use_shared));
    REQUIRE(a.maxDynamicSharedSizeBytes == most);
    use_shared<<<2, 32, bytes>>>(out.data(), bytes);
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(32);
    for (int i = 0; i < 32; ++i) expected[static_cast<std::size_t>(i)] = 32 - i;
    REQUIRE_SAME(out.to_host(), expected);

    // The other kernels keep their limit, two of one template as well.
    CUDA_CHECK(cudaFuncSetAttribute(use_shared_too<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    use_shared_too<int><<<1, 32, 64 << 10>>>(out.data());
    REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
    DeviceBuffer<float> f(1);
    use_shared_too<float><<<1, 32, 64 << 10>>>(f.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_ERROR(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
                  cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1),
                  cudaErrorInvalidValue);
    REQUIRE_ERROR(cudaFuncSetAttribute(use_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101),
                  cudaErrorInvalidValue);
    CUDA_CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
}

TEST_CASE("occupancy stays within the device's limits", "[emulator]") {
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    const int size = GENERATE(1, 31, 32, 33, 64, 128, 192, 256, 1000, 1024);
    const std::size_t shared = GENERATE(as<std::size_t>(), 0, 1, 1000, 16 << 10, 48 << 10);
    CAPTURE(size, shared);
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add<int>, size, shared));
    REQUIRE(blocks >= 1);
    REQUIRE(blocks <= p.maxBlocksPerMultiProcessor);
    REQUIRE(blocks * ((size + 31) / 32 * 32) <= p.maxThreadsPerMultiProcessor);
    REQUIRE(static_cast<std::size_t>(blocks) * (shared + p.reservedSharedMemPerBlock) <= p.sharedMemPerMultiprocessor);
    // A small kernel without shared memory reaches one of the first two limits.
    const int most = std::min(p.maxBlocksPerMultiProcessor, p.maxThreadsPerMultiProcessor / ((size + 31) / 32 * 32));
    if (shared == 0) REQUIRE(blocks == most);
    REQUIRE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add<int>, 0, 0), cudaErrorInvalidValue);
}

TEST_CASE("the best block size fills the device", "[emulator]") {
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    int grid = 0, block = 0, blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add<int>, 0, 0));
    REQUIRE(block == 1024);
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add<int>, block, 0));
    REQUIRE(grid == blocks * p.multiProcessorCount);
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add<int>, 0, 256));
    REQUIRE(block == 256);
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded));
    REQUIRE(block <= 192);
    const SharedBytes shared{};
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add<int>, shared));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add<int>, block, shared(block)));
    REQUIRE(grid == blocks * p.multiProcessorCount);
}

TEST_CASE("a kernel can be launched by a function", "[emulator]") {
    const auto in = random_values<short>(100);
    const auto d_in = DeviceBuffer<int>::from_host(std::vector<int>(in.begin(), in.end()));
    auto out = poisoned<double>(100);
    double* out_pointer = out.data();
    const int* in_pointer = d_in.data();
    Pair pair{3, 0.5};
    float factor = 2;
    void* arguments[] = {&out_pointer, &in_pointer, &pair, &factor};
    CUDA_CHECK(cudaLaunchKernel(combine, dim3(1), dim3(100), arguments, 0, cudaStream_t{}));
    CUDA_CHECK(cudaDeviceSynchronize());
    std::vector<double> expected;
    for (const short value : in) expected.push_back((value + 3.5) * 2);
    REQUIRE_SAME(out.to_host(), expected);
    REQUIRE_ERROR(cudaLaunchKernel(combine, dim3(1), dim3(1025), arguments), cudaErrorInvalidValue);
    CUDA_CHECK(cudaLaunchKernel(combine, dim3(1), dim3(100), arguments));
}

TEST_CASE("a launch may have attributes that change no result", "[emulator]") {
    const auto in = random_values<int>(1000 + 9);
    const int n = static_cast<int>(in.size());
    auto values = DeviceBuffer<int>::from_host(in);
    cudaEvent_t begun = nullptr;
    CUDA_CHECK(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
    cudaLaunchAttribute attributes[4]{};
    attributes[0].id = cudaLaunchAttributeMemSyncDomain;
    attributes[0].val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    attributes[1].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attributes[1].val.sharedMemCarveout = 50;
    attributes[2].id = cudaLaunchAttributeLaunchCompletionEvent;
    attributes[2].val.launchCompletionEvent.event = begun;
    attributes[3].id = cudaLaunchAttributePriority;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3((n + 127) / 128);
    config.blockDim = dim3(128);
    config.attrs = attributes;
    config.numAttrs = 4;
    CUDA_CHECK(cudaLaunchKernelEx(&config, add<int>, values.data(), n, 42));
    CUDA_CHECK(cudaEventSynchronize(begun));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(values.to_host(), plus(in, 42));
    CUDA_CHECK(cudaEventDestroy(begun));
}
