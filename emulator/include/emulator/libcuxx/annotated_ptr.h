#pragma once

#include <cstddef>

// <cuda/annotated_ptr> and <cuda/discard_memory> of libcu++: what they say to a GPU's L2 cache means nothing here.

namespace cuda {

class access_property {
  public:
    struct shared {};
    struct global {};
    struct normal {};
    struct streaming {};
    struct persisting {};

    constexpr access_property() = default;
    template <class Property>
    constexpr access_property(Property) {}
    template <class Property>
    constexpr access_property(Property, float) {}
};

template <class T, class Property>
class annotated_ptr {
  public:
    using element_type = T;
    using size_type = ::std::size_t;
    using difference_type = ::std::ptrdiff_t;

    constexpr annotated_ptr() = default;
    constexpr explicit annotated_ptr(T* pointer) : pointer_(pointer) {}
    template <class RuntimeProperty>
    constexpr annotated_ptr(T* pointer, RuntimeProperty) : pointer_(pointer) {}

    constexpr T* get() const { return pointer_; }
    constexpr T* operator->() const { return pointer_; }
    constexpr T& operator*() const { return *pointer_; }
    constexpr T& operator[](::std::ptrdiff_t i) const { return pointer_[i]; }
    constexpr ::std::ptrdiff_t operator-(annotated_ptr other) const { return pointer_ - other.pointer_; }
    constexpr explicit operator bool() const { return pointer_ != nullptr; }

  private:
    T* pointer_ = nullptr;
};

template <class T, class Property>
T* associate_access_property(T* pointer, Property) {
    return pointer;
}
template <class Shape, class Property>
void apply_access_property(const volatile void*, Shape, Property) {}

inline void discard_memory(volatile void*, ::std::size_t) {}

}  // namespace cuda
