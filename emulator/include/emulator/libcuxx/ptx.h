#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/bulk_copies.h"
#include "emulator/clusters.h"
#include "emulator/mbarrier.h"
#include "emulator/ordered_atomics.h"
#include "emulator/ptx.h"
#include "emulator/ptx_forms.h"
#include "emulator/tensor_maps.h"

// <cuda/ptx> of libcu++: barriers in shared memory, bulk copies and the fences that belong to them. Pointers are
// generic ones.
struct __half;
struct __nv_bfloat16;

namespace cuda::ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op };

template <dot_sem Sem>
using sem_t = ::std::integral_constant<dot_sem, Sem>;
template <dot_space Space>
using space_t = ::std::integral_constant<dot_space, Space>;
template <dot_scope Scope>
using scope_t = ::std::integral_constant<dot_scope, Scope>;
template <dot_op Op>
using op_t = ::std::integral_constant<dot_op, Op>;
template <int n>
using n32_t = ::std::integral_constant<int, n>;

#define EMULATOR_PTX_WORD(kind, name)                     \
    using kind##_##name##_t = kind##_t<dot_##kind::name>; \
    inline constexpr kind##_##name##_t kind##_##name{};
EMULATOR_PTX_WORD(sem, acq_rel)
EMULATOR_PTX_WORD(sem, acquire)
EMULATOR_PTX_WORD(sem, relaxed)
EMULATOR_PTX_WORD(sem, release)
EMULATOR_PTX_WORD(sem, sc)
EMULATOR_PTX_WORD(sem, weak)
EMULATOR_PTX_WORD(space, global)
EMULATOR_PTX_WORD(space, cluster)
EMULATOR_PTX_WORD(space, shared)
EMULATOR_PTX_WORD(scope, cta)
EMULATOR_PTX_WORD(scope, cluster)
EMULATOR_PTX_WORD(scope, gpu)
EMULATOR_PTX_WORD(scope, sys)
EMULATOR_PTX_WORD(op, add)
EMULATOR_PTX_WORD(op, dec)
EMULATOR_PTX_WORD(op, inc)
EMULATOR_PTX_WORD(op, max)
EMULATOR_PTX_WORD(op, min)
EMULATOR_PTX_WORD(op, and_op)
EMULATOR_PTX_WORD(op, or_op)
EMULATOR_PTX_WORD(op, xor_op)
#undef EMULATOR_PTX_WORD

// ----------------------------------------------------------------------------------------------------------- mbarrier

EMULATOR_INLINE void mbarrier_init(::std::uint64_t* barrier, const ::std::uint32_t& count) {
    ::emulator::mbarrier::init(barrier, count);
}

EMULATOR_INLINE ::std::uint64_t mbarrier_arrive(::std::uint64_t* barrier, const ::std::uint32_t& count = 1) {
    return ::emulator::mbarrier::arrive(barrier, count, 0, false, true);
}
EMULATOR_INLINE ::std::uint64_t mbarrier_arrive_no_complete(::std::uint64_t* barrier, const ::std::uint32_t& count) {
    return mbarrier_arrive(barrier, count);
}
template <dot_sem Sem, dot_scope Scope>
EMULATOR_INLINE ::std::uint64_t mbarrier_arrive(sem_t<Sem>, scope_t<Scope>, space_shared_t, ::std::uint64_t* barrier,
                                                const ::std::uint32_t& count = 1) {
    return ::emulator::mbarrier::arrive(barrier, count, 0, false, Sem == dot_sem::release);
}
template <dot_sem Sem>
EMULATOR_INLINE void mbarrier_arrive(sem_t<Sem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* barrier,
                                     const ::std::uint32_t& count = 1) {
    ::emulator::mbarrier::arrive(barrier, count, 0, false, Sem == dot_sem::release);
}
template <dot_sem Sem, dot_scope Scope>
EMULATOR_INLINE ::std::uint64_t mbarrier_arrive_expect_tx(sem_t<Sem>, scope_t<Scope>, space_shared_t,
                                                          ::std::uint64_t* barrier, const ::std::uint32_t& bytes) {
    return ::emulator::mbarrier::arrive(barrier, 1, bytes, false, Sem == dot_sem::release);
}
template <dot_sem Sem>
EMULATOR_INLINE void mbarrier_arrive_expect_tx(sem_t<Sem>, scope_cluster_t, space_cluster_t, ::std::uint64_t* barrier,
                                               const ::std::uint32_t& bytes) {
    ::emulator::mbarrier::arrive(barrier, 1, bytes, false, Sem == dot_sem::release);
}
template <dot_scope Scope, dot_space Space>
EMULATOR_INLINE void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_t<Space>, ::std::uint64_t* barrier,
                                        ::std::uint32_t bytes) {
    ::emulator::mbarrier::expect_tx(barrier, bytes);
}

// By the state that an arrival returned, or by the parity of the phase. The last number is a limit for the time, which
// changes nothing here.
#define EMULATOR_PTX_WAIT(name, T)                                                                          \
    EMULATOR_INLINE bool name(const ::std::uint64_t* barrier, const T& phase) {                             \
        return ::emulator::mbarrier::is_over(barrier, phase, true);                                         \
    }                                                                                                       \
    template <dot_sem Sem, dot_scope Scope>                                                                 \
    EMULATOR_INLINE bool name(sem_t<Sem>, scope_t<Scope>, const ::std::uint64_t* barrier, const T& phase) { \
        return ::emulator::mbarrier::is_over(barrier, phase, Sem == dot_sem::acquire);                      \
    }
#define EMULATOR_PTX_WAIT_WITH_LIMIT(name, T)                                                             \
    EMULATOR_PTX_WAIT(name, T)                                                                            \
    EMULATOR_INLINE bool name(const ::std::uint64_t* barrier, const T& phase, const ::std::uint32_t&) {   \
        return ::emulator::mbarrier::is_over(barrier, phase, true);                                       \
    }                                                                                                     \
    template <dot_sem Sem, dot_scope Scope>                                                               \
    EMULATOR_INLINE bool name(sem_t<Sem>, scope_t<Scope>, const ::std::uint64_t* barrier, const T& phase, \
                              const ::std::uint32_t&) {                                                   \
        return ::emulator::mbarrier::is_over(barrier, phase, Sem == dot_sem::acquire);                    \
    }
EMULATOR_PTX_WAIT(mbarrier_test_wait, ::std::uint64_t)
EMULATOR_PTX_WAIT(mbarrier_test_wait_parity, ::std::uint32_t)
EMULATOR_PTX_WAIT_WITH_LIMIT(mbarrier_try_wait, ::std::uint64_t)
EMULATOR_PTX_WAIT_WITH_LIMIT(mbarrier_try_wait_parity, ::std::uint32_t)
#undef EMULATOR_PTX_WAIT_WITH_LIMIT
#undef EMULATOR_PTX_WAIT

EMULATOR_INLINE void cp_async_mbarrier_arrive(::std::uint64_t* barrier) {
    ::emulator::ptx::arrive_behind_copies(barrier, false);
}
EMULATOR_INLINE void cp_async_mbarrier_arrive_noinc(::std::uint64_t* barrier) {
    ::emulator::ptx::arrive_behind_copies(barrier, true);
}

// -------------------------------------------------------------------------------------------------------- bulk copies

EMULATOR_INLINE void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                   const ::std::uint32_t& bytes, ::std::uint64_t* barrier) {
    ::emulator::copy_bulk(to, from, bytes, barrier);
}
EMULATOR_INLINE void cp_async_bulk(space_shared_t, space_global_t, void* to, const void* from,
                                   const ::std::uint32_t& bytes, ::std::uint64_t* barrier) {
    ::emulator::copy_bulk(to, from, bytes, barrier);
}
EMULATOR_INLINE void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from,
                                   const ::std::uint32_t& bytes, ::std::uint64_t* barrier,
                                   const ::std::uint16_t& blocks) {
    ::emulator::copy_bulk_to_many(to, from, bytes, barrier, blocks);
}
EMULATOR_INLINE void cp_async_bulk(space_cluster_t, space_shared_t, void* to, const void* from,
                                   const ::std::uint32_t& bytes, ::std::uint64_t* barrier) {
    ::emulator::require_shared(from);
    ::emulator::copy_bulk(to, from, bytes, barrier);
}
EMULATOR_INLINE void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from,
                                   const ::std::uint32_t& bytes) {
    ::emulator::copy_bulk_to_global(to, from, bytes);
}

// What stands for a T in memory.
template <class T>
struct ElementOf {
    using Type =
        ::std::conditional_t<::std::is_integral_v<T> && sizeof(T) == 8 && ::std::is_unsigned_v<T>, ::std::uint64_t, T>;
};
template <>
struct ElementOf<::__half> {
    using Type = ::emulator::ptx::f16;
};
template <>
struct ElementOf<::__nv_bfloat16> {
    using Type = ::emulator::ptx::bf16;
};

/// Calls f(one of the reductions).
template <dot_op Op, class F>
EMULATOR_INLINE void with_reduction(const F& f) {
    namespace reductions = ::emulator::reductions;
    if constexpr (Op == dot_op::add) f(reductions::add_elements());
    if constexpr (Op == dot_op::min) f(reductions::min_elements());
    if constexpr (Op == dot_op::max) f(reductions::max_elements());
    if constexpr (Op == dot_op::inc) f(reductions::inc_elements());
    if constexpr (Op == dot_op::dec) f(reductions::dec_elements());
    if constexpr (Op == dot_op::and_op) f(reductions::and_elements());
    if constexpr (Op == dot_op::or_op) f(reductions::or_elements());
    if constexpr (Op == dot_op::xor_op) f(reductions::xor_elements());
}
template <dot_op Op, class T>
EMULATOR_INLINE void reduce_bulk(T* to, const T* from, ::std::uint32_t bytes, ::std::uint64_t* barrier) {
    with_reduction<Op>([&](auto meet) __attribute__((always_inline)) {
        ::emulator::reduce_bulk<typename ElementOf<T>::Type>(to, from, bytes, barrier, meet);
    });
}
template <dot_op Op, class T>
EMULATOR_INLINE void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_t<Op>, T* to, const T* from,
                                          ::std::uint32_t bytes, ::std::uint64_t* barrier) {
    reduce_bulk<Op>(to, from, bytes, barrier);
}
template <dot_op Op, class T>
EMULATOR_INLINE void cp_reduce_async_bulk(space_global_t, space_shared_t, op_t<Op>, T* to, const T* from,
                                          ::std::uint32_t bytes) {
    reduce_bulk<Op>(to, from, bytes, nullptr);
}

// To shared memory of the cluster, and its barrier.
template <class T>
EMULATOR_INLINE void st_async(T* to, const T& value, ::std::uint64_t* barrier) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    ::emulator::store_async(to, value, barrier);
}
template <class T, int n>
EMULATOR_INLINE void st_async(T* to, const T (&values)[n], ::std::uint64_t* barrier) {
    static_assert((n == 2 && (sizeof(T) == 4 || sizeof(T) == 8)) || (n == 4 && sizeof(T) == 4));
    struct Values {
        T all[n];
    } copy;
    for (int i = 0; i < n; ++i) copy.all[i] = values[i];
    ::emulator::store_async(to, copy, barrier);
}
template <dot_op Op, class T>
EMULATOR_INLINE void red_async(op_t<Op>, T* to, const T& value, ::std::uint64_t* barrier) {
    with_reduction<Op>([&](auto meet) __attribute__((always_inline)) {
        using Word = typename ElementOf<T>::Type;
        ::emulator::reduce_async<Word>(to, static_cast<Word>(value), barrier, meet);
    });
}

// Of a tensor, by its map.
template <int n>
EMULATOR_UNCHECKED ::emulator::TensorCoordinates tensor_coordinates(const ::std::int32_t (&at)[n]) {
    ::emulator::TensorCoordinates all{};
    for (int i = 0; i < n; ++i) all.at[i] = at[i];
    return all;
}
template <int n>
EMULATOR_INLINE void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                          const ::std::int32_t (&at)[n], ::std::uint64_t* barrier) {
    ::emulator::copy_tensor(to, map, tensor_coordinates(at), barrier);
}
template <int n>
EMULATOR_INLINE void cp_async_bulk_tensor(space_shared_t, space_global_t, void* to, const void* map,
                                          const ::std::int32_t (&at)[n], ::std::uint64_t* barrier) {
    ::emulator::copy_tensor(to, map, tensor_coordinates(at), barrier);
}
template <int n>
EMULATOR_INLINE void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map,
                                          const ::std::int32_t (&at)[n], ::std::uint64_t* barrier,
                                          const ::std::uint16_t& blocks) {
    ::emulator::copy_tensor_to_many(to, map, tensor_coordinates(at), barrier, blocks);
}
template <int n>
EMULATOR_INLINE void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map,
                                          const ::std::int32_t (&at)[n], const void* from) {
    ::emulator::copy_tensor_to_global(map, tensor_coordinates(at), from);
}

EMULATOR_INLINE void cp_async_bulk_commit_group() {
    ::emulator::commit_bulk_copies();
}
template <int all_but>
EMULATOR_INLINE void cp_async_bulk_wait_group(n32_t<all_but>) {
    ::emulator::wait_for_bulk_copies(all_but, false);
}
template <int all_but>
EMULATOR_INLINE void cp_async_bulk_wait_group_read(n32_t<all_but>) {
    ::emulator::wait_for_bulk_copies(all_but, true);
}

// ------------------------------------------------------------------------------------------------- fences and clusters

template <dot_sem Sem, dot_scope Scope>
EMULATOR_INLINE void fence(sem_t<Sem>, scope_t<Scope>) {
    ::emulator::atomics::ordered_fence(__NV_ATOMIC_ACQ_REL,
                                       Scope == dot_scope::cta ? __NV_THREAD_SCOPE_BLOCK : __NV_THREAD_SCOPE_DEVICE);
}
EMULATOR_INLINE void fence_mbarrier_init(sem_release_t, scope_cluster_t) {}
EMULATOR_INLINE void fence_proxy_alias() {}
EMULATOR_INLINE void fence_proxy_async() {
    ::emulator::check_proxy_fence();
}
template <dot_space Space>
EMULATOR_INLINE void fence_proxy_async(space_t<Space>) {
    ::emulator::check_proxy_fence();
}

EMULATOR_INLINE void barrier_cluster_arrive() {
    ::emulator::arrive_at_cluster(true);
}
template <dot_sem Sem>
EMULATOR_INLINE void barrier_cluster_arrive(sem_t<Sem>) {
    ::emulator::arrive_at_cluster(Sem == dot_sem::release);
}
EMULATOR_INLINE void barrier_cluster_wait() {
    ::emulator::wait_for_cluster();
}
EMULATOR_INLINE void barrier_cluster_wait(sem_acquire_t) {
    ::emulator::wait_for_cluster();
}
template <class T>
T* mapa(space_cluster_t, const T* pointer, ::std::uint32_t rank) {
    return static_cast<T*>(::emulator::map_to_cluster(pointer, rank));
}
EMULATOR_INLINE ::std::uint32_t getctarank(space_cluster_t, const void* pointer) {
    return ::emulator::rank_in_cluster(pointer);
}

// Special registers.
#define EMULATOR_PTX_REGISTER(name, value)          \
    EMULATOR_INLINE auto get_sreg_##name() {        \
        return static_cast<::std::uint32_t>(value); \
    }
#define EMULATOR_PTX_REGISTERS(name, value)    \
    EMULATOR_PTX_REGISTER(name##_x, (value).x) \
    EMULATOR_PTX_REGISTER(name##_y, (value).y) \
    EMULATOR_PTX_REGISTER(name##_z, (value).z)
EMULATOR_PTX_REGISTERS(tid, threadIdx)
EMULATOR_PTX_REGISTERS(ntid, blockDim)
EMULATOR_PTX_REGISTERS(ctaid, blockIdx)
EMULATOR_PTX_REGISTERS(nctaid, gridDim)
EMULATOR_PTX_REGISTERS(clusterid, __clusterIdx())
EMULATOR_PTX_REGISTERS(nclusterid, __clusterGridDimInClusters())
EMULATOR_PTX_REGISTERS(cluster_ctaid, ::emulator::block_index_in_cluster())
EMULATOR_PTX_REGISTERS(cluster_nctaid, ::emulator::cluster_dim())
EMULATOR_PTX_REGISTER(cluster_ctarank, ::emulator::block_rank_in_cluster())
EMULATOR_PTX_REGISTER(cluster_nctarank, __clusterSizeInBlocks())
EMULATOR_PTX_REGISTER(laneid, ::emulator::ptx::laneid())
EMULATOR_PTX_REGISTER(warpid, ::emulator::ptx::warpid())
EMULATOR_PTX_REGISTER(smid, ::emulator::ptx::smid())
EMULATOR_PTX_REGISTER(nsmid, ::emulator::ptx::nsmid())
EMULATOR_PTX_REGISTER(lanemask_eq, ::emulator::ptx::lanemask_eq())
EMULATOR_PTX_REGISTER(lanemask_lt, ::emulator::ptx::lanemask_lt())
EMULATOR_PTX_REGISTER(lanemask_le, ::emulator::ptx::lanemask_le())
EMULATOR_PTX_REGISTER(lanemask_gt, ::emulator::ptx::lanemask_gt())
EMULATOR_PTX_REGISTER(lanemask_ge, ::emulator::ptx::lanemask_ge())
#undef EMULATOR_PTX_REGISTERS
#undef EMULATOR_PTX_REGISTER

}  // namespace cuda::ptx
