#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include "emulator/check.h"
#include "emulator/types.h"

// How a grid runs: blocks are handed to a few OS threads (workers); a worker runs a block's threads one after another
// on one fiber. Only when a thread has to wait is that fiber parked and another one takes up the threads not yet
// started, so a kernel without barriers is a plain loop.

#if defined(__SANITIZE_ADDRESS__)
#define EMULATOR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATOR_ASAN 1
#endif
#endif

// A kernel's built-in variables. One set per worker, kept right as it switches from thread to thread. While a function
// of a kernel runs, only threadIdx changes, from one thread to the next in run_threads(): the compiler may keep the
// others in registers.
#if defined(EMULATOR_ENGINE) && (!defined(__PIC__) || defined(__PIE__))
// The engine in a program, not in a library that is loaded: its variables are at known distances from the thread's
// pointer. At a barrier that saves a register, which is 6 % of the time.
#define EMULATOR_TLS extern __thread __attribute__((tls_model("local-exec")))
#else
#define EMULATOR_TLS extern __thread __attribute__((tls_model("initial-exec")))
#endif
#ifdef EMULATOR_ENGINE  // which sets them
#define EMULATOR_BUILTIN EMULATOR_TLS
#else
#define EMULATOR_BUILTIN EMULATOR_TLS const
#endif
#ifdef EMULATOR_CHECKED
// No kernel is inlined into run_threads() there. So threadIdx is one more constant to it, and to read it no access. By
// another name it changes.
EMULATOR_BUILTIN uint3 threadIdx;
#define EMULATOR_NEXT_THREAD ::emulator::next_thread
namespace emulator {
EMULATOR_TLS uint3 next_thread __asm__("threadIdx");
}
#else
EMULATOR_TLS uint3 threadIdx;
#define EMULATOR_NEXT_THREAD threadIdx
#endif
EMULATOR_BUILTIN uint3 blockIdx;
EMULATOR_BUILTIN uint3 blockDim;
EMULATOR_BUILTIN uint3 gridDim;
inline constexpr int warpSize = 32;

namespace emulator {

/// A block and where a worker stands in it.
struct Block {
    uint3 next{};                ///< threadIdx of the next thread to start, or `end`
    uint3 end{};                 ///< blockDim; beyond the next thread if the threads start in another order
    bool one_at_a_time = false;  ///< each call of run_threads() starts a single thread
    unsigned parked = 0;         ///< threads that have waited for something and have not ended yet
    char* shared = nullptr;  ///< its shared memory: static variables, and the dynamic part from dynamic_shared_begin on
    std::size_t dynamic_shared = 0;  ///< bytes of that part
};

EMULATOR_TLS Block* this_block;

/// Set while the calling worker does what no other thread of the block may come between: see Uninterrupted.
EMULATOR_TLS bool uninterruptible;

/// While one lives, a thread of a kernel keeps its worker, even if it has run for long and others wait for their turn.
/// They nest: the outermost one ends it.
class Uninterrupted {
  public:
    Uninterrupted() : outer_(uninterruptible) {
        uninterruptible = true;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~Uninterrupted() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        uninterruptible = outer_;
    }
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;

  private:
    const bool outer_;
};

/// threadIdx.x between a thread that has ended and the next one.
inline constexpr unsigned no_thread = ~0u;

/// Called after each thread, with its threadIdx, that ends while there are parked ones. Block::next is right after it.
/// (Three numbers: a uint3 of which each was just stored is loaded as two, once the stores are through.)
void thread_ended(unsigned x, unsigned y, unsigned z);

/// A kernel's body whose captures, the kernel's parameters, have constructors or destructors of their own: to a device
/// parameters are bytes, and nothing is constructed or destroyed when a thread gets its copy and leaves it.
template <class Body>
class BytesOf {
  public:
    EMULATOR_UNCHECKED explicit BytesOf(const Body& body) { __builtin_memcpy(bytes_, &body, sizeof body); }
    EMULATOR_UNCHECKED void operator()() { (*reinterpret_cast<Body*>(bytes_))(); }

  private:
    alignas(Body) unsigned char bytes_[sizeof(Body)];
};

/// A thread of a kernel. The checked build compiles it apart from run_threads(), since it watches it. It watches no
/// parameter whose address nobody takes.
template <class Body>
#ifdef EMULATOR_CHECKED
__attribute__((noinline))
#else
EMULATOR_INLINE
#endif
void run_thread(Body body) {
    body();
}

/// Runs threads of the current block until none is left to start. The body is copied for each thread, since its
/// captures are the kernel's parameters and those are each thread's own. As long as no thread waits, nothing but
/// threadIdx is kept in memory: a thread that waits for the first time writes down where the block stands.
template <class Body>
EMULATOR_UNCHECKED void run_threads(const void* erased) {
    // A copy of our own, of which the compiler sees that no thread's stores change it.
    using Copy = std::conditional_t<std::is_trivially_copyable_v<Body>, Body, BytesOf<Body>>;
    const Copy body(*static_cast<const Body*>(erased));
    Block& block = *this_block;
    const uint3 end = block.end;
    uint3 next = block.next;
    while (next.z < end.z) {
        EMULATOR_NEXT_THREAD.y = next.y;
        EMULATOR_NEXT_THREAD.z = next.z;
        while (next.x < end.x) {
            EMULATOR_NEXT_THREAD.x = next.x;
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            run_thread<Copy>(body);
            EMULATOR_NEXT_THREAD.x = no_thread;
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
            if (__builtin_expect(block.parked != 0, 0)) {
                thread_ended(next.x, next.y, next.z);
                if (block.one_at_a_time) return;
                next = block.next;
                EMULATOR_NEXT_THREAD.y = next.y;
                EMULATOR_NEXT_THREAD.z = next.z;
            } else {
                ++next.x;
            }
        }
        if (next.z == end.z) break;
        next.x = 0;
        if (++next.y == end.y) {
            next.y = 0;
            ++next.z;
        }
    }
    block.next = end;
}

/// What a kernel's declaration says of its launches: __launch_bounds__, else 1024 threads, and __cluster_dims__.
struct KernelBounds {
    constexpr KernelBounds(unsigned max_threads) : max_threads(max_threads) {}
    constexpr KernelBounds(unsigned max_threads, unsigned x, unsigned y = 1, unsigned z = 1)
        : max_threads(max_threads), cluster{x, y, z} {}

    unsigned max_threads;
    uint3 cluster{0, 0, 0};
};

/// What cudaLaunchKernelEx() may be given besides.
struct LaunchAttributes {
    bool cooperative = false;   ///< all blocks live at once (cudaLaunchCooperativeKernel)
    uint3 cluster{0, 0, 0};     ///< blocks of a cluster; 0: as the kernel's declaration says
    bool programmatic = false;  ///< it may begin before the kernel ahead of it in its stream has ended
};

/// k<<<grid, block, shared, stream>>>(x) becomes (Launch(grid, block, shared, stream), k(x)): the configuration lives
/// while the kernel's own function, called with the arguments by C++'s rules, finds it and runs the grid.
class Launch {
  public:
    Launch(dim3 grid, dim3 block = 1, std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
           LaunchAttributes attributes = {});
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    const dim3 grid, block;
    const std::size_t shared_bytes;
    const cudaStream_t stream;
    const LaunchAttributes attributes;

    const void* const called_at;  ///< what the constructor returns to

    bool taken() const { return taken_; }  ///< whether a kernel has been run with it, or refused

  private:
    friend Launch* take_launch();
    Launch* const outer_;  // a launch among the arguments of another
    bool taken_ = false;
};

/// What a kernel's function does with its body. body_type: the type of the body, or null if the program is compiled
/// without such information. body_bytes: its size, for a graph that keeps a copy.
void run_grid(const char* kernel, KernelBounds bounds, void (*run_threads)(const void*), const void* body,
              std::size_t body_bytes, const std::type_info* body_type);

template <class Body>
void run_kernel(const char* kernel, KernelBounds bounds, const Body& body) {
#ifdef __GXX_RTTI
    run_grid(kernel, bounds, &run_threads<Body>, &body, sizeof body, &typeid(Body));
#else
    run_grid(kernel, bounds, &run_threads<Body>, &body, sizeof body, nullptr);
#endif
}

/// OS threads that run blocks, the launching one included.
unsigned worker_count();

/// __syncthreads() and, as __syncthreads_count() does, how many threads of the block brought `predicate`.
void sync_threads();
unsigned sync_threads_count(bool predicate);

/// The block's barrier of that number, 0 to 15: for so many threads, of whole warps, or for all if that is 0. Returns
/// how many of them brought `vote`. And of one that does not wait for the others.
unsigned sync_named_barrier(std::uint64_t id, std::uint64_t threads, bool vote = false);
void arrive_at_named_barrier(std::uint64_t id, std::uint64_t threads);

/// The barrier of the present thread's tile, when a block is cut into tiles of 64, 128, 256, 512 or 1024 threads.
/// Returns how many of them brought `vote`.
unsigned sync_tile(unsigned tile_threads, bool vote = false);
/// What threads of such a tile hand each other, in places of 8 bytes: as many as the tile has warps, its first one is
/// 0. Whom it is for reads it behind a sync_tile().
void put_into_tile(unsigned tile_threads, unsigned place, std::uint64_t value);
std::uint64_t get_from_tile(unsigned tile_threads, unsigned place);

/// Whether the blocks of this launch all live at once, and a barrier for all of their threads. A launch without this
/// fails if it gets there.
bool is_cooperative();
void sync_grid();

/// The cluster of the present block: of one block, in a launch without clusters. Rank r is the r-th, x fastest.
bool is_cluster_specified();
uint3 cluster_dim();  ///< in blocks
uint3 block_index_in_cluster();
unsigned block_rank_in_cluster();

/// The barrier of all threads of the cluster, in one step and in two.
void sync_cluster();
void arrive_at_cluster(bool releases);  ///< not: what the thread did before is not ordered by it
void wait_for_cluster();

/// The same place in the shared memory of the cluster's block of that rank. If there is none, an address that nobody
/// may touch. `pointer`: into the shared memory of any of them.
void* map_to_cluster(const void* pointer, unsigned rank);
/// As __cvta_generic_to_shared() has it, of a pointer into the shared memory of another block.
std::size_t shared_address_in_cluster(const void* pointer);
/// The rank of the block into whose shared memory the pointer goes; the present block's if it is none.
unsigned rank_in_cluster(const void* pointer);
/// Whether it goes into the shared memory of one of them.
bool is_in_cluster(const void* pointer);

/// Whether it goes into a __constant__ variable; to what is local to a thread: on its stack.
bool is_in_constant_memory(const void* pointer);
bool is_in_local_memory(const void* pointer);

/// What a thread does that waits for another one in a loop of its own: after a failed compare-and-swap, in
/// __nanosleep(). After some calls the other threads of the block get their turn, and when they all wait, other blocks.
/// A loop that never calls this is interrupted from time to time (watchdog.h). If for a long time (20 seconds, or as
/// many as the environment variable EMULATOR_SPIN_SECONDS says) there is nothing but such loops, the kernel fails.
void relax();

/// The same for a library's wait(), which goes on as soon as another thread has done something: others get their turn
/// at once. On the host: other OS threads. `for_ever`: the object that it waits for, without another end. Where all
/// threads of a block wait for such of their shared memory, the kernel soon fails. `barrier`: that, if it is an
/// mbarrier.
void wait_a_turn(const void* for_ever = nullptr, const std::uint64_t* barrier = nullptr);

/// What threads wait for so has happened: the kernel goes on.
void note_progress();

}  // namespace emulator

// A kernel returns void, as this does, and has no arrays whose length is known only as it runs. The parentheses around
// names keep the program's own macros of that name out.
#define EMULATOR_KERNEL_BEGIN(bounds)                                                                         \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wvla\"") return (::emulator::run_kernel)( \
        __PRETTY_FUNCTION__, bounds, [=]() mutable { (::emulator::check_begin_of_kernel)();
#define EMULATOR_KERNEL_BEGIN_WITH_REFERENCES(bounds, ...)                                                    \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wvla\"") return (::emulator::run_kernel)( \
        __PRETTY_FUNCTION__, bounds, [=, __VA_ARGS__]() mutable { (::emulator::check_begin_of_kernel)();
#define EMULATOR_KERNEL_END              \
    (::emulator::check_end_of_kernel)(); \
    });                                  \
    _Pragma("GCC diagnostic pop") EMULATOR_HOST_ARRAYS

// Behind the pop g++ goes on to warn of such arrays. In the host's functions they are an extension of g++'s, as with
// nvcc.
#ifdef __STRICT_ANSI__
#define EMULATOR_HOST_ARRAYS
#else
#define EMULATOR_HOST_ARRAYS _Pragma("GCC diagnostic ignored \"-Wvla\"")
#endif
