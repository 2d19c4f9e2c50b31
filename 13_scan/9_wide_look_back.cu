// New here: a warp looks back, and asks 32 tiles at once. What a tile says and its sum are one word of 64 bits, so
// whoever sees one sees both, and no fence has to stand between them. What it should save: time to wait. 32 answers
// take one trip to the L2 cache, where 8_look_back takes 32 trips and fences. What remains: the memory itself. Each
// value is read once and written once, and no scan can do with less.

#include <cuda/atomic>

#include "common/alignment.h"
#include "common/check.h"
#include "scan.h"
#include "tile.h"

namespace scan {
namespace {

/// What a tile has said, in the upper half, and the sum that it speaks of, in the lower half.
using Word = unsigned long long;
using Ref = cuda::atomic_ref<Word, cuda::thread_scope_device>;
enum : unsigned { nothing, own_sum, sum_up_to_end };

__device__ void say(Word* words, unsigned t, unsigned what, unsigned sum) {
    Ref(words[t]).store(Word{what} << 32 | sum, cuda::memory_order_relaxed);
}

__device__ Word wait(Word* words, unsigned t) {
    Word word;
    do word = Ref(words[t]).load(cuda::memory_order_relaxed);
    while (word >> 32 == nothing);
    return word;
}

/// The sum of all values before tile t, whose own sum is given. Tells the tiles behind it. All lanes of one warp call
/// it.
__device__ unsigned look_back(Word* words, unsigned t, unsigned own) {
    const unsigned lane = threadIdx.x % warp_size;
    unsigned before = 0;
    for (unsigned end = t, knowing = 0; knowing == 0 && end > 0; end -= min(end, warp_size)) {
        const bool is_there = lane < end;  // lane 0 asks the nearest tile
        const Word word = is_there ? wait(words, end - 1 - lane) : 0;
        knowing = __ballot_sync(all_lanes, word >> 32 == sum_up_to_end);
        const unsigned last = knowing ? __ffs(knowing) - 1 : warp_size - 1;  // Those beyond it are in its sum.
        before += sum_warp(lane <= last ? static_cast<unsigned>(word) : 0);
    }
    if (lane == 0) say(words, t, sum_up_to_end, before + own);
    return before;
}

__global__ void scan_in_one_pass(const unsigned* in, unsigned* out, std::size_t n, bool aligned, unsigned* tiles_taken,
                                 Word* words) {
    __shared__ unsigned t, before;
    if (threadIdx.x == 0) t = atomicAdd(tiles_taken, 1);
    __syncthreads();

    uint4 quads[rows];
    load_tile(in, n, t, aligned, quads);
    const TileSums sums = sum_tile(quads);
    if (threadIdx.x == 0) say(words, t, own_sum, sums.all);  // as early as may be: others wait for it
    scan_rows(quads, sums.before_warp);
    if (threadIdx.x < warp_size) {
        const unsigned sum = look_back(words, t, sums.all);
        if (threadIdx.x == 0) before = sum;
    }
    __syncthreads();
    store_tile(out, n, t, aligned, quads, before);
}

}  // namespace

void wide_look_back(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n == 0) return;
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    auto* words = static_cast<Word*>(scratch);
    auto* tiles_taken = reinterpret_cast<unsigned*>(words + tiles);
    CUDA_CHECK(cudaMemsetAsync(scratch, 0, tiles * sizeof(Word) + sizeof(unsigned)));

    const bool aligned = to_boundary(in) == 0 && to_boundary(out) == 0;
    scan_in_one_pass<<<tiles, block_size>>>(in, out, n, aligned, tiles_taken, words);
    CUDA_CHECK_LAUNCH();
}

STAGES(Stage{"a warp asks 32 tiles at once, without a fence", wide_look_back});

}  // namespace scan
