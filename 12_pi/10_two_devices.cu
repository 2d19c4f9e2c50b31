// New here: a second device adds half of the terms, with the kernel of 7_one_division, and sends its sum: one number.
// What it should save: half of the time, as the devices need nothing of each other before the end.
// What remains: launches, events and the way of the sum take more than 30 µs in each call. Below 10^8 terms an H100
// alone is faster. Where there is one device only, it adds both halves.

#include <memory>

#include "common/check.h"
#include "common/device_buffer.h"
#include "one_launch.h"

namespace pi {
namespace {

__global__ void __launch_bounds__(block_size) sum_terms(Terms terms, double* result, Workspace<double>* workspace) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    const double n = static_cast<double>(terms.n), n_squared = n * n;

    double sum = 0, j = static_cast<double>(terms.first + thread) + 0.5;
    for (std::int64_t i = terms.first + thread; i < terms.last; i += stride) {
        sum += 1 / (n_squared + j * j);
        j += stride;
    }
    finish(sum, 4 * n, result, workspace);
}

__global__ void add(double* sum, const double* other) {
    *sum += *other;
}

/// What the second device needs, and where its sum arrives on the first one.
struct Second {
    explicit Second(int first) : first(first) {
        CUDA_CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
        arrived = DeviceBuffer<double>(1);
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        device = (first + 1) % count;
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
        sum = DeviceBuffer<double>(1);
        workspace = DeviceBuffer<Workspace<double>>(1);
        CUDA_CHECK(cudaMemsetAsync(workspace.data(), 0, sizeof(Workspace<double>), stream));
        CUDA_CHECK(cudaSetDevice(first));
    }
    Second(const Second&) = delete;
    Second& operator=(const Second&) = delete;
    ~Second() {
        for (cudaEvent_t event : {begin, end}) cudaEventDestroy(event);
        cudaStreamDestroy(stream);
    }

    int first, device = 0;
    cudaEvent_t begin = nullptr, end = nullptr;
    cudaStream_t stream = nullptr;
    DeviceBuffer<double> sum, arrived;
    DeviceBuffer<Workspace<double>> workspace;
};

}  // namespace

void two_devices(Terms terms, double* result, Workspace<double>* workspace) {
    const Terms half = part_of(terms, 0, 2), other_half = part_of(terms, 1, 2);
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    static std::unique_ptr<Second> second;  // kept from call to call: allocating takes longer than the sum
    if (!second || second->first != device) second = std::make_unique<Second>(device);

    CUDA_CHECK(cudaEventRecord(second->begin, nullptr));  // the work before this call
    CUDA_CHECK(cudaSetDevice(second->device));
    CUDA_CHECK(cudaStreamWaitEvent(second->stream, second->begin, 0));
    sum_terms<<<blocks_for(other_half, 1), block_size, 0, second->stream>>>(other_half, second->sum.data(),
                                                                            second->workspace.data());
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpyPeerAsync(second->arrived.data(), device, second->sum.data(), second->device, sizeof(double),
                                   second->stream));
    CUDA_CHECK(cudaEventRecord(second->end, second->stream));

    CUDA_CHECK(cudaSetDevice(device));
    sum_terms<<<blocks_for(half, 1), block_size>>>(half, result, workspace);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaStreamWaitEvent(nullptr, second->end, 0));
    add<<<1, 1>>>(result, second->arrived.data());
    CUDA_CHECK_LAUNCH();
}

static double roundings(Terms terms, unsigned threads) {
    return one_division_roundings(part_of(terms, 0, 2), threads) + 1;
}

STAGES(Stage<double>{{"stage 7, with half of the terms on each device", two_devices}, roundings});

}  // namespace pi
