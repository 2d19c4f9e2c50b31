#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#if __cplusplus >= 202002L
#include <span>
#endif

// <cuda/std/span> of libcu++, which C++17 has there, too.

namespace cuda {
namespace std {

#if __cplusplus >= 202002L
using ::std::as_bytes;
using ::std::as_writable_bytes;
using ::std::dynamic_extent;
using ::std::span;
#else
inline constexpr ::std::size_t dynamic_extent = static_cast<::std::size_t>(-1);

template <class T, ::std::size_t Extent = dynamic_extent>
class span {
  public:
    using element_type = T;
    using value_type = ::std::remove_cv_t<T>;
    using size_type = ::std::size_t;
    using difference_type = ::std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;
    using iterator = T*;
    static constexpr size_type extent = Extent;

    template <::std::size_t E = Extent, class = ::std::enable_if_t<E == dynamic_extent || E == 0>>
    constexpr span() noexcept {}
    constexpr span(T* data, size_type size) : data_(data), size_(size) {}
    constexpr span(T* begin, T* end) : data_(begin), size_(static_cast<size_type>(end - begin)) {}
    template <::std::size_t n>
    constexpr span(T (&array)[n]) noexcept : data_(array), size_(n) {}
    template <class Container, class = decltype(::std::data(::std::declval<Container&>())),
              class = ::std::enable_if_t<::std::is_convertible_v<
                  ::std::remove_pointer_t<decltype(::std::data(::std::declval<Container&>()))> (*)[], T (*)[]>>>
    constexpr span(Container&& container) : data_(::std::data(container)), size_(::std::size(container)) {}

    constexpr T* data() const noexcept { return data_; }
    constexpr size_type size() const noexcept { return size_; }
    constexpr size_type size_bytes() const noexcept { return size_ * sizeof(T); }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T& operator[](size_type i) const { return data_[i]; }
    constexpr T& front() const { return data_[0]; }
    constexpr T& back() const { return data_[size_ - 1]; }
    constexpr T* begin() const noexcept { return data_; }
    constexpr T* end() const noexcept { return data_ + size_; }

    constexpr span<T> first(size_type n) const { return {data_, n}; }
    constexpr span<T> last(size_type n) const { return {data_ + (size_ - n), n}; }
    constexpr span<T> subspan(size_type begin, size_type n = dynamic_extent) const {
        return {data_ + begin, n == dynamic_extent ? size_ - begin : n};
    }

  private:
    T* data_ = nullptr;
    size_type size_ = 0;
};
template <class T, ::std::size_t n>
span(T (&)[n]) -> span<T, n>;
template <class T>
span(T*, ::std::size_t) -> span<T>;
template <class Container>
span(Container&) -> span<::std::remove_pointer_t<decltype(::std::data(::std::declval<Container&>()))>>;
#endif

}  // namespace std
}  // namespace cuda
