// The barriers of a block that PTX knows by their numbers, on a GPU and on the emulator alike.

#include "device.h"
#include "testing.h"

namespace {

__device__ void sync(unsigned barrier, unsigned threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ void arrive(unsigned barrier, unsigned threads) {
    asm volatile("barrier.arrive.aligned %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// Some warps of a block bring rounds of values into shared memory, as many as there are threads, and the others turn
// them round. Barriers 1, 2, ... say that a buffer is full, those behind them that it is empty.
template <unsigned buffers>
__global__ void pass_on(const unsigned* x, unsigned* y, unsigned rounds, unsigned makers) {
    extern __shared__ unsigned values[];
    const unsigned threads = blockDim.x, users = threads - makers;
    x += blockIdx.x * rounds * threads;
    y += blockIdx.x * rounds * threads;
    if (threadIdx.x < makers) {
        for (unsigned round = 0; round < rounds; ++round) {
            const unsigned buffer = round % buffers;
            if (round >= buffers) sync(1 + buffers + buffer, threads);
            for (unsigned i = threadIdx.x; i < threads; i += makers)
                values[buffer * threads + i] = x[round * threads + i];
            arrive(1 + buffer, threads);
        }
    } else {
        for (unsigned round = 0; round < rounds; ++round) {
            const unsigned buffer = round % buffers;
            sync(1 + buffer, threads);
            for (unsigned i = threadIdx.x - makers; i < threads; i += users)
                y[round * threads + i] = values[buffer * threads + threads - 1 - i];
            if (round + buffers < rounds) arrive(1 + buffers + buffer, threads);
        }
    }
}

// The groups of a block, each of so many threads, count what is odd among their own.
__global__ void count(const unsigned* x, unsigned* counts, unsigned group) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, number = threadIdx.x / group;
    unsigned odd, all, any;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 1; barrier.red.popc.aligned.u32 %0, %2, %3, p; }"
                 : "=r"(odd)
                 : "r"(x[i] & 1), "r"(number), "r"(group)
                 : "memory");
    asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 1; bar.red.and.pred q, %2, %3, p; selp.u32 %0, 1, 0, q; }"
                 : "=r"(all)
                 : "r"(x[i] & 1), "r"(15 - number), "r"(group)
                 : "memory");
    asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 1; bar.cta.red.or.pred q, %2, %3, !p; selp.u32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(x[i] & 1), "r"(number), "r"(group)
                 : "memory");
    counts[i] = odd + 10000 * all + 100000 * any;
}

// All threads of a block, the last of whose warps is not full. Some have ended.
__global__ void turn(const unsigned* x, unsigned* y, unsigned n) {
    __shared__ unsigned values[1024];
    const unsigned i = threadIdx.x;
    if (i >= n) return;
    values[i] = x[i];
    asm volatile("barrier.sync 6;" ::: "memory");
    const unsigned turned = values[n - 1 - i];
    asm volatile("bar.cta.sync 6, %0;" ::"r"((n + 31) / 32 * 32) : "memory");
    values[i] = turned + 1;
    asm volatile("bar.sync 0;" ::: "memory");
    y[i] = values[n - 1 - i];
}

template <unsigned buffers>
void check_roles(unsigned threads, unsigned makers, unsigned rounds, unsigned blocks) {
    CAPTURE(buffers, threads, makers, rounds, blocks);
    const auto x = random_values<unsigned>(blocks * rounds * threads);
    std::vector<unsigned> expected(x.size());
    for (unsigned i = 0; i < x.size(); ++i) expected[i] = x[i / threads * threads + threads - 1 - i % threads];
    const auto d_x = DeviceBuffer<unsigned>::from_host(x);
    auto y = poisoned<unsigned>(x.size());
    pass_on<buffers><<<blocks, threads, buffers * threads * sizeof(unsigned)>>>(d_x.data(), y.data(), rounds, makers);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(y.to_host(), expected);
}

}  // namespace

TEST_CASE("warps with two roles hand buffers on by named barriers", "[emulator][named_barriers]") {
    check_roles<1>(64, 32, 1, 1);
    check_roles<1>(96, 32, 7, 3);
    check_roles<2>(128, 96, 12, 2);
    check_roles<3>(1024, 32, 11, 1);
    check_roles<7>(160, 128, 40, 2);
}

TEST_CASE("groups of warps vote at named barriers", "[emulator][named_barriers]") {
    for (const unsigned group : {32u, 64u, 96u, 384u}) {
        constexpr unsigned threads = 384, blocks = 3;
        auto x = random_values<unsigned>(threads * blocks);
        for (unsigned i = 0; i < threads; ++i) x[i] |= 1;  // and one block in which all are odd
        std::vector<unsigned> expected(x.size());
        for (unsigned i = 0; i < x.size(); ++i) {
            const unsigned first = i / group * group;
            unsigned odd = 0;
            for (unsigned j = first; j < first + group; ++j) odd += x[j] & 1;
            expected[i] = odd + 10000 * (odd == group) + 100000 * (odd < group);
        }
        const auto d_x = DeviceBuffer<unsigned>::from_host(x);
        auto counts = poisoned<unsigned>(x.size());
        count<<<blocks, threads>>>(d_x.data(), counts.data(), group);
        CUDA_CHECK_LAUNCH();
        CAPTURE(group);
        REQUIRE_SAME(counts.to_host(), expected);
    }
}

TEST_CASE("a named barrier counts a warp that is not full as a whole one", "[emulator][named_barriers]") {
    for (const unsigned n : {1u, 31u, 77u, 128u, 1000u})
        for (const unsigned threads : {n, n + (32 - n % 32) % 32, 1024u}) {
            const auto x = random_values<unsigned>(n);
            std::vector<unsigned> expected(n);
            for (unsigned i = 0; i < n; ++i) expected[i] = x[i] + 1;
            const auto d_x = DeviceBuffer<unsigned>::from_host(x);
            auto y = poisoned<unsigned>(n);
            turn<<<1, threads>>>(d_x.data(), y.data(), n);
            CUDA_CHECK_LAUNCH();
            CAPTURE(n, threads);
            REQUIRE_SAME(y.to_host(), expected);
        }
}
