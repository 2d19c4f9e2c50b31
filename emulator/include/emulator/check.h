#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

// The checked build (EMULATOR_CHECKED): the compiler calls us for each access to memory, as it would ThreadSanitizer
// (src/checked/hooks.cpp), and each kernel is watched for what is wrong with it. Without it all of this is nothing.

// Always inlined: where the engine is called from is then a line of the kernel.
#define EMULATOR_INLINE inline __attribute__((always_inline))

namespace emulator {

/// The numbers that an element consists of: one, or the members of a vector like float4, which are all alike.
struct Numbers {
    enum Kind : unsigned char { unknown, floating, integral, unsigned_integral } kind;
    unsigned char bytes;
};

/// What a report calls a variable.
struct DescribedVariable {
    const char* name;
    std::size_t element_bytes;
    std::size_t extents[3];  // of an array; 0 from where there are no more
    Numbers numbers;
};

template <class T, class = void>
inline constexpr Numbers numbers_of{Numbers::unknown, 0};
template <class T>
inline constexpr Numbers numbers_of<T, std::enable_if_t<std::is_floating_point_v<T>>>{Numbers::floating, sizeof(T)};
template <class T>
inline constexpr Numbers numbers_of<T, std::enable_if_t<std::is_integral_v<T>>>{
    std::is_signed_v<T> ? Numbers::integral : Numbers::unsigned_integral, sizeof(T)};

// Whether T{member, member, ...} may be written, without a loss, with as many members as there are indices.
template <class T, class Member, class Indices, class = void>
inline constexpr bool is_made_of = false;
template <class T, class Member, std::size_t... i>
inline constexpr bool is_made_of<T, Member, std::index_sequence<i...>,
                                 std::void_t<decltype(T{(static_cast<void>(i), std::declval<Member&>())...})>> = true;

// The same with n members, or with less if it is for its alignment that T is larger.
template <class T, class Member, std::size_t n>
constexpr bool is_made_of_up_to() {
    if constexpr (is_made_of<T, Member, std::make_index_sequence<n>>)
        return true;
    else if constexpr (n > 1 && sizeof(T) - (n - 1) * sizeof(Member) < alignof(T))
        return is_made_of_up_to<T, Member, n - 1>();
    else
        return false;
}

template <class T, class Member>
constexpr Numbers numbers_of_members() {
    constexpr std::size_t n = sizeof(T) / sizeof(Member), most = 8;
    if constexpr (n <= most) {
        if constexpr (is_made_of_up_to<T, Member, n>()) return numbers_of<Member>;
    }
    return {Numbers::unknown, 0};
}
template <class T>
inline constexpr Numbers numbers_of<T, std::void_t<decltype(std::declval<T&>().x)>> =
    numbers_of_members<T, std::remove_cv_t<std::remove_reference_t<decltype((std::declval<T&>().x))>>>();

template <class T>
constexpr DescribedVariable describe_variable(const char* name) {
    using Element = std::remove_all_extents_t<T>;
    return {name,
            sizeof(Element),
            {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>},
            numbers_of<std::remove_cv_t<Element>>};
}

/// What an atomic operation does. Its scope: who may meet there.
enum class AtomicUse : unsigned char { load, store, update };
enum class AtomicScope : unsigned char { thread, block, all };
/// How it changes the word: not at all, as atomicAdd(p, 0); it adds to it or the like; it exchanges it; either of them,
/// by what the thread has loaded from the word before.
enum class AtomicChange : unsigned char { none, combines, exchanges, of_own_word, compares_and_exchanges };
struct OrderedAtomic {
    AtomicUse use;
    AtomicScope scope;
    bool acquires, releases;
    AtomicChange change = AtomicChange::none;
};

/// What becomes of a cuda::barrier of block scope, or an mbarrier: it is initialised, it is no barrier any more, the
/// present thread arrives, it changes what is missing and orders nothing, all have arrived, the present thread has
/// waited for that.
enum class BarrierUse : unsigned char { init, inval, arrive, adjust, complete, waited };

#ifdef EMULATOR_CHECKED
inline constexpr bool checked = true;

/// Our own code in headers is not to be watched: what it touches is none of the kernel's memory, or reported apart.
#ifdef __clang__  // which would tell of the beginning and the end of such a function all the same
#define EMULATOR_UNCHECKED \
    __attribute__((disable_sanitizer_instrumentation)) __attribute__((no_sanitize("thread", "bounds")))
#else
#define EMULATOR_UNCHECKED __attribute__((no_sanitize("thread"))) __attribute__((no_sanitize("bounds")))
#endif

/// A thread is about to read and write [address, address + bytes) in one atomic step: for all, or for its block only.
void check_atomic(const volatile void* address, std::size_t bytes, bool for_all_blocks,
                  AtomicChange change = AtomicChange::combines);

/// The same of one whose order and scope the program states: it is an acquire or a release only where it says so.
void check_ordered_atomic(const volatile void* address, std::size_t bytes, OrderedAtomic how);

/// A thread has loaded through volatile, and then is about to store what it has computed from that. The first returns
/// who has stored last, for the second.
std::uint64_t check_update_begins(const volatile void* address, std::size_t bytes);
void check_update_ends(const volatile void* address, std::size_t bytes, std::uint64_t stored_last);

/// __ldg() is about to read what no thread of the kernel may have stored.
void check_read_only(const void* address, std::size_t bytes);

/// printf() is about to read a text, for a %s.
void check_text(const char* text, const void* code);

/// __threadfence() or, not for other blocks, __threadfence_block().
void check_fence(bool for_all_blocks);

/// Whether kernels are watched, step by step (EMULATOR_WATCH): then names and types of memory are worth knowing.
extern bool watching;

/// A pointer among the parameters of the next kernel, and what it points to.
void check_pointer(const char* name, const volatile void* pointer, const DescribedVariable& pointee);

template <class T, class = void>
inline constexpr bool is_complete = false;
template <class T>
inline constexpr bool is_complete<T, std::void_t<decltype(sizeof(T))>> = !std::is_void_v<T> && !std::is_function_v<T>;

/// A pointer among them that is null.
void check_null_parameter(const char* name);
/// One is the address of a function.
void check_function_parameter(const char* name, std::uintptr_t function);

/// The same of an object that may have pointers among its members.
void check_pointers_in(const char* name, const void* object, std::size_t bytes);

template <class T>
void note_array([[maybe_unused]] const char* name, [[maybe_unused]] T* pointer) {
    if constexpr (is_complete<T>) check_pointer(name, pointer, describe_variable<T>(name));
}
template <class T>
void note_array([[maybe_unused]] const char* name, [[maybe_unused]] const T& parameter) {
    if constexpr (std::is_class_v<T>) check_pointers_in(name, __builtin_addressof(parameter), sizeof parameter);
}

template <class T>
void note_null([[maybe_unused]] const char* name, [[maybe_unused]] const T& parameter) {
    if constexpr (std::is_pointer_v<T>)
        if (parameter == nullptr) check_null_parameter(name);
    if constexpr (std::is_function_v<std::remove_pointer_t<T>>)
        check_function_parameter(name, reinterpret_cast<std::uintptr_t>(parameter));
}

/// What the kernel that is about to be launched calls its arrays: its parameters, as far as they have pointers.
void check_launch_begins(const char* kernel);
template <class... T>
void note_arrays(const char* kernel, std::initializer_list<const char*> names, const T&... parameters) {
    check_launch_begins(kernel);
    const char* const* name = names.begin();
    (note_null(*name++, parameters), ...);
    if (!watching) return;
    name = names.begin();
    (note_array(*name++, parameters), ...);
}

/// An atomic operation was done, and the word held that before. The thread may have let others run. Nobody needs to
/// know as long as none has released anything, and nobody watches.
extern bool atomic_results_count;
void check_atomic_result(const void* before, std::size_t bytes);

/// A thread begins. Called by the kernel, so that its line is known.
void check_begin_of_kernel();

/// A thread has come to the end of the kernel's text and not left it before.
void check_end_of_kernel();

/// A thread's asynchronous copy, which is made as late as it may be. Those since the last call become a group. All
/// groups but the last ones are waited for. `barrier`: who waits for that one waits for the copy.
void check_copy_begins(void* to, const void* from, std::size_t bytes, std::size_t zeros, const void* barrier = nullptr);
void check_copies_are_group();
void check_copies_are_awaited(std::size_t all_but);

void check_barrier(const void* barrier, std::size_t bytes, BarrierUse use);

/// The same of bulk copies, which are many times as large. Without a barrier it is from shared to global memory and
/// belongs to a group; `only_read`: the thread waits until what it copies has been read. And the source alone, of what
/// adds to its target.
void check_bulk_copy(void* to, const void* from, std::size_t bytes, const void* barrier);
void check_bulk_source(const void* from, std::size_t bytes, const void* barrier);
void check_bulk_copies_are_group();
void check_bulk_copies_are_awaited(std::size_t all_but, bool only_read);

/// A store of up to 16 bytes into shared memory of the cluster, which is there once somebody has waited for the
/// barrier.
void check_async_store(void* to, const void* value, std::size_t bytes, const void* barrier);

/// A reduction of shared memory of the cluster (red.async and so on), which is there once somebody has waited for the
/// barrier.
void check_async_reduction(const void* to, std::size_t bytes, const void* barrier);

/// fence.proxy.async: bulk copies see what the present thread knows of.
void check_proxy_fence();

/// The present thread's wgmma has read that from shared memory, and may go on reading it until its group of them is
/// waited for, as of bulk copies.
void check_matrix_read(const void* from, std::size_t bytes);
void check_matrices_are_group();
void check_matrices_are_awaited(std::size_t all_but);

/// The present thread has waited for the kernel ahead of its own.
void check_grid_dependency();
/// The present thread lets the kernel behind its own begin.
void check_grid_trigger();

/// What the present thread stores next is a constant of the source.
void check_constant_store();

/// `*found = true` in device code becomes (constant_follows(true), *found) = true: see
/// rewriter/passes/constant_stores.py.
EMULATOR_INLINE void constant_follows(bool is_constant) {
    if (is_constant) check_constant_store();
}

/// The operand of the present thread's next atomic function, which comes from a plain load of the same word: see
/// rewriter/passes/own_operands.py.
void check_own_operand(const void* operand, std::size_t bytes);
template <class T>
EMULATOR_INLINE T own_operand(T operand) {
    check_own_operand(&operand, sizeof operand);
    return operand;
}

/// Of the bytes before and behind a thread's own array, which it is not to touch.
inline constexpr std::size_t local_gap = 64;

/// A thread has an array of its own now, with gaps around it; `written`: it has its values. And has it no longer.
/// Returns the array, so that the compiler does not know where that is: it would read from it before it is asked to.
void* check_local_array_begins(void* array, std::size_t bytes, bool written, const DescribedVariable& variable);
void check_local_array_ends(void* array, std::size_t bytes);

/// T name; of an array in device code becomes LocalArray<T> object; auto& name = *object.named("name", false);
/// It is an aggregate, for arrays with an initialiser.
template <class T>
struct LocalArray {
    alignas(T) unsigned char before[alignof(T) < local_gap ? local_gap : alignof(T)];
    T array;
    unsigned char behind[local_gap];

    EMULATOR_UNCHECKED T* named(const char* name, bool initialised) {
        const bool written = initialised || !std::is_trivially_default_constructible_v<T>;
        return static_cast<T*>(check_local_array_begins(address(), sizeof array, written, describe_variable<T>(name)));
    }
    EMULATOR_UNCHECKED ~LocalArray() { check_local_array_ends(address(), sizeof array); }
    EMULATOR_UNCHECKED void* address() { return const_cast<void*>(static_cast<const volatile void*>(&array)); }
};

/// The same array or pointer: see rewriter/passes/chosen_arrays.py.
template <class T>
EMULATOR_INLINE constexpr T&& itself(T&& x) {
    return static_cast<T&&>(x);
}

/// A matrix as one array, and the first row of anything else: see rewriter/passes/flattened_arrays.py.
template <class T, std::size_t rows, std::size_t columns>
EMULATOR_INLINE auto flattened(T (&matrix)[rows][columns]) -> T (&)[rows * columns] {
    return reinterpret_cast<T(&)[rows * columns]>(matrix);
}
template <class T>
EMULATOR_INLINE decltype(auto) flattened(T&& x) {
    return static_cast<T&&>(x)[0];
}

/// The compiler must not see what is in the value, or it would store constants member by member.
template <class T>
EMULATOR_INLINE void hide(T& value) {
    asm("" : "+m"(value));
}

/// `float4{x, y, z, w}` in device code becomes whole(float4{x, y, z, w}): see rewriter/passes/vector_values.py.
template <class T>
EMULATOR_INLINE constexpr T whole(T value) {
    if (!__builtin_is_constant_evaluated()) hide(value);
    return value;
}
#else
inline constexpr bool checked = false;
#define EMULATOR_UNCHECKED
inline void check_atomic(const volatile void*, std::size_t, bool, AtomicChange = AtomicChange::combines) {}
inline void check_ordered_atomic(const volatile void*, std::size_t, OrderedAtomic) {}
inline constexpr bool atomic_results_count = false;
inline void check_atomic_result(const void*, std::size_t) {}
inline std::uint64_t check_update_begins(const volatile void*, std::size_t) {
    return 0;
}
inline void check_update_ends(const volatile void*, std::size_t, std::uint64_t) {}
inline void check_read_only(const void*, std::size_t) {}
inline void check_text(const char*, const void*) {}
inline void check_fence(bool) {}
inline void check_begin_of_kernel() {}
inline void check_end_of_kernel() {}
inline void check_copy_begins(void*, const void*, std::size_t, std::size_t, const void* = nullptr) {}
inline void check_barrier(const void*, std::size_t, BarrierUse) {}
inline void check_bulk_copy(void*, const void*, std::size_t, const void*) {}
inline void check_bulk_source(const void*, std::size_t, const void*) {}
inline void check_bulk_copies_are_group() {}
inline void check_async_store(void*, const void*, std::size_t, const void*) {}
inline void check_async_reduction(const void*, std::size_t, const void*) {}
inline void check_bulk_copies_are_awaited(std::size_t, bool) {}
inline void check_proxy_fence() {}
inline void check_matrix_read(const void*, std::size_t) {}
inline void check_matrices_are_group() {}
inline void check_matrices_are_awaited(std::size_t) {}
inline void check_grid_dependency() {}
inline void check_grid_trigger() {}
inline void check_copies_are_group() {}
inline void check_copies_are_awaited(std::size_t) {}
#endif

}  // namespace emulator
