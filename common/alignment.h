#pragma once

#include <cstddef>
#include <cstdint>

/// The number of elements from p to the next multiple of 16 bytes; 0 if p is at one. p must be aligned as T needs it.
template <class T>
std::size_t to_boundary(const T* p) {
    return (16 - reinterpret_cast<std::uintptr_t>(p) % 16) % 16 / sizeof(T);
}
