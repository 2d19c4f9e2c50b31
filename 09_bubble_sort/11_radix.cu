// New here: many blocks order their tiles by a digit at the same time. Where a block's keys go depends on how many keys
// with the same digit the tiles before it have. It asks them, one after the other, until one knows the sum of all that
// come before: a decoupled look-back (D. Merrill, M. Garland, Single-pass Parallel Prefix Scan, 2016; A. Adinets,
// D. Merrill, Onesweep, 2022). So each round reads the keys once and writes them once.
// What remains: four rounds, since a digit has 8 bits. Time grows with n, and with nothing else.

#include <algorithm>
#include <string>
#include <type_traits>

#include "bubble_sort.h"
#include "common/check.h"
#include "common/device.h"
#include "common/device_buffer.h"
#include "common/errors.h"
#include "digits.h"

namespace bubble_sort {
namespace {

constexpr unsigned rounds = 8 * sizeof(Key) / digit_bits;
constexpr unsigned block_size = 512, per_thread = 19;
constexpr unsigned loads_at_once = 8;   // of a thread that counts
constexpr unsigned blocks_at_once = 2;  // on a multiprocessor, at least
using Order = DigitOrder<block_size, per_thread>;

constexpr unsigned tiles_of(unsigned n) {
    return (n + Order::tile - 1) / Order::tile;
}

/// What a tile has said about a digit: nothing yet (0), how many of its keys have it, or where those of the next tile
/// go. One word holds the number and what it means, so no fence is needed: who sees one sees both.
constexpr unsigned of_tile = 1u << 30, next_place = 2u << 30, number = of_tile - 1;

/// In device memory, and all zero at the start.
struct Counts {
    unsigned of_digit[rounds][digits];  // how many keys of the whole array have it
    unsigned blocks_done, tiles_taken[rounds];
};

/// What the tiles have said in a round: row t + 1 is what tile t says, and row 0 is where the keys of tile 0 go.
__host__ __device__ unsigned* words_of(unsigned round, unsigned* words, unsigned tiles) {
    return words + std::size_t{round} * (tiles + 1) * digits;
}

/// Counts the digits of all rounds. The last block to finish writes row 0 of each round.
template <class T>
__global__ void count_digits(const T* in, unsigned n, Counts* counts, unsigned* words, unsigned tiles) {
    __shared__ unsigned of_block[rounds][digits];
    for (unsigned i = threadIdx.x; i < rounds * digits; i += blockDim.x) of_block[i / digits][i % digits] = 0;
    __syncthreads();
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned first = blockIdx.x * blockDim.x + threadIdx.x; first < n; first += loads_at_once * step) {
        T values[loads_at_once];
#pragma unroll
        for (unsigned r = 0; r < loads_at_once; ++r) values[r] = r * step < n - first ? in[first + r * step] : T{};
#pragma unroll
        for (unsigned r = 0; r < loads_at_once; ++r)
            for (unsigned round = 0; round < rounds && r * step < n - first; ++round)
                atomicAdd(&of_block[round][digit_of(key_of(values[r]), round * digit_bits)], 1);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < rounds * digits; i += blockDim.x)
        atomicAdd(&counts->of_digit[i / digits][i % digits], of_block[i / digits][i % digits]);

    __threadfence();  // Others see the counts no later than that this block is done.
    __syncthreads();
    if (!__syncthreads_or(threadIdx.x == 0 && atomicAdd(&counts->blocks_done, 1) == gridDim.x - 1)) return;
    __threadfence();
    __shared__ unsigned warp_sums[digits / 32];
    for (unsigned round = 0; round < rounds; ++round) {
        const unsigned before = sum_before(threadIdx.x < digits ? counts->of_digit[round][threadIdx.x] : 0, warp_sums);
        if (threadIdx.x < digits) words_of(round, words, tiles)[threadIdx.x] = next_place | before;
    }
}

template <class T>
__device__ Key to_key(T value) {
    if constexpr (std::is_same_v<T, Key>)
        return value;
    else
        return key_of(value);
}

template <class T>
__device__ T from_key(Key key) {
    if constexpr (std::is_same_v<T, Key>)
        return key;
    else
        return value_of<T>(key);
}

__device__ void say(volatile unsigned* words, unsigned t, unsigned word) {
    words[(t + 1) * digits + threadIdx.x] = word;
}

/// Where the keys of tile t with this thread's digit go; there are `count` of them. Tells the tiles behind it.
__device__ unsigned look_back(volatile unsigned* words, unsigned t, unsigned count) {
    unsigned place = 0;
    for (unsigned row = t; true; --row) {
        unsigned word;
        do word = words[row * digits + threadIdx.x];
        while (word == 0);
        place += word & number;
        if (word >= next_place) break;
    }
    say(words, t, next_place | (place + count));
    return place;
}

struct Shared {
    Order order;
    unsigned shift[digits];  // from a key's place in the tile to its place in the array
    unsigned tile;
};

/// One round. In and Out: the values' type, or Key between the first round and the last.
template <class In, class Out>
__global__ void __launch_bounds__(block_size, blocks_at_once)
    order_by_digit(const In* in, Out* out, unsigned n, unsigned round, unsigned* words, unsigned* tiles_taken) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    auto& shared = *reinterpret_cast<Shared*>(dynamic);
    // Not blockIdx.x: a tile waits for those before it, so these must have begun.
    if (threadIdx.x == 0) shared.tile = atomicAdd(tiles_taken, 1);
    shared.order.prepare();
    __syncthreads();
    const unsigned t = shared.tile, begin = t * Order::tile, size = min(n - begin, Order::tile);

    Key keys[per_thread];
#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r)
        keys[r] = Order::index(r) < size ? to_key(in[begin + Order::index(r)]) : last_key;

    const unsigned count = shared.order.count(keys, round * digit_bits);
    if (threadIdx.x < digits) say(words, t, of_tile | count);  // as early as may be: others wait for it
    const unsigned start = sum_before(count, shared.order.warp_sums);
    shared.order.place(keys, round * digit_bits, start);
    if (threadIdx.x < digits) shared.shift[threadIdx.x] = look_back(words, t, count) - start;
    __syncthreads();

#pragma unroll
    for (unsigned r = 0; r < per_thread; ++r) {
        const unsigned i = r * block_size + threadIdx.x;
        if (i >= size) break;
        const Key key = shared.order.keys[i];
        out[shared.shift[digit_of(key, round * digit_bits)] + i] = from_key<Out>(key);
    }
}

template <class In, class Out>
void launch(const In* in, Out* out, unsigned n, unsigned round, unsigned* words, Counts* counts) {
    const unsigned tiles = tiles_of(n);
    const auto kernel = order_by_digit<In, Out>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
    kernel<<<tiles, block_size, sizeof(Shared)>>>(in, out, n, round, words_of(round, words, tiles),
                                                  counts->tiles_taken + round);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

template <class T>
void radix(const T* in, T* out, std::size_t n) {
    if (n > radix_most)
        throw usage_error("11_radix sorts at most " + std::to_string(radix_most) + " values: it counts with 30 bits");
    if (n == 0) return;

    static DeviceBuffer<Key> keys[2];  // kept from call to call: allocating takes longer than sorting
    static DeviceBuffer<Counts> counts(1);
    static DeviceBuffer<unsigned> words;
    const auto size = static_cast<unsigned>(n), tiles = tiles_of(size);
    const std::size_t all_words = std::size_t{rounds} * (tiles + 1) * digits;
    if (keys[0].size() < n)
        for (auto& buffer : keys) buffer = DeviceBuffer<Key>(n);
    if (words.size() < all_words) words = DeviceBuffer<unsigned>(all_words);
    CUDA_CHECK(cudaMemsetAsync(counts.data(), 0, sizeof(Counts)));
    CUDA_CHECK(cudaMemsetAsync(words.data(), 0, all_words * sizeof(unsigned)));

    const unsigned blocks = std::min(tiles, 4 * multiprocessors());
    count_digits<<<blocks, block_size>>>(in, size, counts.data(), words.data(), tiles);
    CUDA_CHECK_LAUNCH();
    launch(in, keys[0].data(), size, 0, words.data(), counts.data());
    launch(keys[0].data(), keys[1].data(), size, 1, words.data(), counts.data());
    launch(keys[1].data(), keys[0].data(), size, 2, words.data(), counts.data());
    launch(keys[0].data(), out, size, 3, words.data(), counts.data());
    static_assert(rounds == 4);
}

template void radix(const float*, float*, std::size_t);
template void radix(const int*, int*, std::size_t);

template <class T>
constexpr Stage<T> radix_stage{
    {"many blocks, and each asks those before it where its keys go", radix<T>, more_than_48_kib},
    unlimited,
    radix_most};
STAGES(radix_stage<float>, radix_stage<int>);

}  // namespace bubble_sort
