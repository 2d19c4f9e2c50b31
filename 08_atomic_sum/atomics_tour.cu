// CUDA's atomic functions at work: what each returns, what it leaves behind, how Inc and Dec wrap around, what the same
// code loses without atomics, and two things that can be built from atomicCAS; one of them once more with libcu++.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdio>
#include <cuda/atomic>
#include <string>
#include <type_traits>
#include <vector>

#include "common/capability.h"
#include "common/check.h"
#include "common/device_buffer.h"
#include "harness/command_line.h"
#include "harness/program.h"

namespace {

using ull = unsigned long long;

// ---- 1. One thread, one call: for memory[0] in global memory, for memory[1] in a copy in shared memory.

enum class Function { Add, Sub, Exch, Min, Max, Inc, Dec, And, Or, Xor };
constexpr const char* names[] = {"atomicAdd", "atomicSub", "atomicExch", "atomicMin", "atomicMax",
                                 "atomicInc", "atomicDec", "atomicAnd",  "atomicOr",  "atomicXor"};

/// What a device must have for atomic functions of T.
template <class T>
constexpr ComputeCapability needed_for{};
template <>
constexpr ComputeCapability needed_for<__half> = atomics_of_16_bits;
template <>
constexpr ComputeCapability needed_for<unsigned short> = atomics_of_16_bits;
template <>
constexpr ComputeCapability needed_for<__nv_bfloat16> = atomics_of_bfloat16;
template <>
constexpr ComputeCapability needed_for<__nv_bfloat162> = atomics_of_bfloat16;

/// Whether the device has them for which this is being compiled.
template <class T>
__device__ constexpr bool has_atomics() {
#if __CUDA_ARCH__ >= 800
    return true;
#elif __CUDA_ARCH__ >= 700
    return needed_for<T>.major <= 7;
#else
    return needed_for<T>.major == 0;
#endif
}

template <Function function, class T>
__device__ T call(T* address, T value) {
    if constexpr (function == Function::Add) return atomicAdd(address, value);
    if constexpr (function == Function::Sub) return atomicSub(address, value);
    if constexpr (function == Function::Exch) return atomicExch(address, value);
    if constexpr (function == Function::Min) return atomicMin(address, value);
    if constexpr (function == Function::Max) return atomicMax(address, value);
    if constexpr (function == Function::Inc) return atomicInc(address, value);
    if constexpr (function == Function::Dec) return atomicDec(address, value);
    if constexpr (function == Function::And) return atomicAnd(address, value);
    if constexpr (function == Function::Or) return atomicOr(address, value);
    if constexpr (function == Function::Xor) return atomicXor(address, value);
}

template <Function function, class T>
__global__ void call_once(T* memory, T value, T* returned) {
    if constexpr (has_atomics<T>()) {
        __shared__ T shared;
        shared = memory[1];
        returned[0] = call<function>(&memory[0], value);
        returned[1] = call<function>(&shared, value);
        memory[1] = shared;
    } else {
        __trap();
    }
}

template <class T>
__global__ void compare_and_swap_once(T* memory, T compare, T value, T* returned) {
    if constexpr (has_atomics<T>()) {
        __shared__ T shared;
        shared = memory[1];
        returned[0] = atomicCAS(&memory[0], compare, value);
        returned[1] = atomicCAS(&shared, compare, value);
        memory[1] = shared;
    } else {
        __trap();
    }
}

// ---- 2. Counters that wrap around.

template <Function function>
__global__ void call_again_and_again(unsigned* counter, unsigned limit, unsigned* returned, unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) returned[i] = call<function>(counter, limit);
}

// ---- 3. The returned value is different for every thread: each draws a number.

__global__ void draw_numbers(unsigned* next, unsigned* drawn) {
    drawn[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1);
}

// ---- 4. Counting with an atomic and without.

__global__ void count_atomically(unsigned* counter) {
    atomicAdd(counter, 1);
}

__global__ void count_plainly(unsigned* counter) {
    *counter += 1;  // wrong: another thread may add between this read and this write
}

__global__ void count_late(unsigned* counter) {
    const unsigned seen = *counter;
    __syncthreads();  // the same mistake in slow motion: all threads of the block have read, none has written
    *counter = seen + 1;
}

// ---- 5. There is no atomicMax for float. atomicCAS makes any function of one word atomic: read, compute, and write
// only if no other thread has changed the word meanwhile; else try again with the word's new value.

/// Sets *address to the larger of it and value; returns what it held before. A value that is NaN changes nothing.
__device__ float atomic_max(float* address, float value) {
    unsigned* word = reinterpret_cast<unsigned*>(address);
    unsigned seen = *word;
    while (__uint_as_float(seen) < value) {
        const unsigned found = atomicCAS(word, seen, __float_as_uint(value));
        if (found == seen) break;
        seen = found;
    }
    return __uint_as_float(seen);
}

/// Number i of n, in a wild order, with the largest somewhere among them.
__device__ __host__ float wild_number(unsigned i, unsigned n) {
    return static_cast<float>(i * 7919ull % n) - 0.5f;
}

__global__ void find_largest(float* largest, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomic_max(largest, wild_number(i, n));
}

// ---- 6. Data of more than one word need a lock.

struct Statistics {
    unsigned count, sum, smallest, largest;
};

/// lock: 0 is free, 1 is taken.
__global__ void note_every_thread(int* lock, Statistics* all) {
    const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) != 0) continue;  // another thread holds it: try again
        __threadfence();                           // acquire: nothing is read before the lock is taken
        const Statistics now = *all;
#if __CUDA_ARCH__ >= 700
        __nanosleep(100);  // without the lock, other threads would now interfere
#endif
        *all = {now.count + 1, now.sum + mine, min(now.smallest, mine), max(now.largest, mine)};
        __threadfence();  // release: everything is written before the lock is free
        atomicExch(lock, 0);
        done = true;
    }
}

/// The same, with the orders in the place of the fences.
__global__ void note_with_orders(int* lock, Statistics* all) {
    const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
    const cuda::atomic_ref<int, cuda::thread_scope_device> taken(*lock);
    for (bool done = false; !done;) {
        if (taken.exchange(1, cuda::memory_order_acquire) != 0) continue;
        const Statistics now = *all;
        *all = {now.count + 1, now.sum + mine, min(now.smallest, mine), max(now.largest, mine)};
        taken.store(0, cuda::memory_order_release);
        done = true;
    }
}

// ---- The host's side.

template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, int>) return "int";
    if constexpr (std::is_same_v<T, unsigned>) return "unsigned";
    if constexpr (std::is_same_v<T, long long>) return "long long";
    if constexpr (std::is_same_v<T, ull>) return "unsigned long long";
    if constexpr (std::is_same_v<T, unsigned short>) return "unsigned short";
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (std::is_same_v<T, double>) return "double";
    if constexpr (std::is_same_v<T, __half>) return "__half";
    if constexpr (std::is_same_v<T, __half2>) return "__half2";
    if constexpr (std::is_same_v<T, __nv_bfloat16>) return "__nv_bfloat16";
    if constexpr (std::is_same_v<T, __nv_bfloat162>) return "__nv_bfloat162";
}

template <class T>
std::string text(T value) {
    return std::to_string(value);
}
std::string text(double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    return digits;
}
std::string text(float value) {
    return text(double{value});
}
std::string text(__half value) {
    return text(__half2float(value));
}
std::string text(__nv_bfloat16 value) {
    return text(__bfloat162float(value));
}
std::string text(__half2 value) {
    return "(" + text(value.x) + ";" + text(value.y) + ")";
}
std::string text(__nv_bfloat162 value) {
    return "(" + text(value.x) + ";" + text(value.y) + ")";
}

template <class T>
T fetch(const DeviceBuffer<T>& buffer) {
    return buffer.to_host().front();
}

/// Throws wrong_result unless the calls returned `before` and left `after`, both in global memory [0] and in shared
/// memory [1].
template <class T>
void check(const char* name, T before, T after, const std::vector<T>& returned, const std::vector<T>& memory) {
    for (const int i : {0, 1})
        if (text(returned[i]) != text(before) || text(memory[i]) != text(after))
            throw wrong_result(std::string(name) + " of " + type_name<T>() + " in " + (i == 0 ? "global" : "shared") +
                               " memory is wrong: expected to return " + text(before) + " and leave " + text(after) +
                               ", got " + text(returned[i]) + " and " + text(memory[i]));
}

template <Function function, class T>
void show(T before, T value, T after, const char* note = "") {
    const char* name = names[static_cast<int>(function)];
    if (const std::string why = why_not_here(needed_for<T>); !why.empty()) {
        std::printf("%-11s%-19s%s\n", name, type_name<T>(), why.c_str());
        return;
    }
    auto memory = DeviceBuffer<T>::from_host(std::vector<T>{before, before});
    DeviceBuffer<T> returned(2);
    returned.poison();
    call_once<function><<<1, 1>>>(memory.data(), value, returned.data());
    CUDA_CHECK_LAUNCH();

    check(name, before, after, returned.to_host(), memory.to_host());
    std::printf("%-11s%-19s%12s%12s%12s%12s%s\n", name, type_name<T>(), text(before).c_str(), text(value).c_str(),
                text(returned.to_host()[0]).c_str(), text(memory.to_host()[0]).c_str(), note);
}

template <class T>
void show_compare_and_swap(T before, T compare, T value, T after) {
    if (const std::string why = why_not_here(needed_for<T>); !why.empty()) {
        std::printf("%-20s%s\n", type_name<T>(), why.c_str());
        return;
    }
    auto memory = DeviceBuffer<T>::from_host(std::vector<T>{before, before});
    DeviceBuffer<T> returned(2);
    returned.poison();
    compare_and_swap_once<<<1, 1>>>(memory.data(), compare, value, returned.data());
    CUDA_CHECK_LAUNCH();

    check("atomicCAS", before, after, returned.to_host(), memory.to_host());
    std::printf("%-20s%12s%12s%12s%12s%12s\n", type_name<T>(), text(before).c_str(), text(compare).c_str(),
                text(value).c_str(), text(returned.to_host()[0]).c_str(), text(memory.to_host()[0]).c_str());
}

void show_functions() {
    std::printf("\nOne thread, one call. What is returned is what was there before.\n\n%-11s%-19s%12s%12s%12s%12s\n",
                "function", "type", "before", "value", "returns", "after");
    const char* cas_loop = " *";

    show<Function::Add>(2147483647, 1, -2147483647 - 1);
    show<Function::Add>(4294967295u, 1u, 0u);
    show<Function::Add>(4294967295ull, 1ull, 4294967296ull);
    show<Function::Add>(16777216.0f, 1.0f, 16777216.0f);
    show<Function::Add>(16777216.0, 1.0, 16777217.0);
    show<Function::Add>(__floats2half2_rn(1, 2), __floats2half2_rn(0.5, 0.25), __floats2half2_rn(1.5, 2.25));
    show<Function::Add>(__float2half(2048), __float2half(1), __float2half(2048));
    show<Function::Add>(__floats2bfloat162_rn(1, 2), __floats2bfloat162_rn(0.5, 0.25), __floats2bfloat162_rn(1.5, 2.25),
                        cas_loop);
    show<Function::Add>(__float2bfloat16(256), __float2bfloat16(1), __float2bfloat16(256), cas_loop);

    show<Function::Sub>(10, 15, -5);
    show<Function::Sub>(10u, 15u, 4294967291u);

    show<Function::Exch>(1, -2, -2);
    show<Function::Exch>(1u, 2u, 2u);
    show<Function::Exch>(1ull, 8589934592ull, 8589934592ull);
    show<Function::Exch>(1.5f, 2.5f, 2.5f);

    show<Function::Min>(-1, 1, -1);
    show<Function::Min>(4294967295u, 1u, 1u);
    show<Function::Min>(-8589934592ll, 1ll, -8589934592ll);
    show<Function::Min>(8589934592ull, 1ull, 1ull);

    show<Function::Max>(-1, 1, 1);
    show<Function::Max>(4294967295u, 1u, 4294967295u);
    show<Function::Max>(-8589934592ll, 1ll, 1ll);
    show<Function::Max>(8589934592ull, 1ull, 8589934592ull);

    show<Function::Inc>(2u, 3u, 3u);
    show<Function::Inc>(3u, 3u, 0u);
    show<Function::Dec>(1u, 3u, 0u);
    show<Function::Dec>(0u, 3u, 3u);

    show<Function::And>(-4, 10, 8);
    show<Function::And>(12u, 10u, 8u);
    show<Function::And>(8589934604ull, 8589934602ull, 8589934600ull);
    show<Function::Or>(-4, 10, -2);
    show<Function::Or>(12u, 10u, 14u);
    show<Function::Or>(8589934604ull, 10ull, 8589934606ull);
    show<Function::Xor>(-4, 10, -10);
    show<Function::Xor>(12u, 10u, 6u);
    show<Function::Xor>(8589934604ull, 8589934602ull, 6ull);

    std::printf(
        "* in hardware from compute capability 9.0 on, before that a loop around\n  atomicCAS\n\n"
        "%-20s%12s%12s%12s%12s%12s\n",
        "atomicCAS", "before", "compare", "value", "returns", "after");
    show_compare_and_swap(5, 5, -7, -7);
    show_compare_and_swap(6, 5, -7, 6);
    show_compare_and_swap(5u, 5u, 7u, 7u);
    show_compare_and_swap(6u, 5u, 7u, 6u);
    show_compare_and_swap(8589934592ull, 8589934592ull, 7ull, 7ull);
    show_compare_and_swap(8589934593ull, 8589934592ull, 7ull, 8589934593ull);
    show_compare_and_swap<unsigned short>(5, 5, 7, 7);
    show_compare_and_swap<unsigned short>(6, 5, 7, 6);
    std::printf("\nEach was called in global and in shared memory, with the same outcome.\n");
}

template <Function function>
void show_wrapping(unsigned start) {
    constexpr unsigned calls = 10, limit = 3;
    auto counter = DeviceBuffer<unsigned>::from_host(std::vector{start});
    DeviceBuffer<unsigned> returned(calls);
    call_again_and_again<function><<<1, 1>>>(counter.data(), limit, returned.data(), calls);
    CUDA_CHECK_LAUNCH();

    std::printf("%s(&x, %u), x = %u at first, returns", names[static_cast<int>(function)], limit, start);
    for (const unsigned value : returned.to_host()) std::printf(" %u", value);
    std::printf("\n");
}

void show_drawing() {
    constexpr unsigned blocks = 8, block_size = 128, n = blocks * block_size;
    auto next = DeviceBuffer<unsigned>::from_host(std::vector{0u});
    DeviceBuffer<unsigned> drawn(n);
    drawn.poison();
    draw_numbers<<<blocks, block_size>>>(next.data(), drawn.data());
    CUDA_CHECK_LAUNCH();

    std::vector<unsigned> numbers = drawn.to_host();
    std::sort(numbers.begin(), numbers.end());
    for (unsigned i = 0; i < n; ++i)
        if (numbers[i] != i) throw wrong_result("the drawn numbers are wrong at index " + std::to_string(i));
    std::printf("\n%u threads draw a number with atomicAdd(next, 1):\nthey hold %u to %u, each once.\n", n, numbers[0],
                numbers[n - 1]);
}

void show_count(const char* how, void (*kernel)(unsigned*), unsigned blocks, unsigned block_size) {
    auto counter = DeviceBuffer<unsigned>::from_host(std::vector{0u});
    kernel<<<blocks, block_size>>>(counter.data());
    CUDA_CHECK_LAUNCH();
    const unsigned asked = blocks * block_size, counted = fetch(counter);
    std::printf("%-34s%10u%10u%10u\n", how, asked, counted, asked - counted);
}

void show_losses(bool races) {
    std::printf("\nEvery thread adds 1 to one counter.\n\n%-34s%10s%10s%10s\n", "", "threads", "counted", "lost");
    show_count("atomicAdd(counter, 1)", count_atomically, 1024, 256);
    if (!races) return;
    show_count("*counter += 1", count_plainly, 1024, 256);
    show_count("all read, __syncthreads(), write", count_late, 1024, 256);
    if (on_emulator())
        std::printf(
            "\nThe emulator runs the threads of a block one after another up to the next\n"
            "barrier, so that *counter += 1 loses only what two CPU threads, each with a\n"
            "block of its own, happen to lose: often nothing. A GPU loses nearly everything.\n");
}

void show_largest() {
    constexpr unsigned n = 100'000, block_size = 256;
    auto largest = DeviceBuffer<float>::from_host(std::vector{-1e30f});
    find_largest<<<(n + block_size - 1) / block_size, block_size>>>(largest.data(), n);
    CUDA_CHECK_LAUNCH();

    float expected = -1e30f;
    for (unsigned i = 0; i < n; ++i) expected = std::max(expected, wild_number(i, n));
    if (fetch(largest) != expected)
        throw wrong_result("atomic_max found " + text(fetch(largest)) + " and not " + text(expected));
    std::printf("\natomic_max for float, a loop around atomicCAS:\nthe largest of %u numbers is %s.\n", n,
                text(fetch(largest)).c_str());
}

void show_lock(const char* how, void (*kernel)(int*, Statistics*)) {
    constexpr unsigned blocks = 8, block_size = 128, n = blocks * block_size;
    auto lock = DeviceBuffer<int>::from_host(std::vector{0});
    auto all = DeviceBuffer<Statistics>::from_host(std::vector{Statistics{0, 0, n, 0}});
    kernel<<<blocks, block_size>>>(lock.data(), all.data());
    CUDA_CHECK_LAUNCH();

    const Statistics seen = fetch(all);
    if (fetch(lock) != 0 || seen.count != n || seen.sum != n * (n - 1) / 2 || seen.smallest != 0 ||
        seen.largest != n - 1)
        throw wrong_result("what the lock protects was changed by two threads at once");
    std::printf("\n%u threads change four numbers behind a lock%s:\ncount %u, sum %u, smallest %u, largest %u.\n", n,
                how, seen.count, seen.sum, seen.smallest, seen.largest);
}

}  // namespace

int main(int argc, char** argv) {
    return run_program([&] {
        bool no_races = false;
        CommandLine command_line("atomics_tour", "Every atomic function at work.");
        command_line.flag("--no-races", no_races, "leave out what loses counts, on purpose");
        command_line.parse(argc, argv);

        std::printf("%s\n", device_line().c_str());
        show_functions();
        std::printf("\n");
        show_wrapping<Function::Inc>(0);
        show_wrapping<Function::Inc>(7);
        show_wrapping<Function::Dec>(0);
        show_wrapping<Function::Dec>(7);
        show_drawing();
        show_losses(!no_races);
        show_largest();
        show_lock("", note_every_thread);
        show_lock(" of libcu++", note_with_orders);
    });
}
