#pragma once

#include "emulator/host_work.h"
#include "emulator/runtime_api.h"

// Thrust on the emulator. Its headers are the user's, from CCCL; a file that includes some of them gets this one first.
// It gives Thrust the device system `cuda`: the host runs the algorithms, one element after another, as Thrust's own
// system `cpp` does, but on the device's memory and in the order of streams.

// CCCL takes the compiler for what it is, and compiles host code: its device code is made of PTX.
#pragma push_macro("__CUDACC__")
#pragma push_macro("__NVCC__")
#undef __CUDACC__
#undef __NVCC__

// The emulator's own numbers of 16 and 8 bits have their operators, and need nothing of CCCL's.
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#ifndef CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#endif
#ifndef CCCL_DISABLE_NVTX  // ranges for a profiler, by a header of C++ that the emulator does not have
#define CCCL_DISABLE_NVTX
#endif

#ifdef THRUST_DEVICE_SYSTEM  // The program asks for one of Thrust's own systems, and gets that.
#include <thrust/detail/config.h>
#else
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_EMULATOR
#define THRUST_DEVICE_SYSTEM_EMULATOR 99
#define __THRUST_DEVICE_SYSTEM_NAMESPACE cuda
#include <thrust/detail/config.h>
#undef __THRUST_DEVICE_SYSTEM_ROOT
// Its headers say that the algorithms are the sequential ones.
// clang-format off
#define __THRUST_DEVICE_SYSTEM_ROOT thrust/system/cpp
// clang-format on

#include <thrust/system/cpp/detail/execution_policy.h>
#include <thrust/system/detail/sequential/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

struct tag;
template <class>
struct execution_policy;

template <>
struct execution_policy<tag> : thrust::system::detail::sequential::execution_policy<tag> {
    using tag_type = tag;
};
struct tag : execution_policy<tag> {};

template <class Derived>
struct execution_policy : thrust::system::detail::sequential::execution_policy<Derived> {
    using tag_type = tag;
    operator tag() const { return {}; }
};

// Copies between host and device are ours.
template <class Device, class Host>
Device& select_system(execution_policy<Device>& device, thrust::system::cpp::detail::execution_policy<Host>&) {
    return static_cast<Device&>(device);
}
template <class Host, class Device>
Device& select_system(thrust::system::cpp::detail::execution_policy<Host>&, execution_policy<Device>& device) {
    return static_cast<Device&>(device);
}

}  // namespace detail
using detail::execution_policy;
using detail::tag;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::execution_policy;
using thrust::system::cuda::tag;
}  // namespace cuda
THRUST_NAMESPACE_END

#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

inline void throw_on_error(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    cudaGetLastError();
    throw thrust::system_error(error, thrust::cuda_category(), what);
}

struct on_stream : execution_policy<on_stream> {
    explicit on_stream(cudaStream_t s) : stream(s) {}
    cudaStream_t stream;
};

struct par_t : execution_policy<par_t>, thrust::detail::allocator_aware_execution_policy<execution_policy> {
    constexpr par_t() = default;
    on_stream on(cudaStream_t stream) const { return on_stream(stream); }
};

/// While it lives, an algorithm runs: behind the stream's earlier work, on memory of the device.
template <class Policy>
class Running {
  public:
    Running(Policy& policy, cudaStream_t stream) : policy_(policy) {
        throw_on_error(::emulator::begin_host_work(stream), "failed to synchronize");
    }
    ~Running() { ::emulator::end_host_work(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    Policy& policy() const { return policy_; }

  private:
    Policy& policy_;
};

}  // namespace detail
inline constexpr detail::par_t par;
inline constexpr detail::par_t par_nosync;
}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
}  // namespace cuda

// Each of Thrust's functions begins with
//     return copy(thrust::detail::derived_cast(thrust::detail::strip_const(policy)), first, last, result);
// So what strip_const() makes for a policy of ours lives for as long as the algorithm runs.
namespace detail {

template <class Policy>
Policy& without_const(const execution_policy_base<Policy>& policy) {
    return const_cast<Policy&>(static_cast<const Policy&>(policy));
}

inline system::cuda::detail::Running<system::cuda::tag> strip_const(
    const execution_policy_base<system::cuda::tag>& policy) {
    return {without_const(policy), nullptr};
}
inline system::cuda::detail::Running<system::cuda::detail::par_t> strip_const(
    const execution_policy_base<system::cuda::detail::par_t>& policy) {
    return {without_const(policy), nullptr};
}
inline system::cuda::detail::Running<system::cuda::detail::on_stream> strip_const(
    const execution_policy_base<system::cuda::detail::on_stream>& policy) {
    return {without_const(policy), without_const(policy).stream};
}
template <class Allocator>
system::cuda::detail::Running<execute_with_allocator<Allocator, system::cuda::detail::execution_policy>> strip_const(
    const execution_policy_base<execute_with_allocator<Allocator, system::cuda::detail::execution_policy>>& policy) {
    return {without_const(policy), nullptr};
}
template <class Policy>
Policy& derived_cast(const system::cuda::detail::Running<Policy>& running) {
    return running.policy();
}

}  // namespace detail
THRUST_NAMESPACE_END

#include <thrust/detail/pointer.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/reference.h>
#include <thrust/detail/seq.h>
#include <thrust/detail/vector_base.h>
#include <thrust/memory.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/system/detail/bad_alloc.h>
#include <thrust/system/detail/sequential/copy.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>
#include <thrust/type_traits/is_contiguous_iterator.h>
#include <thrust/type_traits/unwrap_contiguous_iterator.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

// thrust::seq in a kernel: as on a device, see below.
template <class Iterator, class Compare>
void stable_sort(execution_policy<thrust::detail::seq_t>& policy, Iterator first, Iterator last, Compare compare) {
    stable_merge_sort(policy, first, last, compare);
}
template <class Keys, class Values, class Compare>
void stable_sort_by_key(execution_policy<thrust::detail::seq_t>& policy, Keys first, Keys last, Values values,
                        Compare compare) {
    stable_merge_sort_by_key(policy, first, last, values, compare);
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// One element, from or to the host: v[i] of a device_vector.
template <class Policy, class Pointer>
thrust::detail::it_value_t<Pointer> get_value(execution_policy<Policy>& policy, Pointer pointer) {
    const Running<execution_policy<Policy>> running(policy, nullptr);
    return *thrust::raw_pointer_cast(pointer);
}
template <class Policy, class To, class From>
void assign_value(execution_policy<Policy>& policy, To to, From from) {
    const Running<execution_policy<Policy>> running(policy, nullptr);
    *thrust::raw_pointer_cast(to) = *thrust::raw_pointer_cast(from);
}
template <class Policy, class A, class B>
void iter_swap(execution_policy<Policy>& policy, A a, B b) {
    const Running<execution_policy<Policy>> running(policy, nullptr);
    using ::cuda::std::swap;
    swap(*thrust::raw_pointer_cast(a), *thrust::raw_pointer_cast(b));
}

// A copy between arrays is told of. copy_n() calls it as well, and so does what fills a vector from an array.
template <class Policy, class From, class To>
To copy(execution_policy<Policy>& policy, From first, From last, To to) {
    if constexpr (thrust::is_contiguous_iterator_v<From> && thrust::is_contiguous_iterator_v<To>)
        if (first != last)
            ::emulator::tell_of_host_copy(thrust::unwrap_contiguous_iterator(to),
                                          thrust::unwrap_contiguous_iterator(first),
                                          (last - first) * sizeof(thrust::detail::it_value_t<From>));
    return thrust::system::detail::sequential::copy(policy, first, last, to);
}
template <class Policy, class From, class Size, class To>
To copy_n(execution_policy<Policy>& policy, From first, Size n, To to) {
    return copy(policy, first, first + n, to);
}

// As on a device. What CCCL does on the host is a radix sort, which in CCCL 3.0 puts negative numbers last.
template <class Policy, class Iterator, class Compare>
void stable_sort(execution_policy<Policy>& policy, Iterator first, Iterator last, Compare compare) {
    thrust::system::detail::sequential::stable_merge_sort(policy, first, last, compare);
}
template <class Policy, class Keys, class Values, class Compare>
void stable_sort_by_key(execution_policy<Policy>& policy, Keys first, Keys last, Values values, Compare compare) {
    thrust::system::detail::sequential::stable_merge_sort_by_key(policy, first, last, values, compare);
}

inline cudaError_t allocate_device(void** memory, std::size_t bytes) {
    return cudaMalloc(memory, bytes);
}
inline cudaError_t allocate_managed(void** memory, std::size_t bytes) {
    return cudaMallocManaged(memory, bytes);
}
inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) {
    return cudaMallocHost(memory, bytes);
}

template <cudaError_t (*allocate)(void**, std::size_t), cudaError_t (*release)(void*), class Pointer>
class resource final : public thrust::mr::memory_resource<Pointer> {
  public:
    Pointer do_allocate(std::size_t bytes, std::size_t) override {
        void* memory = nullptr;
        if (const cudaError_t error = allocate(&memory, bytes); error != cudaSuccess) {
            cudaGetLastError();
            throw thrust::system::detail::bad_alloc(thrust::cuda_category().message(error).c_str());
        }
        return Pointer(memory);
    }
    void do_deallocate(Pointer memory, std::size_t, std::size_t) override {
        throw_on_error(release(memory.get()), "CUDA free failed");
    }
};

}  // namespace detail

template <class T>
using reference = thrust::tagged_reference<T, tag>;
template <class T>
using pointer = thrust::pointer<T, tag, reference<T>>;
template <class T>
using universal_pointer = thrust::pointer<T, tag, std::add_lvalue_reference_t<T>>;
template <class T>
using universal_host_pinned_pointer = universal_pointer<T>;

using memory_resource = detail::resource<detail::allocate_device, cudaFree, pointer<void>>;
using universal_memory_resource = detail::resource<detail::allocate_managed, cudaFree, universal_pointer<void>>;
using universal_host_pinned_memory_resource =
    detail::resource<detail::allocate_pinned, cudaFreeHost, universal_pointer<void>>;

template <class T>
using allocator = thrust::mr::stateless_resource_allocator<T, memory_resource>;
template <class T>
using universal_allocator = thrust::mr::stateless_resource_allocator<T, universal_memory_resource>;
template <class T>
using universal_host_pinned_allocator =
    thrust::mr::stateless_resource_allocator<T, universal_host_pinned_memory_resource>;

template <class T, class Allocator = allocator<T>>
using vector = thrust::detail::vector_base<T, Allocator>;
template <class T, class Allocator = universal_allocator<T>>
using universal_vector = thrust::detail::vector_base<T, Allocator>;
template <class T>
using universal_host_pinned_vector = thrust::detail::vector_base<T, universal_host_pinned_allocator<T>>;

inline pointer<void> malloc(std::size_t bytes) {
    return thrust::mr::get_global_resource<memory_resource>()->allocate(bytes);
}
template <class T>
pointer<T> malloc(std::size_t count) {
    return pointer<T>(static_cast<T*>(malloc(count * sizeof(T)).get()));
}
inline void free(pointer<void> memory) {
    thrust::mr::get_global_resource<memory_resource>()->deallocate(memory, 0);
}

}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::allocator;
using thrust::system::cuda::free;
using thrust::system::cuda::malloc;
using thrust::system::cuda::pointer;
using thrust::system::cuda::reference;
using thrust::system::cuda::universal_allocator;
using thrust::system::cuda::universal_host_pinned_allocator;
using thrust::system::cuda::universal_host_pinned_pointer;
using thrust::system::cuda::universal_host_pinned_vector;
using thrust::system::cuda::universal_pointer;
using thrust::system::cuda::universal_vector;
using thrust::system::cuda::vector;
}  // namespace cuda
THRUST_NAMESPACE_END
#endif

#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")
