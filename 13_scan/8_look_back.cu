// New here: one launch. As soon as a tile knows its own sum, it says so. Then it asks the tiles before it, one after
// the other, until one knows the sum of all values up to its end: a decoupled look-back (D. Merrill, M. Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016). Chapter 09 sorts with it. What it should save: the
// third way through memory. Each value is read once and written once. What remains: one thread asks one tile at a time,
// and each answer takes a trip to the L2 cache and a fence.

#include <cuda/atomic>

#include "common/alignment.h"
#include "common/check.h"
#include "scan.h"
#include "tile.h"

namespace scan {
namespace {

/// What a tile has said, and the two sums. Each has a word of its own, which is written once: a block that has seen
/// `own_sum` may read `own` at any time later.
struct Said {
    enum : unsigned { nothing, own_sum, sum_up_to_end };
    unsigned what, own, up_to_end;
};

/// A volatile word is read and written anew each time. It puts nothing in order: the fences do.
struct VolatileFlag {
    static __device__ void set(unsigned* flag, unsigned value) {
        __threadfence();  // Others see the sum no later than the flag.
        *static_cast<volatile unsigned*>(flag) = value;
    }
    static __device__ unsigned wait(unsigned* flag) {
        unsigned value;
        do value = *static_cast<volatile unsigned*>(flag);
        while (value == Said::nothing);
        __threadfence();  // The sum is read after the flag.
        return value;
    }
};

/// The same in the words of C++: release and acquire.
struct AtomicFlag {
    using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

    static __device__ void set(unsigned* flag, unsigned value) { Ref(*flag).store(value, cuda::memory_order_release); }
    static __device__ unsigned wait(unsigned* flag) {
        unsigned value;
        do value = Ref(*flag).load(cuda::memory_order_acquire);
        while (value == Said::nothing);
        return value;
    }
};

template <class Flag>
__device__ void say_own_sum(Said* said, unsigned t, unsigned own) {
    said[t].own = own;
    Flag::set(&said[t].what, Said::own_sum);
}

/// The sum of all values before tile t, whose own sum is given. Tells the tiles behind it. One thread of the block
/// calls it.
template <class Flag>
__device__ unsigned look_back(Said* said, unsigned t, unsigned own) {
    unsigned before = 0;
    for (unsigned left = t; left > 0; --left) {
        Said& asked = said[left - 1];
        const bool knows_all = Flag::wait(&asked.what) == Said::sum_up_to_end;
        before += knows_all ? asked.up_to_end : asked.own;
        if (knows_all) break;
    }
    said[t].up_to_end = before + own;
    Flag::set(&said[t].what, Said::sum_up_to_end);
    return before;
}

template <class Flag>
__global__ void scan_in_one_pass(const unsigned* in, unsigned* out, std::size_t n, bool aligned, unsigned* tiles_taken,
                                 Said* said) {
    __shared__ unsigned t, before;
    if (threadIdx.x == 0)
        t = atomicAdd(tiles_taken, 1);  // Not blockIdx.x: the tiles that it waits for must have begun.
    __syncthreads();

    uint4 quads[rows];
    load_tile(in, n, t, aligned, quads);
    const TileSums sums = sum_tile(quads);
    if (threadIdx.x == 0) say_own_sum<Flag>(said, t, sums.all);  // as early as may be: others wait for it
    scan_rows(quads, sums.before_warp);
    if (threadIdx.x == 0) before = look_back<Flag>(said, t, sums.all);
    __syncthreads();
    store_tile(out, n, t, aligned, quads, before);
}

template <class Flag>
void launch(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    if (n == 0) return;
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    auto* tiles_taken = static_cast<unsigned*>(scratch);
    auto* said = reinterpret_cast<Said*>(tiles_taken + 1);
    CUDA_CHECK(cudaMemsetAsync(scratch, 0, sizeof(unsigned) + tiles * sizeof(Said)));

    const bool aligned = to_boundary(in) == 0 && to_boundary(out) == 0;
    scan_in_one_pass<Flag><<<tiles, block_size>>>(in, out, n, aligned, tiles_taken, said);
    CUDA_CHECK_LAUNCH();
}

}  // namespace

void look_back(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    launch<VolatileFlag>(in, out, n, scratch);
}

void look_back_atomic(const unsigned* in, unsigned* out, std::size_t n, void* scratch) {
    launch<AtomicFlag>(in, out, n, scratch);
}

STAGES(Stage{"one launch: tiles ask those before them", look_back},
       Stage{"atomic_ref", "the same with acquire and release", look_back_atomic});

}  // namespace scan
