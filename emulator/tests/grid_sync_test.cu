// Cooperative launches: all blocks live at once and wait for each other. On a GPU and on the emulator alike.

#include <cooperative_groups.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "device.h"
#include "testing.h"

namespace {

namespace cg = cooperative_groups;

// In each round every element becomes the sum of itself and of the one that lies `stride` further on, in another block.
__global__ void add_far(unsigned* a, unsigned* b, unsigned n, unsigned stride, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; ++round) {
        for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[i] + a[(i + stride) % n];
        grid.sync();
        unsigned* const other = a;
        a = b;
        b = other;
    }
}

// Sum of n values: blocks by themselves, and the first block the sums of all others after them. Shared variables and
// registers outlive the barrier.
template <class Group>
__device__ unsigned sum_of_block(const Group& block, unsigned* cells, unsigned value) {
    cells[block.thread_rank()] = value;
    block.sync();
    unsigned sum = 0;
    for (unsigned i = 0; i < block.size(); ++i) sum += cells[i];
    block.sync();
    return sum;
}

__global__ void sum_all(const unsigned* in, unsigned n, unsigned* sums, unsigned* out) {
    extern __shared__ unsigned cells[];
    __shared__ unsigned mine;
    const cg::grid_group grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    unsigned value = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) value += in[i];
    const unsigned sum = sum_of_block(block, cells, value);
    if (block.thread_rank() == 0) mine = sums[blockIdx.x] = sum;
    grid.sync();
    if (blockIdx.x == 0) {
        unsigned total = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) total += sums[i];
        total = sum_of_block(block, cells, total);
        if (block.thread_rank() == 0) *out = total;
    }
    auto arrived = grid.barrier_arrive();
    grid.barrier_wait(std::move(arrived));
    __shared__ unsigned again;  // first met after a barrier
    if (block.thread_rank() == 0) again = mine + 1;
    block.sync();
    if (block.thread_rank() == block.size() - 1) sums[blockIdx.x] = *out - again;
}

// Some threads of each block have ended when the others come to the barrier.
__global__ void sync_of_the_rest(int* out) {
    if (threadIdx.x % 2 == 1) return;
    out[blockIdx.x] = 1;
    cg::this_grid().sync();
    if (threadIdx.x == 0) out[blockIdx.x] += out[(blockIdx.x + 1) % gridDim.x] > 0 ? 10 : 100;
}

__global__ void ask_validity(int* out) {
    out[blockIdx.x] = cg::this_grid().is_valid();
}

__global__ void __launch_bounds__(256) nothing() {}

int most_blocks(const void* kernel, int threads, std::size_t shared_bytes = 0) {
    int blocks = 0, multiprocessors = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return blocks * multiprocessors;
}

}  // namespace

TEST_CASE("the device can launch cooperatively", "[emulator][groups]") {
    int can = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    REQUIRE(can == 1);
    int* valid = nullptr;
    CUDA_CHECK(cudaMallocManaged(&valid, 2 * sizeof(int)));
    void* arguments[] = {&valid};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void*)ask_validity, dim3(2), dim3(1), arguments, 0, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE(valid[0] == 1);
    REQUIRE(valid[1] == 1);
    CUDA_CHECK(cudaFree(valid));
}

TEST_CASE("blocks see what others wrote before the barrier of the grid", "[emulator][groups]") {
    const int threads = GENERATE(1, 33, 128, 256), rounds = 5;
    const int most = most_blocks((void*)add_far, threads);
    const int blocks = std::min(most, GENERATE(1, 2, 7, 100));
    CAPTURE(threads, blocks);
    const unsigned n = 10'007, stride = 4999;
    std::vector<unsigned> expected = random_values<unsigned>(n), next(n);
    auto a = DeviceBuffer<unsigned>::from_host(expected);
    auto b = poisoned<unsigned>(n);
    for (int round = 0; round < rounds; ++round) {
        for (unsigned i = 0; i < n; ++i) next[i] = expected[i] + expected[(i + stride) % n];
        expected = next;
    }
    unsigned *pa = a.data(), *pb = b.data(), size = n, far = stride;
    int count = rounds;
    void* arguments[] = {&pa, &pb, &size, &far, &count};
    CUDA_CHECK(cudaLaunchCooperativeKernel(add_far, dim3(blocks), dim3(threads), arguments));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME((rounds % 2 == 0 ? a : b).to_host(), expected);
}

TEST_CASE("as many blocks as the device holds add up values", "[emulator][groups]") {
    const int threads = GENERATE(64, 1000, 1024);
    const std::size_t bytes = static_cast<std::size_t>(threads) * sizeof(unsigned);
    const int blocks = most_blocks((void*)sum_all, threads, bytes);
    CAPTURE(threads, blocks);
    REQUIRE(blocks > 0);
    const auto in = random_values<unsigned>(100'003);
    const auto d_in = DeviceBuffer<unsigned>::from_host(in);
    auto sums = poisoned<unsigned>(blocks), out = poisoned<unsigned>(1);
    const unsigned total = std::accumulate(in.begin(), in.end(), 0u), step = static_cast<unsigned>(blocks * threads);
    std::vector<unsigned> expected(blocks, total - 1);
    for (unsigned i = 0; i < in.size(); ++i) expected[i % step / static_cast<unsigned>(threads)] -= in[i];
    const unsigned* p_in = d_in.data();
    unsigned n = static_cast<unsigned>(in.size()), *p_sums = sums.data(), *p_out = out.data();
    void* arguments[] = {&p_in, &n, &p_sums, &p_out};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void*)sum_all, dim3(blocks), dim3(threads), arguments, bytes, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(out.to_host(), std::vector<unsigned>{total});
    REQUIRE_SAME(sums.to_host(), expected);
}

TEST_CASE("threads that have ended are not waited for at the barrier of the grid", "[emulator][groups]") {
    const int blocks = std::min(20, most_blocks((void*)sync_of_the_rest, 64));
    auto out = poisoned<int>(blocks);
    int* pointer = out.data();
    void* arguments[] = {&pointer};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void*)sync_of_the_rest, dim3(blocks), dim3(64), arguments));
    CUDA_CHECK(cudaDeviceSynchronize());
    REQUIRE_SAME(out.to_host(), std::vector<int>(blocks, 11));
}

TEST_CASE("a cooperative launch that does not fit is refused", "[emulator][groups]") {
    const int most = most_blocks((void*)nothing, 256);
    CUDA_CHECK(cudaLaunchCooperativeKernel((void*)nothing, dim3(most), dim3(256), nullptr, 0, nullptr));
    REQUIRE_ERROR(cudaLaunchCooperativeKernel((void*)nothing, dim3(most + 1), dim3(256), nullptr, 0, nullptr),
                  cudaErrorCooperativeLaunchTooLarge);
    REQUIRE_ERROR(cudaLaunchCooperativeKernel((void*)nothing, dim3(1), dim3(257), nullptr, 0, nullptr),
                  cudaErrorInvalidValue);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(most + 1);
    config.blockDim = dim3(256);
    config.attrs = &attribute;
    config.numAttrs = 1;
    REQUIRE_ERROR(cudaLaunchKernelEx(&config, nothing), cudaErrorCooperativeLaunchTooLarge);
    config.gridDim = dim3(most);
    CUDA_CHECK(cudaLaunchKernelEx(&config, nothing));
    CUDA_CHECK(cudaDeviceSynchronize());
}
