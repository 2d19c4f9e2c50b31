// What the functions of a warp mean, on a GPU and on the emulator alike: every result is compared with the rule of the
// programming guide, written down once more for the host.

#include <algorithm>
#include <cstring>

#include "device.h"
#include "testing.h"

namespace {

constexpr unsigned full = 0xffffffff;

__device__ int bits(unsigned mask) {
    int n = 0;
    for (; mask != 0; mask &= mask - 1) ++n;
    return n;
}

unsigned lane_of(unsigned thread) {
    return thread % 32;
}

// ---------------------------------------------------------------------------------------------------------- shuffles

enum class Shuffle { idx, up, down, bits };

template <class T>
__device__ T shuffled(Shuffle kind, unsigned mask, T value, int argument, int width) {
    switch (kind) {
        case Shuffle::idx:
            return __shfl_sync(mask, value, argument, width);
        case Shuffle::up:
            return __shfl_up_sync(mask, value, static_cast<unsigned>(argument), width);
        case Shuffle::down:
            return __shfl_down_sync(mask, value, static_cast<unsigned>(argument), width);
        default:
            return __shfl_xor_sync(mask, value, argument, width);
    }
}

template <class T>
__global__ void shuffle(Shuffle kind, const T* in, T* out, int argument, int width) {
    const unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[i] = shuffled(kind, 0xffffffff, in[i], argument, width);
}

// "If width is less than warpSize then each subsection of the warp behaves as a separate entity"; a source beyond the
// subsection is the lane itself, but an xor may reach the subsections before.
unsigned source_lane(Shuffle kind, unsigned lane, int argument, int width) {
    const int l = static_cast<int>(lane), begin = l / width * width, end = begin + width;
    int source = 0;
    switch (kind) {
        case Shuffle::idx:
            return static_cast<unsigned>(begin + (argument % width + width) % width);
        case Shuffle::up:
            source = l - argument;
            return static_cast<unsigned>(source < begin ? l : source);
        case Shuffle::down:
            source = l + argument;
            return static_cast<unsigned>(source >= end ? l : source);
        default:
            source = l ^ argument;
            return static_cast<unsigned>(source >= end ? l : source);
    }
}

// Lanes `lanes` of each warp work with that mask, the others go on alone.
__global__ void partial_shuffle(unsigned lanes, int first, const int* in, int* out) {
    const unsigned lane = threadIdx.x % 32;
    unsigned value = static_cast<unsigned>(in[threadIdx.x]);  // may wrap around
    if ((lanes >> lane & 1) != 0)
        for (int step = 0; step < 3; ++step) value = 3 * __shfl_sync(lanes, value, first) + value;
    out[threadIdx.x] = static_cast<int>(value);
}

// Two halves of a warp with masks of their own, at the same time, in loops of different lengths.
__global__ void halves(const int* in, int* out) {
    const bool low = threadIdx.x % 32 < 16;
    const unsigned mask = low ? 0x0000ffffu : 0xffff0000u;
    int sum = in[threadIdx.x];
    for (int delta = low ? 8 : 4; delta > 0; delta /= 2) sum += __shfl_xor_sync(mask, sum, delta);
    out[threadIdx.x] = sum;
}

// Threads from n on have returned: the others' full mask does not wait for them.
__global__ void after_exit(unsigned n, const int* in, int* out) {
    if (threadIdx.x >= n) return;
    int value = in[threadIdx.x];
    for (int i = 0; i < 3; ++i) value += __shfl_sync(0xffffffff, value, 0);
    __syncthreads();
    out[threadIdx.x] = value + bits(__ballot_sync(0xffffffff, 1));
}

// The block-wide sum of many textbooks.
__global__ void block_sum(const int* in, int* out) {
    __shared__ int sums[32];
    int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffff, sum, static_cast<unsigned>(delta));
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
        for (int delta = 16; delta > 0; delta /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, static_cast<unsigned>(delta));
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

template <class T>
void check_shuffles() {
    constexpr unsigned threads = 96;
    const auto in = random_values<T>(threads);
    const auto d_in = DeviceBuffer<T>::from_host(in);
    for (const Shuffle kind : {Shuffle::idx, Shuffle::up, Shuffle::down, Shuffle::bits}) {
        for (const int width : {1, 2, 4, 8, 16, 32}) {
            for (int argument = 0; argument < 32; ++argument) {
                CAPTURE(static_cast<int>(kind), width, argument);
                auto out = poisoned<T>(threads);
                const dim3 block = argument % 2 == 0 ? dim3(threads) : dim3(8, 3, 4);
                shuffle<<<1, block>>>(kind, d_in.data(), out.data(), argument, width);
                CUDA_CHECK_LAUNCH();
                std::vector<T> expected(threads);
                for (unsigned i = 0; i < threads; ++i)
                    expected[i] = in[i / 32 * 32 + source_lane(kind, lane_of(i), argument, width)];
                REQUIRE_SAME(out.to_host(), expected);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------- votes, matches,
// reductions

struct Answers {
    unsigned ballot, any, all, match_any, match_all;
    int all_same;
    unsigned sum, least, greatest, bits_and, bits_or, bits_xor;
    int signed_sum, signed_least, signed_greatest;
};

template <class T>
__global__ void ask(unsigned mask, const T* values, const unsigned* numbers, Answers* answers) {
    if ((mask >> threadIdx.x % 32 & 1) == 0) return;
    const unsigned number = numbers[threadIdx.x];
    Answers& a = answers[threadIdx.x];
    a.ballot = __ballot_sync(mask, static_cast<int>(number & 2));
    a.any = __any_sync(mask, static_cast<int>(number & 2)) != 0;
    a.all = __all_sync(mask, static_cast<int>(number & 2)) != 0;
    a.match_any = __match_any_sync(mask, values[threadIdx.x]);
    a.match_all = __match_all_sync(mask, values[threadIdx.x], &a.all_same);
    a.sum = __reduce_add_sync(mask, number);
    a.least = __reduce_min_sync(mask, number);
    a.greatest = __reduce_max_sync(mask, number);
    a.bits_and = __reduce_and_sync(mask, number);
    a.bits_or = __reduce_or_sync(mask, number);
    a.bits_xor = __reduce_xor_sync(mask, number);
    a.signed_sum = __reduce_add_sync(mask, static_cast<int>(number));
    a.signed_least = __reduce_min_sync(mask, static_cast<int>(number));
    a.signed_greatest = __reduce_max_sync(mask, static_cast<int>(number));
}

template <class T>
Answers expected_answers(unsigned mask, unsigned thread, const std::vector<T>& values,
                         const std::vector<unsigned>& numbers) {
    Answers a{0, 0, 1, 0, mask, 1, 0, ~0u, 0, ~0u, 0, 0, 0, INT32_MAX, INT32_MIN};
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const unsigned other = thread / 32 * 32 + lane, number = numbers[other];
        const bool yes = (number & 2) != 0;
        a.ballot |= unsigned{yes} << lane;
        a.any |= yes;
        a.all &= yes;
        if (std::memcmp(&values[other], &values[thread], sizeof(T)) == 0)
            a.match_any |= 1u << lane;
        else
            a.match_all = 0, a.all_same = 0;
        a.sum += number;
        a.least = std::min(a.least, number);
        a.greatest = std::max(a.greatest, number);
        a.bits_and &= number;
        a.bits_or |= number;
        a.bits_xor ^= number;
        a.signed_least = std::min(a.signed_least, static_cast<int>(number));
        a.signed_greatest = std::max(a.signed_greatest, static_cast<int>(number));
    }
    a.signed_sum = static_cast<int>(a.sum);
    return a;
}

template <class T>
void check_answers() {
    constexpr unsigned threads = 64;
    for (const unsigned mask : {full, 1u, 0x80000000u, 0x0000ffffu, 0x55555555u, 0x00ff1200u}) {
        for (const unsigned different : {1u, 2u, 5u, 32u}) {
            CAPTURE(mask, different);
            const auto pool = random_values<T>(different);
            auto numbers = random_values<unsigned>(threads);
            if (different == 2)
                for (unsigned& number : numbers) number |= 2;
            std::vector<T> values(threads);
            for (unsigned i = 0; i < threads; ++i) values[i] = pool[numbers[i] / 4 % different];
            const auto d_values = DeviceBuffer<T>::from_host(values);
            const auto d_numbers = DeviceBuffer<unsigned>::from_host(numbers);
            auto out = poisoned<Answers>(threads);
            ask<<<1, threads>>>(mask, d_values.data(), d_numbers.data(), out.data());
            CUDA_CHECK_LAUNCH();
            const auto answers = out.to_host();
            for (unsigned i = 0; i < threads; ++i) {
                if ((mask >> i % 32 & 1) == 0) continue;
                CAPTURE(i);
                const Answers expected = expected_answers(mask, i, values, numbers);
                const auto words = [](const Answers& a) {
                    std::vector<unsigned> w(sizeof a / sizeof(unsigned));
                    std::memcpy(w.data(), &a, sizeof a);
                    return w;
                };
                REQUIRE_SAME(words(answers[i]), words(expected));
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ others

__global__ void count_at_barrier(const int* in, int* count, int* all, int* any) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    count[i] = __syncthreads_count(in[i]);
    all[i] = __syncthreads_and(in[i]) != 0;
    any[i] = __syncthreads_or(in[i]) != 0;
}

// Lanes of a warp that write and read in turn: __syncwarp() orders both.
__global__ void rotate_in_warp(int* data, int times) {
    __shared__ int cell[256];
    int value = data[threadIdx.x];
    for (int i = 0; i < times; ++i) {
        cell[threadIdx.x] = value;
        __syncwarp();
        value = cell[threadIdx.x / 32 * 32 + (threadIdx.x + 1) % 32];
        __syncwarp();
    }
    data[threadIdx.x] = value;
}

// One lane of those that are there adds for all of them.
__global__ void aggregated_ranks(const int* in, int* ranks) {
    if (in[threadIdx.x] <= 0) return;
    const unsigned active = __activemask();
    const unsigned before = active & ((1u << threadIdx.x % 32) - 1);
    const unsigned sum = __reduce_add_sync(active, 1u);
    ranks[threadIdx.x] = static_cast<int>(100 * sum) + bits(before);
}

}  // namespace

TEMPLATE_TEST_CASE("shuffles of every kind and width", "[emulator][warp]", int, unsigned, long, unsigned long,
                   long long, unsigned long long, float, double) {
    check_shuffles<TestType>();
}

TEMPLATE_TEST_CASE("votes, matches and reductions of partial masks", "[emulator][warp]", int, unsigned, long,
                   unsigned long, long long, unsigned long long, float, double) {
    check_answers<TestType>();
}

TEST_CASE("a shuffle among some lanes", "[emulator][warp]") {
    const unsigned lanes = GENERATE(0x1u, 0x80000000u, 0x0000fff0u, 0x92492492u, 0xfffffffeu);
    const auto in = random_values<int>(64);
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(64);
    partial_shuffle<<<1, 64>>>(lanes, __builtin_ctz(lanes), d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned> value(in.begin(), in.end());
    for (unsigned warp = 0; warp < 64; warp += 32) {
        for (int step = 0; step < 3; ++step) {
            const unsigned first = value[warp + static_cast<unsigned>(__builtin_ctz(lanes))];
            for (unsigned lane = 0; lane < 32; ++lane)
                if ((lanes >> lane & 1) != 0) value[warp + lane] += 3 * first;
        }
    }
    REQUIRE_SAME(out.to_host(), std::vector<int>(value.begin(), value.end()));
}

TEST_CASE("halves of a warp shuffle independently", "[emulator][warp]") {
    std::vector<int> in(96), expected(96, 0);
    for (unsigned i = 0; i < 96; ++i) in[i] = static_cast<int>(i * i % 101);
    for (unsigned i = 0; i < 96; ++i) {
        const unsigned size = i % 32 < 16 ? 16 : 8, begin = i / size * size;
        for (unsigned j = begin; j < begin + size; ++j) expected[i] += in[j];
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(96);
    halves<<<1, 96>>>(d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("lanes that have returned are not waited for", "[emulator][warp]") {
    const unsigned n = GENERATE(1u, 7u, 31u, 32u, 33u, 50u);
    const unsigned block = GENERATE(64u, 70u);
    std::vector<int> in(block), expected(n);
    for (unsigned i = 0; i < block; ++i) in[i] = static_cast<int>(i * 7 % 31);
    for (unsigned i = 0; i < n; ++i) {
        const unsigned begin = i / 32 * 32;
        expected[i] = in[i] + 7 * in[begin] + static_cast<int>(std::min(n - begin, 32u));
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(n);
    after_exit<<<1, block>>>(n, d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("the sum of a block by shuffles and a barrier", "[emulator][warp]") {
    const unsigned block = GENERATE(32u, 64u, 96u, 1024u);
    constexpr unsigned blocks = 37;
    std::vector<int> in(block * blocks), expected(blocks, 0);
    for (std::size_t i = 0; i < in.size(); ++i) expected[i / block] += in[i] = static_cast<int>(i % 1013);
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(blocks);
    block_sum<<<blocks, block>>>(d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("a barrier that counts", "[emulator][warp]") {
    const unsigned block = GENERATE(1u, 33u, 256u, 1000u);
    constexpr unsigned blocks = 5;
    std::vector<int> in(block * blocks), count(in.size(), 0), all(in.size()), any(in.size());
    const auto numbers = random_values<unsigned>(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {  // Block 0: nobody, block 1: all, others: some.
        const std::size_t b = i / block;
        in[i] = b == 0 ? 0 : b == 1 ? 1 << 20 : static_cast<int>(numbers[i] & 4);
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto begin = in.begin() + static_cast<std::ptrdiff_t>(i / block * block);
        count[i] = static_cast<int>(std::count_if(begin, begin + block, [](int x) { return x != 0; }));
        all[i] = count[i] == static_cast<int>(block);
        any[i] = count[i] > 0;
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto d_count = poisoned<int>(in.size()), d_all = poisoned<int>(in.size()), d_any = poisoned<int>(in.size());
    count_at_barrier<<<blocks, block>>>(d_in.data(), d_count.data(), d_all.data(), d_any.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_count.to_host(), count);
    REQUIRE_SAME(d_all.to_host(), all);
    REQUIRE_SAME(d_any.to_host(), any);
}

TEST_CASE("__syncwarp orders what the lanes of a warp write", "[emulator][warp]") {
    const int times = GENERATE(1, 5, 100);
    const auto in = random_values<int>(256);
    auto data = DeviceBuffer<int>::from_host(in);
    rotate_in_warp<<<1, 256>>>(data.data(), times);
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(256);
    for (unsigned i = 0; i < 256; ++i) expected[i] = in[i / 32 * 32 + (i + static_cast<unsigned>(times)) % 32];
    REQUIRE_SAME(data.to_host(), expected);
}

TEST_CASE("the lanes that are active together", "[emulator][warp]") {
    // Which lanes run together is the device's choice; here nothing parts those that take the branch.
    const auto in = random_values<int>(128);
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto ranks = poisoned<int>(128);
    aggregated_ranks<<<1, 128>>>(d_in.data(), ranks.data());
    CUDA_CHECK_LAUNCH();
    std::vector<int> expected(128, -1);
    for (unsigned begin = 0; begin < 128; begin += 32) {
        const auto active = [&](unsigned i) { return in[i] > 0; };
        int sum = 0, rank = 0;
        for (unsigned i = begin; i < begin + 32; ++i) sum += active(i);
        for (unsigned i = begin; i < begin + 32; ++i)
            if (active(i)) expected[i] = 100 * sum + rank++;
    }
    REQUIRE_SAME(ranks.to_host(), expected);
}
