// Cooperative groups, on a GPU and on the emulator alike.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

#include <algorithm>
#include <numeric>

#include "device.h"
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

// Of tiles of more than 32 threads: as above, as far as they have it; scans and a sum of floats, which round as they
// go.
constexpr unsigned wide_answers = 14;

template <unsigned size>
__global__ void ask_wide_tile(const int* in, const float* floats, double* out) {
    __shared__ cg::block_tile_memory<1024> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<size>(block);
    const cg::thread_block_tile<size> same = tile;
    const unsigned i = block.thread_rank();
    const int value = in[i];
    __shared__ int cell[1024];
    cell[i] = value;
    tile.sync();
    const int neighbour = cell[i - tile.thread_rank() + (tile.thread_rank() + 45) % size];
    same.sync();
    const double results[wide_answers] = {static_cast<double>(tile.thread_rank()),
                                          static_cast<double>(tile.size() + tile.num_threads()),
                                          static_cast<double>(tile.meta_group_rank()),
                                          static_cast<double>(same.meta_group_size()),
                                          static_cast<double>(tile.shfl(value, size - 3)),
                                          static_cast<double>(neighbour),
                                          static_cast<double>(tile.any(value > 2030) != 0),
                                          static_cast<double>(same.all(value > -2030) != 0),
                                          static_cast<double>(cg::reduce(tile, value, cg::plus<int>())),
                                          static_cast<double>(cg::reduce(tile, value, cg::less<int>())),
                                          static_cast<double>(cg::reduce(tile, floats[i], cg::plus<float>())),
                                          static_cast<double>(cg::inclusive_scan(tile, floats[i])),
                                          static_cast<double>(cg::exclusive_scan(tile, value)),
                                          static_cast<double>(cg::invoke_one_broadcast(tile, [&] { return value; }))};
    for (unsigned k = 0; k < wide_answers; ++k) out[i * wide_answers + k] = results[k];
}

template <unsigned size>
void check_wide_tile(dim3 block) {
    const unsigned threads = block.x * block.y * block.z;
    std::vector<int> in = random_values<int>(threads);
    std::vector<float> floats;
    for (int& value : in) {
        value /= 1 << 20;  // so that sums fit
        floats.push_back(static_cast<float>(value) / 7.0f);
    }
    // A warp's lanes, and then the warps, by halves; scans by distances that double.
    const auto fold = [](std::vector<float> values) {
        for (std::size_t bits = values.size() / 2; bits > 0; bits /= 2)
            for (std::size_t j = 0; j < bits; ++j) values[j] += values[j + bits];
        return values[0];
    };
    const auto scan = [](std::vector<float> values) {
        for (std::size_t distance = 1; distance < values.size(); distance *= 2)
            for (std::size_t j = values.size(); j-- > distance;) values[j] += values[j - distance];
        return values;
    };
    std::vector<double> expected;
    for (unsigned i = 0; i < threads; ++i) {
        const unsigned rank = i % size, first = i - rank;
        const auto begin = in.begin() + first, end = begin + size;
        std::vector<float> sums, totals;
        std::vector<std::vector<float>> scans;
        for (unsigned warp = first; warp < first + size; warp += 32) {
            const std::vector<float> lanes(floats.begin() + warp, floats.begin() + warp + 32);
            sums.push_back(fold(lanes));
            scans.push_back(scan(lanes));
            totals.push_back(scans.back().back());
        }
        totals = scan(totals);
        float scanned = scans[rank / 32][rank % 32];
        if (rank >= 32) scanned += totals[rank / 32 - 1];
        const double results[wide_answers] = {
            static_cast<double>(rank),
            2.0 * size,
            static_cast<double>(i / size),
            static_cast<double>(threads / size),
            static_cast<double>(begin[size - 3]),
            static_cast<double>(begin[(rank + 45) % size]),
            static_cast<double>(std::any_of(begin, end, [](int x) { return x > 2030; })),
            static_cast<double>(std::all_of(begin, end, [](int x) { return x > -2030; })),
            static_cast<double>(std::accumulate(begin, end, 0)),
            static_cast<double>(*std::min_element(begin, end)),
            static_cast<double>(fold(sums)),
            static_cast<double>(scanned),
            static_cast<double>(std::accumulate(begin, begin + rank, 0)),
            static_cast<double>(begin[0])};
        expected.insert(expected.end(), results, results + wide_answers);
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    const auto d_floats = DeviceBuffer<float>::from_host(floats);
    auto out = poisoned<double>(threads * wide_answers);
    ask_wide_tile<size><<<1, block>>>(d_in.data(), d_floats.data(), out.data());
    CUDA_CHECK_LAUNCH();
    CAPTURE(size, threads);
    REQUIRE_SAME(out.to_host(), expected);
}

// Tiles of 256 cut into tiles of 64, of which each second one has a sum; those of 8 threads in them have one, too.
__global__ void nest(const int* in, int* sums, int* small_sums) {
    const auto wide = cg::tiled_partition<256>(cg::this_thread_block());
    const auto tile = cg::tiled_partition<64>(wide);
    const auto small = cg::tiled_partition<8>(tile);
    const unsigned i = threadIdx.x;
    int sum = 0;
    if (tile.meta_group_rank() % 2 == 1) sum = cg::reduce(tile, in[i], cg::plus<int>());
    wide.sync();
    sums[i] = sum + static_cast<int>(1000000 * tile.meta_group_size());
    small_sums[i] = cg::reduce(small, in[i], cg::plus<int>());
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

// A tree over any group, with a cell of shared memory for each of its threads.
__device__ int sum(const cg::thread_group& group, int* cells, int value) {
    const unsigned rank = static_cast<unsigned>(group.thread_rank());
    for (unsigned left = static_cast<unsigned>(group.size()); left > 1; left = (left + 1) / 2) {
        cells[rank] = value;
        group.sync();
        const unsigned other = rank + (left + 1) / 2;
        if (other < left) value += cells[other];
        group.sync();
    }
    if (rank == 0) cells[0] = value;
    group.sync();
    value = cells[0];
    group.sync();
    return value;
}

// The sums of the block, of tiles by template and of tiles of n threads, and of tiles of 2 in them.
__global__ void ask_any_group(const int* in, unsigned n, int* out) {
    __shared__ int cells[256];
    const cg::thread_block block = cg::this_thread_block();
    const unsigned i = block.thread_rank();
    const int value = in[i];
    const cg::thread_group whole = block;
    out[4 * i] = sum(whole, cells, value);
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    out[4 * i + 1] = sum(tile, cells + i / 8 * 8, value);
    const cg::thread_group part = cg::tiled_partition(block, n);
    out[4 * i + 2] = sum(part, cells + i / n * n, value);
    out[4 * i + 3] = sum(cg::tiled_partition(part, 2), cells + (i & ~1u), value);
}

struct Triple {
    double a;
    int b;
    double c;
};

// Groups within a warp: rank, size and number of each, a sum of floats, scans, a value that fits no register, a choice.
template <class Group>
__device__ void ask_scans(const Group& group, float value, int i, double* out) {
    out[0] = group.thread_rank();
    out[1] = group.size();
    out[2] = group.meta_group_rank();
    out[3] = group.meta_group_size();
    out[4] = cg::reduce(group, value, cg::plus<float>());
    out[5] = cg::inclusive_scan(group, value, cg::plus<float>());
    out[6] = cg::exclusive_scan(group, value);
    out[7] = cg::inclusive_scan(group, i, cg::greater<int>());
    out[8] = cg::exclusive_scan(group, i, cg::plus<int>());
    const Triple triple = group.shfl(Triple{value, i, i / 3.0}, 1 % group.size());
    out[9] = triple.a;
    out[10] = triple.b;
    out[11] = triple.c;
    out[12] = cg::invoke_one_broadcast(
        group, [=](int x) { return x + i; }, 1000);
}
constexpr unsigned scans = 13;

__global__ void ask_parts(const float* values, const int* labels, int kind, double* out) {
    const int i = static_cast<int>(threadIdx.x);
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto coalesced = cg::coalesced_threads();
    if (kind == 0) ask_scans(cg::tiled_partition<16>(warp), values[i], i, out + scans * i);
    if (kind == 1) ask_scans(cg::labeled_partition(warp, labels[i]), values[i], i, out + scans * i);
    if (kind == 2) ask_scans(cg::binary_partition(coalesced, labels[i] == 1), values[i], i, out + scans * i);
    if (kind == 3) ask_scans(cg::tiled_partition(coalesced, 8), values[i], i, out + scans * i);
}

struct Totals {
    cuda::atomic<unsigned, cuda::thread_scope_device> length;
    int sum, most, stored;
};

// Threads reserve as many places as they want in a buffer and note whose each is. Each group adds to the totals.
template <unsigned size>
__global__ void reserve(const int* wanted, int n, Totals* totals, int* owners, unsigned* ends) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const int mine = i < n ? wanted[i] : 0;
    const auto want = static_cast<unsigned>(mine);
    const unsigned first = cg::exclusive_scan_update(tile, totals->length, want);
    for (unsigned k = 0; k < want; ++k) owners[first + k] = i;
    if (i < n) ends[i] = first + want;
    const cuda::atomic_ref<int, cuda::thread_scope_device> sum(totals->sum), most(totals->most), stored(totals->stored);
    cg::reduce_update_async(tile, sum, mine, cg::plus<int>());
    cg::reduce_update_async(tile, most, mine, cg::greater<int>());
    if (i < static_cast<int>(size)) cg::reduce_store_async(tile, stored, mine, cg::plus<int>());
}

// The same places by those that want any, in a loop that they leave at different times.
__global__ void reserve_one_by_one(const int* wanted, int n, Totals* totals, int* owners) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; i < n && k < wanted[i]; ++k) {
        const unsigned end =
            cg::inclusive_scan_update(cg::coalesced_threads(), totals->length, 1u, cg::plus<unsigned>());
        owners[end - 1] = i;
    }
}

template <unsigned size>
void check_reservations() {
    const int n = 3 * 64 + 19;
    std::vector<int> wanted = random_values<int>(n);
    for (int& value : wanted) value = std::abs(value % 5);
    const int sum = std::accumulate(wanted.begin(), wanted.end(), 0);
    const auto d_wanted = DeviceBuffer<int>::from_host(wanted);
    std::vector<int> expected;
    for (int i = 0; i < n; ++i) expected.insert(expected.end(), static_cast<std::size_t>(wanted[i]), i);
    Totals* totals = nullptr;
    CUDA_CHECK(cudaMalloc(&totals, sizeof(Totals)));
    for (const bool at_once : {true, false}) {
        CUDA_CHECK(cudaMemset(static_cast<void*>(totals), 0, sizeof(Totals)));
        auto owners = poisoned<int>(static_cast<std::size_t>(sum));
        auto ends = poisoned<unsigned>(n);
        if (at_once)
            reserve<size><<<4, 64>>>(d_wanted.data(), n, totals, owners.data(), ends.data());
        else
            reserve_one_by_one<<<4, 64>>>(d_wanted.data(), n, totals, owners.data());
        CUDA_CHECK_LAUNCH();
        int found[4];
        CUDA_CHECK(cudaMemcpy(found, static_cast<void*>(totals), sizeof found, cudaMemcpyDeviceToHost));
        std::vector<int> of = owners.to_host();
        REQUIRE(found[0] == sum);
        if (at_once) {
            REQUIRE(found[1] == sum);
            REQUIRE(found[2] == *std::max_element(wanted.begin(), wanted.end()));
            REQUIRE(found[3] == std::accumulate(wanted.begin(), wanted.begin() + size, 0));
            const std::vector<unsigned> end = ends.to_host();
            for (int i = 0; i < n; ++i)
                if (wanted[i] > 0) REQUIRE(of[end[i] - 1] == i);
        }
        std::sort(of.begin(), of.end());
        REQUIRE(of == expected);
    }
    CUDA_CHECK(cudaFree(totals));
}

// Blocks turn their parts of the data around, by way of shared memory that they fill together.
__global__ void copy_reversed(const short* from, short* to, unsigned n) {
    __shared__ short cells[200];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, cells, from + blockIdx.x * n, n * sizeof(short));
    cg::wait(block);
    for (unsigned i = block.thread_rank(); i < n; i += block.size()) to[blockIdx.x * n + i] = cells[n - 1 - i];
}

}  // namespace

TEST_CASE("tiles of more than 32 threads", "[emulator][groups]") {
    check_wide_tile<64>(dim3(64));
    check_wide_tile<64>(dim3(16, 4, 10));
    check_wide_tile<128>(dim3(384));
    check_wide_tile<256>(dim3(32, 32));
    check_wide_tile<512>(dim3(512));
    check_wide_tile<512>(dim3(1024));
}

TEST_CASE("tiles of tiles of more than 32 threads", "[emulator][groups]") {
    constexpr unsigned threads = 512;
    std::vector<int> in(threads), sums(threads), small_sums(threads);
    const auto random = random_values<std::uint32_t>(threads);
    for (unsigned i = 0; i < threads; ++i) in[i] = static_cast<int>(random[i] % 1000);
    for (unsigned i = 0; i < threads; ++i) {
        const auto sum = [&](unsigned size) {
            return std::accumulate(in.begin() + i / size * size, in.begin() + (i / size + 1) * size, 0);
        };
        sums[i] = (i / 64 % 2 == 1 ? sum(64) : 0) + 4000000;
        small_sums[i] = sum(8);
    }
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto d_sums = poisoned<int>(threads), d_small = poisoned<int>(threads);
    nest<<<1, threads>>>(d_in.data(), d_sums.data(), d_small.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(d_sums.to_host(), sums);
    REQUIRE_SAME(d_small.to_host(), small_sums);
}

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

TEST_CASE("any group is a thread_group", "[emulator][groups]") {
    const unsigned threads = GENERATE(256u, 64u, 40u), n = GENERATE(4u, 16u, 32u);
    CAPTURE(threads, n);
    std::vector<int> in = random_values<int>(threads), expected;
    for (int& value : in) value /= 256;
    const auto sum = [&](unsigned i, unsigned size) {
        const auto begin = in.begin() + i / size * size;
        return std::accumulate(begin, begin + std::min<std::ptrdiff_t>(size, in.end() - begin), 0);
    };
    for (unsigned i = 0; i < threads; ++i)
        expected.insert(expected.end(), {sum(i, 256), sum(i, 8), sum(i, n), sum(i, 2)});
    const auto d_in = DeviceBuffer<int>::from_host(in);
    auto out = poisoned<int>(threads * 4);
    ask_any_group<<<1, threads>>>(d_in.data(), n, out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("parts of a warp, their reductions and scans", "[emulator][groups]") {
    const int kind = GENERATE(0, 1, 2, 3);
    CAPTURE(kind);
    constexpr int threads = 64;
    const auto values = random_values<float>(threads);
    std::vector<int> labels = random_values<int>(threads);
    for (int& label : labels) label = label % 3 + 2;
    const auto label = [&](int i) {
        const int of_kind[] = {i / 16, labels[static_cast<std::size_t>(i)], labels[static_cast<std::size_t>(i)] == 1,
                               i / 8};
        return of_kind[kind];
    };

    std::vector<double> expected;
    for (int i = 0; i < threads; ++i) {
        const int warp = i / 32 * 32;
        std::vector<int> group, firsts;  // threads with the same label, and the first one of each label
        for (int j = warp; j < warp + 32; ++j) {
            if (label(j) == label(i)) group.push_back(j);
            const auto same = [&](int k) { return label(k) == label(j); };
            if (std::none_of(firsts.begin(), firsts.end(), same)) firsts.push_back(j);
        }
        const auto rank = static_cast<std::size_t>(std::find(group.begin(), group.end(), i) - group.begin());
        const std::size_t size = group.size();
        std::vector<float> sums, butterfly;
        for (const int j : group) sums.push_back(values[static_cast<std::size_t>(j)]);
        butterfly = sums;
        for (std::size_t distance = 1; distance < size; distance *= 2)
            for (std::size_t j = size; j-- > distance;) sums[j] += sums[j - distance];
        if (kind == 0 || size == 32) {  // tiles are reduced otherwise
            for (std::size_t bits = size / 2; bits > 0; bits /= 2) {
                const std::vector<float> before = butterfly;
                for (std::size_t j = 0; j < size; ++j) butterfly[j] += before[j ^ bits];
            }
        } else {
            butterfly.assign(size, sums.back());
        }
        std::size_t number = 0, parts = firsts.size();
        while (label(firsts[number]) != label(i)) ++number;
        if (kind == 2 && parts == 2) number = static_cast<std::size_t>(label(i));
        const int one = group[1 % size];
        expected.insert(
            expected.end(),
            {static_cast<double>(rank), static_cast<double>(size), static_cast<double>(number),
             static_cast<double>(parts), butterfly[rank], sums[rank], rank == 0 ? 0.0 : sums[rank - 1],
             static_cast<double>(i), std::accumulate(group.begin(), group.begin() + rank, 0.0),
             values[static_cast<std::size_t>(one)], static_cast<double>(one), one / 3.0, 1000.0 + group.front()});
    }
    const auto d_values = DeviceBuffer<float>::from_host(values);
    const auto d_labels = DeviceBuffer<int>::from_host(labels);
    auto out = poisoned<double>(threads * scans);
    ask_parts<<<1, threads>>>(d_values.data(), d_labels.data(), kind, out.data());
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("a group copies to shared memory", "[emulator][groups]") {
    constexpr unsigned blocks = 3;
    const unsigned n = GENERATE(1u, 31u, 32u, 77u, 200u);
    CAPTURE(n);
    const auto in = random_values<short>(blocks * n);
    std::vector<short> expected;
    for (unsigned i = 0; i < blocks * n; ++i) expected.push_back(in[i / n * n + n - 1 - i % n]);
    const auto d_in = DeviceBuffer<short>::from_host(in);
    auto out = poisoned<short>(blocks * n);
    copy_reversed<<<blocks, 32>>>(d_in.data(), out.data(), n);
    CUDA_CHECK_LAUNCH();
    REQUIRE_SAME(out.to_host(), expected);
}

TEST_CASE("groups update an atomic variable", "[emulator][groups]") {
    check_reservations<8>();
    check_reservations<32>();
    check_reservations<64>();
}
