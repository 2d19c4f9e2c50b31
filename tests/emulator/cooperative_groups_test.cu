// Cooperative groups, on a GPU and on the emulator alike.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "common/check.h"
#include "testing.h"

namespace {

namespace cg = cooperative_groups;

// rank and size of the tile's thread, rank and number of the tile, four shuffles, three votes, a sum, least, greatest
constexpr unsigned answers = 14;

template <unsigned size>
__global__ void ask_tile(const int* in, int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<size>(block);
    const unsigned i = block.thread_rank();
    const int value = in[i];
    tile.sync();
    const int results[answers] = {static_cast<int>(tile.thread_rank()),
                                  static_cast<int>(tile.size()),
                                  static_cast<int>(tile.meta_group_rank()),
                                  static_cast<int>(tile.meta_group_size()),
                                  tile.shfl(value, size - 1),
                                  tile.shfl_up(value, 1),
                                  tile.shfl_down(value, 1),
                                  tile.shfl_xor(value, size / 2),
                                  tile.any(value > 0) != 0,
                                  tile.all(value > 0) != 0,
                                  static_cast<int>(tile.ballot(value > 0)),
                                  cg::reduce(tile, value, cg::plus<int>()),
                                  cg::reduce(tile, value, cg::less<int>()),
                                  cg::reduce(tile, value, cg::greater<int>())};
    for (unsigned k = 0; k < answers; ++k) out[i * answers + k] = results[k];
}

template <unsigned size>
void check_tile(dim3 block) {
    const unsigned threads = block.x * block.y * block.z;
    std::vector<int> in = random_values<int>(threads), expected;
    for (int& value : in) value /= 64;  // so that sums fit
    for (unsigned i = 0; i < threads; ++i) {
        const unsigned rank = i % size;
        const auto begin = in.begin() + (i - rank), end = begin + size;
        int sum = 0, any = 0, all = 1, ballot = 0;
        for (unsigned j = 0; j < size; ++j) {
            sum += begin[j];
            any |= begin[j] > 0;
            all &= begin[j] > 0;
            ballot |= static_cast<int>(unsigned{begin[j] > 0} << j);
        }
        expected.insert(expected.end(),
                        {static_cast<int>(rank), static_cast<int>(size), static_cast<int>(i / size),
                         static_cast<int>(threads / size), begin[size - 1], begin[rank == 0 ? 0 : rank - 1],
                         begin[rank == size - 1 ? rank : rank + 1], begin[rank ^ (size / 2)], any, all, ballot, sum,
                         *std::min_element(begin, end), *std::max_element(begin, end)});
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(threads * answers);
    ask_tile<size><<<1, block>>>(d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

// Each thread takes what another one of the block has, and says where it is.
__global__ void ask_block(unsigned* out) {
    __shared__ unsigned cell[256];
    const cg::thread_block block = cg::this_thread_block();
    cell[block.thread_rank()] = block.thread_rank() + 1000 * block.group_index().x;
    block.sync();
    const unsigned i = static_cast<unsigned>(cg::this_grid().thread_rank());
    out[i] = cell[block.size() - 1 - block.thread_rank()] + 100'000 * block.thread_index().y;
    cg::sync(block);
}

__global__ void ask_coalesced(const int* in, int* out) {
    int sum = 0, first = 0, next = 0, rank = -1, size = 0, ballot = 0;
    if (in[threadIdx.x] > 0) {
        const auto group = cg::coalesced_threads();
        rank = static_cast<int>(group.thread_rank());
        size = static_cast<int>(group.size());
        first = group.shfl(in[threadIdx.x], 0);
        next = group.shfl_down(in[threadIdx.x], 1);
        ballot = static_cast<int>(group.ballot(in[threadIdx.x] & 1));
        sum = cg::reduce(group, in[threadIdx.x] & 0xffff, cg::plus<int>());
    }
    const int results[6] = {rank, size, first, next, ballot, sum};
    for (unsigned k = 0; k < 6; ++k) out[threadIdx.x * 6 + k] = results[k];
}

}  // namespace

TEST_CASE("tiles of a block", "[emulator][groups]") {
    const dim3 block = GENERATE(dim3(32), dim3(96), dim3(8, 4, 2));
    check_tile<1>(block);
    check_tile<2>(block);
    check_tile<4>(block);
    check_tile<8>(block);
    check_tile<16>(block);
    check_tile<32>(block);
}

TEST_CASE("the block as a group", "[emulator][groups]") {
    constexpr unsigned blocks = 3, x = 16, y = 8;
    auto out = poisoned<unsigned>(blocks * x * y);
    ask_block<<<blocks, dim3(x, y)>>>(out.data());
    CUDA_CHECK_LAUNCH();
    std::vector<unsigned> expected;
    for (unsigned b = 0; b < blocks; ++b)
        for (unsigned t = 0; t < x * y; ++t) expected.push_back(x * y - 1 - t + 1000 * b + 100'000 * (t / x));
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("the active threads as a group", "[emulator][groups]") {
    const auto in = random_values<int>(64);
    std::vector<int> expected;
    for (unsigned i = 0; i < 64; ++i) {
        std::vector<int> group;
        unsigned rank = 0;
        for (unsigned j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
            if (in[j] <= 0) continue;
            if (j < i) ++rank;
            group.push_back(in[j]);
        }
        if (in[i] <= 0) {
            expected.insert(expected.end(), {-1, 0, 0, 0, 0, 0});
            continue;
        }
        int ballot = 0, sum = 0;
        for (std::size_t j = 0; j < group.size(); ++j) {
            ballot |= static_cast<int>(static_cast<unsigned>(group[j] & 1) << j);
            sum += group[j] & 0xffff;
        }
        expected.insert(expected.end(), {static_cast<int>(rank), static_cast<int>(group.size()), group.front(),
                                         group[std::min<std::size_t>(rank + 1, group.size() - 1)], ballot, sum});
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(64 * 6);
    ask_coalesced<<<1, 64>>>(d_in.data(), out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}
