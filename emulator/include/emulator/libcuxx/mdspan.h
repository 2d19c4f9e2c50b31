#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "emulator/libcuxx/span.h"

// <cuda/std/mdspan> of libcu++, for C++17 too: C++23's mdspan without submdspan().

namespace cuda {
namespace std {

/// How many elements there are in each dimension; dynamic_extent for those that are known when the program runs.
template <class Index, ::std::size_t... sizes>
class extents {
  public:
    using index_type = Index;
    using size_type = ::std::make_unsigned_t<Index>;
    using rank_type = ::std::size_t;

    static constexpr rank_type rank() noexcept { return sizeof...(sizes); }
    static constexpr rank_type rank_dynamic() noexcept { return ((sizes == dynamic_extent ? 1 : 0) + ... + 0); }
    static constexpr ::std::size_t static_extent(rank_type r) noexcept {
        constexpr ::std::size_t all[] = {sizes..., 0};
        return all[r];
    }
    constexpr index_type extent(rank_type r) const noexcept { return values_[r]; }

    constexpr extents() noexcept = default;
    /// All sizes, or those that are dynamic.
    template <class... Sizes,
              class = ::std::enable_if_t<(::std::is_convertible_v<Sizes, Index> && ...) && sizeof...(Sizes) != 0 &&
                                         (sizeof...(Sizes) == sizeof...(sizes) || sizeof...(Sizes) == rank_dynamic())>>
    constexpr explicit extents(Sizes... given) noexcept {
        const Index list[] = {static_cast<Index>(given)...};
        assign(list, sizeof...(Sizes));
    }
    template <class Size, ::std::size_t n, class = ::std::enable_if_t<n == sizeof...(sizes) || n == rank_dynamic()>>
    constexpr extents(const ::std::array<Size, n>& given) noexcept {
        assign(given.data(), n);
    }
    template <class Size, ::std::size_t n, class = ::std::enable_if_t<n == sizeof...(sizes) || n == rank_dynamic()>>
    constexpr extents(span<Size, n> given) noexcept {
        assign(given.data(), n);
    }
    template <class Other, ::std::size_t... others, class = ::std::enable_if_t<sizeof...(others) == sizeof...(sizes)>>
    constexpr extents(const extents<Other, others...>& other) noexcept {
        for (rank_type r = 0; r < rank(); ++r) values_[r] = static_cast<Index>(other.extent(r));
    }

    template <class Other, ::std::size_t... others>
    friend constexpr bool operator==(const extents& a, const extents<Other, others...>& b) noexcept {
        if (a.rank() != b.rank()) return false;
        for (rank_type r = 0; r < rank(); ++r)
            if (static_cast<size_type>(a.extent(r)) != static_cast<size_type>(b.extent(r))) return false;
        return true;
    }
    template <class Other, ::std::size_t... others>
    friend constexpr bool operator!=(const extents& a, const extents<Other, others...>& b) noexcept {
        return !(a == b);
    }

  private:
    template <class Size>
    constexpr void assign(const Size* given, rank_type n) noexcept {
        for (rank_type r = 0, next = 0; r < rank(); ++r)
            if (n == rank() || static_extent(r) == dynamic_extent) values_[r] = static_cast<Index>(given[next++]);
    }

    // One more, since an array of none is not C++.
    Index values_[sizeof...(sizes) + 1] = {static_cast<Index>(sizes == dynamic_extent ? 0 : sizes)..., 0};
};

namespace mdspan_detail {

template <class Index, class Numbers>
struct Dynamic;
template <class Index, ::std::size_t... r>
struct Dynamic<Index, ::std::index_sequence<r...>> {
    using type = extents<Index, (static_cast<void>(r), dynamic_extent)...>;
};

template <class Extents>
constexpr typename Extents::index_type product(const Extents& e, ::std::size_t first, ::std::size_t end) {
    typename Extents::index_type result = 1;
    for (::std::size_t r = first; r < end; ++r)
        result = static_cast<typename Extents::index_type>(result * e.extent(r));
    return result;
}

template <class Extents, class... Indices>
constexpr bool takes = sizeof...(Indices) == Extents::rank() &&
                       (::std::is_convertible_v<Indices, typename Extents::index_type> && ...);

}  // namespace mdspan_detail

template <class Index, ::std::size_t rank>
using dextents = typename mdspan_detail::Dynamic<Index, ::std::make_index_sequence<rank>>::type;
template <::std::size_t rank, class Index = ::std::size_t>
using dims = dextents<Index, rank>;

template <class... Sizes>
extents(Sizes...) -> extents<::std::size_t, (static_cast<void>(sizeof(Sizes)), dynamic_extent)...>;

namespace mdspan_detail {

/// The mapping of layout_right, whose last index is the fastest, and of layout_left, whose first one is.
template <class Layout, class Extents, bool right>
class Dense {
  public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = Layout;

    constexpr Dense() noexcept = default;
    constexpr Dense(const Extents& e) noexcept : extents_(e) {}
    template <class Other, class = ::std::enable_if_t<::std::is_constructible_v<Extents, Other>>>
    constexpr Dense(const Dense<Layout, Other, right>& other) noexcept : extents_(other.extents()) {}

    constexpr const Extents& extents() const noexcept { return extents_; }
    constexpr index_type required_span_size() const noexcept { return product(extents_, 0, Extents::rank()); }
    template <class... Indices, class = ::std::enable_if_t<takes<Extents, Indices...>>>
    constexpr index_type operator()(Indices... indices) const noexcept {
        const index_type list[] = {static_cast<index_type>(indices)..., 0};
        index_type offset = 0;
        for (rank_type n = 0; n < Extents::rank(); ++n) {
            const rank_type r = right ? n : Extents::rank() - 1 - n;
            offset = static_cast<index_type>(offset * extents_.extent(r) + list[r]);
        }
        return offset;
    }
    constexpr index_type stride(rank_type r) const noexcept {
        return right ? product(extents_, r + 1, Extents::rank()) : product(extents_, 0, r);
    }
    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return true; }
    static constexpr bool is_always_strided() noexcept { return true; }
    static constexpr bool is_unique() noexcept { return true; }
    static constexpr bool is_exhaustive() noexcept { return true; }
    static constexpr bool is_strided() noexcept { return true; }
    friend constexpr bool operator==(const Dense& a, const Dense& b) noexcept { return a.extents_ == b.extents_; }
    friend constexpr bool operator!=(const Dense& a, const Dense& b) noexcept { return !(a == b); }

  private:
    Extents extents_{};
};

}  // namespace mdspan_detail

struct layout_right {
    template <class Extents>
    using mapping = mdspan_detail::Dense<layout_right, Extents, true>;
};
struct layout_left {
    template <class Extents>
    using mapping = mdspan_detail::Dense<layout_left, Extents, false>;
};

struct layout_stride {
    template <class Extents>
    class mapping {
      public:
        using extents_type = Extents;
        using index_type = typename Extents::index_type;
        using size_type = typename Extents::size_type;
        using rank_type = typename Extents::rank_type;
        using layout_type = layout_stride;

        constexpr mapping() noexcept : mapping(layout_right::mapping<Extents>()) {}
        template <class Stride>
        constexpr mapping(const Extents& e, const ::std::array<Stride, Extents::rank()>& strides) noexcept
            : extents_(e) {
            for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(strides[r]);
        }
        /// Of another mapping that has strides.
        template <class Mapping, class = ::std::enable_if_t<Mapping::is_always_strided()>>
        constexpr mapping(const Mapping& other) noexcept : extents_(other.extents()) {
            for (rank_type r = 0; r < Extents::rank(); ++r) strides_[r] = static_cast<index_type>(other.stride(r));
        }

        constexpr const Extents& extents() const noexcept { return extents_; }
        constexpr index_type required_span_size() const noexcept {
            index_type last = 0;
            for (rank_type r = 0; r < Extents::rank(); ++r) {
                if (extents_.extent(r) == 0) return 0;
                last = static_cast<index_type>(last + (extents_.extent(r) - 1) * strides_[r]);
            }
            return static_cast<index_type>(last + 1);
        }
        template <class... Indices, class = ::std::enable_if_t<mdspan_detail::takes<Extents, Indices...>>>
        constexpr index_type operator()(Indices... indices) const noexcept {
            const index_type list[] = {static_cast<index_type>(indices)..., 0};
            index_type offset = 0;
            for (rank_type r = 0; r < Extents::rank(); ++r)
                offset = static_cast<index_type>(offset + list[r] * strides_[r]);
            return offset;
        }
        constexpr index_type stride(rank_type r) const noexcept { return strides_[r]; }
        constexpr ::std::array<index_type, Extents::rank()> strides() const noexcept {
            ::std::array<index_type, Extents::rank()> all{};
            for (rank_type r = 0; r < Extents::rank(); ++r) all[r] = strides_[r];
            return all;
        }
        static constexpr bool is_always_unique() noexcept { return true; }
        static constexpr bool is_always_exhaustive() noexcept { return false; }
        static constexpr bool is_always_strided() noexcept { return true; }
        static constexpr bool is_unique() noexcept { return true; }
        constexpr bool is_exhaustive() const noexcept {
            return required_span_size() == mdspan_detail::product(extents_, 0, Extents::rank());
        }
        static constexpr bool is_strided() noexcept { return true; }
        template <class Mapping>
        friend constexpr bool operator==(const mapping& a, const Mapping& b) noexcept {
            for (rank_type r = 0; r < Extents::rank(); ++r)
                if (a.stride(r) != b.stride(r)) return false;
            return a.extents() == b.extents();
        }

      private:
        Extents extents_{};
        index_type strides_[Extents::rank() + 1] = {};
    };
};

template <class T>
struct default_accessor {
    using offset_policy = default_accessor;
    using element_type = T;
    using reference = T&;
    using data_handle_type = T*;

    constexpr default_accessor() noexcept = default;
    template <class U, class = ::std::enable_if_t<::std::is_convertible_v<U (*)[], T (*)[]>>>
    constexpr default_accessor(default_accessor<U>) noexcept {}
    constexpr T& access(T* p, ::std::size_t i) const noexcept { return p[i]; }
    constexpr T* offset(T* p, ::std::size_t i) const noexcept { return p + i; }
};

template <class T, ::std::size_t alignment>
struct aligned_accessor {
    using offset_policy = default_accessor<T>;
    using element_type = T;
    using reference = T&;
    using data_handle_type = T*;
    static constexpr ::std::size_t byte_alignment = alignment;

    constexpr T& access(T* p, ::std::size_t i) const noexcept { return p[i]; }
    constexpr T* offset(T* p, ::std::size_t i) const noexcept { return p + i; }
};

template <class T, class Extents, class Layout = layout_right, class Accessor = default_accessor<T>>
class mdspan {
  public:
    using extents_type = Extents;
    using layout_type = Layout;
    using accessor_type = Accessor;
    using mapping_type = typename Layout::template mapping<Extents>;
    using element_type = T;
    using value_type = ::std::remove_cv_t<T>;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using data_handle_type = typename Accessor::data_handle_type;
    using reference = typename Accessor::reference;

    constexpr mdspan() noexcept = default;
    template <class... Sizes, class = ::std::enable_if_t<::std::is_constructible_v<Extents, Sizes...> &&
                                                         (::std::is_convertible_v<Sizes, index_type> && ...)>>
    constexpr explicit mdspan(data_handle_type p, Sizes... sizes) : p_(p), mapping_(Extents(sizes...)) {}
    template <class Size, ::std::size_t n>
    constexpr mdspan(data_handle_type p, const ::std::array<Size, n>& sizes) : p_(p), mapping_(Extents(sizes)) {}
    constexpr mdspan(data_handle_type p, const Extents& e) : p_(p), mapping_(e) {}
    constexpr mdspan(data_handle_type p, const mapping_type& mapping) : p_(p), mapping_(mapping) {}
    constexpr mdspan(data_handle_type p, const mapping_type& mapping, const Accessor& accessor)
        : p_(p), mapping_(mapping), accessor_(accessor) {}
    template <
        class U, class E, class L, class A,
        class = ::std::enable_if_t<::std::is_constructible_v<
            mapping_type, const typename L::template mapping<E>&>&& ::std::is_constructible_v<Accessor, const A&>>>
    constexpr mdspan(const mdspan<U, E, L, A>& other)
        : p_(other.data_handle()), mapping_(other.mapping()), accessor_(other.accessor()) {}

    template <class... Indices, class = ::std::enable_if_t<mdspan_detail::takes<Extents, Indices...>>>
    constexpr reference operator()(Indices... indices) const {
        return accessor_.access(p_, static_cast<::std::size_t>(mapping_(static_cast<index_type>(indices)...)));
    }
#if defined(__cpp_multidimensional_subscript)
    template <class... Indices, class = ::std::enable_if_t<mdspan_detail::takes<Extents, Indices...>>>
    constexpr reference operator[](Indices... indices) const {
        return (*this)(indices...);
    }
#else
    template <class Index, class = ::std::enable_if_t<mdspan_detail::takes<Extents, Index>>>
    constexpr reference operator[](Index i) const {
        return (*this)(i);
    }
#endif
    template <class Index>
    constexpr reference operator[](const ::std::array<Index, Extents::rank()>& indices) const {
        return at(indices, ::std::make_index_sequence<Extents::rank()>());
    }

    static constexpr rank_type rank() noexcept {
        return Extents::rank();
    }
    static constexpr rank_type rank_dynamic() noexcept {
        return Extents::rank_dynamic();
    }
    static constexpr ::std::size_t static_extent(rank_type r) noexcept {
        return Extents::static_extent(r);
    }
    constexpr index_type extent(rank_type r) const noexcept {
        return extents().extent(r);
    }
    constexpr size_type size() const noexcept {
        return static_cast<size_type>(mdspan_detail::product(extents(), 0, rank()));
    }
    [[nodiscard]] constexpr bool empty() const noexcept {
        return size() == 0;
    }
    constexpr const Extents& extents() const noexcept {
        return mapping_.extents();
    }
    constexpr const data_handle_type& data_handle() const noexcept {
        return p_;
    }
    constexpr const mapping_type& mapping() const noexcept {
        return mapping_;
    }
    constexpr const Accessor& accessor() const noexcept {
        return accessor_;
    }
    constexpr index_type stride(rank_type r) const {
        return mapping_.stride(r);
    }
    static constexpr bool is_always_unique() {
        return mapping_type::is_always_unique();
    }
    static constexpr bool is_always_exhaustive() {
        return mapping_type::is_always_exhaustive();
    }
    static constexpr bool is_always_strided() {
        return mapping_type::is_always_strided();
    }
    constexpr bool is_unique() const {
        return mapping_.is_unique();
    }
    constexpr bool is_exhaustive() const {
        return mapping_.is_exhaustive();
    }
    constexpr bool is_strided() const {
        return mapping_.is_strided();
    }
    friend constexpr void swap(mdspan& a, mdspan& b) noexcept {
        const mdspan c = a;
        a = b, b = c;
    }

  private:
    template <class Index, ::std::size_t... r>
    constexpr reference at(const ::std::array<Index, Extents::rank()>& indices, ::std::index_sequence<r...>) const {
        return (*this)(indices[r]...);
    }

    data_handle_type p_{};
    mapping_type mapping_{};
    Accessor accessor_{};
};

template <class T, class... Sizes,
          class = ::std::enable_if_t<(::std::is_convertible_v<Sizes, ::std::size_t> && ...) && sizeof...(Sizes) != 0>>
mdspan(T*, Sizes...) -> mdspan<T, dextents<::std::size_t, sizeof...(Sizes)>>;
template <class T, class Size, ::std::size_t n>
mdspan(T*, const ::std::array<Size, n>&) -> mdspan<T, dextents<::std::size_t, n>>;
template <class T, class Index, ::std::size_t... sizes>
mdspan(T*, const extents<Index, sizes...>&) -> mdspan<T, extents<Index, sizes...>>;
template <class T, class Mapping>
mdspan(T*, const Mapping&) -> mdspan<T, typename Mapping::extents_type, typename Mapping::layout_type>;
template <class Mapping, class Accessor>
mdspan(typename Accessor::data_handle_type, const Mapping&, const Accessor&)
    -> mdspan<typename Accessor::element_type, typename Mapping::extents_type, typename Mapping::layout_type, Accessor>;

}  // namespace std
}  // namespace cuda
