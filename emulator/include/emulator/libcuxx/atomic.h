#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "emulator/ordered_atomics.h"

// <cuda/atomic> of libcu++: cuda::atomic and cuda::atomic_ref with scopes, cuda::std::atomic and cuda::std::atomic_ref
// for the whole system. Objects have at most 8 bytes.

namespace cuda {
namespace std {

enum class memory_order : int {
    relaxed = __NV_ATOMIC_RELAXED,
    consume = __NV_ATOMIC_CONSUME,
    acquire = __NV_ATOMIC_ACQUIRE,
    release = __NV_ATOMIC_RELEASE,
    acq_rel = __NV_ATOMIC_ACQ_REL,
    seq_cst = __NV_ATOMIC_SEQ_CST
};
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

enum thread_scope {
    thread_scope_system = __NV_THREAD_SCOPE_SYSTEM,
    thread_scope_device = __NV_THREAD_SCOPE_DEVICE,
    thread_scope_block = __NV_THREAD_SCOPE_BLOCK,
    thread_scope_thread = __NV_THREAD_SCOPE_THREAD
};

namespace detail {

/// What atomic and atomic_ref of a T have in common. Self::address() is where the T is.
template <class Self, class T, thread_scope Scope>
class AtomicOperations {
    static_assert(::std::is_trivially_copyable_v<T>, "cuda::atomic: a trivially copyable type");
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "not supported: cuda::atomic of a type that has not 1, 2, 4 or 8 bytes");

    static constexpr bool is_number = ::std::is_arithmetic_v<T> && !::std::is_same_v<T, bool>;
    static constexpr bool is_integer = ::std::is_integral_v<T> && !::std::is_same_v<T, bool>;
    static constexpr bool is_pointer = ::std::is_pointer_v<T>;
    static constexpr memory_order strongest = memory_order_seq_cst;

  public:
    using value_type = T;
    using difference_type = ::std::conditional_t<is_pointer, ::std::ptrdiff_t, T>;
    static constexpr bool is_always_lock_free = true;
    bool is_lock_free() const noexcept { return true; }

    EMULATOR_ATOMIC_FACE T load(memory_order order = strongest) const noexcept {
        return ::emulator::atomics::ordered_load(address(), static_cast<int>(order), Scope);
    }
    EMULATOR_ATOMIC_FACE operator T() const noexcept { return load(); }

    EMULATOR_ATOMIC_FACE T exchange(T value, memory_order order = strongest) const noexcept {
        return ::emulator::atomics::ordered_exchange(address(), value, static_cast<int>(order), Scope);
    }
    EMULATOR_ATOMIC_FACE void store(T value, memory_order order = strongest) const noexcept {
        ::emulator::atomics::ordered_store(address(), value, static_cast<int>(order), Scope);
    }

    EMULATOR_ATOMIC_FACE bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                                      memory_order failure) const noexcept {
        return ::emulator::atomics::ordered_compare_exchange(address(), expected, desired, static_cast<int>(success),
                                                             static_cast<int>(failure), Scope);
    }
    EMULATOR_ATOMIC_FACE bool compare_exchange_strong(T& expected, T desired,
                                                      memory_order order = strongest) const noexcept {
        return compare_exchange_strong(expected, desired, order, memory_order_relaxed);
    }
    EMULATOR_ATOMIC_FACE bool compare_exchange_weak(T& expected, T desired, memory_order success,
                                                    memory_order failure) const noexcept {
        return compare_exchange_strong(expected, desired, success, failure);
    }
    EMULATOR_ATOMIC_FACE bool compare_exchange_weak(T& expected, T desired,
                                                    memory_order order = strongest) const noexcept {
        return compare_exchange_strong(expected, desired, order, memory_order_relaxed);
    }

    /// Waits until the value is another one.
    EMULATOR_ATOMIC_FACE void wait(T old, memory_order order = strongest) const noexcept {
        const auto bits = ::emulator::atomics::as_word(old);
        while (::emulator::atomics::as_word(load(order)) == bits) ::emulator::wait_a_turn();
    }
    void notify_one() const noexcept {}
    void notify_all() const noexcept {}

#define EMULATOR_FETCH(name, how, condition)                                                                    \
    template <class U = T>                                                                                      \
    EMULATOR_ATOMIC_FACE ::std::enable_if_t<::std::is_same_v<U, T> && condition, U> fetch_##name(               \
        T value, memory_order order = strongest) const noexcept {                                               \
        ::emulator::atomics::begin<T>(address(), static_cast<int>(order), Scope, ::emulator::AtomicUse::update, \
                                      ::emulator::atomics::change_by(#how, value));                             \
        return ::emulator::atomics::seen(::emulator::atomics::how(address(), value));                           \
    }
    EMULATOR_FETCH(add, add, is_number)
    EMULATOR_FETCH(sub, subtract_any, is_number)
    EMULATOR_FETCH(min, minimum, is_number)
    EMULATOR_FETCH(max, maximum, is_number)
    EMULATOR_FETCH(and, bit_and, is_integer)
    EMULATOR_FETCH(or, bit_or, is_integer)
    EMULATOR_FETCH(xor, bit_xor, is_integer)
#undef EMULATOR_FETCH

    // Of a pointer: by so many elements.
    template <class U = T>
    EMULATOR_ATOMIC_FACE ::std::enable_if_t<::std::is_same_v<U, T> && is_pointer, U> fetch_add(
        ::std::ptrdiff_t elements, memory_order order = strongest) const noexcept {
        using Element = ::std::remove_pointer_t<T>;
        ::emulator::atomics::begin<T>(address(), static_cast<int>(order), Scope, ::emulator::AtomicUse::update,
                                      ::emulator::atomics::change_by("add", elements));
        const auto bytes = static_cast<unsigned long long>(elements) * sizeof(Element);
        return ::emulator::atomics::from_word<T>(
            ::emulator::atomics::seen(::emulator::atomics::add(::emulator::atomics::words(address()), bytes)));
    }
    template <class U = T>
    EMULATOR_ATOMIC_FACE ::std::enable_if_t<::std::is_same_v<U, T> && is_pointer, U> fetch_sub(
        ::std::ptrdiff_t elements, memory_order order = strongest) const noexcept {
        return fetch_add(-elements, order);
    }

    EMULATOR_ATOMIC_FACE T operator++() const noexcept {
        return static_cast<T>(fetch_add(1) + 1);
    }
    EMULATOR_ATOMIC_FACE T operator++(int) const noexcept {
        return fetch_add(1);
    }
    EMULATOR_ATOMIC_FACE T operator--() const noexcept {
        return static_cast<T>(fetch_sub(1) - 1);
    }
    EMULATOR_ATOMIC_FACE T operator--(int) const noexcept {
        return fetch_sub(1);
    }
    EMULATOR_ATOMIC_FACE T operator+=(difference_type x) const noexcept {
        return static_cast<T>(fetch_add(x) + x);
    }
    EMULATOR_ATOMIC_FACE T operator-=(difference_type x) const noexcept {
        return static_cast<T>(fetch_sub(x) - x);
    }
    EMULATOR_ATOMIC_FACE T operator&=(T x) const noexcept {
        return static_cast<T>(fetch_and(x) & x);
    }
    EMULATOR_ATOMIC_FACE T operator|=(T x) const noexcept {
        return static_cast<T>(fetch_or(x) | x);
    }
    EMULATOR_ATOMIC_FACE T operator^=(T x) const noexcept {
        return static_cast<T>(fetch_xor(x) ^ x);
    }

  protected:
    EMULATOR_ATOMIC_FACE T* address() const noexcept {
        return static_cast<const Self*>(this)->address_of_value();
    }
};

}  // namespace detail

/// A T that is touched atomically only, by the threads of its scope.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public detail::AtomicOperations<atomic<T, Scope>, T, Scope> {
  public:
    atomic() noexcept = default;
    constexpr atomic(T value) noexcept : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    EMULATOR_ATOMIC_FACE T operator=(T value) noexcept {
        this->store(value);
        return value;
    }

  private:
    friend class detail::AtomicOperations<atomic<T, Scope>, T, Scope>;
    EMULATOR_ATOMIC_FACE T* address_of_value() const noexcept { return const_cast<T*>(__builtin_addressof(value_)); }

    alignas(sizeof(T)) T value_;
};

/// A T of somebody else, which is touched atomically through this.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::AtomicOperations<atomic_ref<T, Scope>, T, Scope> {
  public:
    static constexpr ::std::size_t required_alignment = sizeof(T);

    EMULATOR_ATOMIC_FACE explicit atomic_ref(T& value) noexcept : value_(__builtin_addressof(value)) {}
    atomic_ref(const atomic_ref&) noexcept = default;
    atomic_ref& operator=(const atomic_ref&) = delete;
    EMULATOR_ATOMIC_FACE T operator=(T value) const noexcept {
        this->store(value);
        return value;
    }

  private:
    friend class detail::AtomicOperations<atomic_ref<T, Scope>, T, Scope>;
    EMULATOR_ATOMIC_FACE T* address_of_value() const noexcept { return value_; }

    T* value_;
};

EMULATOR_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    ::emulator::atomics::ordered_fence(static_cast<int>(order), scope);
}
inline void atomic_signal_fence(memory_order) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

namespace std {

using thread_scope = ::cuda::thread_scope;
template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::atomic_signal_fence;

EMULATOR_INLINE void atomic_thread_fence(memory_order order) {
    ::cuda::atomic_thread_fence(order);
}

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_size_t = atomic<::std::size_t>;

class atomic_flag {
  public:
    constexpr atomic_flag(bool set = false) noexcept : flag_(set) {}
    EMULATOR_ATOMIC_FACE bool test(memory_order order = memory_order_seq_cst) const noexcept {
        return flag_.load(order) != 0;
    }
    EMULATOR_ATOMIC_FACE bool test_and_set(memory_order order = memory_order_seq_cst) noexcept {
        return flag_.exchange(1, order) != 0;
    }
    EMULATOR_ATOMIC_FACE void clear(memory_order order = memory_order_seq_cst) noexcept { flag_.store(0, order); }
    EMULATOR_ATOMIC_FACE void wait(bool old, memory_order order = memory_order_seq_cst) const noexcept {
        flag_.wait(old, order);
    }
    void notify_one() noexcept {}
    void notify_all() noexcept {}

  private:
    atomic<int> flag_;
};

}  // namespace std
}  // namespace cuda
